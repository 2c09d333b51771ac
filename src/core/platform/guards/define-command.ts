import type * as v from "valibot";
import type { DeepReadonly } from "../../foundation/deep-readonly.ts";
import type { Problem } from "../../foundation/errors.ts";
import type { FormKey } from "../declare/any-command.ts";
import type { ActorReference, Description } from "../declare/description.ts";
import type { RecordGuard } from "../declare/record-guards.ts";
import type { CallGuard, Granted } from "./call-guards.ts";
import type { Before } from "./example.ts";

/** What a command's guard found: who gives it and what it is about. Without a guard: nothing. */
type GrantOf<G> =
  G extends CallGuard<infer Grant>
    ? Granted<Grant>
    : G extends { find(services: never, args: never): infer Of }
      ? Of
      : undefined;

/** Declares everything about a command. Besides, it has a line in `catalogue/commands.ts` and a method for consumers. */
export interface CommandDefinition<Needs, S extends v.GenericSchema, G, Result> {
  /** One line for people: the row in docs/scenarios.md, and the control plane's document. */
  readonly summary: string;
  /** What it makes or writes to, if later steps of a scenario may name it: then a step takes `as`. */
  readonly makes?: "call" | "conversation" | "webhook";
  readonly schema: S;
  /** The commands whose arguments it also takes, each with the keys by which they are known. */
  readonly forms?: Readonly<Record<string, readonly FormKey[]>>;
  /** What its arguments are, for the error that refuses a mixture of forms: `the body of …`. */
  readonly form?: string;
  /** For an old name that still works: what to write now. */
  readonly now?: string;
  /** Who may give it, and what the record that it is about must allow. Without one, anyone may. */
  readonly guard?: G;
  /** The verb in refusals, such as `hang up` in "alice cannot hang up". Default: the command's name. */
  readonly infinitive?: string;
  /** Who gives it. */
  actor(args: v.InferOutput<S>): ActorReference;
  /** What they do, as timelines show it: `answers on desktop`. */
  describe(args: v.InferOutput<S>): Description;
  /** Finds problems that the schema cannot find. The command's error lists the problems of both. */
  validate?(services: Needs, wellFormed: Partial<v.InferOutput<S>>): readonly Problem[];
  /** Adds what the consumer's functions return for the arguments, so that the journal has it and a replay calls none. */
  enrich?(services: Needs, args: v.InferOutput<S>): v.InferOutput<S>;
  /** @param granted what the guard found */
  run(services: Needs, args: v.InferOutput<S>, granted: GrantOf<G>): Result;
  /** Sets up a state with `before`, and returns arguments that work in it. The control plane's document shows them. */
  example(before: Before): DeepReadonly<v.InferInput<S>>;
  /**
   * All arguments with which it is allowed now, for forks in the inspector and for random runs. Without it, a command on
   * a call is possible for each party that its guard lets give it, if it needs no arguments but these;
   * one that names no party, for the caller.
   */
  possible?(services: Needs): readonly DeepReadonly<v.InferInput<S>>[];
  /** Never set: it holds the type of the result. */
  readonly returns?: Result;
}

/** Declares a command once. */
export function defineCommand<
  Needs,
  S extends v.GenericSchema,
  Result,
  const G extends CallGuard | RecordGuard<never, v.InferOutput<S>, unknown> | undefined = undefined,
>(declared: CommandDefinition<Needs, S, G, Result>): CommandDefinition<Needs, S, G, Result> {
  return declared;
}
