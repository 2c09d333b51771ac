import * as v from "valibot";
import { type DrawnMs, draw, drawnDuration } from "../foundation/distributions.ts";
import { duration, object, oneOf, wholeNumber } from "../foundation/input-schemas.ts";
import type { Randomness } from "../foundation/random.ts";

const optional = v.optional;

const probability = v.pipe(
  v.number("expected a probability from 0 to 1"),
  v.minValue(0, "expected a probability from 0 to 1"),
  v.maxValue(1, "expected a probability from 0 to 1"),
);

export const urlPrefix = v.string("expected the start of a URL");

/** Network conditions for some URLs. Defaults: no latency, no loss, no duplicates, no reordering. */
export const conditionsSchema = object({
  /** The fault holds for URLs that start like this. The longest matching start wins. */
  url: urlPrefix,
  /** How long a request takes to arrive. */
  latency: optional(drawnDuration),
  /** How likely a request is to be lost on the way. */
  loss: optional(probability),
  /** How likely a request is to arrive twice. */
  duplicate: optional(probability),
  /** How likely a request is to be held back, so that later ones overtake it. */
  reorder: optional(probability),
});

const faultKind = v.union(
  [wholeNumber(100, 599), oneOf(["refused", "unanswered", "timeout", "refuse"])],
  'expected a status, "refused", "unanswered" or "timeout"',
);

/** A fault: some URLs fail for a number of requests or for a time. */
export const faultSchema = object({
  /** The fault holds for URLs that start like this. The longest matching start wins. */
  url: urlPrefix,
  /** How they fail: a status; `refused` (also `refuse`); `unanswered`: they handle it, and the answer is lost; `timeout`. @default 503 */
  status: optional(faultKind, 503),
  /** For how many requests; 0 ends the present fault. */
  times: optional(wholeNumber(0)),
  /** For how long, from now. */
  for: optional(duration()),
  /** How long the endpoint takes to answer or refuse. */
  after: optional(duration()),
});

export type ConditionsArguments = v.InferOutput<typeof conditionsSchema>;
export type FaultArguments = v.InferOutput<typeof faultSchema>;
/** Network conditions as a consumer writes them. */
export type Conditions = Omit<v.InferInput<typeof conditionsSchema>, "url">;
/** A fault as a consumer writes it: how endpoints fail, how often or for how long, and after what time. */
export type Fault = Omit<v.InferInput<typeof faultSchema>, "url">;

/** The conditions of some URLs. */
type Way = Omit<ConditionsArguments, "url">;

interface ActiveFault {
  readonly status: FaultArguments["status"];
  readonly afterMs: number;
  readonly left: number;
  readonly untilMs: number;
}

export interface ConditionsState {
  readonly ways: Map<string, Way>;
  readonly faults: Map<string, ActiveFault>;
}

/** How a request travels: lost, or the delay of each arrival, ms. A duplicate arrives twice. */
export type TransmissionDelays = "lost" | readonly number[];

/** The longest time that a reordered request is held back, ms. */
const HELD_BACK_MS = 2_000;
const AT_ONCE: TransmissionDelays = Object.freeze([0]);

/** The conditions of the network and the faults of its endpoints, by URL prefix, the longest first. Seeded. */
export class NetworkConditions {
  constructor(
    private readonly randomness: Randomness,
    private readonly usual: Way,
    private readonly state: ConditionsState,
  ) {}

  set({ url, ...way }: ConditionsArguments): void {
    this.state.ways.set(url, way);
  }

  setFault({ url, status, times, for: forMs, after = 0 }: FaultArguments, nowMs: number): void {
    const { faults } = this.state;
    for (const [prefix, { left, untilMs }] of faults)
      if (left <= 0 || untilMs <= nowMs) faults.delete(prefix);
    faults.set(url, {
      status,
      afterMs: after,
      left: times ?? Number.POSITIVE_INFINITY,
      untilMs: forMs === undefined ? Number.POSITIVE_INFINITY : nowMs + forMs,
    });
  }

  /** Draws how a request travels, each condition of each prefix from a stream of its own. */
  findDelays(url: string): TransmissionDelays {
    const prefix = longestPrefix(url, this.state.ways);
    const way = prefix === undefined ? this.usual : { ...this.usual, ...this.state.ways.get(prefix) };
    const { latency, loss = 0, duplicate = 0, reorder = 0 } = way;
    if (latency === undefined && loss === 0 && duplicate === 0 && reorder === 0) return AT_ONCE;
    const next = (what: string) => () => this.randomness.uniform(`network ${what} ${prefix ?? ""}`);
    const happens = (what: string, chance: number) => chance > 0 && next(what)() < chance;
    if (happens("loss", loss)) return "lost";
    const arrival = () => {
      const heldBackMs = happens("reorder", reorder) ? draw(heldBack, next("hold")) : 0;
      return draw(latency ?? 0, next("latency")) + heldBackMs;
    };
    return happens("duplicate", duplicate) ? [arrival(), arrival()] : [arrival()];
  }

  /** The fault that applies to a request to this URL now: that of the longest matching prefix. */
  faultAt(url: string, nowMs: number): { readonly prefix: string; readonly fault: ActiveFault } | undefined {
    let found: { prefix: string; fault: ActiveFault } | undefined;
    for (const [prefix, fault] of this.state.faults) {
      const isActive = fault.left > 0 && nowMs < fault.untilMs && url.startsWith(prefix);
      if (isActive && (found === undefined || prefix.length > found.prefix.length)) found = { prefix, fault };
    }
    return found;
  }

  /** Counts a request to which this fault applied. */
  countFault(prefix: string, fault: ActiveFault): void {
    this.state.faults.set(prefix, { ...fault, left: fault.left - 1 });
  }
}

const heldBack: DrawnMs = { uniform: [1, HELD_BACK_MS] };

/** The longest of the prefixes that a URL starts with. */
export function longestPrefix(
  url: string,
  ...maps: readonly ReadonlyMap<string, unknown>[]
): string | undefined {
  let longest: string | undefined;
  for (const map of maps)
    for (const prefix of map.keys())
      if (url.startsWith(prefix) && (longest === undefined || prefix.length > longest.length))
        longest = prefix;
  return longest;
}
