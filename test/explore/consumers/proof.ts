import {
  type Check,
  type DeviationBound,
  type DeviationKind,
  type ExploreReport,
  exploreReport,
  type ReadyProperties,
  type SometimesCheck,
} from "../../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../../src/index.ts";

/** An app with one defect, the same without it, and the properties of both. */
export interface Proof<T> {
  /** The name of the file with the smallest scenario that shows the defect. */
  readonly name: string;
  /** As YAML. */
  readonly scenario: string;
  faulty(sim: Simulator): T;
  corrected(sim: Simulator): T;
  readonly always?: Readonly<Record<string, Check<T>>>;
  readonly eventually?: Readonly<Record<string, Check<T>>>;
  readonly sometimes?: Readonly<Record<string, SometimesCheck<T>>>;
  /** The kinds of deviation that may happen. Default: all that need not be named. */
  readonly kinds?: readonly DeviationKind[];
}

/** A proof of any app. */
export interface AnyProof {
  readonly name: string;
  /** @param more another scenario instead of the proof's, and the bound */
  explore(
    which: "faulty" | "corrected",
    more: { readonly scenario?: string; readonly deviations: number | DeviationBound },
  ): Promise<ExploreReport>;
}

/** A proof whose app can also be judged by other properties than its own. */
export interface JudgedProof<T> extends AnyProof {
  /** Explores with ready-made properties alone. */
  judge(
    which: "faulty" | "corrected",
    properties: ReadyProperties<T>,
    bound: DeviationBound,
  ): Promise<ExploreReport>;
}

export function proof<T>({
  name,
  scenario,
  faulty,
  corrected,
  kinds,
  ...properties
}: Proof<T>): JudgedProof<T> {
  const subjects = { faulty, corrected };
  return {
    name,
    judge: (which, ready, deviations) =>
      exploreReport({ scenario: parseScenario(scenario), subject: subjects[which], ...ready, deviations }),
    explore: (which, { scenario: other, deviations: bound }) =>
      exploreReport({
        scenario: parseScenario(other ?? scenario),
        subject: subjects[which],
        ...properties,
        deviations: {
          ...(kinds === undefined ? {} : { kinds }),
          ...(typeof bound === "number" ? { atMost: bound } : bound),
        },
      }),
  };
}
