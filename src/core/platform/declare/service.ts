import type { AgendaItem } from "../../engine/agenda.ts";
import type { Organisation } from "../../generated/inputs.ts";

/** Handlers of a service's scheduled tasks, by name. All runs share them, so a fork makes none. */
export type Tasks<It> = Readonly<Record<string, (it: It, item: AgendaItem) => void>>;

/**
 * Everything that a service declares. `catalogue/services.ts` lists it once; `platform.ts` creates and forks its state and
 * finds its tasks from there.
 */
export interface ServiceDefinition<Needs, It, State, Fixed> {
  /** Derives from the organisation what never changes. Forks share it. */
  readonly constants?: (organisation: Organisation) => Fixed;
  /** Creates its state at the start of a run. A fork copies the state: see `forkState`. */
  readonly init?: (fixed: Fixed) => State;
  /** @param services the core services, and the services above it in the list */
  readonly create: (services: Needs, state: State, fixed: Fixed) => It;
  /** Called at the start of a run, after all services are created. Not called for a fork. */
  readonly onStart?: (it: It, organisation: Organisation) => void;
  readonly tasks?: Tasks<It>;
}

/** Declares a service. Its types are inferred. */
export function defineService<Needs, It, State = undefined, Fixed = undefined>(
  declared: ServiceDefinition<Needs, It, State, Fixed>,
): ServiceDefinition<Needs, It, State, Fixed> {
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
  if (value instanceof Map) return copyMap(value);
  if (value instanceof Set) return new Set(value);
  if (Array.isArray(value)) return value.map(freezeShared);
  if (Object.isFrozen(value)) return value;
  // a spread keeps the hidden class, which takes a tenth of the time of making an object field by field
  const copied: Record<string, unknown> = { ...value };
  for (const key in copied) if (Object.hasOwn(copied, key)) copied[key] = copy(copied[key]);
  return copied;
}

/** Copies a map. In most forks most maps are empty. */
function copyMap(value: ReadonlyMap<unknown, unknown>): Map<unknown, unknown> {
  const copied = new Map();
  for (const [key, each] of value) copied.set(key, each instanceof Set ? new Set(each) : freezeShared(each));
  return copied;
}

/** Freezes what both sides of a fork share. */
function freezeShared(value: unknown): unknown {
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
 * What a state holds, for `restoreState`. Anything with a method `save` saves itself; objects are saved part by part. Functions
 * in a map are the consumer's, and left out.
 */
export function saveState(state: unknown): unknown {
  if (typeof state !== "object" || state === null) return state;
  if (canFork(state)) return asSavable(state).save();
  if (state instanceof Map) return new Map([...state].filter(([, each]) => typeof each !== "function"));
  if (state instanceof Set || Array.isArray(state) || Object.isFrozen(state)) return state;
  return Object.fromEntries(Object.entries(state).map(([key, part]) => [key, saveState(part)]));
}

/**
 * Restores a saved state.
 * @param initial the state as `init` creates it, which has the type of each part
 */
export function restoreState<T>(initial: T, saved: unknown): T {
  return restore(initial, saved) as T;
}

function restore(initial: unknown, saved: unknown): unknown {
  if (typeof initial !== "object" || initial === null) return saved;
  if (canFork(initial)) return asSavable(initial).load(saved);
  if (initial instanceof Map) return copyMap(saved as ReadonlyMap<unknown, unknown>);
  if (initial instanceof Set) return new Set(saved as ReadonlySet<unknown>);
  if (Array.isArray(initial)) return [...(saved as readonly unknown[])];
  if (Object.isFrozen(initial)) return saved;
  const parts = saved as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.entries(initial).map(([key, part]) => [key, restore(part, parts[key])]));
}

function asSavable(part: object): Savable {
  if ("save" in part && "load" in part) return part as Savable;
  throw new Error(`a state has a ${part.constructor.name}, which cannot save itself: give it save and load`);
}
