import { isoDuration } from "../../core/foundation/instants.ts";
import { nodeModule } from "../../core/foundation/node-module.ts";
import type { ValueTree } from "../../core/narration/app-state.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { firstLine } from "../../findings/explain.ts";
import { isDefect, type PropertyFailure } from "../../findings/property-failure.ts";
import { stateDifference } from "../../findings/state-difference.ts";

/** A request as text, and how it was answered. */
interface Exchange {
  /** When, and what was asked. */
  readonly asked: string;
  readonly answer: string;
}

/** What an app did in a world, to be compared with what it does in the same world later. */
export interface Behaviour {
  /** The app's state once it was built; undefined if it cannot be shown. */
  readonly firstState: ValueTree | undefined;
  /** If it cannot be shown: the app's fields that are data, once it was built. */
  readonly firstFields: ValueTree | undefined;
  /** The requests that it received, and how it answered them, in order. */
  readonly received: readonly Exchange[];
  /** Its own requests to the REST API, in the order of their instants. */
  readonly sent: readonly Exchange[];
  /** The app's state at the end. */
  readonly state: ValueTree | undefined;
  /** If it cannot be shown: the app's fields that are data, at the end. */
  readonly fields: ValueTree | undefined;
}

/** Reads what the app received and sent until now. */
export function exchangesIn({
  services,
  startTimestamp,
  rest,
}: Simulator): Pick<Behaviour, "received" | "sent"> {
  const atText = (ms: number | null) => (ms === null ? "" : `${isoDuration(ms - startTimestamp)} `);
  const received: Exchange[] = [];
  for (const { arrivedTimestamp, subject, answer, failure } of services.network.requests())
    received.push({
      asked: atText(arrivedTimestamp) + subject,
      answer: failure ?? `status ${answer?.status}`,
    });
  // those of one instant may come in another order where a real server asks
  const sent = rest.requests.map(({ method, path, status, timestamp }) => {
    const asked = `${atText(timestamp)}${method} ${withoutRandom(path)}`;
    return { timestamp, text: `${asked}: ${status}`, asked, answer: `status ${status}` };
  });
  sent.sort((a, b) => a.timestamp - b.timestamp || (a.text < b.text ? -1 : 1));
  return { received, sent: sent.map(({ asked, answer }) => ({ asked, answer })) };
}

/** A run of the world without deviations: what the app did, and what failed. */
export interface BehavedRun {
  readonly behaviour: Behaviour;
  readonly failures: readonly PropertyFailure[];
}

/** What differs between two runs of one world, as a sentence; undefined if nothing does. */
export function behaviourDifference(first: BehavedRun, later: BehavedRun): string | undefined {
  const [one, other] = [first.behaviour, later.behaviour];
  return (
    defectsDiffer(first.failures, later.failures) ??
    statesDiffer("begins", one.firstState, other.firstState) ??
    exchangesDiffer(["the requests that it received", "its answers"], one.received, other.received) ??
    exchangesDiffer(["its requests to the REST API", "the answers of the REST API"], one.sent, other.sent) ??
    verdictsDiffer(first.failures, later.failures) ??
    statesDiffer("ends", one.state, other.state) ??
    fieldsDiffer(one, other) ??
    messagesDiffer(first.failures, later.failures)
  );
}

/** A defect ends its run, so what differs besides follows from it. */
function defectsDiffer(
  first: readonly PropertyFailure[],
  later: readonly PropertyFailure[],
): string | undefined {
  const defectIn = (failures: readonly PropertyFailure[]) =>
    failures.find(({ property }) => isDefect(property));
  const [one, other] = [defectIn(first), defectIn(later)];
  if (one?.property === other?.property) return undefined;
  const text = ({ property, message }: PropertyFailure, when: string) =>
    `${property} in ${when} (${firstLine(message)})`;
  if (one === undefined) return other && `${text(other, "a later run")}, and not in the first`;
  const start = text(one, "the first run");
  return `${start}, and ${other === undefined ? "not in a later one" : text(other, "a later one")}`;
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

/**
 * Compares the fields of an app whose state cannot be shown, as far as a run changed them: others are most often
 * resources, such as the port of a server.
 */
function fieldsDiffer(first: Behaviour, later: Behaviour): string | undefined {
  const changed = new Set([...changedFields(first), ...changedFields(later)]);
  return statesDiffer("ends", withOnly(first.fields, changed), withOnly(later.fields, changed));
}

/** The names of the fields that a run changed. */
function changedFields({ firstFields, fields }: Behaviour): string[] {
  const before = new Map(firstFields?.parts?.map(({ key, value }) => [key, value]));
  const isChanged = (was: ValueTree | undefined, is: ValueTree) =>
    was === undefined || stateDifference(is, was, undefined) !== undefined;
  return (fields?.parts ?? []).flatMap(({ key, value }) =>
    key !== undefined && isChanged(before.get(key), value) ? [key] : [],
  );
}

function withOnly(tree: ValueTree | undefined, names: ReadonlySet<string>): ValueTree | undefined {
  return (
    tree && { ...tree, parts: (tree.parts ?? []).filter(({ key }) => key !== undefined && names.has(key)) }
  );
}

/** @param what what differs if the requests do, and if only the answer of one does */
function exchangesDiffer(
  [requests, answers]: readonly [requests: string, answers: string],
  first: readonly Exchange[],
  later: readonly Exchange[],
): string | undefined {
  for (let index = 0; index < Math.max(first.length, later.length); index++) {
    const [one, other] = [first[index], later[index]];
    if (one?.asked === other?.asked && one?.answer === other?.answer) continue;
    if (one?.asked === other?.asked)
      return `${answers} differ: ${exchangeText(one)} in the first run, ${other?.answer} in a later one`;
    return `${requests} differ: ${exchangeText(one)} in the first run, ${exchangeText(other)} in a later one`;
  }
  return undefined;
}

function exchangeText(exchange: Exchange | undefined): string {
  return exchange === undefined ? "nothing more" : `${exchange.asked}: ${exchange.answer}`;
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

/** Compares what a property says that fails in both runs. */
function messagesDiffer(
  first: readonly PropertyFailure[],
  later: readonly PropertyFailure[],
): string | undefined {
  // a defect may name a port or a file, which is another in each run
  for (const { property, message } of first.filter((each) => !isDefect(each.property))) {
    const again = later.find((each) => each.property === property);
    const [one, other] = [message, again?.message ?? message].map(firstLine) as [string, string];
    if (withoutRandom(one) !== withoutRandom(other))
      return `"${property}" says "${one}" in the first run, and "${other}" in a later one`;
  }
  return undefined;
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
      const isPort =
        there !== undefined && /port$/i.test(key ?? "") && arePorts(value.text, there.value.text);
      if (isPort) return { key, value: mark };
      return { key: isRandom ? mark.text : key, value: there ? withoutChance(value, there.value) : value };
    }),
  };
}

const mark: ValueTree = { text: "#" };

/** Whether two texts look as if chance or a clock had made them. */
function areByChance(one: string, other: string): boolean {
  if (one === other) return false;
  if (withoutRandom(one) === withoutRandom(other)) return true;
  // one reading of a clock in thousands has no fraction
  if ([one, other].every((each) => /^\d+(\.\d+)?$/.test(each)) && /\./.test(one + other)) return true;
  const areWords = [one, other].every((each) => /^"?[A-Za-z\d]{8,}"?$/.test(each));
  return areWords && /\d/.test(one + other) && /[A-Za-z]/.test(one + other);
}

/** Whether the system may have chosen two numbers, for a server that takes any free port. */
function arePorts(...texts: readonly string[]): boolean {
  return texts.every((each) => /^\d{4,5}$/.test(each));
}

/** The folder for temporary files as texts have it, as a part of a pattern. */
const temporary = JSON.stringify(nodeModule<{ tmpdir(): string }>("node:os")?.tmpdir() ?? "/tmp")
  .slice(1, -1)
  .replaceAll(/[^\w/]/g, "\\$&");

/** What random ids, readings of a clock, and what the system chooses look like. */
const random: readonly RegExp[] = [
  /(localhost|127\.0\.0\.1|\[::1?\]|0\.0\.0\.0):\d+/g,
  new RegExp(`${temporary}[\\\\/]+[^\\\\/"\\s]+`, "g"),
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
