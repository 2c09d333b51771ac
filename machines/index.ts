/**
 * `ringback/machines`: what a call, a ring, voicemail and a person's availability are. Plain XState machines, free of
 * the engine: start them with `createActor`, step them with `transition`, draw them, or test against them.
 */
import { availabilityMachine } from "./availability.ts";
import { callMachine } from "./call.ts";
import { ringMachine } from "./ring.ts";
import { voicemailMachine } from "./voicemail.ts";

export type * from "./availability.ts";
export type * from "./call.ts";
export type * from "./ring.ts";
export type * from "./voicemail.ts";
export { availabilityMachine, callMachine, ringMachine, voicemailMachine };

/** All of them, by name. */
export const machines = { availabilityMachine, callMachine, ringMachine, voicemailMachine } as const;
