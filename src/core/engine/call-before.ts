type Method = (this: object, ...of: unknown[]) => unknown;

/** Calls a function before a method of all objects of a class. */
export function callBefore(
  of: { prototype: object },
  name: string,
  before: (self: object, ...given: unknown[]) => void,
): void {
  const prototype = of.prototype as Record<string, Method | undefined>;
  const method = prototype[name];
  if (method === undefined) return;
  Object.defineProperty(prototype, name, {
    configurable: true,
    writable: true,
    value(this: object, ...given: unknown[]) {
      before(this, ...given);
      return method.apply(this, given);
    },
  });
}
