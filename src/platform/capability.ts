import type * as v from "valibot";
import type { AgendaItem } from "../engine/agenda.ts";
import type { Problem } from "../engine/errors.ts";
import type { Organisation } from "../generated/inputs.ts";

/** Handlers of what a capability schedules, by task. */
export type Tasks = Readonly<Record<string, (item: AgendaItem) => void>>;

/** A command of a capability: the shape of its arguments, and what it does. */
export interface Command<It, S extends v.GenericSchema, Result> {
  readonly schema: S;
  act(it: It, args: v.InferOutput<S>): Result;
  /** What is wrong with the arguments apart from their shape. The command is refused with all of it at once. */
  check?(it: It, wellFormed: Partial<v.InferOutput<S>>): readonly Problem[];
  /** Never set: it holds the type of the result. */
  readonly returns?: Result;
}

/** Declares a command: the shape of its arguments, what it does, and a check apart from the shape. */
export function command<It, S extends v.GenericSchema, Result>(
  schema: S,
  act: (it: It, args: v.InferOutput<S>) => Result,
  check?: (it: It, wellFormed: Partial<v.InferOutput<S>>) => readonly Problem[],
): Command<It, S, Result> {
  return check === undefined ? { schema, act } : { schema, act, check };
}

/**
 * Everything that a capability declares. The registry lists it once: from there its state is made and forked, its
 * commands and tasks are found, and other capabilities may ask it.
 */
export interface Capability<Needs, It, State, Fixed, Commands> {
  /** What follows from the organisation and never changes; forks share it. */
  readonly fixed?: (organisation: Organisation) => Fixed;
  /** Its state at the start of a run. A fork copies it: see `forked`. */
  readonly begin?: (fixed: Fixed) => State;
  /** @param world the base, and the capabilities that it may ask: those above it are not there */
  readonly make: (world: Needs, state: State, fixed: Fixed) => It;
  /** Called at the start of a run, once every capability is there. Not called for a fork. */
  readonly start?: (it: It, organisation: Organisation) => void;
  readonly tasks?: (it: It) => Tasks;
  readonly commands?: Commands;
}

/** Commands by name, of any capability. */
export type AnyCommands = Readonly<Record<string, AnyCommand>>;
export interface AnyCommand {
  readonly schema: v.GenericSchema;
  act(it: never, args: never): unknown;
  check?(it: never, wellFormed: never): readonly Problem[];
  readonly returns?: unknown;
}

/** Declares a capability, with its types inferred. */
export function capability<
  Needs,
  It,
  State = undefined,
  Fixed = undefined,
  Commands extends AnyCommands = Record<never, never>,
>(declared: Capability<Needs, It, State, Fixed, Commands>): Capability<Needs, It, State, Fixed, Commands> {
  return declared;
}

/**
 * A copy of a state for a fork. Anything with a `fork` forks itself. Maps, sets and lists are copied, also the sets in a
 * map; objects are copied part by part. A value in a map or a list is always replaced and never changed, so both sides
 * share it: it is frozen here, and an attempt to change it fails.
 */
export function forked<T>(state: T): T {
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

/** In most forks most maps are empty. */
function copiedMap(value: ReadonlyMap<unknown, unknown>): Map<unknown, unknown> {
  const copied = new Map();
  for (const [key, each] of value) copied.set(key, each instanceof Set ? new Set(each) : shared(each));
  return copied;
}

/** What both sides of a fork share from now on. */
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
  return "fork" in value && typeof value.fork === "function";
}
