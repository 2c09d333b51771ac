import type { Scenario } from "ringback";
import { type ExploreOptions, type ExploreReport, exploreReport } from "ringback/explore";

/** An app as it runs in production, with one defect and without it. */
interface Production<T, D> extends Pick<ExploreOptions<T, D>, "show" | "eventually" | "sometimes"> {
  readonly scenario: Scenario;
  readonly faulty: Pick<ExploreOptions<T, D>, "subject" | "durable">;
  readonly corrected: Pick<ExploreOptions<T, D>, "subject" | "durable">;
}

/** Both apps, to be explored with one deviation. */
export interface AnyProduction {
  explore(which: "faulty" | "corrected"): Promise<ExploreReport>;
}

export function production<T, D = unknown>({ faulty, corrected, ...rest }: Production<T, D>): AnyProduction {
  const apps = { faulty, corrected };
  return { explore: (which) => exploreReport({ ...rest, ...apps[which], deviations: 1 }) };
}
