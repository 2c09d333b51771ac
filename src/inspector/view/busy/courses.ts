import type { Row, RunRecord } from "../../model/types.ts";
import { isFailure } from "../../model/types.ts";
import type { LoadedRun } from "../state/loading.ts";

/** A busy run in short: the way of each delivery, what went wrong with each call, and when. */

/** What went wrong, the worst first. */
export const troubles = ["givenUp", "error", "loss", "refused", "twice"] as const;
export type Trouble = (typeof troubles)[number];

export const troubleNames: Readonly<Record<Trouble, string>> = {
  givenUp: "Given up",
  error: "Late after an error",
  loss: "Late after a loss",
  refused: "Refused by the REST API",
  twice: "Came twice",
};

/** One request of a delivery. */
export interface Attempt {
  readonly atMs: number;
  /** `204`, `503`, `lost`. */
  readonly text: string;
  readonly kind: "delivered" | "failed" | "lost" | "pending";
  readonly isDouble: boolean;
}

/** The whole way of a delivery, or of requests to the REST API that were refused alike. */
export interface Course {
  readonly key: string;
  readonly trouble: Trouble | undefined;
  /** The event's type, or who asked for what. */
  readonly what: string;
  /** The lane of its webhook; empty for the REST API. */
  readonly lane: string;
  /** The index of its call among the records; -1 for none. */
  readonly record: number;
  /** The row that shows what went wrong first. */
  readonly row: number;
  readonly atMs: number;
  readonly attempts: readonly Attempt[];
  /** When it was given up, from the start of the run, ms. */
  readonly givenUpMs: number | undefined;
}

/** A call or a conversation, with what went wrong. */
export interface BusyRecord {
  /** Its index among the records. */
  readonly place: number;
  readonly record: RunRecord;
  readonly from: string;
  readonly to: string;
  /** `answered`, and the reason beside it. */
  readonly outcome: readonly [string, string];
  /** The courses that went wrong, and no other. */
  readonly courses: readonly Course[];
  /** The place of its worst trouble among `troubles`; their number if nothing went wrong. */
  readonly rank: number;
}

/** All deliveries of a run, and refused requests. */
export function coursesOf({ rows, shape }: LoadedRun): Course[] {
  const found = new Map<string, Building>();
  for (const row of rows) {
    if (row.outcome !== undefined && isFailure(row)) addRefused(found, row);
    for (const { id, lane, attempt, outcome } of row.deliveries) {
      const course = found.get(id) ?? newCourse(id, row, lane);
      found.set(id, course);
      if (row.kind === "failed") course.givenUpMs = row.atMs;
      else if (row.kind === "event" || row.kind === "retry") {
        const isDouble = row.kind === "event" && row.first !== undefined;
        course.attempts.push({ atMs: row.atMs, text: outcome.text, kind: outcome.kind, isDouble });
        if (outcome.kind !== "delivered" && course.attempts.length > 0) course.badRow ??= row.index;
        if (attempt === 1 && !isDouble) course.what = row.subject;
      }
    }
  }
  return [...found.values()].map((course) => ({
    ...course,
    row: course.badRow ?? course.row,
    trouble: troubleOf(course),
    // what happened to nobody's call belongs to none
    record: shape.records[course.record] === undefined ? -1 : course.record,
  }));
}

type Building = { -readonly [K in keyof Omit<Course, "trouble" | "attempts">]: Course[K] } & {
  readonly attempts: Attempt[];
  badRow: number | undefined;
};

function newCourse(key: string, { subject, record, index, atMs }: Row, lane: string): Building {
  const place = { record, row: index, atMs, badRow: undefined };
  return { key, what: subject, lane, ...place, attempts: [], givenUpMs: undefined };
}

/** Requests that the REST API refuses in the same way share a course. */
function addRefused(found: Map<string, Building>, row: Row): void {
  const { subject, verb, detail, outcome, atMs } = row;
  const key = `${subject} ${verb} ${detail} ${outcome?.text}`;
  const course = found.get(key) ?? newCourse(key, { ...row, subject: `${subject} ${verb} ${detail}` }, "");
  course.attempts.push({ atMs, text: outcome?.text ?? "", kind: outcome?.kind ?? "failed", isDouble: false });
  found.set(key, course);
}

function troubleOf({ attempts, givenUpMs, lane }: Building): Trouble | undefined {
  if (lane === "") return "refused";
  if (givenUpMs !== undefined) return "givenUp";
  const own = attempts.filter(({ isDouble }) => !isDouble);
  const bad = own.filter(({ kind }) => kind === "failed" || kind === "lost");
  if (bad.length > 0) return bad.some(({ kind }) => kind === "failed") ? "error" : "loss";
  return attempts.length > own.length ? "twice" : undefined;
}

/** The calls and conversations: those with the worst troubles first, otherwise as they began. */
export function busyRecords({ shape }: LoadedRun, courses: readonly Course[]): BusyRecord[] {
  const byRecord = new Map<number, Course[]>();
  for (const course of courses) {
    if (course.trouble === undefined) continue;
    const known = byRecord.get(course.record);
    if (known === undefined) byRecord.set(course.record, [course]);
    else known.push(course);
  }
  const all = shape.records.map((record, place): BusyRecord => {
    const own = byRecord.get(place) ?? [];
    const from = callerOf(record.title);
    const [, to = ""] = record.title.split(" → ");
    const [outcome = "", reason = ""] = record.outcome.split(", ");
    const ranks = own.map(({ trouble }) => troubles.indexOf(trouble as Trouble));
    const rank = Math.min(troubles.length, ...ranks);
    return { place, record, from, to, outcome: [outcome, inWords(reason)], courses: own, rank };
  });
  return all.sort((a, b) => a.rank - b.rank || b.courses.length - a.courses.length || a.place - b.place);
}

/** Who calls, of a title such as `Jane Smith → Alice`. */
export function callerOf(title: string): string {
  return title.split(" → ")[0] ?? title;
}

/** `caller hung up` of `callerHungUp`. */
function inWords(reason: string): string {
  return reason.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** A band of the overview: how often something happened in each part of the run. */
export interface Band {
  readonly name: string;
  readonly tone: string;
  readonly total: number;
  readonly counts: readonly number[];
  /** The largest of the counts. */
  readonly most: number;
}

/** How many parts a run has in the bands. */
const PARTS = 120;

/** The bands of a run: what went wrong first. Each has a scale of its own. */
export function bandsOf(run: LoadedRun, courses: readonly Course[], records: readonly BusyRecord[]): Band[] {
  const { rows, shape } = run;
  const attempts = courses.flatMap((course) => course.attempts);
  const answered = records.filter(({ outcome }) => outcome[0] === "answered");
  const missed = records.filter(({ outcome }) => outcome[0] !== "answered" && outcome[0] !== "");
  const times = (list: readonly BusyRecord[]) => list.map(({ record }) => record.fromMs);
  const events = rows.filter(({ kind, event, first }) => kind === "event" && event !== undefined && !first);
  const all: readonly (readonly [string, string, readonly number[]])[] = [
    ["Given up", "failed", courses.flatMap(({ givenUpMs }) => givenUpMs ?? [])],
    ["Failed attempts", "failed", attempts.filter(({ kind }) => kind === "failed").map(({ atMs }) => atMs)],
    ["Lost", "lost", attempts.filter(({ kind }) => kind === "lost").map(({ atMs }) => atMs)],
    ["Came twice", "retry", attempts.filter(({ isDouble }) => isDouble).map(({ atMs }) => atMs)],
    ["Calls begin", "command", times(records)],
    ["Answered", "answer", times(answered)],
    ["Missed, abandoned", "retry", times(missed)],
    ["All events", "event", events.map(({ atMs }) => atMs)],
  ];
  return all
    .filter(([, , at]) => at.length > 0)
    .map(([name, tone, at]) => {
      const counts = new Array<number>(PARTS).fill(0);
      for (const ms of at) {
        const part = Math.min(PARTS - 1, Math.floor((ms / Math.max(1, shape.endMs)) * PARTS));
        counts[part] = (counts[part] ?? 0) + 1;
      }
      return { name, tone, total: at.length, counts, most: Math.max(...counts) };
    });
}
