import type { CommandError } from "../../foundation/errors.ts";
import type { AnyCommand } from "./any-command.ts";

/**
 * What the record that a command is about must allow: a conversation, an analysis job, a user who dials. From this follow
 * the command's check and refusal, and what refusals of other commands on the same kind of record list after "allowed:".
 * For commands on calls see `guards/call-guards.ts`.
 */
export interface RecordGuard<Needs, Args, Of> {
  /** The kind of record. */
  readonly recordKind: string;
  /** The record that the command is about. @throws {CommandError} `not_found` */
  find(services: Needs, args: Args): Of;
  /** The error of the command, if the record's state does not allow it. */
  refusal(of: Of): CommandError | undefined;
}

/** Whether a command has a record guard. */
export function isOnRecord<Command extends Pick<AnyCommand, "guard">>(
  command: Command,
): command is Command & { readonly guard: RecordGuard<unknown, unknown, unknown> } {
  const { guard } = command;
  return typeof guard === "object" && guard !== null && "refusal" in guard;
}

/** Declares a guard: what it finds is inferred. */
export function recordGuard<Needs, Args, Of>(
  guard: RecordGuard<Needs, Args, Of>,
): RecordGuard<Needs, Args, Of> {
  return guard;
}
