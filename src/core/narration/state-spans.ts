import type { MachineName, StateOf } from "../platform/base/machine-types.ts";
import type { SpanKind } from "./rows.ts";

/** A record for each state of a machine. A state that is missing does not compile. */
type States<Machine extends MachineName, Look> = { readonly [S in StateOf<Machine>]: Look };

/** A state in words behind "was". */
interface StateText {
  readonly text: string;
}

/** What a page draws for a call, and for those on its bridge, in each state of its machine. */
export const callStates: States<"call", StateText & { readonly lasts: SpanKind | null }> = {
  started: { lasts: "ring", text: "not offered yet" },
  offered: { lasts: "ring", text: "offered" },
  transferring: { lasts: "ring", text: "being transferred" },
  accepted: { lasts: "talk", text: "answered" },
  voicemail: { lasts: "voicemail", text: "with voicemail" },
  ended: { lasts: null, text: "over" },
  missed: { lasts: null, text: "missed" },
  unanswered: { lasts: null, text: "unanswered" },
  blocked: { lasts: null, text: "blocked" },
  abandoned: { lasts: null, text: "abandoned" },
};

/** What a page draws for a conversation. */
export const conversationStates: States<"conversation", SpanKind | null> = {
  open: "message",
  inactive: "message",
  closed: null,
};

/** Whether a team has the call in each state of an offer. */
export const teamOfferStates: States<"teamOffer", StateText & { readonly hasCall: boolean }> = {
  choosing: { hasCall: true, text: "looking for someone to ring" },
  waiting: { hasCall: true, text: "waiting in the queue" },
  ringing: { hasCall: true, text: "ringing" },
  timedOut: { hasCall: false, text: "out of time" },
  exhausted: { hasCall: false, text: "declined by every member" },
  withdrawn: { hasCall: false, text: "cancelled" },
};

const voicemailStates: States<"voicemail", StateText> = {
  greeting: { text: "playing its greeting" },
  silent: { text: "hearing nothing" },
  recording: { text: "recording up to the limit" },
  speaking: { text: "recording" },
  finished: { text: "finished" },
  hungUp: { text: "left by the caller" },
};

/** The states of a ring, and how it ended, as a clause. */
export const ringStates: States<"ring", StateText & { readonly end?: string }> = {
  ringing: { text: "ringing" },
  limited: { text: "ringing up to the limit" },
  answered: { text: "answered", end: "the call was answered" },
  timedOut: { text: "out of time", end: "nobody answered in time" },
  declined: { text: "declined", end: "the call was declined" },
  lost: { text: "left without a phone", end: "none of the phones could ring any more" },
  withdrawn: { text: "cancelled" },
};

const byMachine = {
  call: callStates,
  teamOffer: teamOfferStates,
  voicemail: voicemailStates,
  ring: ringStates,
};

/** A state of a machine in words, such as "out of time" for `timedOut`. */
export function stateText(machine: "call" | "teamOffer" | "voicemail" | "ring", state: unknown): string {
  const states: Readonly<Record<string, StateText>> = byMachine[machine];
  return states[String(state)]?.text ?? String(state);
}
