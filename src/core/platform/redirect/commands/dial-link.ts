import type { DialLinkResult } from "../../../generated/records.ts";
import type { CoreServices } from "../../base/core-services.ts";
import { theUser } from "../../declare/description.ts";
import type { Directory } from "../../directory/directory.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { aCustomer } from "../../guards/example.ts";
import { fits } from "../../passthrough/passthrough.ts";
import { dialLinkEntries, withPassthrough } from "../schemas.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
}

/** Dials for a user by a deep link. With parameters over the limit it opens the dial pad instead. */
export const dialLink = defineCommand({
  about: "a deep link dials for a user",
  schema: withPassthrough(dialLinkEntries),
  actor: theUser,
  describe: ({ contactNumber }) => ({ verb: `dials ${contactNumber}`, detail: "from a link" }),
  run(
    { directory, perform }: Needs,
    { user, contactNumber, callerId, passthroughParameters },
  ): DialLinkResult {
    const from = directory.user(user).id;
    if (!fits(passthroughParameters)) return { dialPad: { contactNumber, callerId: callerId ?? null } };
    return { callId: perform("outbound", { from, to: contactNumber, callerId, passthroughParameters }) };
  },
  events: ["call.started", "call.not_answered", "user.availability.updated", "team.availability.updated"],
  dials: ["outbound", "teamOffer"],
  example: () => ({ user: "alice", contactNumber: aCustomer }),
});
