import type { CallerDeviation } from "../core/network/request-deviations.ts";
import type { CalendarKind } from "../findings/calendar.ts";
import type { AppAnswer } from "./app-answers.ts";
import { answerText, isRefused, isTaken } from "./app-answers.ts";

/** The checks of a probe, apart from what their requests are. */

/** Which requests a check sends. */
export type CheckCode =
  | "taken"
  | "compact"
  | "spaced"
  | "everyType"
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

/** What an app must do, or had better do. */
export interface ProbeRule {
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
export const checks: readonly ProbeRule[] = [
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
    ...{ code: "everyType", name: "takes every type of event", expects: "taken", isHard: true },
    next: "answer 2xx to each type that the webhook asks for, also if you do nothing about it",
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
const check = (code: CheckCode, name: string): ProbeRule => ({
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
} as const satisfies Readonly<Record<string, readonly ProbeRule[]>>;
export type Variety = keyof typeof varieties;

/** Whether a check needs the app's secret. */
export const needsSecret = (code: CheckCode) =>
  checks.some((check) => check.code === code && check.expects === "refused");

/** What came of one request of a probe. */
export interface ProbeAnswer {
  /** The HTTP status; null if there was no answer. */
  readonly status: number | null;
  /** Why there is no answer, in words; null if there is one. */
  readonly failure: string | null;
  /** How long it took, ms of real time. */
  readonly tookMs: number;
}

/** The result of one check of a probe. */
export interface ProbeCheck {
  /** What is checked, for programs. */
  readonly code: CheckCode;
  /** What is checked, in words, such as `takes a signed event within 5 s`. */
  readonly name: string;
  /** Whether the probe fails with it. */
  readonly isHard: boolean;
  /** `notTried` if its requests would say nothing, such as those with wrong signatures without a secret. */
  readonly status: "passed" | "failed" | "notTried";
  /** What is wrong, or why it was not tried; empty if it passed. */
  readonly problem: string;
  /** What to do about it; empty if it passed or was not tried. */
  readonly next: string;
  /** The answers to its requests, in their order; empty if it was not tried. */
  readonly answers: readonly ProbeAnswer[];
}

/** Whether a probe fails with a check. */
export const isFailure = ({ isHard, status }: ProbeCheck) => isHard && status === "failed";

export function notTried({ code, name, isHard }: ProbeRule, problem: string): ProbeCheck {
  return { code, name, isHard, status: "notTried", problem, next: "", answers: [] };
}

/** An answer, and what was asked, if its place among the requests of a check does not say it. */
export interface Asked {
  readonly answer: AppAnswer;
  readonly words?: string | undefined;
}

/** Judges the answers to the requests of a check. @param hasSecret whether they were signed with the app's secret */
export function judgeProbe(check: ProbeRule, asked: readonly Asked[], hasSecret: boolean): ProbeCheck {
  const { code, name, isHard, expects } = check;
  const isGood = expects === "taken" ? isTaken : isRefused;
  const bad = asked.filter(({ answer }) => !isGood(answer));
  const answers = asked.map(({ answer }) => shown(answer));
  const made = { code, name, isHard, answers };
  const [first] = bad;
  if (first === undefined) return { ...made, status: "passed", problem: "", next: "" };
  const expected = expects === "taken" ? "2xx" : "4xx";
  const problem = `${answerText(first.answer)}${sayWhich(first, asked, bad.length)}, expected ${expected}`;
  const next = (code === "taken" ? nextOfFirst(first.answer, hasSecret) : undefined) ?? check.next;
  return { ...made, status: "failed", problem, next };
}

/** Which request got a bad answer, if there were several. */
function sayWhich(bad: Asked, asked: readonly Asked[], badOnes: number): string {
  if (bad.words !== undefined) return ` to ${bad.words}${badOnes === 1 ? "" : ` and ${badOnes - 1} others`}`;
  return asked.length === 1 ? "" : ` to request ${asked.indexOf(bad) + 1} of ${asked.length}`;
}

function shown({ status, failure, tookMs }: AppAnswer): ProbeAnswer {
  return { status, failure: failure ?? null, tookMs };
}

/** What to do if the first event is not taken, where its answer shows that: often it did not come where it was meant to. */
function nextOfFirst({ status, failure }: AppAnswer, hasSecret: boolean): string | undefined {
  if (status === null)
    return failure?.includes("reset") === true ? "a server of https needs an address with https" : undefined;
  if (status >= 300 && status < 400) return "probe the address that it leads to: no redirect is followed";
  if (status === 404 || status === 405) return "probe the path that takes webhooks, which come as POST";
  if (!hasSecret) return "probe it with its secret: an app that verifies signatures refuses any other";
  if (status === 401 || status === 403)
    return "verify with the secret that it was probed with: the signature is an HMAC of `<timestamp>.<body>`";
  return undefined;
}
