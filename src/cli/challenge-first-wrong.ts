import { isRecord } from "../core/foundation/values.ts";
import type { RequestRecord } from "../core/records/request.ts";
import type { ExploreFailure } from "../explore/report/report.ts";
import { firstLine } from "../findings/explain.ts";
import type { ChallengeState } from "./challenge-tasks.ts";

/** A request that the app got, with what it says and what the app shows after it. */
interface Received {
  readonly request: RequestRecord;
  readonly event: KnownEvent;
  /** Undefined if it cannot be shown. */
  readonly state: string | undefined;
}

/** What an event says of its call. */
interface KnownEvent {
  readonly type: string;
  readonly createdTimestamp: number;
  readonly callId: string;
  readonly number: string;
  readonly isInbound: boolean;
  readonly isOver: boolean;
}

/** What is wrong with one name, a call's id or a number, in what the app shows in the end. */
interface WrongName {
  readonly name: string;
  readonly is: "repeated" | "missing" | "there";
}

/**
 * The first request after which the app shows what no right one shows: something twice, something before or after its
 * time, or no longer what it has been told. Undefined where the message names no call and no number, or no state is known.
 */
export function firstWrong(
  { message, smallest }: Pick<ExploreFailure, "message" | "smallest">,
  requests: readonly RequestRecord[],
  startMs: number,
  check: ChallengeState["check"],
): RequestRecord | undefined {
  const received = withStates(smallest.received, requests, startMs);
  const line = firstLine(message);
  if (UNREADABLE.test(line))
    return received.find(({ state }) => state !== undefined && state !== "[]")?.request;
  const places = wrongNames(line).flatMap(({ name, is }) => {
    const known = knownFrom({ name, is }, received, check);
    const place = received.findIndex(
      ({ state }, index) => state !== undefined && index >= known && isWrong(countWord(state, name), is),
    );
    return place < 0 ? [] : [place];
  });
  return places.length === 0 ? undefined : received[Math.min(...places)]?.request;
}

const UNREADABLE = /^what the app shows cannot be read|^POST \S+ answered 200, expected/;

const isWrong = (count: number, is: WrongName["is"]): boolean =>
  is === "repeated" ? count > 1 : is === "missing" ? count === 0 : count > 0;

/** The names in a message of `mustBeSame`. */
function wrongNames(line: string): WrongName[] {
  return line.split("; ").flatMap((part): WrongName[] => {
    const names = (pattern: RegExp) => pattern.exec(part)?.[1]?.split(", ") ?? [];
    return [
      ...names(/^(\S+) is (?:there|logged) (?:twice|\d+ times)/).map((name) => ({
        name,
        is: "repeated" as const,
      })),
      ...names(/^(.+) (?:is|are) missing/).map((name) => ({ name, is: "missing" as const })),
      ...names(/^(.+) must not be there/).map((name) => ({ name, is: "there" as const })),
    ];
  });
}

/** The place of the first request from which on a right app shows a name, or no longer shows it. */
function knownFrom(
  { name, is }: WrongName,
  received: readonly Received[],
  check: ChallengeState["check"],
): number {
  if (is === "repeated") return 0;
  const isAbout = ({ event }: Received) => event.callId === name || event.number === name;
  const about = received.filter(isAbout);
  // what no request names, a right app never shows
  if (about.length === 0) return 0;
  if (check === "wallboard")
    return received.findIndex((each) => isAbout(each) && (is === "missing" || each.event.isOver));
  const newest = newestOf(about);
  const isOfNewest = (each: Received) => each.request.recordId === newest.request.recordId;
  const isTaken = ({ request: { answer } }: Received) =>
    answer !== null && answer.status >= 200 && answer.status < 300;
  const taken = received.findIndex((each) => isOfNewest(each) && isTaken(each));
  const told = taken < 0 ? received.findLastIndex(isOfNewest) : taken;
  if (is === "missing") return told;
  // a log never has what is not over, and a list never has whom nobody missed
  const wasDue = about.some(({ event }) => event.type === "call.not_answered" && event.isInbound);
  return check === "callBacks" && wasDue && newest.event.type === "call.answered"
    ? received.findIndex(isOfNewest)
    : 0;
}

/** The event that happened last. Of one instant it is the one that was published last. */
function newestOf(about: readonly Received[]): Received {
  return about.reduce((newest, each) => {
    const by = each.event.createdTimestamp - newest.event.createdTimestamp;
    return by > 0 || (by === 0 && each.request.recordId > newest.request.recordId) ? each : newest;
  });
}

/** Pairs what the app got with the requests of the run, in the order of arrival. */
function withStates(
  received: ExploreFailure["smallest"]["received"],
  requests: readonly RequestRecord[],
  startMs: number,
): Received[] {
  const left = [...requests];
  return received.flatMap(({ at, of, attempt, state }) => {
    const subject = attempt === undefined ? of : `${of}, attempt ${attempt}`;
    const place = left.findIndex(
      (each) => each.subject === subject && (each.arrivedTimestamp ?? Number.NaN) - startMs === at,
    );
    const [request] = place < 0 ? [] : left.splice(place, 1);
    const event = request && readEvent(request);
    return request === undefined || event === undefined ? [] : [{ request, event, state }];
  });
}

function readEvent({ content }: RequestRecord): KnownEvent | undefined {
  const event: unknown = JSON.parse(content.body());
  if (!isRecord(event) || !isRecord(event.data)) return undefined;
  const call = isRecord(event.data.call) ? event.data.call : {};
  return {
    type: String(event.type),
    createdTimestamp: Number(event.createdTimestamp),
    callId: String(call.id ?? ""),
    number: String(call.contactNumber ?? ""),
    isInbound: call.direction === "inbound",
    isOver: call.endedAt != null,
  };
}

/** How often a text has a name as a whole word. */
const countWord = (text: string, name: string): number =>
  text.split(/[^\w+-]+/).filter((word) => word === name).length;
