import { object } from "../../../foundation/input-schemas.ts";
import type { CoreServices } from "../../base/core-services.ts";
import { theParty } from "../../declare/description.ts";
import { ringsNow } from "../../guards/call-guards.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { ringingCall } from "../../guards/example.ts";
import { ringingEndpoints } from "../../live/parties.ts";
import { everyRinging } from "../every-ringing.ts";
import { ringingEntries } from "../schemas.ts";

/** Someone who rings answers, on the given endpoint or the first that rings. */
export const answer = defineCommand({
  summary: "someone who rings answers; without `endpoint`, on the first of their endpoints that rings",
  schema: object(ringingEntries),
  guard: ringsNow,
  actor: theParty,
  describe: ({ call, by, endpoint }) => ({
    kind: "answer",
    verb: "answers",
    ...(endpoint === undefined
      ? { mention: { ringing: { call, party: by } } }
      : { detail: `on ${endpoint}` }),
  }),
  run({ machines }: CoreServices, { endpoint }, { call, party, grant: ring }) {
    const answered = endpoint ?? ringingEndpoints(party)[0];
    if (answered === undefined) throw new Error(`${party.id} of call ${call.id} rings on no endpoint`);
    machines.send("ring", ring.id, { type: "ANSWER", endpoint: answered });
  },
  example: (before) => ({ call: ringingCall(before), by: "alice" }),
  possible: everyRinging,
});
