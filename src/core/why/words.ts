import { clock } from "../foundation/clock.ts";
import { EntryNames } from "../narration/entry-names.ts";
import type { Services } from "../platform/catalogue/services.ts";
import type { CallStatus, DialOutcome } from "../records/call.ts";
import type { NoRingCause } from "./no-ring.ts";
import type { PersonState, Unavailable } from "./person-state.ts";

/** How an answer names people, calls and instants. */
export interface Names {
  /** A user, a team, a device or an outside number, by its id. */
  person(id: string): string;
  /** `call A`, `call-1`. */
  call(id: string): string;
  /** An instant, ms: `0:20`, `10:03:20`. */
  time(ms: number): string;
}

/** The names of the directory, calls by their ids, and times since the start of the run. */
export function whyNames({ directory }: Services, startMs: number): Names {
  const names = new EntryNames(directory, false);
  return {
    person: (id) => {
      const entry = directory.find(id);
      return entry === undefined ? id : names.of(entry.record);
    },
    call: (id) => (id.startsWith("call") ? id : `call ${id}`),
    time: (ms) => clock(ms - startMs),
  };
}

const unavailableTexts: Readonly<Record<Unavailable, string>> = {
  busy: "busy",
  doNotDisturb: "do not disturb",
  wrapUp: "wrap-up",
  offline: "offline",
  outOfHours: "out of hours",
  loggedOut: "logged out",
  invited: "invited",
  suspended: "suspended",
};

/** A state in a word or two, such as `free`, `on A`, `rings, B` or `out of hours`. @param call a call's short name */
export function stateWords(state: PersonState, call: (id: string) => string): string {
  if (state.is === "free") return "free";
  if (state.is === "on") return `on ${call(state.call)}`;
  if (state.is === "rings") return `rings, ${state.calls.map(call).join(", ")}`;
  return state.is === "noPhone" ? "no phone" : unavailableTexts[state.is];
}

/** What somebody was doing, as a sentence. */
export function stateSentence(state: PersonState, id: string, names: Names): string {
  const who = names.person(id);
  if (state.is === "free") return `${who} was free.`;
  const since = "sinceMs" in state && state.sinceMs !== null ? `, since ${names.time(state.sinceMs)}` : "";
  if (state.is === "rings")
    return `${who} rang for ${state.calls.map((call) => names.call(call)).join(" and ")}${since}.`;
  return `${who} was ${stateClause(state, names)}${since}.`;
}

/** A state behind "was": `on call-1`, `busy (Lunch)`, `out of hours`. */
export function stateClause(
  state: Exclude<PersonState, { readonly is: "free" | "rings" }>,
  names: Pick<Names, "call">,
): string {
  if (state.is === "on") return `on ${names.call(state.call)}`;
  if (state.is === "noPhone") return "without a phone that was registered";
  const { is, reason } = state;
  const word = is === "doNotDisturb" ? "on do not disturb" : is === "wrapUp" ? "in wrap-up" : undefined;
  return `${word ?? unavailableTexts[is]}${reason === null ? "" : ` (${reason})`}`;
}

const overTexts: Readonly<Record<CallStatus, string>> = {
  started: "was over",
  offered: "was over",
  accepted: "was over",
  ended: "had ended",
  missed: "was missed",
  unanswered: "was over, unanswered",
  abandoned: "was given up by its caller",
  blocked: "was blocked",
};

const rangTexts: Readonly<Record<DialOutcome, string>> = {
  answered: "and answered",
  answeredElsewhere: "until somebody else answered",
  timeout: "and did not answer",
  declined: "and declined",
  withdrawn: "until the ring was cancelled",
  failed: "until no phone could ring any more",
};

/** How somebody rang, behind their name. @param what for what, such as ` for it` */
export function rangText(
  fromMs: number,
  toMs: number,
  outcome: DialOutcome,
  { time }: Pick<Names, "time">,
  what = "",
): string {
  if (fromMs === toMs && outcome === "failed") return `could not be rung at ${time(fromMs)}`;
  return `rang${what} from ${time(fromMs)} to ${time(toMs)}, ${rangTexts[outcome]}`;
}

/**
 * A cause as a sentence.
 * @param id who does not ring
 * @param callId for which call
 */
export function causeSentence(cause: NoRingCause, id: string, callId: string, names: Names): string {
  const who = names.person(id);
  const call = names.call(callId);
  switch (cause.is) {
    case "noCall":
      return "There was no call.";
    case "notBegun":
      return `${upper(call)} had not begun.`;
    case "over":
      return `${upper(call)} ${overTexts[cause.status]} at ${names.time(cause.sinceMs)}.`;
    case "isCaller":
      return `${who} was the caller of ${call}.`;
    case "notOffered":
      return `${upper(call)} was not offered to anybody yet.`;
    case "answered": {
      const by = cause.by.map((each) => names.person(each)).join(" and ");
      return by === ""
        ? `${upper(call)} was answered, and rang nobody then.`
        : `${by} was on ${call}, which rang nobody then.`;
    }
    case "voicemail":
      return `${upper(call)} was with ${names.person(cause.of)}'s voicemail.`;
    case "unreachable":
      return `When it came, ${who} was ${cause.why}.`;
    case "ringsElsewhere":
      return `A team rang ${who} for ${names.call(cause.call)}, and teams ring nobody for two calls.`;
    case "notFor":
      return `${upper(call)} was for ${names.person(cause.offeredTo)}.`;
    case "rang":
      return `${who} ${rangText(cause.fromMs, cause.toMs, cause.outcome, names, " for it")}.`;
    default:
      return "team" in cause ? teamSentence(cause, who, call, names) : stateSentence(cause, id, names);
  }
}

type TeamCause = Extract<NoRingCause, { readonly team: string }>;

/** Why a call that is offered to a team does not ring somebody. */
function teamSentence(cause: TeamCause, who: string, call: string, names: Names): string {
  const team = names.person(cause.team);
  switch (cause.is) {
    case "noMember": {
      const later =
        cause.laterTeam === null
          ? ""
          : ` Calls that ${team} does not answer go on to ${names.person(cause.laterTeam)}.`;
      return `${upper(call)} was with ${team}, of which ${who} is no member.${later}`;
    }
    case "declined":
      return `${who} had declined ${call} for ${team}, which does not ring them for it again.`;
    case "transferred":
      return `${who} had transferred ${call} to ${team}, which does not ring them for it.`;
    case "turn":
      return `It was the turn of priority ${cause.tier} in ${team}; ${who} has priority ${cause.priority}.`;
    case "late":
      return `${team} chose whom to ring at ${names.time(cause.sinceMs)}, and chooses again after this turn.`;
    case "stopped":
      return `${who} rang in this turn of ${team} until ${names.time(cause.sinceMs)}.`;
    case "queue":
      return `${upper(call)} waited in the queue of ${team}.`;
  }
}

const upper = (text: string) => (text.startsWith("call ") ? `C${text.slice(1)}` : text);
