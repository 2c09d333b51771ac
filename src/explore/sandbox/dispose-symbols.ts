/** The symbols by which what is disposed of says how. */

export const disposeSymbol: typeof Symbol.dispose = provideSymbol("dispose");
export const asyncDisposeSymbol: typeof Symbol.asyncDispose = provideSymbol("asyncDispose");

/**
 * Reads one of the symbols of what can be disposed of. A test of Jest 29 has none before Node 24: what it writes as
 * `[Symbol.asyncDispose]` would be a key `undefined`, so it gets one.
 */
export function provideSymbol<Name extends "dispose" | "asyncDispose">(
  name: Name,
  at: object = Symbol,
): SymbolConstructor[Name] {
  const own: unknown = Reflect.get(at, name) ?? Symbol.for(`Symbol.${name}`);
  if (!(name in at)) Reflect.defineProperty(at, name, { value: own });
  return own as SymbolConstructor[Name];
}
