import type { AnyStateMachine } from "xstate";
import type { NetworkPurpose } from "../../network/network.ts";
import type { OwnMachine, TimerWords } from "../parts/define-part.ts";
import { ownMachines, taskWords } from "../parts/parts.ts";
import type { MachineTimer } from "./machine-types.ts";

/** What services schedule for themselves. */
type TaskTimer = keyof typeof taskWords;
/** Agenda items without words here: their command, request or answer has its own. */
type DescribedElsewhere =
  | `${"user" | "caller" | "callee"}: ${string}`
  | "traffic: next call"
  | `the late answer to ${string}`
  | NetworkPurpose;

/** The purposes of agenda items. One that is neither in `timers` nor described elsewhere does not compile. */
export type Purpose = MachineTimer | TaskTimer | DescribedElsewhere;

const machineTimers = Object.entries<OwnMachine<AnyStateMachine, unknown>>(ownMachines).flatMap(
  ([name, { timers }]) =>
    Object.entries(timers).map(([timer, words]) => [`${name}: ${timer}`, words] as const),
);

/** What happens when a timer is due, in words. */
export const timers: { readonly [Each in MachineTimer | TaskTimer]: TimerWords } = {
  ...(Object.fromEntries(machineTimers) as { readonly [Each in MachineTimer]: TimerWords }),
  ...taskWords,
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
