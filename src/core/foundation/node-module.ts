/** Loads Node's modules without importing them, so that the build runs in browsers. Undefined outside Node. */
const load = (globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }).process
  ?.getBuiltinModule;

/** One of Node's modules; undefined outside Node. */
export function nodeModule<T>(name: string): T | undefined {
  return load?.(name) as T | undefined;
}
