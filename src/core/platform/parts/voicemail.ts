import { voicemailMachine } from "../../../../machines/voicemail.ts";
import { belongsTo, definePart, ownMachine } from "./define-part.ts";

/** Voicemail. */
export const voicemailPart = definePart({
  machines: {
    voicemail: ownMachine({
      machine: voicemailMachine,
      about: belongsTo(),
      timers: {
        greeting: { subject: "the greeting", verb: "is over", aside: () => "the tone sounds" },
        messageLimit: { subject: "the message", verb: "reaches its maximum length" },
        message: { subject: "the caller", verb: "has said it all", aside: () => "hangs up" },
        silence: { subject: "nobody", verb: "has said anything", aside: () => "voicemail hangs up" },
      },
    }),
  },
  timing: {
    /** How long the greeting of a voicemail is. */
    voicemailGreeting: 5_000,
    /** The maximum length of a message. */
    voicemailMaxMessage: 180_000,
    /** How long silence may last after the tone. Then the platform hangs up, and there is no message. */
    voicemailSilence: 30_000,
    /** The minimum length of a message. A shorter one is dropped. */
    voicemailMinMessage: 1_000,
  },
});
