import type { AgendaItem } from "../../engine/agenda.ts";
import type { Organisation } from "../../generated/inputs.ts";

/** Handlers of a capability's scheduled tasks, by name. Each run of the capability has the same, so a fork makes none. */
export type Tasks<It> = Readonly<Record<string, (it: It, item: AgendaItem) => void>>;

/**
 * Everything that a capability declares. The list in `capabilities.ts` has it once. From there its state is made and
 * forked, its tasks are found, and commands and other capabilities ask it.
 */
export interface ServiceDefinition<Needs, It, State, Fixed> {
  /** Derives from the organisation what never changes. Forks share it. */
  readonly constants?: (organisation: Organisation) => Fixed;
  /** Makes its state at the start of a run. A fork copies the state: see `forked`. */
  readonly init?: (fixed: Fixed) => State;
  /** @param services the core services, and the services above it in the list */
  readonly create: (services: Needs, state: State, fixed: Fixed) => It;
  /** Called at the start of a run, once all capabilities are made. Not called for a fork. */
  readonly onStart?: (it: It, organisation: Organisation) => void;
  readonly tasks?: Tasks<It>;
}

/** Declares a capability, with its types inferred. */
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
