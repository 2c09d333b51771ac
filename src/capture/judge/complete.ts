import { durationText, iso } from "../../core/foundation/instants.ts";
import { isRecord } from "../../core/foundation/values.ts";
import { isEqual } from "../read/shapes.ts";
import type { Flaw } from "./body-laws.ts";
import type { FixtureJudge } from "./judge-fixture.ts";

/**
 * Completes a fixture: finds a body that a run sends which agrees with it in most fields, moves that to the fixture's
 * instants and names, and writes what the fixture says over it. The judge decides whether the result is possible.
 */

type Body = Readonly<Record<string, unknown>>;

/** A completed fixture. */
export interface Completed {
  /** The whole possible body. Keys that the fixture has stand first, in its order. */
  readonly body: Body;
  /** What the fixture said and no possible body says, with the reason. */
  readonly replaced: readonly Flaw[];
}

/** How many bodies of runs are tried. */
const TRIED = 40;
/** How often something impossible is taken out of a fixture. */
const MOST_REPAIRS = 12;

/**
 * Completes a fixture of a known type.
 * @param fixture what the test wrote
 * @param bodies bodies of its type that runs send
 * @returns undefined if no possible body keeps the rest of it
 */
export function complete(
  fixture: Body,
  bodies: readonly object[],
  judge: FixtureJudge,
): Completed | undefined {
  const replaced: Flaw[] = [];
  let kept = fixture;
  for (let repairs = 0; repairs < MOST_REPAIRS; repairs++) {
    const verdict = judge.judge(kept);
    if (typeof verdict !== "object") return undefined;
    const [flaw] = verdict.flaws;
    if (flaw === undefined) break;
    const without = withoutPath(kept, keysOf(flaw.path));
    if (isEqual(without, kept)) return undefined;
    replaced.push(flaw);
    kept = without;
  }
  const nearest = [...bodies].sort((a, b) => distance(kept, a) - distance(kept, b)).slice(0, TRIED);
  for (const each of nearest) {
    const body = overlaid(kept, moved(each as Body, kept));
    const verdict = judge.judge(body);
    if (typeof verdict === "object" && verdict.verdict === "possible") return { body, replaced };
  }
  return undefined;
}

/** `data.call.parties[0].dials` as keys. */
function keysOf(path: string): (string | number)[] {
  return path
    .split(/[.[\]]/)
    .filter((key) => key !== "")
    .map((key) => (/^\d+$/.test(key) ? Number(key) : key));
}

/** The same without what is at a path, or the date of which it is a half. */
function withoutPath(value: Body, [key, ...rest]: readonly (string | number)[]): Body {
  if (key === undefined) return value;
  const below = value[key];
  if (rest.length > 0) return { ...value, [key]: withoutBelow(below, rest) };
  const half = String(key).replace(/(At|Timestamp)$/, "");
  const dates = half === key ? [] : [`${half}At`, `${half}Timestamp`];
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key && !dates.includes(name)));
}

function withoutBelow(value: unknown, keys: readonly (string | number)[]): unknown {
  if (isRecord(value)) return withoutPath(value, keys);
  if (!Array.isArray(value)) return value;
  const [index, ...rest] = keys;
  return rest.length === 0
    ? value.filter((_, at) => at !== index)
    : value.map((each, at) => (at === index ? withoutBelow(each, rest) : each));
}

/** Words that the platform decides: a body that has others is another story. */
const isDecisive = (key: string) =>
  !/(At|Timestamp|Text|id|Id|Ids|Number|Name|email|extension|duration|waitTime|summary|amount|text|content|url|Url)$/i.test(
    key,
  );

/** In how many fields a fixture and a body tell other stories. */
function distance(fixture: unknown, body: unknown, key = ""): number {
  if (fixture === undefined) return 0;
  if (Array.isArray(fixture)) {
    if (!Array.isArray(body)) return 5;
    const other = Math.abs(fixture.length - body.length) * 3;
    return fixture.reduce((sum: number, each, index) => sum + distance(each, body[index], key), other);
  }
  if (isRecord(fixture)) {
    if (!isRecord(body)) return 5;
    return Object.entries(fixture).reduce((sum, [name, value]) => sum + distance(value, body[name], name), 0);
  }
  if ((fixture === null) !== (body === null || body === undefined)) return 5;
  if (fixture === null || !isDecisive(key)) return 0;
  return fixture === body ? 0 : 4;
}

/** A body with the instants and the names of a fixture. */
function moved(body: Body, fixture: Body): Body {
  const names = new Map<string, string>();
  const instants = new Map<number, number>();
  compareValues(fixture, body, names, instants, "");
  addDurations(fixture, body, instants);
  const anchors = [...instants].sort(([a], [b]) => a - b);
  const long = [...names].filter(([name]) => name.length >= 4).sort(([a], [b]) => b.length - a.length);
  const rename = (text: string) =>
    names.get(text) ?? long.reduce((all, [from, to]) => all.replaceAll(from, to), text);
  const copy = (value: unknown, key: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => copy(each, key));
    if (isRecord(value)) {
      const fields = Object.entries(value).map(([name, below]) => [name, copy(below, name)]);
      return withDerived(Object.fromEntries(fields));
    }
    if (typeof value === "number" && key.endsWith("Timestamp")) return placeTime(value, anchors);
    return typeof value === "string" && !key.endsWith("At") ? rename(value) : value;
  };
  return copy(body, "") as Body;
}

/** Which names and instants of a body are others in the fixture. */
function compareValues(
  fixture: unknown,
  body: unknown,
  names: Map<string, string>,
  instants: Map<number, number>,
  key: string,
): void {
  if (Array.isArray(fixture) && Array.isArray(body)) {
    for (const [index, each] of fixture.entries()) compareValues(each, body[index], names, instants, key);
  } else if (isRecord(fixture) && isRecord(body)) {
    for (const [name, value] of Object.entries(fixture)) {
      const at = name.replace(/At$/, "Timestamp");
      const ms = body[at];
      if (name.endsWith("At") && typeof value === "string" && typeof ms === "number")
        instants.set(ms, Date.parse(value));
      else compareValues(value, body[name], names, instants, name);
    }
  } else if (typeof fixture === "number" && typeof body === "number" && key.endsWith("Timestamp"))
    instants.set(body, fixture);
  else if (typeof fixture === "string" && typeof body === "string" && fixture !== body && !isDecisive(key))
    if (!names.has(body)) names.set(body, fixture);
}

/** What a fixture says of durations, as instants. */
function addDurations(fixture: Body, body: Body, instants: Map<number, number>): void {
  const [given, own] = [fixture, body].map(({ data }) =>
    isRecord(data) && isRecord(data.call) ? data.call : {},
  );
  const startMs = own?.startedTimestamp;
  if (typeof startMs !== "number") return;
  const spans = [
    ["answeredTimestamp", given?.waitTime],
    ["endedTimestamp", given?.duration],
  ] as const;
  for (const [name, span] of spans) {
    const ms = own?.[name];
    if (typeof ms !== "number" || typeof span !== "number" || instants.has(ms)) continue;
    const anchors = [...instants].sort(([a], [b]) => a - b);
    instants.set(startMs, placeTime(startMs, anchors));
    instants.set(ms, placeTime(startMs, anchors) + span);
  }
}

/** An instant of a body in the fixture's time: as long after the last known instant, and not after the next. */
function placeTime(ms: number, anchors: readonly (readonly [from: number, to: number])[]): number {
  const index = anchors.findLastIndex(([from]) => from <= ms);
  const [from, to] = anchors[Math.max(index, 0)] ?? [0, 0];
  const next = anchors[index + 1]?.[1];
  const moved = to + (ms - from);
  return index >= 0 && next !== undefined ? Math.min(moved, next) : moved;
}

/** A record whose texts follow its numbers. */
function withDerived(record: Readonly<Record<string, unknown>>): Body {
  const own: Record<string, unknown> = { ...record };
  const { startedTimestamp: startMs, endedTimestamp: endMs, answeredTimestamp: answerMs } = own;
  if (typeof startMs === "number" && typeof own.duration === "number" && typeof endMs === "number")
    own.duration = endMs - startMs;
  if (typeof startMs === "number" && typeof own.waitTime === "number")
    own.waitTime = typeof answerMs === "number" ? answerMs - startMs : own.duration;
  for (const [name, value] of Object.entries(own)) {
    const date = name.endsWith("Timestamp") ? name.replace(/Timestamp$/, "At") : "";
    if (typeof value === "number" && date in own) own[date] = iso(value);
    // a voicemail's duration is in seconds
    const unitMs = "recordingUrl" in own ? 1_000 : 1;
    if (typeof value === "number" && (name === "duration" || name === "waitTime") && `${name}Text` in own)
      own[`${name}Text`] = durationText(value * unitMs);
  }
  return own;
}

/** What the fixture says, over a body. */
function overlaid(fixture: Body, body: Body): Body {
  const merged: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fixture)) merged[name] = merge(value, body[name]);
  for (const [name, value] of Object.entries(body)) if (!(name in merged)) merged[name] = value;
  return merged;
}

function merge(given: unknown, own: unknown): unknown {
  if (isRecord(given) && isRecord(own)) return overlaid(given, own);
  if (!Array.isArray(given) || !Array.isArray(own)) return given;
  return given.map((each, index) => merge(each, own[index]));
}
