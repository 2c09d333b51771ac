import * as v from "valibot";
import { object, oneOf, text } from "../../foundation/input-schemas.ts";
import { show } from "../../foundation/show.ts";
import type { TrunkKind } from "../../records/trunk.ts";
import { trunkEntryFields } from "../organisation/schema.ts";

const optional = v.optional;

/** The kinds of trunk entries. */
const trunkKinds = ["device", "queue", "user"] as const satisfies readonly TrunkKind[];

const kindMessage = ({ expected, input }: { readonly expected: string; readonly input: unknown }) =>
  `expected ${expected === "Object" ? "an object" : `one of ${trunkKinds.join(", ")}`}, got ${show(input)}`;

/** The fields of a kind, all optional. */
function changes<const E extends v.ObjectEntries>(entries: E) {
  return v.partial(v.object(entries)).entries;
}

/** The trunk of an entry. */
const ofTrunk = {
  /** The trunk's id. */
  trunk: text(),
};
const newEntry = {
  ...ofTrunk,
  /** The entry's id, unique in the directory. @default a new one */
  id: optional(text()),
};
const knownEntry = {
  ...ofTrunk,
  /** The entry's id. */
  id: text(),
};

export const addTrunkEntrySchema = v.variant(
  "kind",
  [
    object({
      ...newEntry,
      /** The kind of entry. */
      kind: v.literal("device"),
      ...trunkEntryFields.device,
    }),
    object({
      ...newEntry,
      /** The kind of entry. */
      kind: v.literal("queue"),
      ...trunkEntryFields.queue,
    }),
    object({
      ...newEntry,
      /** The kind of entry. */
      kind: v.literal("user"),
      ...trunkEntryFields.user,
    }),
  ],
  kindMessage,
);

/** Changes to an entry. Omitted fields stay as they are. */
export const updateTrunkEntrySchema = v.variant(
  "kind",
  [
    object({
      ...knownEntry,
      /** The kind of entry. */
      kind: v.literal("device"),
      ...changes(trunkEntryFields.device),
    }),
    object({
      ...knownEntry,
      /** The kind of entry. */
      kind: v.literal("queue"),
      ...changes(trunkEntryFields.queue),
    }),
    object({
      ...knownEntry,
      /** The kind of entry. */
      kind: v.literal("user"),
      ...changes(trunkEntryFields.user),
    }),
  ],
  kindMessage,
);

export const removeTrunkEntrySchema = object({
  ...knownEntry,
  /** The kind of entry. */
  kind: oneOf(trunkKinds),
});

export type AddTrunkEntryArguments = v.InferOutput<typeof addTrunkEntrySchema>;
export type UpdateTrunkEntryArguments = v.InferOutput<typeof updateTrunkEntrySchema>;
export type RemoveTrunkEntryArguments = v.InferOutput<typeof removeTrunkEntrySchema>;

/** The fields of each kind of entry, without its id and trunk. */
export type TrunkFields = {
  readonly [K in TrunkKind]: Omit<Extract<AddTrunkEntryArguments, { kind: K }>, "trunk" | "kind" | "id">;
};
