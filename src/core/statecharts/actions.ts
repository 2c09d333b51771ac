import type { AnyEventObject } from "xstate";
import { isObject } from "../foundation/values.ts";
import type { Guards } from "./guards.ts";
import { asEvent, expectFields, fieldOf, isFunction, type MachineFunction, Unknown } from "./shape.ts";
import { Args, type StepContext } from "./step-context.ts";

/** A compiled action. It does its part of a step. */
export type Action = (work: StepContext) => void;
type ParamsOf = ((work: StepContext) => unknown) | undefined;
type Known = "xstate.assign" | "xstate.raise" | "xstate.cancel" | "xstate.emit" | "xstate.enqueueActions";

/** The fields of each kind of action that a machine may use, in XState 5.33. */
const fields: Record<Known, readonly string[]> = {
  "xstate.assign": ["type", "assignment", "resolve"],
  "xstate.raise": ["type", "event", "id", "delay", "resolve", "execute"],
  "xstate.cancel": ["type", "sendId", "resolve", "execute"],
  "xstate.emit": ["type", "event", "resolve", "execute"],
  "xstate.enqueueActions": ["type", "collect", "resolve"],
};

const isKnown = (type: unknown): type is Known => typeof type === "string" && Object.hasOwn(fields, type);

/** Compiles actions: five kinds of XState's own, inline or by name, with parameters or without. */
export class Actions {
  /** What the function of `enqueueActions` that is running has enqueued. */
  private enqueued: Action[] | undefined;
  private readonly enqueue = this.enqueuer();

  constructor(
    private readonly implementations: { readonly actions: object; readonly delays: object },
    private readonly guards: Guards,
  ) {}

  actsOf(actions: readonly unknown[], where: string): Action[] {
    return actions.map((action) => this.actOf(action, where, refuse));
  }

  /** @param foreign compiles an action of another kind */
  private actOf(action: unknown, where: string, foreign: Foreign): Action {
    if (typeof action === "string") return this.byName(action, undefined, where, foreign);
    if (isFunction(action)) return this.inline(action, action.name, undefined, where, foreign);
    if (!isObject(action)) throw new Unknown(`${where}: an action that is ${String(action)}`);
    expectFields(`${where}: an action`, action, ["type"], ["params"]);
    const name = fieldOf(action, "type");
    if (typeof name !== "string") throw new Unknown(`${where}: an action whose type is ${String(name)}`);
    const params = fieldOf(action, "params");
    const paramsOf: ParamsOf = isFunction(params)
      ? ({ context, event }) => params({ context, event }, undefined)
      : () => params;
    return this.byName(name, paramsOf, where, foreign);
  }

  private byName(name: string, paramsOf: ParamsOf, where: string, foreign: Foreign): Action {
    const implementation = fieldOf(this.implementations.actions, name);
    if (!isFunction(implementation)) return foreign(name, where);
    return this.inline(implementation, name, paramsOf, where, foreign);
  }

  private inline(
    action: MachineFunction,
    name: string,
    paramsOf: ParamsOf,
    where: string,
    foreign: Foreign,
  ): Action {
    const type = fieldOf(action, "type");
    if (!isKnown(type)) return foreign(typeof type === "string" ? type : name, where);
    expectFields(`${where}: ${type}`, action, fields[type]);
    switch (type) {
      case "xstate.assign":
        return assigning(fieldOf(action, "assignment"), paramsOf, where);
      case "xstate.raise":
        return this.raising(action, paramsOf, where);
      case "xstate.cancel":
        return cancelling(fieldOf(action, "sendId"), paramsOf, where);
      case "xstate.emit":
        return emitting(fieldOf(action, "event"), paramsOf, where);
      case "xstate.enqueueActions":
        return this.enqueueing(fieldOf(action, "collect"), paramsOf, where);
    }
  }

  private raising(action: object, paramsOf: ParamsOf, where: string): Action {
    const eventOf = eventMaker(fieldOf(action, "event"), where);
    const id = fieldOf(action, "id");
    if (id !== undefined && typeof id !== "string") throw new Unknown(`${where}: a raise whose id is ${id}`);
    const delay = this.delay(fieldOf(action, "delay"), where);
    if (delay === undefined) return (work) => work.raise(eventOf(work, paramsOf?.(work)));
    return (work) => {
      const params = paramsOf?.(work);
      const event = eventOf(work, params);
      const delayMs = isFunction(delay) ? delay(work.args, params) : delay;
      work.ask({ type: "delay", event, id, delayMs });
    };
  }

  private delay(delay: unknown, where: string): MachineFunction | number | undefined {
    if (delay === undefined || typeof delay === "number" || isFunction(delay)) return delay;
    if (typeof delay !== "string") throw new Unknown(`${where}: a delay that is ${String(delay)}`);
    const named = fieldOf(this.implementations.delays, delay);
    if (typeof named === "number" || isFunction(named)) return named;
    throw new Unknown(`${where}: no number and no function is the delay "${delay}"`);
  }

  private enqueueing(collect: unknown, paramsOf: ParamsOf, where: string): Action {
    if (!isFunction(collect)) throw new Unknown(`${where}: enqueueActions without a function`);
    return (work) => {
      const params = paramsOf?.(work);
      const check = (guard: unknown) => this.guards.testOf(guard, where)(work.context, work.event);
      const acts: Action[] = [];
      const outer = this.enqueued;
      this.enqueued = acts;
      try {
        collect(new CollectArgs(work.context, work.event, this.enqueue, check), params);
      } finally {
        this.enqueued = outer;
      }
      for (const act of acts) act(work);
    };
  }

  /** Actions are compiled when they are enqueued, since they are not known before. */
  private enqueuer(): object {
    const where = "enqueueActions";
    const add = (act: Action) => {
      if (this.enqueued === undefined)
        throw new Error("enqueue was called when the function of enqueueActions was over");
      this.enqueued.push(act);
    };
    const addOther = (type: string) => () => add(other(type, where));
    return Object.assign((action: unknown) => add(this.actOf(action, where, other)), {
      assign: (assignment: unknown) => add(assigning(assignment, undefined, where)),
      raise: (event: unknown, { id, delay }: { id?: unknown; delay?: unknown } = {}) =>
        add(this.raising({ event, id, delay }, undefined, where)),
      cancel: (id: unknown) => add(cancelling(id, undefined, where)),
      emit: (event: unknown) => add(emitting(event, undefined, where)),
      sendTo: addOther("xstate.sendTo"),
      sendParent: addOther("xstate.sendTo"),
      spawnChild: addOther("xstate.spawnChild"),
      stopChild: addOther("xstate.stopChild"),
    });
  }
}

/** Compiles an action of another kind. */
type Foreign = (name: string, where: string) => Action;

const refuse: Foreign = (name, where) => {
  throw new Unknown(`${where}: the action "${name}", which is none of ${Object.keys(fields).join(", ")}`);
};

const other: Foreign = (action) => (work) => {
  work.ask({ type: "other", action });
};

function assigning(assignment: unknown, paramsOf: ParamsOf, where: string): Action {
  if (isFunction(assignment)) {
    return (work) => {
      const params = paramsOf?.(work);
      work.assign(Object.assign({ ...work.context }, assignment(work.args, params)));
    };
  }
  if (!isObject(assignment)) throw new Unknown(`${where}: an assign of ${String(assignment)}`);
  const entries = Object.entries(assignment);
  return (work) => {
    const params = paramsOf?.(work);
    const next: Record<string, unknown> = { ...work.context };
    for (const [key, value] of entries) next[key] = isFunction(value) ? value(work.args, params) : value;
    work.assign(next);
  };
}

function cancelling(id: unknown, paramsOf: ParamsOf, where: string): Action {
  if (isFunction(id))
    return (work) => work.ask({ type: "cancel", id: String(id(work.args, paramsOf?.(work))) });
  if (typeof id !== "string") throw new Unknown(`${where}: a cancel of ${String(id)}`);
  const effect = { type: "cancel", id } as const;
  return (work) => work.ask(effect);
}

function emitting(event: unknown, paramsOf: ParamsOf, where: string): Action {
  const eventOf = eventMaker(event, where);
  return (work) => work.ask({ type: "emit", event: eventOf(work, paramsOf?.(work)) });
}

/** Makes the event that a machine emits or raises. The event is given directly or made by a function. */
function eventMaker(event: unknown, where: string): (work: StepContext, params: unknown) => AnyEventObject {
  if (isFunction(event)) return (work, params) => asEvent(event(work.args, params), where);
  const made = asEvent(event, where);
  return () => made;
}

class CollectArgs extends Args {
  constructor(
    context: object,
    event: AnyEventObject,
    readonly enqueue: object,
    readonly check: (guard: unknown) => boolean,
  ) {
    super(context, event);
  }
}
