import type { AnyEventObject } from "xstate";
import type { Effect } from "./chart.ts";

/** Not frozen: iterating over a frozen array allocates. */
const none: readonly never[] = [];

/** The state of a step that is being computed. Dropped if the step throws. */
export class StepContext {
  private requested: Effect[] | undefined;
  /** Events that the machine raised without a delay. All are taken within the step. */
  private raised: AnyEventObject[] | undefined;
  /** Whether `assign` was called since this was last set to false. */
  hasAssigned = false;
  /** The argument of the machine's functions. */
  args: MachineArguments;

  constructor(context: object, event: AnyEventObject) {
    this.args = new MachineArguments(context, event);
  }

  get effects(): readonly Effect[] {
    return this.requested ?? none;
  }

  /** Adds an effect. Creates the array with the first: pushing to an empty one reserves 17 slots. */
  request(effect: Effect): void {
    if (this.requested === undefined) this.requested = [effect];
    else this.requested.push(effect);
  }

  raise(event: AnyEventObject): void {
    if (this.raised === undefined) this.raised = [event];
    else this.raised.push(event);
  }

  /** Removes and returns the oldest raised event. */
  takeRaised(): AnyEventObject | undefined {
    return this.raised?.shift();
  }

  get context(): object {
    return this.args.context;
  }

  get event(): AnyEventObject {
    return this.args.event;
  }

  /** Continues with a raised event. */
  next(event: AnyEventObject): void {
    this.args = new MachineArguments(this.args.context, event);
  }

  assign(context: object): void {
    this.args = new MachineArguments(context, this.args.event);
    this.hasAssigned = true;
  }
}

/** The argument of a machine's functions. The rest that XState passes needs an actor. */
export class MachineArguments {
  constructor(
    readonly context: object,
    readonly event: AnyEventObject,
  ) {}

  get self(): never {
    throw noActorError("self");
  }

  get system(): never {
    throw noActorError("system");
  }

  get spawn(): never {
    throw noActorError("spawn");
  }
}

export function noActorError(name: string): Error {
  return new Error(
    `a function of a machine asks for "${name}": machines run without actors; only context, event, input and params are there`,
  );
}
