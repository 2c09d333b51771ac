import { nodeModule } from "./node-module.ts";

/** Node's module that follows code through what it waits for, as far as it is used here. Runtimes have parts of it. */

/** What `AsyncLocalStorage` does: it tells code, and what that leaves for later, in what it runs. */
export interface AsyncStorage<Store> {
  run<R>(store: Store, call: () => R): R;
  getStore(): Store | undefined;
  disable(): void;
}

export interface AsyncListener {
  init?(id: number, type: string, trigger: number, resource: object): void;
  after?(id: number): void;
  destroy?(id: number): void;
  /** From Node 24 on, for who follows no promises. */
  readonly trackPromises?: false;
}

interface AsyncHooks {
  createHook?(callbacks: AsyncListener): { enable(): unknown; disable(): unknown };
  /** The number of the piece of work that runs without a pause. */
  executionAsyncId?(): number;
  readonly AsyncLocalStorage: new <Store>() => AsyncStorage<Store>;
  readonly AsyncResource: new (
    type: string,
  ) => {
    runInAsyncScope(run: (...given: unknown[]) => unknown, receiver: unknown, ...given: unknown[]): unknown;
  };
  /** The types that Node itself has. */
  readonly asyncWrapProviders?: Readonly<Record<string, number>>;
}

/** Undefined outside Node. */
export const asyncModule = nodeModule<AsyncHooks>("node:async_hooks");
