import type * as v from "valibot";
import type { CommandError } from "../../foundation/errors.ts";
import type { AnyCommand, Command } from "./service.ts";

/**
 * What the record that a command is about must allow: a conversation, an analysis job, a user who dials. Its check and
 * its refusal follow from this, and so does what refusals of other commands on the same kind of record list after
 * "allowed:". For commands on calls see `live/rights.ts`.
 */
export interface RecordGuard<It, Args, Of> {
  /** The kind of record. */
  readonly on: string;
  /** The record that the command is about. @throws {CommandError} `not_found` */
  find(it: It, args: Args): Of;
  /** The error of the command, if the record's state does not allow it. */
  refusal(of: Of): CommandError | undefined;
}

/** Declares what a command needs of the record that it is about. */
export function guarded<It, S extends v.GenericSchema, Result, Of>(
  right: RecordGuard<It, v.InferOutput<S>, Of>,
  command: Command<It, S, Result>,
): Command<It, S, Result> {
  return { ...command, guard: right };
}

/** Whether a command has such a right. */
export function isOnRecord<Command extends Pick<AnyCommand, "guard">>(
  command: Command,
): command is Command & { readonly guard: RecordGuard<unknown, unknown, unknown> } {
  const { guard } = command;
  return typeof guard === "object" && guard !== null && "refusal" in guard;
}
