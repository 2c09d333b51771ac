import type { EventEmitter } from "node:events";

/** What the explorer needs of Node's process. In a test runner's sandbox, the global one may be a copy. */
export interface NodeProcess
  extends Pick<EventEmitter, "on" | "off" | "listeners" | "removeAllListeners" | "emit"> {
  exit: (code?: number | string | null) => never;
}

type Load = (name: string) => unknown;

/** Node's own loader of its modules; undefined elsewhere than in Node. */
const load = (globalThis as { process?: { getBuiltinModule?: Load } }).process?.getBuiltinModule;

/** One of Node's modules; undefined elsewhere than in Node. */
export function nodeModule<T>(name: string): T | undefined {
  return load?.(name) as T | undefined;
}
