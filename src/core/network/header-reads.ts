import type { EndpointRequest } from "./endpoint-request.ts";

type Values = EndpointRequest["headers"];

/**
 * What is told of each name that is read of watched headers. The headers do not have it: `new Headers(…)` of Node 20 refuses an
 * object with a symbol.
 */
const watchers = new WeakMap<Values, (name: string) => void>();

/**
 * Which headers of a request its app asks for by name. To read all of them in their order is to copy them, and does not
 * count: what becomes of a copy nobody sees.
 */
export class HeaderReads {
  private readonly asked = new Set<string>();
  /** The headers as the app gets them: with getters, so they can be copied, cloned, compared and changed as usual. */
  readonly headers: Values;
  private readonly names: readonly string[];
  /** What was read in the headers' order, from the first on: by name, or the beginning of a copy. */
  private unsure: string[] = [];

  /**
   * @param isInAnyCase whether names in another case count as theirs. Only another prototype shows these, with which the headers
   * are equal to no plain object
   */
  constructor(headers: Values, isInAnyCase: boolean) {
    this.names = Object.keys(headers);
    const watched = isInAnyCase ? Object.create(this.otherCases) : {};
    for (const name of this.names)
      Object.defineProperty(watched, name, {
        get: () => {
          this.noteRead(name);
          return headers[name];
        },
        set(value: unknown) {
          Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
        },
        enumerable: true,
        configurable: true,
      });
    watchers.set(watched, (name) => this.asked.add(name));
    this.headers = watched;
  }

  /** Whether a header was asked for by its name, which is in lower case. */
  hasAsked(name: string): boolean {
    return this.asked.has(name) || this.unsure.includes(name);
  }

  /** Names in another case, such as `X-Service-Signature`, of which the headers have none: the app asked all the same. */
  private get otherCases(): object {
    const note = (name: string | symbol) => {
      const lower = String(name).toLowerCase();
      if (name !== lower && this.names.includes(lower)) this.asked.add(lower);
    };
    return new Proxy(Object.prototype, {
      get(target, name, receiver) {
        note(name);
        return Reflect.get(target, name, receiver);
      },
      has(target, name) {
        note(name);
        return Reflect.has(target, name);
      },
    });
  }

  private noteRead(name: string): void {
    if (name !== this.names[this.unsure.length]) {
      for (const each of this.unsure) this.asked.add(each);
      this.unsure = [];
    }
    if (name !== this.names[this.unsure.length]) this.asked.add(name);
    else this.unsure.push(name);
    if (this.unsure.length === this.names.length) this.unsure = [];
  }
}

/** Lets the `Headers` of a request tell what is read of them, if the headers that they were made of are watched. */
export function watchAlso(headers: Headers, madeOf: Values): void {
  const tell = watchers.get(madeOf);
  if (tell === undefined) return;
  const told =
    <R>(read: (name: string) => R) =>
    (name: string): R => {
      tell(String(name).toLowerCase());
      return read.call(headers, name);
    };
  Object.assign(headers, { get: told(headers.get), has: told(headers.has) });
}
