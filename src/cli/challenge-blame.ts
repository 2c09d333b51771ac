import type { Deviation } from "../core/engine/deviations.ts";
import { exactClock } from "../core/foundation/clock.ts";
import { exactDurationText } from "../core/foundation/instants.ts";
import { isRecord } from "../core/foundation/values.ts";
import { deviationPoint } from "../core/network/request-deviations.ts";
import type { RequestRecord } from "../core/records/request.ts";
import { replay } from "../core/simulator/simulator.ts";
import { NoAnswer } from "../explore/http/no-answer.ts";
import type { ExploreFailure } from "../explore/report/report.ts";
import { type Forgery, forgeryClause } from "../explore/run/forgery.ts";
import { firstLine } from "../findings/explain.ts";
import { appDefects, isDefect, REFUSES } from "../findings/property-failure.ts";
import { upperFirst } from "../findings/wording.ts";
import { firstWrong } from "./challenge-first-wrong.ts";
import type { ChallengeState } from "./challenge-tasks.ts";

/** A request to the app, with its answer. */
export interface Exchange {
  /** When it was sent, ms from the start. */
  readonly at: number;
  /** The event's type. */
  readonly type: string;
  readonly attempt: number;
  /** The answer in words, `you answer 204`, or what becomes of it instead. */
  readonly answer: string;
}

/** What went wrong in the smallest world. */
export interface Blame {
  /** The request, the answer, and what is wrong in the end, in one sentence. */
  readonly sentence: string;
  /** The request that went wrong, behind those with which it began. */
  readonly exchanges: readonly Exchange[];
}

/** Names the request and the answer that broke a property. @param shows what the app shows */
export function findBlame(failure: ExploreFailure, shows: ChallengeState): Blame {
  const wrong = wrongText(failure, shows.called);
  const [forgery] = failure.forged;
  if (failure.property === appDefects.unsteady) return { sentence: unsteadyText(failure), exchanges: [] };
  if (forgery !== undefined) return blameForForged(forgery, `you believe it: ${forgedText(failure)}`);
  const { network, engine } = replay(failure.smallest.journal).services;
  const requests = [...network.requests()];
  const { startMs } = engine.options;
  const { deviations } = failure.smallest;
  const deviation = deviations.at(-1);
  const unrouted = requests.find(({ isUnrouted }) => isUnrouted);
  if (unrouted !== undefined) return blameForRoute(unrouted, deviations, startMs, wrong);
  const found = deviation === undefined ? undefined : afterDeviation(requests, deviation, startMs);
  const shown = firstWrong(failure, requests, startMs, shows.check);
  const request =
    (forgetting.has(deviation?.is ?? "") ? found?.request : undefined) ??
    (deviation === undefined ? wrongAnswer(requests) : undefined) ??
    shown ??
    found?.request ??
    requestAbout(requests, wrong);
  if (request === undefined) return { sentence: `You get no request; ${wrong}.`, exchanges: [] };
  const how = request === found?.request ? found.how : "arrives";
  const isCutOff = failure.thrown?.name === NoAnswer.name;
  const told = (each: RequestRecord): Exchange => ({
    ...describeExchange(each, deviations, startMs),
    ...(isCutOff && each === request ? { answer: "you give no answer" } : {}),
  });
  const exchanges = [...deviations.map((each) => deviatingRequest(requests, each, startMs)), request]
    .filter((each) => each !== undefined)
    .filter((each, place, all) => all.indexOf(each) === place)
    .map(told);
  const { at, type, answer } = told(request);
  const about = readId(request);
  const of = about === "" ? "" : ` of ${about}`;
  return { sentence: `At ${exactClock(at)} ${type}${of} ${how}; ${answer}, and ${wrong}.`, exchanges };
}

/** Names a request for which the module has no route, as after a typo in the address. */
function blameForRoute(
  request: RequestRecord,
  deviations: readonly Deviation[],
  startMs: number,
  wrong: string,
): Blame {
  const exchange = describeExchange(request, deviations, startMs);
  const sentence = `At ${exactClock(exchange.at)} ${exchange.type} reaches nobody: your module has no route for ${request.to}, and ${wrong}.`;
  return { sentence, exchanges: [exchange] };
}

/** Names a forged request, which must be refused. @param answer what the app does instead */
export function blameForForged(forgery: Forgery, answer: string): Blame {
  return { sentence: `${upperFirst(forgeryClause(forgery))}; expected a 401, but ${answer}.`, exchanges: [] };
}

/** In what the app differs because of a forged request: the second line says it. */
function forgedText({ message }: ExploreFailure): string {
  const [first = "", second = first] = message.split("\n");
  return second.trim();
}

/** After these the app no longer knows, or has never heard, what it showed or would have shown before. */
const forgetting: ReadonlySet<string> = new Set(["outage", "restarted", "restartedAfter"]);

/** That the app does something else in another run of the same world. */
function unsteadyText({ message }: ExploreFailure): string {
  const [first = "", ...others] = message.split("\n");
  const why = others.filter((line) => line.startsWith("most often")).map((line) => ` ${upperFirst(line)}.`);
  return `Your app does otherwise when a world begins anew: ${first.replace(/\.$/, "").replaceAll("the app", "it")}.${why.join("")}`;
}

/** What is wrong, as a clause. */
function wrongText({ property, message, thrown }: ExploreFailure, called: string): string {
  const line = firstLine(message);
  if (thrown?.name === NoAnswer.name)
    return "your app closes the connection: it fails while it handles the request";
  if (property === REFUSES) return line.replace("the app", "your app");
  return isDefect(property)
    ? `${property.replace("the app", "your app")}: ${line}`
    : `${called} is wrong: ${line}`;
}

/** The request that shows what a deviation led to, and how it comes. */
function afterDeviation(
  requests: readonly RequestRecord[],
  deviation: Deviation,
  startMs: number,
): { readonly request: RequestRecord; readonly how: string } | undefined {
  const { is, at, after = 0 } = deviation;
  if (is === "outage") {
    const next = requests.find(
      (each) => sentMs(each, startMs) >= at + after && each.arrivedTimestamp !== null,
    );
    const how = `is the first to reach you after ${exactDurationText(after)} down`;
    return next && { request: next, how };
  }
  const hit = deviatingRequest(requests, deviation, startMs);
  if (hit === undefined) return undefined;
  const again = requests.find(
    (each) =>
      each !== hit &&
      (each.duplicateOf === hit.id ||
        (each.recordId === hit.recordId && each.startedTimestamp > hit.startedTimestamp)),
  );
  const first = exactClock(sentMs(hit, startMs));
  const texts: Readonly<Record<string, string>> = {
    unanswered: `comes again, as your answer of ${first} is lost`,
    duplicated: "arrives twice",
    restarted: `comes again, as you restart while you handle that of ${first}`,
    restartedAfter: "arrives, and you restart as soon as you have answered",
    late: "arrives after later ones",
    overlapping: "arrives while you handle another",
  };
  return {
    request: again ?? hit,
    how: texts[is] ?? `arrives only now, as that of ${first} does not reach you`,
  };
}

/** The request to which a deviation happens. */
function deviatingRequest(
  requests: readonly RequestRecord[],
  deviation: Deviation,
  startMs: number,
): RequestRecord | undefined {
  return requests.find((each) => isHit(findPoint(each, startMs), deviation));
}

/** The first answer that is no success. */
function wrongAnswer(requests: readonly RequestRecord[]): RequestRecord | undefined {
  return requests.find(({ answer }) => answer !== null && (answer.status < 200 || answer.status > 299));
}

/** The last request that is about what a message names, or else the last of all. */
function requestAbout(requests: readonly RequestRecord[], message: string): RequestRecord | undefined {
  const named = message.match(/\+?[\w-]+/g) ?? [];
  const isAbout = (body: string) => named.some((name) => body.includes(`"${name}"`));
  return requests.findLast(({ content }) => isAbout(content.body())) ?? requests.at(-1);
}

function describeExchange(
  request: RequestRecord,
  deviations: readonly Deviation[],
  startMs: number,
): Exchange {
  const point = findPoint(request, startMs);
  const { at, of: type, number: attempt = 1 } = point;
  const deviation = deviations.find((each) => isHit(point, each));
  return { at, type, attempt, answer: troubles[deviation?.is ?? ""] ?? answerText(request) };
}

/** What becomes of a request, by what happens to it, where it has no answer of the app's. */
const troubles: Readonly<Record<string, string>> = {
  lost: "is lost on its way to you",
  refused: "finds nobody who listens",
  rejected: "is answered 503 by what is in front of you",
  unanswered: "your answer is lost",
  outage: "finds nobody who listens",
  restarted: "you restart while you handle it",
};

function answerText({ to, answer, failure, arrivedTimestamp, isUnrouted }: RequestRecord): string {
  if (isUnrouted) return `reaches nobody: no route for ${to}`;
  if (answer !== null) return `you answer ${answer.status}`;
  return arrivedTimestamp === null ? "does not reach you" : `you give no answer (${failure})`;
}

const sentMs = ({ startedTimestamp }: RequestRecord, startMs: number) => startedTimestamp - startMs;

const findPoint = (request: RequestRecord, startMs: number) =>
  deviationPoint(request, undefined, sentMs(request, startMs));

/** Whether a deviation happens at a point. */
function isHit(point: ReturnType<typeof findPoint>, { at, of, number = 1 }: Deviation): boolean {
  return point.at === at && point.of === of && (point.number ?? 1) === number;
}

/** What an event is about: its call or its user. */
function readId({ content }: RequestRecord): string {
  const event: unknown = JSON.parse(content.body());
  const data = isRecord(event) ? event.data : undefined;
  const record = isRecord(data) ? (data.call ?? data.user) : undefined;
  return isRecord(record) ? String(record.id) : "";
}
