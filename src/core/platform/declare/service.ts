import type * as v from "valibot";
import type { AgendaItem } from "../../engine/agenda.ts";
import type { Problem } from "../../foundation/errors.ts";
import type { Organisation } from "../../generated/inputs.ts";
import type { ActorReference, Description } from "./description.ts";

/** Handlers of a capability's scheduled tasks, by name. Each run of the capability has the same, so a fork makes none. */
export type Tasks<It> = Readonly<Record<string, (it: It, item: AgendaItem) => void>>;

/** A command of a capability: the schema of its arguments, what it does, who gives it, and how it is told. */
export interface Command<It, S extends v.GenericSchema, Result> {
  readonly schema: S;
  /** Who gives it. */
  actor(args: v.InferOutput<S>): ActorReference;
  /** What they do by it, in words: `answers on desktop`. */
  describe(args: v.InferOutput<S>): Description;
  /** Who may give it, if it is on a call: see `live/rights.ts`. */
  readonly guard?: unknown;
  /** What a party that may not issue it cannot do, in words: `hang up`. Default: its name. */
  readonly infinitive?: string;
  /** @param actor who gives it or what it is about, if it has a right */
  run(it: It, args: v.InferOutput<S>, actor?: never): Result;
  /** Finds problems that the schema cannot. The error of a refused command lists all problems. */
  validate?(it: It, wellFormed: Partial<v.InferOutput<S>>): readonly Problem[];
  /** Adds what functions of the consumer say about the arguments, so that the journal holds it. */
  enrich?(it: It, args: v.InferOutput<S>): v.InferOutput<S>;
  /** Never set: it holds the type of the result. */
  readonly returns?: Result;
}

/**
 * Declares a command.
 * @param giver who gives it, such as `theUser` or `thePlatform` of `sentence.ts`
 * @param words what they do by it: `answers on desktop`, or a sentence in parts
 * @param check finds problems that the schema cannot
 */
export function command<It, S extends v.GenericSchema, Result>(
  schema: S,
  giver: (args: v.InferOutput<S>) => ActorReference,
  words: (args: v.InferOutput<S>) => Description,
  act: (it: It, args: v.InferOutput<S>) => Result,
  check?: (it: It, wellFormed: Partial<v.InferOutput<S>>) => readonly Problem[],
): Command<It, S, Result> {
  return check === undefined
    ? { schema, actor: giver, describe: words, run: act }
    : { schema, actor: giver, describe: words, run: act, validate: check };
}

/**
 * A command whose arguments are completed before it runs.
 * @param complete adds what functions of the consumer say about the arguments, so that the journal holds it
 */
export function enriched<It, S extends v.GenericSchema, Result>(
  complete: (it: It, args: v.InferOutput<S>) => v.InferOutput<S>,
  command: Command<It, S, Result>,
): Command<It, S, Result> {
  return { ...command, enrich: complete };
}

/**
 * Everything that a capability declares. The list in `capabilities.ts` has it once. From there its state is made and
 * forked, its commands and tasks are found, and other capabilities ask it.
 */
export interface ServiceDefinition<Needs, It, State, Fixed, Commands> {
  /** Derives from the organisation what never changes. Forks share it. */
  readonly constants?: (organisation: Organisation) => Fixed;
  /** Makes its state at the start of a run. A fork copies the state: see `forked`. */
  readonly init?: (fixed: Fixed) => State;
  /** @param world the base, and the capabilities above it in the list */
  readonly create: (world: Needs, state: State, fixed: Fixed) => It;
  /** Called at the start of a run, once all capabilities are made. Not called for a fork. */
  readonly onStart?: (it: It, organisation: Organisation) => void;
  readonly tasks?: Tasks<It>;
  readonly commands?: Commands;
}

/** The commands of any capability, by name. */
export type AnyCommands = Readonly<Record<string, AnyCommand>>;
export interface AnyCommand {
  readonly schema: v.GenericSchema;
  actor(args: never): ActorReference;
  describe(args: never): Description;
  readonly guard?: unknown;
  readonly infinitive?: string;
  run(it: never, args: never, actor?: never): unknown;
  validate?(it: never, wellFormed: never): readonly Problem[];
  enrich?(it: never, args: never): unknown;
  readonly returns?: unknown;
}

/** Declares a capability, with its types inferred. */
export function defineService<
  Needs,
  It,
  State = undefined,
  Fixed = undefined,
  Commands extends AnyCommands = Record<never, never>,
>(
  declared: ServiceDefinition<Needs, It, State, Fixed, Commands>,
): ServiceDefinition<Needs, It, State, Fixed, Commands> {
  return declared;
}

/**
 * Copies a state for a fork. Anything with a method `fork` forks itself. Objects are copied part by part; maps, sets
 * and lists are copied, and so are sets inside a map. The other values of maps and lists are shared by both sides and
 * frozen here: they must be replaced, never changed.
 */
export function forkState<T>(state: T): T {
  return copy(state) as T;
}

function copy(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (canFork(value)) return value.fork();
  if (value instanceof Map) return copiedMap(value);
  if (value instanceof Set) return new Set(value);
  if (Array.isArray(value)) return value.map(shared);
  if (Object.isFrozen(value)) return value;
  // a spread keeps the hidden class, which takes a tenth of the time of making an object field by field
  const copied: Record<string, unknown> = { ...value };
  for (const key in copied) copied[key] = copy(copied[key]);
  return copied;
}

/** Copies a map. In most forks most maps are empty. */
function copiedMap(value: ReadonlyMap<unknown, unknown>): Map<unknown, unknown> {
  const copied = new Map();
  for (const [key, each] of value) copied.set(key, each instanceof Set ? new Set(each) : shared(each));
  return copied;
}

/** Freezes what both sides of a fork share. */
function shared(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  if (value instanceof Set || value instanceof Map || canFork(value))
    throw new Error(
      `a state has a ${value.constructor.name} in a map or a list, where forks would share it: give it a part of the state`,
    );
  for (const part of Object.values(value)) if (Array.isArray(part)) Object.freeze(part);
  return Object.freeze(value);
}

function canFork(value: object): value is { fork(): unknown } {
  // read, not asked for with `in`, which V8 looks up anew in objects of so many kinds
  return typeof (value as { fork?: unknown }).fork === "function";
}

/** A part of a state that saves itself. Whatever has `fork` has these too. */
interface Savable {
  /** What it holds: plain data, maps and sets. */
  save(): unknown;
  /** @returns another like it, with what was saved */
  load(saved: unknown): unknown;
}

/**
 * What a state holds, for `loaded`. Anything with a method `save` saves itself; objects are saved part by part. Functions
 * in a map are the consumer's, and left out.
 */
export function saveState(state: unknown): unknown {
  if (typeof state !== "object" || state === null) return state;
  if (canFork(state)) return savable(state).save();
  if (state instanceof Map) return new Map([...state].filter(([, each]) => typeof each !== "function"));
  if (state instanceof Set || Array.isArray(state) || Object.isFrozen(state)) return state;
  return Object.fromEntries(Object.entries(state).map(([key, part]) => [key, saveState(part)]));
}

/**
 * The state that was saved.
 * @param begun the state as `begin` makes it, which says what each part is
 */
export function restoreState<T>(begun: T, saved: unknown): T {
  return load(begun, saved) as T;
}

function load(begun: unknown, saved: unknown): unknown {
  if (typeof begun !== "object" || begun === null) return saved;
  if (canFork(begun)) return savable(begun).load(saved);
  if (begun instanceof Map) return copiedMap(saved as ReadonlyMap<unknown, unknown>);
  if (begun instanceof Set) return new Set(saved as ReadonlySet<unknown>);
  if (Array.isArray(begun)) return [...(saved as readonly unknown[])];
  if (Object.isFrozen(begun)) return saved;
  const parts = saved as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.entries(begun).map(([key, part]) => [key, load(part, parts[key])]));
}

function savable(part: object): Savable {
  if ("save" in part && "load" in part) return part as Savable;
  throw new Error(`a state has a ${part.constructor.name}, which cannot save itself: give it save and load`);
}
