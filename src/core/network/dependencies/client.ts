import { type Call, type CallOptions, makeCall } from "./call.ts";
import { statementOfBuilder } from "./statement.ts";

type AnyFunction = (...given: unknown[]) => unknown;
type AnyConstructor = new (...given: unknown[]) => object;

/** What an object is to its dependency: how it was reached, and the statement that it stands for. */
interface Origin {
  readonly path: string;
  readonly statement?: string | undefined;
}

/** Methods that no client sends anywhere: they give a connection back, or register a listener. */
const local: ReadonlySet<string> = new Set([
  "release",
  "on",
  "once",
  "off",
  "addListener",
  "removeListener",
  "emit",
]);

/**
 * A dependency's client as its app sees it: a proxy whose calls somebody else makes. What a call returns is followed into, if it is an
 * object with methods: a connection, a prepared statement, a query. Methods get the real object as `this`, since a proxy has no private
 * fields.
 */
export class DependencyClient {
  private readonly proxies = new WeakMap<object, object>();
  private readonly reals = new WeakMap<object, object>();
  private readonly methods = new WeakMap<object, Map<string, object>>();
  private readonly callbacks = new WeakMap<object, object>();

  constructor(
    private readonly options: CallOptions,
    /** Makes a call, or does something else in its place. */
    private readonly make: (call: Call) => unknown,
  ) {}

  /** The client, or an object that belongs to it, as the app gets it. */
  wrap(real: object, origin: Origin = { path: "" }): object {
    const known = this.proxies.get(real);
    if (known !== undefined) return known;
    const proxy = new Proxy(shadowOf(real), {
      get: (shadow, key) => this.read(shadow, real, key, origin),
      has: (_, key) => Reflect.has(real, key),
      set: (_, key, value) => Reflect.set(real, key, value, real),
      apply: (_, receiver, given) => this.call(real as AnyFunction, this.unwrap(receiver), given, origin),
      construct: (_, given) => this.wrap(Reflect.construct(real as AnyConstructor, given), origin),
    });
    this.proxies.set(real, proxy);
    this.reals.set(proxy, real);
    return proxy;
  }

  /** What a call gave, as the app gets it. @param call undefined for what a promise gave */
  pass(value: unknown, call?: Call): unknown {
    if (!isClient(value)) return value;
    return this.wrap(value, { path: call?.label ?? "", statement: call?.statement });
  }

  private read(shadow: object, real: object, key: string | symbol, origin: Origin): unknown {
    const value: unknown = Reflect.get(real, key, real);
    if (typeof key === "symbol" || key === "constructor" || key === "prototype") return value;
    // a proxy must return a field as it is that can never change
    const own = Reflect.getOwnPropertyDescriptor(shadow, key);
    if (own?.configurable === false && own.writable === false) return value;
    if (key === "then" && typeof value === "function")
      return this.awaiting(real as PromiseLike<unknown>, origin);
    const path = origin.path === "" || origin.statement !== undefined ? key : `${origin.path}.${key}`;
    if (typeof value === "function") return this.method(value as AnyFunction, real, key, { ...origin, path });
    return isClient(value) ? this.wrap(value, { ...origin, path }) : value;
  }

  private method(value: AnyFunction, real: object, key: string, origin: Origin): object {
    const known = this.methods.get(real) ?? new Map<string, object>();
    this.methods.set(real, known);
    const before = known.get(key);
    if (before !== undefined && this.reals.get(before) === value) return before;
    const proxy = new Proxy(value, {
      get: (shadow, name) => this.read(shadow, value, name, origin),
      apply: (_, receiver, given) => {
        const self = (receiver as unknown) === undefined ? real : this.unwrap(receiver);
        return this.call(value, self, given, origin, key);
      },
      construct: (_, given) =>
        this.wrap(Reflect.construct(value as AnyFunction & AnyConstructor, given), { path: "" }),
    });
    // not by the function: two clients of a pool share the methods of their class
    known.set(key, proxy);
    this.reals.set(proxy, value);
    return proxy;
  }

  private call(
    value: AnyFunction,
    self: unknown,
    given: readonly unknown[],
    origin: Origin,
    key = "",
  ): unknown {
    const run = () => Reflect.apply(value, self, this.realArguments(given));
    if (local.has(key)) return this.pass(run());
    const isAsync = value.constructor.name === "AsyncFunction";
    // Axios, Got and Superagent are functions with a method for each of HTTP's, and answer in ways of their own
    const isFetch = key === "" ? !("post" in value) : key === "fetch";
    return this.make(makeCall({ ...origin, given, run, isAsync, isFetch }, this.options));
  }

  /** A query that runs when it is awaited. */
  private awaiting(real: PromiseLike<unknown>, { path, statement }: Origin): AnyFunction {
    return (...given) => {
      const run = () => new Promise((resolve, reject) => real.then(resolve, reject));
      const own = statementOfBuilder(real) ?? statement;
      const call = makeCall({ path, given: [], run, isAsync: true, statement: own }, this.options);
      return (this.make(call) as PromiseLike<unknown>).then(...(given as [never, never]));
    };
  }

  private unwrap(value: unknown): unknown {
    if (typeof value !== "object" && typeof value !== "function") return value;
    return value === null ? value : (this.reals.get(value) ?? value);
  }

  /** Clients get their own objects back. A function that they call with one of these, as for a transaction, gets what the app sees. */
  private realArguments(given: readonly unknown[]): unknown[] {
    return given.map((each) => {
      const real = this.unwrap(each);
      return real === each && typeof each === "function" ? this.callback(each as AnyFunction) : real;
    });
  }

  private callback(call: AnyFunction): object {
    const known = this.callbacks.get(call);
    if (known !== undefined) return known;
    const proxy = new Proxy(call, {
      apply: (_, receiver, given) =>
        Reflect.apply(
          call,
          receiver,
          given.map((each: unknown) => this.pass(each)),
        ),
    });
    this.callbacks.set(call, proxy);
    return proxy;
  }
}

/** What a proxy stands for: a frozen object would keep it from returning other methods. */
function shadowOf(real: object): object {
  return typeof real === "object" && Object.isFrozen(real)
    ? Object.create(Object.getPrototypeOf(real))
    : real;
}

/** Whether an object is data, or of a kind that every program has. By its tag: test runners have classes of their own of each. */
const plainTags =
  /^\[object (?:Array|Arguments|Date|RegExp|Error|Map|Set|WeakMap|WeakSet|WeakRef|Promise|ArrayBuffer|DataView|\w+Array|Blob|File|FormData|Headers|Request|Response|URL|URLSearchParams|AbortSignal|AbortController|ReadableStream|String|Number|Boolean|Generator|AsyncGenerator)\]$/;

/** Whether calls of a value may reach the dependency: an object of a class of its own, with methods. */
function isClient(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  if (isPlain) return Object.values(value).some((each) => typeof each === "function");
  return !(value instanceof Error) && !plainTags.test(Object.prototype.toString.call(value));
}
