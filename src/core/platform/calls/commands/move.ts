import { CommandError } from "../../../foundation/errors.ts";
import { object, text } from "../../../foundation/input-schemas.ts";
import { isOnBridge } from "../../../records/call.ts";
import type { CallRecords } from "../../call-record/call-records.ts";
import { theParty } from "../../declare/description.ts";
import type { Directory } from "../../directory/directory.ts";
import { connectedUser } from "../../guards/call-guards.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { answeredCall } from "../../guards/example.ts";
import type { LiveCalls } from "../../live/live-calls.ts";

export interface Needs {
  readonly callRecords: CallRecords;
  readonly directory: Directory;
  readonly live: LiveCalls;
}

/** A connected user moves to another of their endpoints. That is a new connection, and no event. */
export const move = defineCommand({
  summary: "a connected user goes on at another endpoint",
  schema: object({
    /** The call's id. */
    call: text(),
    /** The connected user, by id or e-mail address. */
    by: text(),
    /** The id of the endpoint to move to. */
    to: text(),
  }),
  guard: connectedUser,
  actor: theParty,
  describe: ({ to }) => `moves the call to ${to}`,
  run({ callRecords, directory }: Needs, { by, to }, { call, party, grant: connection }) {
    const { endpoints } = directory.user(party.entryId ?? "");
    const others = endpoints
      .filter((each) => each.registered && each.id !== connection.endpoint)
      .map((each) => each.id);
    if (!others.includes(to)) {
      throw new CommandError(
        "not_allowed",
        `${by} cannot move to "${to}" from ${connection.endpoint}; registered besides: ${others.join(", ") || "none"}`,
      );
    }
    callRecords.recordMove(call.id, party.id, to);
  },
  example: (before) => ({ call: answeredCall(before), by: "alice", to: "mobile" }),
  possible: ({ callRecords, directory, live }) =>
    live.ids().flatMap((call) => {
      const { connections, parties } = callRecords.get(call);
      return connections.filter(isOnBridge).flatMap(({ partyId, endpoint }) => {
        const user = directory.find(parties.find(({ id }) => id === partyId)?.entryId ?? "");
        if (user?.kind !== "user") return [];
        const others = user.record.endpoints.filter((each) => each.registered && each.id !== endpoint);
        return others.map(({ id }) => ({ call, by: user.record.id, to: id }));
      });
    }),
});
