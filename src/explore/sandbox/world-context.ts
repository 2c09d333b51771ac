import { asyncModule as hooks } from "../../core/foundation/async-hooks.ts";

/** A world, or the loading of an app's module, as its code is told from other code. */
export interface WorldContext {
  /** Whether it is over. Its code may go on, since not all that it waits for is known. */
  readonly isOver: boolean;
  /** Called for what its code throws then, where nothing catches it. */
  onLateError(error: unknown, isRejected: boolean): void;
}

/** Node follows code through what it waits for; elsewhere all code belongs to the world that runs. */
const storage = hooks && new hooks.AsyncLocalStorage<WorldContext>();

/** Runs code of a world: what it leaves for later belongs to the world too. Other code runs beside it, such as another test. */
export function runAsWorld<T>(world: WorldContext, run: () => T): T {
  return storage === undefined ? run() : storage.run(world, run);
}

/** The world to which the code belongs that runs now, or that threw what is reported now, if that world is over. */
export function endedWorld(): WorldContext | undefined {
  const world = storage?.getStore();
  return world?.isOver === true ? world : undefined;
}

/** The world to which the code belongs that runs now; undefined also where nothing follows code. */
export function worldOfCaller(): WorldContext | undefined {
  return storage?.getStore();
}

/** The worlds as their properties see them: all that these begin is told from what the app does. */
const judged = new WeakMap<WorldContext, WorldContext>();
/** Where nothing follows code: whether a property runs, until it first waits. */
let isJudging = false;

/** Runs code of a property of a world. */
export function runAsProperty<T>(run: () => T): T {
  const world = storage?.getStore();
  if (storage === undefined || world === undefined) {
    isJudging = true;
    try {
      return run();
    } finally {
      isJudging = false;
    }
  }
  let ofProperty = judged.get(world);
  if (ofProperty === undefined) {
    ofProperty = Object.create(world) as WorldContext;
    judged.set(world, ofProperty);
    judged.set(ofProperty, ofProperty);
  }
  return storage.run(ofProperty, run);
}

/** The worlds as the clients of dependencies see them. */
const ofDependencies = new WeakSet<WorldContext>();

/** The worlds as what answers a question of the app sees them, such as MSW or Node, with that question. */
const ofQuestions = new WeakMap<WorldContext, object>();

/** Runs code of a dependency's client, for the app of a world. */
export function runAsDependency<T>(run: () => T): T {
  return runWithView((view) => ofDependencies.add(view), run);
}

/** Runs a function by which the app of a world asks something outside its process, such as `fetch`. @param question what it asks */
export function runAsQuestion<T>(question: object, run: () => T): T {
  return runWithView((view) => ofQuestions.set(view, question), run);
}

function runWithView<T>(note: (view: WorldContext) => void, run: () => T): T {
  const world = storage?.getStore();
  if (storage === undefined || world === undefined) return run();
  const view = Object.create(world) as WorldContext;
  note(view);
  return storage.run(view, run);
}

/** What the app asks by the function to which the code belongs that runs now, such as `fetch`. */
export function questionOfCaller(): object | undefined {
  const world = storage?.getStore();
  return world && ofQuestions.get(world);
}

/** The world of which a property, a dependency's client or what answers a `fetch` sees its own view. */
export function wholeWorld(seen: WorldContext): WorldContext {
  let world = seen;
  while (ofDependencies.has(world) || ofQuestions.has(world) || judged.get(world) === world)
    world = Object.getPrototypeOf(world) as WorldContext;
  return world;
}

/** @returns what gives each world, when its code asks, one of its own; undefined for other code, and once the world is over */
export function perWorld<T extends object>(make: () => T): () => T | undefined {
  const ofWorlds = new WeakMap<WorldContext, T>();
  return () => {
    const seen = worldOfCaller();
    if (seen === undefined || endedWorld() !== undefined) return undefined;
    const world = wholeWorld(seen);
    const own = ofWorlds.get(world) ?? make();
    ofWorlds.set(world, own);
    return own;
  };
}

/** Whether the code that runs now belongs to the client of a dependency. */
export function isOfDependency(): boolean {
  const world = storage?.getStore();
  return world !== undefined && ofDependencies.has(world);
}

/** Whether the code that runs now belongs to a property of a world. */
export function isOfProperty(): boolean {
  const world = storage?.getStore();
  return world === undefined ? isJudging : judged.get(world) === world;
}

/** Whether the code that runs now belongs to a world. */
export function isFollowed(): boolean {
  return storage === undefined || storage.getStore() !== undefined;
}

/** Follows no more code, which takes time of every promise. */
export function stopFollowing(): void {
  storage?.disable();
}

/** Returns a function that calls back as the code that runs now: in its async context. */
export function bindToContext(
  callback: (...given: unknown[]) => unknown,
): (receiver: unknown, given: readonly unknown[]) => unknown {
  if (hooks === undefined) return (receiver, given) => callback.apply(receiver, [...given]);
  const resource = new hooks.AsyncResource("VirtualTimer");
  return (receiver, given) => resource.runInAsyncScope(callback, receiver, ...given);
}
