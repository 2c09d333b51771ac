import { callerOf } from "../foundation/caller.ts";

/**
 * The lines at which a consumer registered functions, for later messages. Each run has its own map. In a map of all
 * runs, an entry would keep its run alive, which the stack leads to, until V8 next collects old objects; that made a
 * new simulator with a handler take half as long again.
 */
export class RegistrationLines {
  /** Errors whose stacks are read only when a message needs them. */
  private readonly handedIn = new WeakMap<object, Error>();

  /** @param before the lines of the run that this one was forked from */
  constructor(private readonly before?: RegistrationLines) {}

  /** Remembers the line at which a function is registered. */
  keep(handler: object): void {
    this.handedIn.set(handler, new Error("handed in here"));
  }

  /**
   * Returns ` at app.test.ts:12:7`, the line where a function was registered, or an empty text if that is unknown.
   */
  lineOf(handler: object | undefined): string {
    const place = handler === undefined ? undefined : callerOf(this.stackOf(handler));
    return place === undefined ? "" : ` at ${place}`;
  }

  private stackOf(handler: object): string | undefined {
    return this.handedIn.get(handler)?.stack ?? this.before?.stackOf(handler);
  }
}
