import * as v from "valibot";
import type { RingEvent } from "../../../../../machines/ring.ts";
import { CommandError } from "../../../foundation/errors.ts";
import { flag, object } from "../../../foundation/input-schemas.ts";
import type { CoreServices } from "../../base/core-services.ts";
import { theParty } from "../../declare/description.ts";
import { onText } from "../../declare/words.ts";
import { ringsNow } from "../../guards/call-guards.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { ringingCall } from "../../guards/example.ts";
import { everyRinging } from "../every-ringing.ts";
import { ringingEntries } from "../schemas.ts";

/** Someone who rings declines, on the given endpoint or on all. An outside number may be busy instead. */
export const decline = defineCommand({
  summary:
    "silences one endpoint, or all of that person; `busy` is for an outside number whose line is engaged",
  schema: object({
    ...ringingEntries,
    /** Whether the line is engaged, for outside numbers. @default false */
    busy: v.optional(flag()),
  }),
  guard: ringsNow,
  actor: theParty,
  describe: ({ endpoint, busy }) => (busy === true ? "is busy" : `declines${onText(endpoint)}`),
  run({ machines }: CoreServices, { endpoint, busy }, { party, grant: ring }) {
    if (busy === true && party.type !== "external")
      throw new CommandError(
        "invalid_argument",
        "decline: `busy` applies only to outside numbers; use setAvailability for users",
      );
    const event: RingEvent =
      busy === true ? { type: "LOSE", endpoint: "phone" } : { type: "DECLINE", endpoint: endpoint ?? null };
    machines.send("ring", ring.id, event);
  },
  example: (before) => ({ call: ringingCall(before), by: "alice" }),
  possible: everyRinging,
});
