import * as v from "valibot";
import { object, oneOf, text } from "../../engine/input.ts";
import { show } from "../../engine/instants.ts";
import type { TrunkKind } from "../../records/trunk.ts";
import { trunkEntries } from "../organisation/schema.ts";

const optional = v.optional;

/** The kinds of entries that a trunk has. */
export const trunkKinds = ["device", "queue", "user"] as const satisfies readonly TrunkKind[];

const kindMessage = ({ expected, input }: { readonly expected: string; readonly input: unknown }) =>
  `expected ${expected === "Object" ? "an object" : `one of ${trunkKinds.join(", ")}`}, got ${show(input)}`;

/** The fields of a kind, all of them optional. */
function changes<const E extends v.ObjectEntries>(entries: E) {
  return v.partial(v.object(entries)).entries;
}

/** Without an id, one is made. `user` of a trunk user is the service user's id or e-mail address. */
export const addTrunkEntrySchema = v.variant(
  "kind",
  [
    object({ trunk: text(), kind: v.literal("device"), id: optional(text()), ...trunkEntries.device }),
    object({ trunk: text(), kind: v.literal("queue"), id: optional(text()), ...trunkEntries.queue }),
    object({ trunk: text(), kind: v.literal("user"), id: optional(text()), ...trunkEntries.user }),
  ],
  kindMessage,
);

/** What is left out stays as it is. */
export const updateTrunkEntrySchema = v.variant(
  "kind",
  [
    object({ trunk: text(), kind: v.literal("device"), id: text(), ...changes(trunkEntries.device) }),
    object({ trunk: text(), kind: v.literal("queue"), id: text(), ...changes(trunkEntries.queue) }),
    object({ trunk: text(), kind: v.literal("user"), id: text(), ...changes(trunkEntries.user) }),
  ],
  kindMessage,
);

export const removeTrunkEntrySchema = object({ trunk: text(), kind: oneOf(trunkKinds), id: text() });

export type AddTrunkEntryArguments = v.InferOutput<typeof addTrunkEntrySchema>;
export type UpdateTrunkEntryArguments = v.InferOutput<typeof updateTrunkEntrySchema>;
export type RemoveTrunkEntryArguments = v.InferOutput<typeof removeTrunkEntrySchema>;

/** What each kind of entry is made of, beside its id and its trunk. */
export type TrunkFields = {
  readonly [K in TrunkKind]: Omit<Extract<AddTrunkEntryArguments, { kind: K }>, "trunk" | "kind" | "id">;
};
