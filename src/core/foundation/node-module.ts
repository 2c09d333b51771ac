/** Node's own loader of its modules; undefined elsewhere than in Node. Importing them would keep a build out of browsers. */
const load = (globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }).process
  ?.getBuiltinModule;

/** One of Node's modules; undefined elsewhere than in Node. */
export function nodeModule<T>(name: string): T | undefined {
  return load?.(name) as T | undefined;
}
