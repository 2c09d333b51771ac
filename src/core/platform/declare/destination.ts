/**
 * The kinds of directory entries. A trunk's devices, queues and users are one kind, since they all ring as devices
 * do.
 */
export type EntryKind = "user" | "team" | "device" | "trunk";

/** Where a call can be offered: an entry of the directory, or a number outside. */
export interface Destination {
  readonly kind: EntryKind | "number";
  /** The entry's id, or the number. */
  readonly id: string;
}
