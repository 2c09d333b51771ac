import type { AnyEventObject, AnyStateMachine } from "xstate";
import { isObject } from "../foundation/values.ts";
import { type Action, Actions } from "./actions.ts";
import type { Transition } from "./chart.ts";
import { isReserved, isWildcard, matchingInOrder } from "./descriptors.ts";
import { type CompiledGuard, Guards } from "./guards.ts";
import { noActorError, type StepContext } from "./step-context.ts";
import { expectFields, isFunction, readField, Unsupported } from "./xstate-private.ts";

type StateNode = AnyStateMachine["root"];
type Definition = NonNullable<StateNode["always"]>[number];

/** A transition of a state. The root's transitions are compiled once for each state that they leave. */
export interface TransitionEntry extends Transition {
  /**
   * The name is the same in each state that it leaves: `ringing: SILENT`, `any state: LEAVE_CALL [wrapsUp]`,
   * `ringing: after nextOffer`.
   */
  readonly name: string;
  readonly eventType: string;
  readonly guard: CompiledGuard | undefined;
  /** Undefined if the machine stays in its state. */
  readonly target: TableState | undefined;
  /** The actions of leaving, of the transition itself, and of entering. */
  readonly actions: readonly Action[];
  /** Whether it has neither target nor actions, and so forbids the event. */
  readonly isInert: boolean;
}

/** A compiled state. Candidates are in the order in which they are tried; the root's come last. */
export interface TableState {
  readonly value: string;
  readonly always: readonly TransitionEntry[];
  /** Candidates by the type of their event. */
  readonly candidates: ReadonlyMap<string, readonly TransitionEntry[]>;
  /** Candidates for several types, used for events that `candidates` does not name. */
  readonly wildcards: readonly TransitionEntry[];
  /** Set if the machine is done in this state. */
  readonly end: End | undefined;
  /** The types of events that the state takes if their guards hold. */
  allowed(): readonly string[];
}

interface End {
  outputOf(work: StepContext): unknown;
  /** The actions of leaving the last state and the root. */
  readonly actions: readonly Action[];
}

/** A compiled machine. */
export interface ChartTables {
  readonly states: ReadonlyMap<string, TableState>;
  readonly first: TableState;
  /** The actions of entering the root and the first state. */
  readonly start: readonly Action[];
  contextOf(input: unknown): object;
  /** The most transitions after one event; more are an endless loop. */
  readonly stepLimit: number;
}

/** More than any machine of one level needs. */
const STEP_LIMIT = 10_000;

/**
 * Compiles a machine of one level: a root with atomic and final states.
 * @throws {Unsupported} if the machine has a part that the compiler does not support
 */
export function compileTables(machine: AnyStateMachine): ChartTables {
  return new Compiler(machine).tables();
}

/** A state that is being compiled. Candidates may target states that are not complete yet. */
type Draft = { -readonly [K in keyof TableState]: TableState[K] };

/** The parts of a transition that are the same in each state that it leaves. */
type SharedParts = Pick<TransitionEntry, "name" | "eventType" | "guard" | "actions">;

class Compiler {
  private readonly root: StateNode;
  private readonly actionCompiler: Actions;
  private readonly guardCompiler: Guards;
  private readonly drafts = new Map<unknown, Draft>();
  private readonly sharedParts = new Map<Definition, SharedParts>();

  constructor(private readonly machine: AnyStateMachine) {
    this.root = machine.root;
    this.guardCompiler = new Guards(machine.implementations.guards);
    this.actionCompiler = new Actions(machine.implementations, this.guardCompiler);
  }

  tables(): ChartTables {
    const { machine, root } = this;
    expectFields("the machine", machine, machineFields);
    expectNode(root, "compound", rootConfig);
    const nodes: StateNode[] = Object.values(root.states);
    for (const node of nodes) this.drafts.set(node, this.draft(node));
    for (const node of nodes) this.complete(node);
    const [first, ...more] = root.initial.target;
    const draft = this.drafts.get(first);
    if (draft === undefined || first === undefined || more.length > 0)
      throw new Unsupported("the root: an initial state that is not one of its own");
    expectFields("the root: its initial transition", root.initial, initialFields);
    return {
      states: new Map([...this.drafts.values()].map((state) => [state.value, state])),
      first: draft,
      start: [
        ...this.compileActions(root.entry, root),
        ...this.compileActions(root.initial.actions, root),
        ...this.compileActions(first.entry, first),
      ],
      contextOf: contextCreator(machine),
      stepLimit: stepLimit(machine),
    };
  }

  private draft(node: StateNode): Draft {
    expectNode(node, node.type === "final" ? "final" : "atomic", stateConfig);
    const { value, end } = { value: node.key, end: node.type === "final" ? this.end(node) : undefined };
    return { value, end, always: [], candidates: new Map(), wildcards: [], allowed: () => [] };
  }

  /** Completes a state, once every state has a draft. */
  private complete(node: StateNode): void {
    const draft = this.drafts.get(node);
    if (draft === undefined) throw new Unsupported(`${node.key}: not a state of the root`);
    const own = this.listCandidates([...node.transitions.values()].flat(), node);
    const roots = this.listCandidates([...this.root.transitions.values()].flat(), node);
    const of = (type: string) => [...matchingInOrder(own, type), ...matchingInOrder(roots, type)];
    const types = new Set([...own, ...roots].map(({ eventType }) => eventType));
    const isWild = ({ eventType }: TransitionEntry) => isWildcard(eventType);
    const byLength = (a: TransitionEntry, b: TransitionEntry) => b.eventType.length - a.eventType.length;
    draft.candidates = new Map(
      [...types].filter((type) => !isWildcard(type)).map((type) => [type, of(type)]),
    );
    draft.wildcards = [...own.filter(isWild).sort(byLength), ...roots.filter(isWild).sort(byLength)];
    draft.always = this.listCandidates([...(node.always ?? []), ...(this.root.always ?? [])], node);
    let allowed: readonly string[] | undefined;
    draft.allowed = () => {
      allowed ??= [...types].filter((type) => !type.startsWith("xstate.") && canBeTaken(type, of(type)));
      return allowed;
    };
  }

  private listCandidates(definitions: readonly Definition[], from: StateNode): TransitionEntry[] {
    return definitions.map((definition) => this.candidate(definition, from));
  }

  private candidate(definition: Definition, from: StateNode): TransitionEntry {
    const { source, reenter } = definition;
    const { name, eventType, guard, actions: own } = this.readSharedParts(definition);
    const isInert = definition.target === undefined && own.length === 0;
    if (definition.target === undefined)
      return { name, eventType, guard, target: undefined, actions: own, isInert };
    const [node, ...more] = definition.target;
    const target = this.drafts.get(node);
    if (node === undefined || target === undefined || more.length > 0)
      throw new Unsupported(`${placeOf(definition)}: a target that is not one state of the root`);
    if (source === node && !reenter)
      return { name, eventType, guard, target: undefined, actions: own, isInert };
    // a reentering transition of the root leaves and enters the root too, but not its initial state
    const isOfRoot = source === this.root && reenter;
    const left = isOfRoot ? [from, this.root] : [from];
    const entered = isOfRoot ? [this.root, node] : [node];
    const actions = [
      ...left.flatMap((each) => this.compileActions(each.exit, each)),
      ...own,
      ...entered.flatMap((each) => this.compileActions(each.entry, each)),
    ];
    return { name, eventType, guard, target, actions, isInert };
  }

  /** The root's transitions leave many states, and are compiled once. */
  private readSharedParts(definition: Definition): SharedParts {
    let common = this.sharedParts.get(definition);
    if (common === undefined) {
      const eventType: string = definition.eventType;
      const where = placeOf(definition);
      expectFields(where, definition, transitionFields, moreTransitionFields);
      if (isReserved(eventType) && eventType !== "*") throw new Unsupported(where);
      const guard =
        definition.guard === undefined ? undefined : this.guardCompiler.compile(definition.guard, where);
      const actions = this.actionCompiler.compileAll(definition.actions, where);
      const name = nameTransition(
        definition,
        definition.source === this.root ? "any state" : definition.source.key,
      );
      common = { name, eventType, guard, actions };
      this.sharedParts.set(definition, common);
    }
    return common;
  }

  private end(node: StateNode): End {
    const { root } = this;
    const actions = [...this.compileActions(node.exit, node), ...this.compileActions(root.exit, root)];
    const outputOf = ({ context, event }: StepContext) => {
      if (root.output === undefined) return undefined;
      const output = resolve(node.output, context, event);
      return resolve(root.output, context, { type: `xstate.done.state.${node.id}`, output });
    };
    return { outputOf, actions };
  }

  private compileActions(actions: readonly unknown[], node: StateNode): Action[] {
    return this.actionCompiler.compileAll(actions, node.key);
  }
}

function placeOf({ source, eventType }: Definition): string {
  return `${source.key}: the transition at "${eventType}"`;
}

/** Whether an event can be taken. A candidate without a guard hides those after it. */
function canBeTaken(type: string, candidates: readonly TransitionEntry[]): boolean {
  for (const { eventType, guard, isInert } of candidates) {
    if (eventType === type && !isInert) return true;
    if (guard === undefined) return false;
  }
  return false;
}

/** @param from the state that the transition leaves */
function nameTransition({ eventType, guard }: Definition, from: string): string {
  const [, , delay] = eventType.startsWith("xstate.after.") ? eventType.split(".") : [];
  const on = delay === undefined ? eventType || "always" : `after ${delay}`;
  if (guard === undefined) return `${from}: ${on}`;
  const named = isObject(guard) ? readField(guard, "type") : guard;
  return `${from}: ${on} [${typeof named === "string" ? named : "condition"}]`;
}

function resolve(output: unknown, context: object, event: AnyEventObject): unknown {
  return isFunction(output) ? output({ context, event }, undefined) : output;
}

function contextCreator(machine: AnyStateMachine): (input: unknown) => object {
  const context: unknown = machine.config.context;
  if (isFunction(context))
    return (input) => {
      const value = context(new ContextArguments(input), undefined);
      return Object.assign({}, value);
    };
  if (context !== undefined && !isObject(context))
    throw new Unsupported("the root: a context that is no object");
  const initial = context ?? {};
  return () => initial;
}

class ContextArguments {
  constructor(readonly input: unknown) {}

  get self(): never {
    throw noActorError("self");
  }

  get spawn(): never {
    throw noActorError("spawn");
  }
}

function stepLimit(machine: AnyStateMachine): number {
  expectFields("the machine's options", machine.options, ["maxIterations"]);
  return Math.min(machine.options.maxIterations ?? STEP_LIMIT, STEP_LIMIT);
}

function expectNode(node: StateNode, type: "compound" | "atomic" | "final", config: readonly string[]): void {
  const where = type === "compound" ? "the root" : node.key;
  if (node.type !== type) throw new Unsupported(`${where}: of the type "${node.type}"`);
  expectFields(where, node, nodeFields);
  expectFields(`${where}: its definition`, node.config, [], config);
}

// The fields of XState 5.33, and those that the compiler reads.
const machineFields = [
  ...["config", "version", "schemas", "implementations", "options", "__xstatenode", "idMap", "root"],
  ...["id", "states", "events", "transition", "getInitialSnapshot", "getPersistedSnapshot"],
  ...["restoreSnapshot", "start"],
];
const nodeFields = [
  ...["config", "key", "id", "type", "path", "states", "history", "entry", "exit", "parent", "machine"],
  ...["meta", "output", "order", "description", "tags", "transitions", "always"],
];
const transitionFields = ["target", "actions", "guard", "source", "reenter", "eventType", "toJSON"];
const moreTransitionFields = ["description", "meta", "event", "delay"];
const initialFields = [
  ...["source", "actions", "eventType", "reenter", "target", "meta", "description", "toJSON"],
];
const stateConfig = [
  ...["id", "type", "description", "meta", "tags", "on", "after", "always", "entry", "exit", "output"],
];
const rootConfig = [...stateConfig, "context", "initial", "states", "types", "version", "schemas", "options"];
