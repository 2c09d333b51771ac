import { callerOf } from "../foundation/caller.ts";

/**
 * The lines at which a consumer registered functions, for messages. Each run has its own map: a global one keeps runs
 * alive through the errors' stacks, which made a new simulator with a handler take half as long again.
 */
export class RegistrationLines {
  /** Errors whose stacks are read only when a message needs them. */
  private readonly registrations = new WeakMap<object, Error>();

  /** @param parent the lines of the run that this one was forked from */
  constructor(private readonly parent?: RegistrationLines) {}

  /** Remembers the line at which a function is registered. */
  keep(handler: object): void {
    this.registrations.set(handler, new Error("registered here"));
  }

  /** Returns where a function was registered, such as ` at app.test.ts:12:7`; empty if unknown. */
  lineOf(handler: object | undefined): string {
    const place = handler === undefined ? undefined : callerOf(this.stackOf(handler));
    return place === undefined ? "" : ` at ${place}`;
  }

  private stackOf(handler: object): string | undefined {
    return this.registrations.get(handler)?.stack ?? this.parent?.stackOf(handler);
  }
}
