import { object, text } from "../../../foundation/input-schemas.ts";
import type { TransferResult } from "../../../generated/records.ts";
import { theParty } from "../../declare/description.ts";
import type { Directory } from "../../directory/directory.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { answeredCall } from "../../guards/example.ts";
import type { Refusals } from "../../guards/refusals.ts";
import type { Offering } from "../../offering/offering.ts";
import { canTransfer } from "../can-transfer.ts";
import { findDestination } from "../find-destination.ts";

export interface Needs {
  readonly directory: Directory;
  readonly offering: Offering;
  readonly refusals: Refusals;
}

/**
 * A connected user rings another party, who joins the call by answering. The user may hang up before: the others wait
 * for the answer.
 */
export const add = defineCommand({
  summary: "rings another party, who joins the call",
  schema: object({
    /** The call's id. */
    call: text(),
    /** Whom to add: an extension, an id, an e-mail address or an outside number. */
    target: text(),
    /** Who adds them: a connected user, by id or e-mail address. */
    by: text(),
  }),
  guard: canTransfer,
  actor: theParty,
  describe: ({ target }) => ({ verb: "adds", mention: { entry: target }, detail: "to the call" }),
  run({ offering, ...services }: Needs, args, granted): TransferResult {
    const destination = findDestination(services, args, granted, "add");
    const addedBy = granted.party.id;
    return offering.send(granted.call.id, {
      purpose: "addition",
      reason: "conference",
      destination,
      addedBy,
    });
  },
  example: (before) => ({ call: answeredCall(before), by: "alice", target: "102" }),
});
