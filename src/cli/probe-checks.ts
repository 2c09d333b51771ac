import type { CallerDeviation } from "../core/network/request-deviations.ts";
import type { CalendarKind } from "../findings/calendar.ts";
import type { ReceiverAnswer } from "./receiver.ts";
import { answerText, isRefused, isTaken } from "./receiver.ts";

/** The checks of `ringback probe`, apart from what their requests are. */

/** Which requests a check sends. */
export type CheckCode =
  | "taken"
  | "compact"
  | "spaced"
  | "unknownType"
  | "unknownField"
  | "unsigned"
  | "wrongSecret"
  | "stale"
  | "null"
  | "twice"
  | "endBeforeStart"
  | CallerDeviation
  | CalendarKind;

/** What a receiver must do, or had better do. */
export interface Check {
  readonly code: CheckCode;
  /** In words, such as `takes a signed event`. */
  readonly name: string;
  readonly expects: "taken" | "refused";
  /** Whether the exit code depends on it. */
  readonly isHard: boolean;
  /** What to do if it fails. */
  readonly next: string;
}

const signsRaw = "sign the body as it came, byte for byte, before anything parses it";
const takesMore = "ignore what you do not know, and answer 2xx: the platform may add to its events";
const verifies =
  "refuse it with 401: the signature is an HMAC of `<timestamp>.<body>`, and at most five minutes old";

/** In the order in which they are made. */
export const checks: readonly Check[] = [
  {
    ...{ code: "taken", name: "takes a signed event within 5 s", expects: "taken", isHard: true },
    next: "answer 2xx at once, and work later",
  },
  {
    ...{ code: "compact", name: "takes a body without spaces", expects: "taken", isHard: true },
    next: signsRaw,
  },
  {
    ...{ code: "spaced", name: "takes a body with a space", expects: "taken", isHard: true },
    next: signsRaw,
  },
  {
    ...{ code: "unknownType", name: "takes an unknown type of event", expects: "taken", isHard: true },
    next: takesMore,
  },
  {
    ...{ code: "unknownField", name: "takes unknown fields", expects: "taken", isHard: true },
    next: takesMore,
  },
  {
    ...{ code: "unsigned", name: "refuses an unsigned event", expects: "refused", isHard: true },
    next: verifies,
  },
  {
    ...{ code: "wrongSecret", name: "refuses another secret's signature", expects: "refused", isHard: true },
    next: verifies,
  },
  {
    ...{ code: "stale", name: "refuses a signature that is too old", expects: "refused", isHard: true },
    next: `${verifies}, in milliseconds: this one is a millisecond older, which a check that rounds to seconds may take`,
  },
  {
    ...{ code: "null", name: "takes null wherever it is allowed", expects: "taken", isHard: false },
    next: "expect null in every field that the API's document calls nullable",
  },
  {
    ...{ code: "twice", name: "takes the same event twice", expects: "taken", isHard: false },
    next: "answer 2xx the second time too, and do nothing: otherwise the platform sends it again",
  },
  {
    ...{ code: "endBeforeStart", name: "takes the end before the start", expects: "taken", isHard: false },
    next: "expect events in any order: those that are sent again come late",
  },
];

const takesAll = "answer 2xx: such calls come every day, and the body is as the documentation says";
const check = (code: CheckCode, name: string): Check => ({
  ...{ code, name, expects: "taken", isHard: true, next: takesAll },
});

/** What is checked only if it is named: the same call from another number, or at another time. All others are from a contact. */
export const varieties = {
  caller: [
    check("withheld", "takes a call whose number is withheld"),
    check("shortCode", "takes a call from a short code"),
    check("unknown", "takes a call from an unknown number"),
  ],
  calendar: [
    check("midnight", "takes a call over midnight"),
    check("clocksForward", "takes a call while clocks go forward"),
    check("clocksBack", "takes a call while clocks go back"),
    check("monthEnd", "takes a call over the end of a month"),
    check("yearEnd", "takes a call over the end of a year"),
  ],
} as const satisfies Readonly<Record<string, readonly Check[]>>;
export type Variety = keyof typeof varieties;

/** The checks that need the receiver's secret. */
export const needsSecret = ({ expects }: Check) => expects === "refused";

/** The result of a check. */
export interface CheckResult {
  readonly check: Check;
  readonly status: "passed" | "failed" | "notTried";
  /** The answers to its requests, in their order; empty if it was not tried. */
  readonly answers: readonly ReceiverAnswer[];
  /** What is wrong, or why it was not tried; empty if it passed. */
  readonly problem: string;
  /** What to do about it; empty if it passed or was not tried. */
  readonly next: string;
}

export function notTried(check: Check, problem: string): CheckResult {
  return { check, status: "notTried", answers: [], problem, next: "" };
}

/** Judges the answers to the requests of a check. @param hasSecret whether they were signed with the receiver's secret */
export function judge(check: Check, answers: readonly ReceiverAnswer[], hasSecret: boolean): CheckResult {
  const isGood = check.expects === "taken" ? isTaken : isRefused;
  const bad = answers.findIndex((each) => !isGood(each));
  const answer = answers[bad];
  if (answer === undefined) return { check, status: "passed", answers, problem: "", next: "" };
  const which = answers.length === 1 ? "" : ` to request ${bad + 1} of ${answers.length}`;
  const expected = check.expects === "taken" ? "2xx" : "4xx";
  const problem = `${answerText(answer)}${which}, expected ${expected}`;
  const next = (check.code === "taken" ? nextOfFirst(answer, hasSecret) : undefined) ?? check.next;
  return { check, status: "failed", answers, problem, next };
}

/** What to do if the first event is not taken, where its answer shows that: often it did not come where it was meant to. */
function nextOfFirst({ status, failure }: ReceiverAnswer, hasSecret: boolean): string | undefined {
  if (status === null)
    return failure?.includes("reset") === true ? "a server of https needs an address with https" : undefined;
  if (status >= 300 && status < 400) return "probe the address that it leads to: no redirect is followed";
  if (status === 404 || status === 405) return "probe the path that takes webhooks, which come as POST";
  if (!hasSecret) return "a receiver that verifies signatures needs its secret as --secret";
  if (status === 401 || status === 403)
    return "verify with the secret that --secret names: the signature is an HMAC of `<timestamp>.<body>`";
  return undefined;
}
