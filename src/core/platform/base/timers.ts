import type { NetworkPurpose } from "../../network/network.ts";
import type { MachineTimer } from "./machine-types.ts";

/** What a timer's row on a page may mention. */
export interface TimerAbout {
  /** The team that has the call. */
  readonly team: string;
  /** How long a tier rang, or how long the team had the call. */
  readonly waited: string;
}

/** A timer in words. `subject` is empty if the timer is about the user who is named beside it. */
export interface TimerWords {
  readonly subject: string;
  readonly verb: string;
  /** What only a page has room for. */
  aside?(about: TimerAbout): string;
}

/** What services schedule for themselves. */
type TaskTimer =
  | `availability: working hours ${"begin" | "end"}`
  | "conversation: group created"
  | "event: created"
  | "flow: takes the call back"
  | "offer: dialling"
  | `call: ${"recording available" | "transcript created" | "tariff calculated"}`;
/** Agenda items without words here: their command, request or answer has its own. */
type DescribedElsewhere =
  | `${"user" | "caller" | "callee"}: ${string}`
  | "traffic: next call"
  | `the late answer to ${string}`
  | NetworkPurpose;

/** The purposes of agenda items. One that is neither in `timers` nor described elsewhere does not compile. */
export type Purpose = MachineTimer | TaskTimer | DescribedElsewhere;

/** What happens when a timer is due, in words. A timer without words does not compile. */
export const timers: { readonly [Each in MachineTimer | TaskTimer]: TimerWords } = {
  "ring: ringTimeout": { subject: "nobody", verb: "answered in time" },
  "voicemail: greeting": { subject: "the greeting", verb: "is over", aside: () => "the tone sounds" },
  "voicemail: messageLimit": { subject: "the message", verb: "reaches its maximum length" },
  "voicemail: message": { subject: "the caller", verb: "has said it all", aside: () => "hangs up" },
  "voicemail: silence": { subject: "nobody", verb: "has said anything", aside: () => "voicemail hangs up" },
  "teamOffer: nextOffer": {
    subject: "the next tier's turn",
    verb: "",
    aside: ({ team, waited }) => `${team} did not answer in ${waited}`,
  },
  "teamOffer: teamTimeout": {
    subject: "the team's time",
    verb: "is over",
    aside: ({ team, waited }) => `for ${team}, after ${waited}`,
  },
  "availability: wrapUp": { subject: "", verb: "has wrapped up" },
  "availability: working hours begin": { subject: "", verb: "is in working hours" },
  "availability: working hours end": { subject: "", verb: "is out of working hours" },
  "delivery: backOff": { subject: "time for another attempt", verb: "" },
  "analysis: analysis": { subject: "the analysis", verb: "is done" },
  "conversation: inactivity": { subject: "nobody", verb: "wrote for a while" },
  "conversation: closeTimer": { subject: "the close timer", verb: "ran out" },
  "conversation: group created": { subject: "the vendor", verb: "has made the group" },
  "event: created": { subject: "a delayed event", verb: "comes" },
  "offer: dialling": { subject: "the call", verb: "reaches those who ring" },
  "flow: takes the call back": { subject: "the flow", verb: "takes the call back" },
  "call: recording available": { subject: "the recording", verb: "is ready" },
  "call: transcript created": { subject: "the transcript", verb: "is ready" },
  "call: tariff calculated": { subject: "the tariff", verb: "is calculated" },
};

/** The words of an agenda item; its purpose itself if it is described elsewhere. */
export function timerWords(purpose: string): TimerWords {
  const known: Readonly<Record<string, TimerWords>> = timers;
  return known[purpose] ?? { subject: purpose, verb: "" };
}

/** The timers at which nobody rings any more. */
export const endOfRings = [
  "ring: ringTimeout",
  "teamOffer: nextOffer",
  "teamOffer: teamTimeout",
] as const satisfies readonly Purpose[];

export const endOfVoicemail = [
  "voicemail: messageLimit",
  "voicemail: message",
  "voicemail: silence",
] as const satisfies readonly Purpose[];

export const workingHours = [
  "availability: working hours begin",
  "availability: working hours end",
] as const satisfies readonly Purpose[];
