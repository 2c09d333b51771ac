import * as v from "valibot";
import { flag, object, text } from "../../../foundation/input-schemas.ts";
import type { TransferResult } from "../../../generated/records.ts";
import type { CoreServices } from "../../base/core-services.ts";
import { theParty } from "../../declare/description.ts";
import type { Directory } from "../../directory/directory.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { answeredCall } from "../../guards/example.ts";
import type { Refusals } from "../../guards/refusals.ts";
import type { Offering } from "../../offering/offering.ts";
import { canTransfer } from "../can-transfer.ts";
import { findDestination } from "../find-destination.ts";

export interface Needs extends CoreServices {
  readonly directory: Directory;
  readonly offering: Offering;
  readonly refusals: Refusals;
}

/**
 * A connected user hands the call on. Warm: the user stays while the target rings, and the target joins when it
 * answers. Blind: the user leaves at once; if the target does not answer, its unanswered step runs. A blind transfer to
 * a target that rings already is the same as hanging up while it rings: the target rings on.
 */
export const transfer = defineCommand({
  summary: "a user hands the call on to an extension, id, e-mail address or outside number",
  schema: object({
    /** The call's id. */
    call: text(),
    /** Where the call goes: an extension, an id, an e-mail address or an outside number. */
    target: text(),
    /** Who transfers it: a connected user, by id or e-mail address. */
    by: text(),
    /** Whether the user stays until they hang up. Otherwise they leave when the target begins to ring. @default false */
    warm: v.optional(flag()),
  }),
  guard: canTransfer,
  actor: theParty,
  describe: ({ target, warm }) => ({
    verb: "transfers the call to",
    mention: { entry: target },
    ...(warm === true ? { detail: "and stays" } : {}),
  }),
  run(services: Needs, args, granted): TransferResult {
    const { directory, machines, offering } = services;
    const { call, party } = granted;
    const isWarm = args.warm === true;
    const ringing = isWarm ? undefined : offering.additionTo(call.id, directory.destination(args.target));
    if (ringing !== undefined) {
      offering.adopt(ringing, party.id);
      machines.send("call", call.id, { type: "HANGUP", party: party.id });
      return {};
    }
    const destination = findDestination(services, args, granted, "transfer");
    const reason = "transfer";
    if (isWarm)
      return offering.send(call.id, { purpose: "addition", reason, destination, addedBy: party.id });
    machines.send("call", call.id, { type: "TRANSFER", party: party.id });
    const transferredBy = party.entryId ?? null;
    return offering.send(call.id, { purpose: "blindTransfer", reason, destination, transferredBy });
  },
  example: (before) => ({ call: answeredCall(before), by: "alice", target: "102" }),
});
