import type { AnyEventObject } from "xstate";
import { isObject } from "../foundation/values.ts";
import type { Guards } from "./guards.ts";
import { MachineArguments, type StepContext } from "./step-context.ts";
import {
  asEvent,
  expectFields,
  isFunction,
  type MachineFunction,
  readField,
  Unsupported,
} from "./xstate-private.ts";

/** A compiled action, run as a part of a step. */
export type Action = (step: StepContext) => void;
type ParamsOf = ((step: StepContext) => unknown) | undefined;
type SupportedType =
  | "xstate.assign"
  | "xstate.raise"
  | "xstate.cancel"
  | "xstate.emit"
  | "xstate.enqueueActions";

/** The fields of each kind of action that a machine may use, in XState 5.33. */
const fields: Record<SupportedType, readonly string[]> = {
  "xstate.assign": ["type", "assignment", "resolve"],
  "xstate.raise": ["type", "event", "id", "delay", "resolve", "execute"],
  "xstate.cancel": ["type", "sendId", "resolve", "execute"],
  "xstate.emit": ["type", "event", "resolve", "execute"],
  "xstate.enqueueActions": ["type", "collect", "resolve"],
};

const isSupported = (type: unknown): type is SupportedType =>
  typeof type === "string" && Object.hasOwn(fields, type);

/** Compiles five of XState's kinds of actions, inline or by name, with or without parameters. */
export class Actions {
  /** The actions that the running `enqueueActions` function has enqueued. */
  private enqueued: Action[] | undefined;
  private readonly enqueue = this.createEnqueue();

  constructor(
    private readonly implementations: { readonly actions: object; readonly delays: object },
    private readonly guards: Guards,
  ) {}

  compileAll(actions: readonly unknown[], where: string): Action[] {
    return actions.map((action) => this.compile(action, where, refuse));
  }

  /** @param compileOther compiles an action of another kind */
  private compile(action: unknown, where: string, compileOther: CompileOther): Action {
    if (typeof action === "string") return this.compileNamed(action, undefined, where, compileOther);
    if (isFunction(action)) return this.compileInline(action, action.name, undefined, where, compileOther);
    if (!isObject(action)) throw new Unsupported(`${where}: an action that is ${String(action)}`);
    expectFields(`${where}: an action`, action, ["type"], ["params"]);
    const name = readField(action, "type");
    if (typeof name !== "string") throw new Unsupported(`${where}: an action whose type is ${String(name)}`);
    const params = readField(action, "params");
    const paramsOf: ParamsOf = isFunction(params)
      ? ({ context, event }) => params({ context, event }, undefined)
      : () => params;
    return this.compileNamed(name, paramsOf, where, compileOther);
  }

  private compileNamed(name: string, paramsOf: ParamsOf, where: string, compileOther: CompileOther): Action {
    const implementation = readField(this.implementations.actions, name);
    if (!isFunction(implementation)) return compileOther(name, where);
    return this.compileInline(implementation, name, paramsOf, where, compileOther);
  }

  private compileInline(
    action: MachineFunction,
    name: string,
    paramsOf: ParamsOf,
    where: string,
    compileOther: CompileOther,
  ): Action {
    const type = readField(action, "type");
    if (!isSupported(type)) return compileOther(typeof type === "string" ? type : name, where);
    expectFields(`${where}: ${type}`, action, fields[type]);
    switch (type) {
      case "xstate.assign":
        return compileAssign(readField(action, "assignment"), paramsOf, where);
      case "xstate.raise":
        return this.compileRaise(action, paramsOf, where);
      case "xstate.cancel":
        return compileCancel(readField(action, "sendId"), paramsOf, where);
      case "xstate.emit":
        return compileEmit(readField(action, "event"), paramsOf, where);
      case "xstate.enqueueActions":
        return this.compileEnqueue(readField(action, "collect"), paramsOf, where);
    }
  }

  private compileRaise(action: object, paramsOf: ParamsOf, where: string): Action {
    const eventOf = eventCreator(readField(action, "event"), where);
    const id = readField(action, "id");
    if (id !== undefined && typeof id !== "string")
      throw new Unsupported(`${where}: a raise whose id is ${id}`);
    const delay = this.readDelay(readField(action, "delay"), where);
    if (delay === undefined) return (step) => step.raise(eventOf(step, paramsOf?.(step)));
    return (step) => {
      const params = paramsOf?.(step);
      const event = eventOf(step, params);
      const delayMs = isFunction(delay) ? delay(step.args, params) : delay;
      step.request({ type: "delay", event, id, delayMs });
    };
  }

  private readDelay(delay: unknown, where: string): MachineFunction | number | undefined {
    if (delay === undefined || typeof delay === "number" || isFunction(delay)) return delay;
    if (typeof delay !== "string") throw new Unsupported(`${where}: a delay that is ${String(delay)}`);
    const named = readField(this.implementations.delays, delay);
    if (typeof named === "number" || isFunction(named)) return named;
    throw new Unsupported(`${where}: no number and no function is the delay "${delay}"`);
  }

  private compileEnqueue(collect: unknown, paramsOf: ParamsOf, where: string): Action {
    if (!isFunction(collect)) throw new Unsupported(`${where}: enqueueActions without a function`);
    return (step) => {
      const params = paramsOf?.(step);
      const check = (guard: unknown) => this.guards.compile(guard, where)(step.context, step.event);
      const actions: Action[] = [];
      const outer = this.enqueued;
      this.enqueued = actions;
      try {
        collect(new EnqueueArguments(step.context, step.event, this.enqueue, check), params);
      } finally {
        this.enqueued = outer;
      }
      for (const action of actions) action(step);
    };
  }

  /** Compiles actions when they are enqueued: they are not known before. */
  private createEnqueue(): object {
    const where = "enqueueActions";
    const add = (action: Action) => {
      if (this.enqueued === undefined)
        throw new Error("enqueue was called when the function of enqueueActions was over");
      this.enqueued.push(action);
    };
    const addOther = (type: string) => () => add(requestHost(type, where));
    return Object.assign((action: unknown) => add(this.compile(action, where, requestHost)), {
      assign: (assignment: unknown) => add(compileAssign(assignment, undefined, where)),
      raise: (event: unknown, { id, delay }: { id?: unknown; delay?: unknown } = {}) =>
        add(this.compileRaise({ event, id, delay }, undefined, where)),
      cancel: (id: unknown) => add(compileCancel(id, undefined, where)),
      emit: (event: unknown) => add(compileEmit(event, undefined, where)),
      sendTo: addOther("xstate.sendTo"),
      sendParent: addOther("xstate.sendTo"),
      spawnChild: addOther("xstate.spawnChild"),
      stopChild: addOther("xstate.stopChild"),
    });
  }
}

/** Compiles an action of another kind. */
type CompileOther = (name: string, where: string) => Action;

const refuse: CompileOther = (name, where) => {
  throw new Unsupported(`${where}: the action "${name}", which is none of ${Object.keys(fields).join(", ")}`);
};

const requestHost: CompileOther = (action) => (step) => {
  step.request({ type: "other", action });
};

function compileAssign(assignment: unknown, paramsOf: ParamsOf, where: string): Action {
  if (isFunction(assignment)) {
    return (step) => {
      const params = paramsOf?.(step);
      step.assign(Object.assign({ ...step.context }, assignment(step.args, params)));
    };
  }
  if (!isObject(assignment)) throw new Unsupported(`${where}: an assign of ${String(assignment)}`);
  const entries = Object.entries(assignment);
  return (step) => {
    const params = paramsOf?.(step);
    const next: Record<string, unknown> = { ...step.context };
    for (const [key, value] of entries) next[key] = isFunction(value) ? value(step.args, params) : value;
    step.assign(next);
  };
}

function compileCancel(id: unknown, paramsOf: ParamsOf, where: string): Action {
  if (isFunction(id))
    return (step) => step.request({ type: "cancel", id: String(id(step.args, paramsOf?.(step))) });
  if (typeof id !== "string") throw new Unsupported(`${where}: a cancel of ${String(id)}`);
  const effect = { type: "cancel", id } as const;
  return (step) => step.request(effect);
}

function compileEmit(event: unknown, paramsOf: ParamsOf, where: string): Action {
  const eventOf = eventCreator(event, where);
  return (step) => step.request({ type: "emit", event: eventOf(step, paramsOf?.(step)) });
}

/** Creates the event that a machine emits or raises, which is given directly or by a function. */
function eventCreator(event: unknown, where: string): (step: StepContext, params: unknown) => AnyEventObject {
  if (isFunction(event)) return (step, params) => asEvent(event(step.args, params), where);
  const fixed = asEvent(event, where);
  return () => fixed;
}

class EnqueueArguments extends MachineArguments {
  constructor(
    context: object,
    event: AnyEventObject,
    readonly enqueue: object,
    readonly check: (guard: unknown) => boolean,
  ) {
    super(context, event);
  }
}
