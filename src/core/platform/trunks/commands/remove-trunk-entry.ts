import { CommandError } from "../../../foundation/errors.ts";
import { thePlatform } from "../../declare/description.ts";
import { recordGuard } from "../../declare/record-guards.ts";
import { defineCommand } from "../../guards/define-command.ts";
import type { LiveCalls } from "../../live/live-calls.ts";
import { type RemoveTrunkEntryArguments, removeTrunkEntrySchema } from "../schemas.ts";
import type { Trunks } from "../trunks.ts";

export interface Needs {
  readonly live: LiveCalls;
  readonly trunks: Trunks;
}

/** An entry that no call rings or connects. */
const unusedEntry = recordGuard({
  recordKind: "trunk entry",
  find({ live, trunks }: Needs, { trunk, kind, id }: RemoveTrunkEntryArguments) {
    const entry = trunks.entry(trunk, kind, id);
    return { id: entry.id, call: live.callOf(id) ?? live.ringsOf(id)[0]?.callId };
  },
  refusal: ({ id, call }) =>
    call === undefined
      ? undefined
      : new CommandError("busy", `${id} is rung for or on call ${call}: remove it when that is over`),
});

export const removeTrunkEntry = defineCommand({
  summary: "removes an entry of a trunk",
  schema: removeTrunkEntrySchema,
  guard: unusedEntry,
  actor: thePlatform,
  describe: ({ id, trunk }) => ({ verb: "removes", mention: { entry: id, trunk } }),
  run: ({ trunks }: Needs, args) => trunks.remove(args),
  example: () => ({ trunk: "pbx", kind: "device" as const, id: "gate" }),
});
