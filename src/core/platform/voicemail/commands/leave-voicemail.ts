import * as v from "valibot";
import { duration, object, text } from "../../../foundation/input-schemas.ts";
import { exactDurationText } from "../../../foundation/instants.ts";
import type { CoreServices } from "../../base/core-services.ts";
import { theParty } from "../../declare/description.ts";
import { callerInVoicemail } from "../../guards/call-guards.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { ringingCall } from "../../guards/example.ts";
import type { LiveCalls } from "../../live/live-calls.ts";

export interface Needs extends CoreServices {
  readonly live: LiveCalls;
}

/**
 * Lets a caller in voicemail leave a message of this length, from the tone or from now if it has sounded, and hang
 * up at its end. `timing.voicemailMaxMessage` is the longest.
 */
export const leaveVoicemail = defineCommand({
  summary: "a caller in voicemail speaks, from the tone (or from now) on, and hangs up at the end",
  schema: object({
    /** The call's id. */
    call: text(),
    /** The length of the message. It is cut at `timing.voicemailMaxMessage`. */
    duration: duration(),
    /** What the caller says. @default nothing */
    transcript: v.optional(v.string()),
  }),
  guard: callerInVoicemail,
  infinitive: "leave a message",
  actor: theParty,
  describe: ({ duration, transcript }) => ({
    kind: "voicemail",
    verb: `has a message of ${exactDurationText(duration)}`,
    aside: transcript === undefined ? undefined : `“${transcript}”`,
  }),
  run(
    { engine, live, machines, raise }: Needs,
    { call: callId, duration: messageMs, transcript },
    { grant: session },
  ) {
    raise.callerSpoke({ callId });
    const recordingFromMs = machines.state("voicemail", callId) === "greeting" ? null : engine.now;
    live.change(callId, {
      voicemail: { owner: session.owner, speaks: true, recordingFromMs, transcript: transcript ?? null },
    });
    machines.send("voicemail", callId, { type: "SPEAK", messageMs });
  },
  example(before) {
    const call = ringingCall(before);
    before.advance("PT30S");
    return { call, duration: "PT10S" };
  },
  possible: ({ live, machines }) =>
    live
      .ids()
      .filter((call) => machines.can("voicemail", call, { type: "SPEAK", messageMs: 0 }))
      .map((call) => ({ call, duration: "PT10S" })),
});
