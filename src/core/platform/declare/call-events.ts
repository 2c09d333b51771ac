import type { EventType } from "./events.ts";

/** What may follow for calls that ring or go on when somebody leaves, declines or can no longer be rung. */
export const endOfCalls: readonly EventType[] = [
  "call.not_answered",
  "call.hungup",
  "call.ended",
  "user.availability.updated",
  "team.availability.updated",
];

/** What a call may bring about from its beginning, if nobody does anything more. */
export const wholeCall: readonly EventType[] = ["call.started", ...endOfCalls];
