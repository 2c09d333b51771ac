import type { StateOf } from "../../core/platform/base/machine-types.ts";

/** The states that answers to *Why not?* name, in words behind "was". A state that is missing does not compile. */
const stateTexts: {
  readonly [Machine in "call" | "teamOffer" | "voicemail" | "ring"]: {
    readonly [State in StateOf<Machine>]: string;
  };
} = {
  call: {
    started: "not offered yet",
    offered: "offered",
    accepted: "answered",
    transferring: "being transferred",
    voicemail: "with voicemail",
    ended: "over",
    missed: "missed",
    unanswered: "unanswered",
    blocked: "blocked",
    abandoned: "abandoned",
  },
  teamOffer: {
    choosing: "looking for someone to ring",
    waiting: "waiting in the queue",
    ringing: "ringing",
    timedOut: "out of time",
    exhausted: "declined by every member",
    withdrawn: "cancelled",
  },
  voicemail: {
    greeting: "playing its greeting",
    silent: "hearing nothing",
    recording: "recording up to the limit",
    speaking: "recording",
    finished: "finished",
    hungUp: "left by the caller",
  },
  ring: {
    ringing: "ringing",
    limited: "ringing up to the limit",
    answered: "answered",
    timedOut: "out of time",
    declined: "declined",
    lost: "left without a phone",
    withdrawn: "cancelled",
  },
};

/** A state of a machine in words, such as "out of time" for `timedOut`. */
export function stateText(machine: keyof typeof stateTexts, state: unknown): string {
  const all: Readonly<Record<string, string>> = stateTexts[machine];
  return all[String(state)] ?? String(state);
}
