import { callerOf } from "./caller.ts";

/**
 * The lines at which a consumer handed in functions, for what is said of them later. Each run has its own: an entry of a map
 * of all runs would keep its run, which the stack leads to, until V8 next collects old objects. That made a new simulator
 * with a handler take half as long again.
 */
export class Places {
  /** Errors whose stacks are read only when someone asks. */
  private readonly handedIn = new WeakMap<object, Error>();

  /** @param before those of the run that this one was forked from */
  constructor(private readonly before?: Places) {}

  /** Keeps the line at which a function is handed in. */
  keep(handler: object): void {
    this.handedIn.set(handler, new Error("handed in here"));
  }

  /** ` at app.test.ts:12:7`, where a function was handed in; nothing where that is unknown. */
  lineOf(handler: object | undefined): string {
    const place = handler === undefined ? undefined : callerOf(this.stackOf(handler));
    return place === undefined ? "" : ` at ${place}`;
  }

  private stackOf(handler: object): string | undefined {
    return this.handedIn.get(handler)?.stack ?? this.before?.stackOf(handler);
  }
}
