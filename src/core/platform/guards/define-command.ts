import type * as v from "valibot";
import type { DeepReadonly } from "../../foundation/deep-readonly.ts";
import type { Problem } from "../../foundation/errors.ts";
import type { DialReason, EventType } from "../../generated/records.ts";
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

/** Everything that is said of a command. Its only other places are the list of commands and the method for consumers. */
export interface CommandDefinition<Needs, S extends v.GenericSchema, G, Result> {
  /** One line for people: the row in docs/scenarios.md, and the control plane's document. */
  readonly about: string;
  readonly schema: S;
  /** Who may give it, and what the record that it is about must allow. Without one, anyone may. */
  readonly guard?: G;
  /** What somebody who may not give it cannot do: `hang up`. Default: its name. */
  readonly infinitive?: string;
  /** Who gives it. */
  actor(args: v.InferOutput<S>): ActorReference;
  /** What they do by it, in timelines: `answers on desktop`. */
  describe(args: v.InferOutput<S>): Description;
  /** Finds problems that the schema cannot. The error of a refused command lists all problems. */
  validate?(services: Needs, wellFormed: Partial<v.InferOutput<S>>): readonly Problem[];
  /** Adds what functions of the consumer say about the arguments, so that the journal holds it. */
  enrich?(services: Needs, args: v.InferOutput<S>): v.InferOutput<S>;
  /** @param granted what the guard found */
  run(services: Needs, args: v.InferOutput<S>, granted: GrantOf<G>): Result;
  /** The events that it can bring about. `ringback/import` looks for it behind these. */
  readonly events?: readonly EventType[];
  /** The reasons of dials that it can bring about. */
  readonly dials?: readonly DialReason[];
  /** Arguments that work after what happens before. The control plane's document shows them. */
  example(before: Before): DeepReadonly<v.InferInput<S>>;
  /**
   * All arguments with which it is allowed now, for forks in the inspector and for random runs. Without it, a command on
   * a call is possible for each party that its guard lets give it, if it needs no arguments but these.
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
