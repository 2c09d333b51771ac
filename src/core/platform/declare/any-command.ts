import type * as v from "valibot";
import type { Problem } from "../../foundation/errors.ts";
import type { ActorReference, Description } from "./description.ts";

/** What tells one form of a command from others: a key, or keys with a value. */
export type FormKey = string | Readonly<Record<string, unknown>>;

/** Any commands, by name. */
export type AnyCommands = Readonly<Record<string, AnyCommand>>;
/** Any command's definition: see `guards/define-command.ts`. */
export interface AnyCommand {
  readonly summary: string;
  readonly makes?: "call" | "conversation" | "webhook";
  readonly schema: v.GenericSchema;
  readonly form?: string;
  readonly forms?: Readonly<Record<string, readonly FormKey[]>>;
  readonly now?: string;
  actor(args: never): ActorReference;
  describe(args: never): Description;
  readonly guard?: unknown;
  readonly infinitive?: string;
  run(services: never, args: never, granted: never): unknown;
  validate?(services: never, wellFormed: never): readonly Problem[];
  enrich?(services: never, args: never): unknown;
  example(before: never): unknown;
  possible?(services: never): readonly unknown[];
  readonly returns?: unknown;
}
