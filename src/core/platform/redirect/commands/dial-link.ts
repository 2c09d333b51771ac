import type { DialLinkResult } from "../../../generated/records.ts";
import type { CoreServices } from "../../base/core-services.ts";
import { theUser } from "../../declare/description.ts";
import type { Directory } from "../../directory/directory.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { aCustomer } from "../../guards/example.ts";
import { fits } from "../../passthrough/passthrough.ts";
import { dialLinkProblems, makeDialLink } from "../make-dial-link.ts";
import { dialLinkEntries, withPassthrough } from "../schemas.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
}

/** Dials for a user by a deep link, in parts or as a URL. With parameters over the limit it opens the dial pad instead. */
export const dialLink = defineCommand({
  summary: "a deep link dials for a user",
  makes: "call",
  schema: withPassthrough(dialLinkEntries),
  actor: theUser,
  describe: (args) => ({
    verb: "dials",
    mention: { called: makeDialLink(args).contactNumber ?? "" },
    detail: "from a link",
  }),
  validate: (_services, args) => dialLinkProblems(args),
  run({ directory, perform }: Needs, { user, ...args }): DialLinkResult {
    const from = directory.user(user).id;
    const { contactNumber = "", callerId, passthroughParameters } = makeDialLink(args);
    if (!fits(passthroughParameters)) return { dialPad: { contactNumber, callerId: callerId ?? null } };
    return { callId: perform("outbound", { from, to: contactNumber, callerId, passthroughParameters }) };
  },
  example: () => ({ user: "alice", contactNumber: aCustomer }),
});
