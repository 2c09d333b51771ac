import { textDigest } from "../core/network/hmac.ts";
import type { Simulator } from "../core/simulator/simulator.ts";

/**
 * Keys by which two runs count as one. Both leave out ids, and of times keep only their order, and whether one follows
 * another within a second: the *regions* of timed automata. So "hangs up 0.4 s after the answer" stays apart from "hangs up
 * 20 s after it", which apps tell apart, and both are one story each.
 */

/**
 * What the platform will do from here on, whatever happened before: machines, live calls, the order of timers, people.
 * @param apartFrom what else keeps runs apart
 */
export function stateKey(simulator: Simulator, ...apartFrom: readonly unknown[]): string {
  return textDigest(inRegions(new WithoutIds(simulator).text([apartFrom, describeState(simulator)])));
}

/**
 * What an app got and what the records of the calls say, with the state: an app has a memory, so the state of the
 * platform alone is not enough.
 * @param types the types of events that the app gets; undefined for all
 */
export function receivedKey(
  simulator: Simulator,
  types: ReadonlySet<string> | undefined,
  state: "with the state" | "alone",
  ...apartFrom: readonly unknown[]
): string {
  const texts = new WithoutIds(simulator);
  const received = simulator.events
    .filter(({ type }) => types === undefined || types.has(type))
    .map(({ createdTimestamp, type, data }) => `${mark(createdTimestamp)} ${type} ${texts.text(data)}`);
  const calls = texts.text(simulator.calls.list().map(({ record }) => record));
  const now = state === "alone" ? "" : texts.text(describeState(simulator));
  return textDigest(inRegions([...received, calls, now, texts.text(apartFrom)].join("\n")));
}

function describeState(simulator: Simulator) {
  const { services } = simulator;
  const machines = services.engine.host
    .save()
    .filter(({ machine }) => machine !== "delivery" && machine !== "webhook")
    .map(({ machine, id, snapshot: { value, context } }) => [machine, id, value, context]);
  const people = simulator.users
    .list()
    .map(({ record: { id, availability, callId, endpoints } }) => [
      ...[id, availability.status, availability.notAvailableRule, callId],
      endpoints.map(({ registered }) => registered),
    ]);
  const calls = simulator.calls
    .live()
    .map(({ record: { id, status, contactNumber, isConference, connections } }) => [
      ...[id, status, contactNumber, isConference],
      connections.filter(({ leftAt }) => leftAt === null).map(({ partyId, endpoint }) => [partyId, endpoint]),
    ]);
  return [listTimers(simulator), machines, [...services.live.save().calls], calls, people];
}

/** Scheduled items: their order, and whether one is due within a second. */
function listTimers(simulator: Simulator) {
  const now = simulator.timestamp;
  const items = simulator.pending().filter(({ isBackground }) => isBackground !== true);
  const instants = [...new Set(items.map(({ dueTimestamp }) => dueTimestamp))];
  return items.map(({ purpose, recordId, dueTimestamp }) => [
    ...[purpose, recordId, instants.indexOf(dueTimestamp)],
    dueTimestamp - now < SECOND,
  ]);
}

const SECOND = 1_000;

/** Texts in which ids that the run has made are numbered by their first appearance. */
class WithoutIds {
  private readonly numbers = new Map<string, number>();
  private readonly idPattern: RegExp;

  /** @param simulator one with `ids: "counter"`: `call-12`, `vendor-call-3` */
  constructor(simulator: Simulator) {
    const kinds = [...simulator.services.engine.ids.save().keys()].sort();
    this.idPattern = new RegExp(`\\b(?:${kinds.join("|")})-\\d+\\b`, "g");
  }

  text(value: unknown): string {
    return writeText(value).replaceAll(this.idPattern, (id) => {
      if (!this.numbers.has(id)) this.numbers.set(id, this.numbers.size);
      return `#${this.numbers.get(id)}`;
    });
  }
}

/** The texts of frozen records, which forks share. */
const texts = new WeakMap<object, string>();

function writeText(value: unknown): string {
  const isRecord = typeof value === "object" && value !== null && Object.isFrozen(value);
  const known = isRecord ? texts.get(value) : undefined;
  if (known !== undefined) return known;
  const text = JSON.stringify(value, withoutTimes) ?? "";
  if (isRecord) texts.set(value, text);
  return text;
}

/** Fields that say when, in words or as text, or count what all runs count: `startedAt`, `durationText`, `serial`. */
const saidElsewhere = /(?:At|Text|[sS]erial|FromMs)$/;
/** The first instant that a number of milliseconds can mean here: 2001. */
const FIRST_INSTANT = 1e12;

function withoutTimes(key: string, value: unknown): unknown {
  if (value instanceof Map || value instanceof Set) return [...value];
  if (saidElsewhere.test(key)) return value === null ? null : 0;
  if (typeof value !== "number") return value;
  if (key.endsWith("Timestamp")) return mark(value);
  if (key === "duration") return value >= SECOND;
  return /(?:Duration|waitTime)$/.test(key) || value > FIRST_INSTANT ? 0 : value;
}

/** An instant, to be replaced by its region. */
function mark(timestamp: number): string {
  return `@${timestamp}@`;
}

/** Replaces instants by their regions: numbers in their order, of which two follow directly if within a second. */
function inRegions(text: string): string {
  const instants = [...new Set(text.match(/@\d+@/g) ?? [])].sort();
  const regions = new Map<string, string>();
  let region = 0;
  let before = 0;
  for (const each of instants) {
    const timestamp = Number(each.slice(1, -1));
    region += timestamp - before < SECOND ? 1 : 2;
    before = timestamp;
    regions.set(each, `@${region}`);
  }
  return text.replaceAll(/@\d+@/g, (each) => regions.get(each) ?? each);
}
