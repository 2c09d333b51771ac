import type { StateOf } from "../platform/base/machine-types.ts";

/** What lasts while a record is in a state; null: it is over. */
export type StateSpans = "wait" | "ring" | "talk" | "voicemail" | "message" | null;

/** What a page draws for a call, and for those on its bridge, in each state of its machine. A state that is missing does not compile. */
export const callStates: { readonly [S in StateOf<"call">]: StateSpans } = {
  started: "ring",
  offered: "ring",
  transferring: "ring",
  accepted: "talk",
  voicemail: "voicemail",
  ended: null,
  missed: null,
  unanswered: null,
  blocked: null,
  abandoned: null,
};

/** The same for a conversation. */
export const conversationStates: { readonly [S in StateOf<"conversation">]: StateSpans } = {
  open: "message",
  inactive: "message",
  closed: null,
};

/** Whether a team has the call in each state of an offer. */
export const teamOfferStates: { readonly [S in StateOf<"teamOffer">]: boolean } = {
  choosing: true,
  waiting: true,
  ringing: true,
  timedOut: false,
  exhausted: false,
  withdrawn: false,
};
