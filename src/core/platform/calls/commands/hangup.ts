import { object } from "../../../foundation/input-schemas.ts";
import type { CoreServices } from "../../base/core-services.ts";
import { theParty } from "../../declare/description.ts";
import { hangingUp, hangUp } from "../../guards/call-guards.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { ringingCall } from "../../guards/example.ts";
import { partyEntries } from "../schemas.ts";

/** The caller gives up, or a connected party hangs up. */
export const hangup = defineCommand({
  summary: "the caller gives up, or a connected party hangs up",
  schema: object(partyEntries),
  guard: hangingUp,
  infinitive: "hang up",
  actor: theParty,
  describe: () => "hangs up",
  run: ({ machines }: CoreServices, _args, { call, party, grant }) =>
    hangUp(grant, { machines, call }, party),
  example: (before) => ({ call: ringingCall(before), by: "caller" }),
});
