import { nodeModule } from "../../core/foundation/node-module.ts";

interface AsyncHooks {
  readonly AsyncLocalStorage: new () => {
    run<T>(store: true, run: () => T): T;
    getStore(): true | undefined;
    disable(): void;
  };
  readonly AsyncResource: new (
    type: string,
  ) => {
    runInAsyncScope(run: (...given: unknown[]) => unknown, receiver: unknown, ...given: unknown[]): unknown;
  };
}

/** Node follows code through what it waits for; elsewhere all code belongs to the world that runs. */
const hooks = nodeModule<AsyncHooks>("node:async_hooks");
const storage = hooks && new hooks.AsyncLocalStorage();

/** Runs code of a world: what it leaves for later belongs to the world too. Other code runs beside it, such as another test. */
export function runAsWorld<T>(run: () => T): T {
  return storage === undefined ? run() : storage.run(true, run);
}

/** Whether the code that runs now belongs to a world. */
export function isOfWorld(): boolean {
  return storage === undefined || storage.getStore() === true;
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
