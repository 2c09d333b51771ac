import {
  type Check,
  type ExploreOptions,
  type ExploreReport,
  exploreReport,
  type Wish,
} from "../../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../../src/index.ts";

/** An integration with one defect, the same without it, and the properties of both. */
export interface Proof<T> {
  /** The name of the file with the smallest scenario that shows the defect. */
  readonly name: string;
  /** As YAML. */
  readonly scenario: string;
  faulty(sim: Simulator): T;
  corrected(sim: Simulator): T;
  readonly always?: Readonly<Record<string, Check<T>>>;
  readonly eventually?: Readonly<Record<string, Check<T>>>;
  readonly sometimes?: Readonly<Record<string, Wish<T>>>;
}

/** A proof of any integration. */
export interface AnyProof {
  readonly name: string;
  /** @param more another scenario instead of the proof's, and the bound */
  explore(
    which: "faulty" | "corrected",
    more: Pick<ExploreOptions<unknown>, "deviations"> & { readonly scenario?: string },
  ): Promise<ExploreReport>;
}

export function proof<T>({ name, scenario, faulty, corrected, ...properties }: Proof<T>): AnyProof {
  const subjects = { faulty, corrected };
  return {
    name,
    explore: (which, { scenario: other, ...bound }) =>
      exploreReport({
        scenario: parseScenario(other ?? scenario),
        subject: subjects[which],
        ...properties,
        ...bound,
      }),
  };
}
