import type { ValueTree } from "../../core/narration/app-state.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import type { PropertyFailure } from "../../findings/property-failure.ts";
import { stateDifference } from "../../findings/state-difference.ts";

/** What a subject did in a world, to be compared with what it does in the same world later. */
export interface Behaviour {
  /** The app's state once it was built; undefined if it cannot be shown. */
  readonly firstState: ValueTree | undefined;
  /** The requests that it received, and how it answered them, in order. */
  readonly requests: readonly string[];
  /** Its own requests to the REST API, in the order of their instants. */
  readonly asked: readonly string[];
  /** The app's state at the end. */
  readonly state: ValueTree | undefined;
}

/** Reads what the subject did until now. The states are added by who can see them. */
export function behaviourIn({
  services,
  startTimestamp,
  rest,
}: Simulator): Omit<Behaviour, "firstState" | "state"> {
  const atText = (ms: number | null) => (ms === null ? "" : `PT${(ms - startTimestamp) / 1_000}S `);
  const requests: string[] = [];
  for (const { arrivedTimestamp, subject, answer, failure } of services.network.requests())
    requests.push(`${atText(arrivedTimestamp)}${subject}: ${failure ?? `status ${answer?.status}`}`);
  // those of one instant may come in another order where a real server asks
  const asked = rest.requests.map(({ method, path, status, timestamp }) => ({
    timestamp,
    text: `${atText(timestamp)}${method} ${withoutRandom(path)}: status ${status}`,
  }));
  asked.sort((a, b) => a.timestamp - b.timestamp || (a.text < b.text ? -1 : 1));
  return { requests, asked: asked.map(({ text }) => text) };
}

/** A run of the world without deviations: what the subject did, and what failed. */
export interface BehavedRun {
  readonly behaviour: Behaviour;
  readonly failures: readonly PropertyFailure[];
}

/** What differs between two runs of one world, as a sentence; undefined if nothing does. */
export function behaviourDifference(first: BehavedRun, later: BehavedRun): string | undefined {
  const [one, other] = [first.behaviour, later.behaviour];
  return (
    statesDiffer("begins", one.firstState, other.firstState) ??
    listsDiffer("the requests that it received", one.requests, other.requests) ??
    listsDiffer("its requests to the REST API", one.asked, other.asked) ??
    verdictsDiffer(first.failures, later.failures) ??
    statesDiffer("ends", one.state, other.state)
  );
}

function statesDiffer(
  verb: string,
  first: ValueTree | undefined,
  later: ValueTree | undefined,
): string | undefined {
  if (first === undefined || later === undefined) return undefined;
  const difference = stateDifference(later, first, withoutChance(first, later));
  return (
    difference &&
    `the app ${verb} with ${difference.holds} in the first run, and with ${difference.fails} in a later one`
  );
}

function listsDiffer(what: string, first: readonly string[], later: readonly string[]): string | undefined {
  const index = Array.from({ length: Math.max(first.length, later.length) }, (_, at) => at).find(
    (at) => first[at] !== later[at],
  );
  if (index === undefined) return undefined;
  return `${what} differ: ${first[index] ?? "nothing more"} in the first run, ${later[index] ?? "nothing more"} in a later one`;
}

function verdictsDiffer(
  first: readonly PropertyFailure[],
  later: readonly PropertyFailure[],
): string | undefined {
  const broken = (failures: readonly PropertyFailure[], other: readonly PropertyFailure[]) =>
    failures.find(({ property }) => !other.some((each) => each.property === property));
  const [inFirst, inLater] = [broken(first, later), broken(later, first)];
  if (inLater !== undefined) return `"${inLater.property}" holds in the first run, and fails in a later one`;
  return inFirst && `"${inFirst.property}" fails in the first run, and holds in a later one`;
}

/**
 * A state with marks in place of what is random or read from the real clock in two of its versions, as in each run of a
 * right app.
 */
function withoutChance({ text, parts }: ValueTree, later: ValueTree): ValueTree {
  if (parts === undefined || parts.length !== later.parts?.length)
    return areByChance(text, later.text) ? mark : { text, ...(parts && { parts }) };
  return {
    text,
    parts: parts.map(({ key, value }, index) => {
      const there = later.parts?.[index];
      const isRandom = areByChance(key ?? "", there?.key ?? "");
      return { key: isRandom ? mark.text : key, value: there ? withoutChance(value, there.value) : value };
    }),
  };
}

const mark: ValueTree = { text: "#" };

/** Whether two texts look as if chance or a clock had made them. */
function areByChance(one: string, other: string): boolean {
  if (one === other) return false;
  if (withoutRandom(one) === withoutRandom(other)) return true;
  const areWords = [one, other].every((each) => /^"?[A-Za-z\d]{8,}"?$/.test(each));
  return areWords && /\d/.test(one + other) && /[A-Za-z]/.test(one + other);
}

/** What random ids and readings of a clock look like. */
const random: readonly RegExp[] = [
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi,
  /\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*(Z|[-+]\d\d:?\d\d)?/g,
  // numbers with a fraction, and as large as seconds since 1970
  /\d+\.\d+/g,
  /(?<![\w+])\d{10,}(?!\w)/g,
  // letters and digits, small and large
  /\b(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{8,}/g,
];

function withoutRandom(text: string): string {
  return random.reduce((rest, each) => rest.replace(each, "#"), text);
}
