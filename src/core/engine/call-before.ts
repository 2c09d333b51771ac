type Method = (this: object, ...of: unknown[]) => unknown;

/** A change of what the whole process shares, as long as somebody follows what apps do. */
interface Wrapping {
  wrap(): void;
  unwrap(): void;
}

const wrappings: Wrapping[] = [];
let isResting = false;

/** Makes a change that `unwrapAll` undoes, until somebody follows again. */
export function keepWrapped(wrapping: Wrapping): void {
  wrappings.push(wrapping);
  wrapping.wrap();
}

/** Changes again what `unwrapAll` left as it was. */
export function wrapAgain(): void {
  if (!isResting) return;
  isResting = false;
  for (const each of wrappings) each.wrap();
}

/**
 * Leaves the process as it was: what is wrapped holds this copy of the simulator, and Jest loads one for each file. What somebody
 * else has wrapped meanwhile stays.
 */
export function unwrapAll(): void {
  if (isResting) return;
  isResting = true;
  for (const each of wrappings.toReversed()) each.unwrap();
}

/** Puts another function in the place of one that an object of the process has, as long as somebody follows. */
export function replaceWhileFollowed<F extends object>(
  place: object,
  name: string,
  make: (before: F) => F,
): void {
  let own: F | undefined;
  let before: PropertyDescriptor | undefined;
  keepWrapped({
    wrap() {
      const method = (place as Record<string, F | undefined>)[name];
      if (method === undefined) return;
      before = Object.getOwnPropertyDescriptor(place, name);
      own = make(method);
      // without effect where built-in objects are frozen
      Reflect.defineProperty(place, name, { configurable: true, writable: true, value: own });
    },
    unwrap() {
      if (own === undefined || (place as Record<string, unknown>)[name] !== own) return;
      if (before === undefined) Reflect.deleteProperty(place, name);
      else Reflect.defineProperty(place, name, before);
      own = undefined;
    },
  });
}

/** Calls a function before a method of all objects of a class. */
export function callBefore(
  of: { prototype: object },
  name: string,
  before: (self: object, ...given: unknown[]) => void,
): void {
  replaceWhileFollowed<Method>(
    of.prototype,
    name,
    (method) =>
      function (this: object, ...given: unknown[]) {
        before(this, ...given);
        return method.apply(this, given);
      },
  );
}
