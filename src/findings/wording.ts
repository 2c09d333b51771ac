import { type Deviation, isOfWholeRun, isSamePoint } from "../core/engine/deviations.ts";
import { ANONYMOUS } from "../core/records/withheld.ts";
import { ordinal } from "../core/scenario/deviations.ts";
import { assumptionClause } from "./assumptions.ts";
import { calendarClause } from "./calendar.ts";
import { appDefects, isDefect } from "./property-failure.ts";

/** What the platform or the network does, by the kind of a deviation. `of` is what the deviation is about. */
const clauses: Readonly<Record<string, (of: string, deviation: Deviation) => string>> = {
  lost: (of) => `${of} is lost`,
  unanswered: (of) => `the answer to ${of} is lost`,
  duplicated: (of, { after = 0 }) =>
    after === 0 ? `${of} arrives twice` : `${of} arrives again ${secondsText(after)} later`,
  late: (of, { by = 1 }) =>
    by === 1 ? `${of} arrives after the next request` : `${of} arrives after the next ${by} requests`,
  overlapping: (of) => `${of} arrives while another request is handled`,
  refused: (of) => `the connection for ${of} is refused`,
  rejected: (of) => `${of} is answered 503 on its way`,
  slow: (of, { after = 10_000 }) => `the answer to ${of} takes ${secondsText(after)}`,
  tokenExpired: (of) => `the token expires before ${of}`,
  behind: (of) => `${of} answers with what was there before this instant`,
  restarted: (of) => `the app restarts while it handles ${of}`,
  restartedAfter: (of) => `the app restarts as soon as it has answered ${of}`,
  never: (of) => `${of} never arrives`,
  outage: (of, { after = 0 }) => `everything is refused for ${secondsText(after)} from ${of} on`,
};

/**
 * The deviations of a world with the numbers that a person would count: a copy of a doubled request is none of its own, though a
 * run gives it a number.
 */
export function countedWithoutCopies(deviations: readonly Deviation[]): readonly Deviation[] {
  const doubled = deviations.filter(({ is, what }) => is === "duplicated" && what !== "rest");
  if (doubled.length === 0) return deviations;
  return deviations.map((each) => {
    const { nth = 1 } = each;
    const copies = doubled.filter(
      (other) => isSamePoint({ ...other, nth }, each) && (other.nth ?? 1) < nth,
    ).length;
    return copies === 0 ? each : { ...each, nth: nth - copies };
  });
}

/** What a deviation does, as a clause: `the answer to call.not_answered is lost`. */
export function writeClause(deviation: Deviation): string {
  const { what, is, of, number = 1, nth = 1 } = deviation;
  if (what === "calendar") return calendarClause(deviation);
  if (isOfWholeRun(deviation)) return assumptionClause(deviation);
  if (what === "caller") return callerClause(deviation);
  if (what === "timer") return `the timer ${of.replace(/^\w+: /, "")} runs first`;
  if (what === "dependency") return dependencyClause(deviation);
  if (what === "wait") return waitClause(of, nth);
  if (what === "rest" && is in restClauses) return restClause(deviation);
  if (what === "answer") return `the answer to ${of} comes first`;
  const which = [number > 1 && `the ${ordinal(number)} attempt of`, nth > 1 && `the ${ordinal(nth)}`];
  const about = [...which.filter((each) => each !== false), of].join(" ");
  return clauses[is]?.(about, deviation) ?? `${about} is answered ${is}`;
}

/** Where the app restarts while it waits: for a timer of this length, or before it asks a file or a service. All that it asks at that instant counts. */
function waitClause(of: string, nth: number): string {
  if (!of.endsWith(" ms")) return `the app restarts before the ${ordinal(nth)} ${of} of this moment`;
  return `the app restarts while it waits for ${nth > 1 ? `the ${ordinal(nth)}` : "its"} timer of ${of}`;
}

/** What becomes of a request to the REST API, where a webhook's request would fare otherwise. */
const restClauses: Readonly<Record<string, (request: string) => string>> = {
  refused: (request) => `the connection to the REST API for ${request} is refused`,
  unanswered: (request) => `the REST API does ${request} and its answer is lost`,
  restarted: (request) => `the app restarts before ${request} reaches the REST API`,
  restartedAfter: (request) => `the app restarts once the REST API has done ${request}`,
};

function restClause({ of, is, nth = 1 }: Deviation): string {
  const request = nth > 1 ? `the ${ordinal(nth)} ${of}` : of;
  return restClauses[is]?.(request) ?? `${request} is ${is}`;
}

/** Who calls: `+6421555001 withholds the number`, `an unknown number calls instead of the short code 2580`. */
function callerClause({ of, is, nth = 1 }: Deviation): string {
  const whose = of === ANONYMOUS ? "a withheld number" : of.startsWith("+") ? of : `the short code ${of}`;
  const usual = nth > 1 ? `${whose}, in the ${ordinal(nth)} call of that instant,` : whose;
  if (is === "withheld") return `${usual} withholds the number`;
  return `${is === "shortCode" ? "a short code" : is === "contact" ? "a contact" : "an unknown number"} calls instead of ${usual}`;
}

const dependencyClauses: Readonly<Record<string, (name: string, call: string, ms?: number) => string>> = {
  refused: (name, call) => `the connection to ${name} for ${call} is refused`,
  outage: (name, call, ms = 60_000) =>
    `all connections to ${name} are refused for ${secondsText(ms)} from ${call} on`,
  unanswered: (name, call) => `${name} does ${call} and its answer is lost`,
  slow: (name, call, ms = 10_000) => `${name} takes ${secondsText(ms)} to answer ${call}`,
  restarted: (name, call) => `the app restarts before ${call} reaches ${name}`,
  restartedAfter: (name, call) => `the app restarts once ${name} has done ${call}`,
};

/** What a dependency does: `crm does POST /activities and its answer is lost`. */
function dependencyClause({ of, is, nth = 1, after }: Deviation): string {
  const [, name = "", asked = ""] = /^(\S+) (.*)$/.exec(of) ?? [];
  const call = nth > 1 ? `the ${ordinal(nth)} ${asked}` : asked;
  return dependencyClauses[is]?.(name, call, after) ?? `${name} answers ${is} to ${call}`;
}

/**
 * A title that is true of a failing world.
 * @param people what people do, as a clause; empty where that is not told
 */
export function writeTitle(property: string, deviations: readonly Deviation[], people = ""): string {
  if (property === appDefects.unsteady) return "Two runs of one world differ";
  const when = [
    ...(people === "" ? [] : [people]),
    ...countedWithoutCopies(deviations).map(writeClause),
  ].join(", and ");
  const breaks = isDefect(property) ? upperFirst(property) : `Breaks "${property}"`;
  return when === "" ? `${breaks} without any deviation` : `${breaks} when ${when}`;
}

/** A text as a sentence begins with it. */
export function upperFirst(text: string): string {
  return text.replace(/^./, (first) => first.toUpperCase());
}

/** A duration in words: `a second`, `169.08 seconds`. */
export function secondsText(ms: number): string {
  return ms === 1_000 ? "a second" : `${ms / 1_000} seconds`;
}
