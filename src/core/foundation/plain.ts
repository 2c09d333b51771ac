/**
 * Converts values to JSON data and back. Beyond JSON it keeps `undefined`, non-finite numbers, maps, sets, and object
 * identity. Objects of other classes need a `Kind`.
 */

/** How objects of a class are saved and loaded. */
export interface Kind<T extends object = object> {
  /** Its name in the output. */
  readonly name: string;
  is(value: object): value is T;
  /** Returns its content: plain, or of further kinds. */
  save(value: T): unknown;
  load(saved: unknown): T;
}

/** A value as JSON data. */
export interface Plain {
  /** The objects that occur more than once. Each refers only to those before it. */
  readonly shared: readonly unknown[];
  readonly value: unknown;
}

/** The key that marks a value that JSON lacks: `{ "$": ["map", …] }`. */
const MARK = "$";

/** @throws {Error} naming the path of a function or an object of no known kind */
export function toPlain(value: unknown, kinds: readonly Kind[]): Plain {
  const writer = new Writer(kinds);
  writer.count(value);
  return { value: writer.write(value), shared: writer.shared };
}

/** @returns the value, with every list and plain object frozen */
export function fromPlain({ shared, value }: Plain, kinds: readonly Kind[]): unknown {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  const reader = new Reader(byName);
  for (const each of shared) reader.shared.push(reader.read(each));
  return reader.read(value);
}

class Writer {
  readonly shared: unknown[] = [];
  private readonly counts = new Map<object, number>();
  /** The content of objects of a kind, each read once. */
  private readonly saved = new Map<object, unknown>();
  private readonly written = new Map<object, unknown>();
  /** The path of the value being counted, and the objects on it. */
  private readonly path: (string | number)[] = [];
  private readonly ancestors = new Set<object>();

  constructor(private readonly kinds: readonly Kind[]) {}

  /** Counts how often each object occurs. */
  count(value: unknown): void {
    if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint")
      throw this.unsavable(`a ${typeof value}`);
    if (typeof value !== "object" || value === null) return;
    if (this.ancestors.has(value)) throw this.unsavable("an object inside itself");
    const before = this.counts.get(value) ?? 0;
    this.counts.set(value, before + 1);
    if (before > 0) return;
    this.ancestors.add(value);
    this.countParts(value);
    this.ancestors.delete(value);
  }

  write(value: unknown): unknown {
    if (value === undefined) return { [MARK]: ["undefined"] };
    if (typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0)))
      return { [MARK]: ["number", Object.is(value, -0) ? "-0" : String(value)] };
    if (typeof value !== "object" || value === null) return value;
    if (this.counts.get(value) === 1) return this.writeObject(value);
    let reference = this.written.get(value);
    if (reference === undefined) {
      const object = this.writeObject(value);
      reference = { [MARK]: ["ref", this.shared.push(object) - 1] };
      this.written.set(value, reference);
    }
    return reference;
  }

  private countParts(value: object): void {
    const kind = this.kindOf(value);
    if (kind !== undefined) {
      const saved = kind.save(value);
      this.saved.set(value, saved);
      this.countPart(kind.name, saved);
    } else if (value instanceof Map) {
      for (const [key, each] of value) {
        this.countPart("key", key);
        this.countPart(String(key), each);
      }
    } else if (Array.isArray(value) || value instanceof Set) {
      let index = 0;
      for (const each of value) this.countPart(index++, each);
    } else {
      const prototype: unknown = Object.getPrototypeOf(value);
      if (prototype !== Object.prototype && prototype !== null)
        throw this.unsavable(`a ${value.constructor.name}`);
      for (const [key, each] of Object.entries(value)) this.countPart(key, each);
    }
  }

  private countPart(key: string | number, value: unknown): void {
    this.path.push(key);
    this.count(value);
    this.path.pop();
  }

  private writeObject(value: object): unknown {
    const kind = this.kindOf(value);
    if (kind !== undefined) return { [MARK]: [kind.name, this.write(this.saved.get(value))] };
    const write = (each: unknown) => this.write(each);
    if (Array.isArray(value)) return value.map(write);
    if (value instanceof Map)
      return { [MARK]: ["map", Array.from(value, ([key, each]) => [write(key), write(each)])] };
    if (value instanceof Set) return { [MARK]: ["set", Array.from(value, write)] };
    const entries = Object.entries(value).map(([key, each]) => [key, write(each)]);
    return Object.hasOwn(value, MARK) ? { [MARK]: ["object", entries] } : Object.fromEntries(entries);
  }

  private kindOf(value: object): Kind | undefined {
    return this.kinds.find((kind) => kind.is(value));
  }

  private unsavable(what: string): Error {
    return new Error(`${what} cannot be saved, at ${this.path.join(".")}`);
  }
}

class Reader {
  readonly shared: unknown[] = [];

  constructor(private readonly kinds: ReadonlyMap<string, Kind>) {}

  read(written: unknown): unknown {
    if (typeof written !== "object" || written === null) return written;
    if (Array.isArray(written)) return Object.freeze(written.map((each) => this.read(each)));
    if (Object.hasOwn(written, MARK)) return this.readMarked((written as { [MARK]: unknown[] })[MARK]);
    return this.readObject(Object.entries(written));
  }

  private readMarked([name, content]: readonly unknown[]): unknown {
    const list = () => (content as readonly unknown[]).map((each) => this.read(each));
    switch (name) {
      case "undefined":
        return undefined;
      case "number":
        return Number(content);
      case "ref":
        return this.readReference(content as number);
      case "map":
        return new Map(list() as [unknown, unknown][]);
      case "set":
        return new Set(list());
      case "object":
        return this.readObject(content as readonly [string, unknown][]);
      default: {
        const kind = this.kinds.get(String(name));
        if (kind === undefined) throw new Error(`unknown kind ${String(name)}`);
        return kind.load(this.read(content));
      }
    }
  }

  private readReference(index: number): unknown {
    if (!(index in this.shared)) throw new Error(`no shared object has the index ${index}`);
    return this.shared[index];
  }

  private readObject(entries: readonly (readonly [string, unknown])[]): object {
    // `fromEntries` sets a key named `__proto__` like any other
    return Object.freeze(Object.fromEntries(entries.map(([key, each]) => [key, this.read(each)])));
  }
}
