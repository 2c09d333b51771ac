import type { AnyStateMachine, StateNode, TransitionDefinition } from "xstate";
import { banner } from "./banner.ts";

/** A transition as the page shows it. */
interface Edge {
  /** The event: `OFFER`, `after ringTimeout`, `always`. */
  readonly on: string;
  /** The state that it leaves. The machine's root if it applies in any state. */
  readonly from: Node;
  /** The state that it leads to; `from` if it stays. */
  readonly to: Node;
  readonly guard: string | undefined;
  readonly description: string | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: pages are about machines of every type
type Node = StateNode<any, any>;

/** `docs/machines.md`: each machine as a diagram and in tables, made from the machine itself. */
export function machinesPage(machines: Readonly<Record<string, AnyStateMachine>>): string {
  const sections = Object.entries(machines).map(([name, machine]) => machineSection(name, machine));
  return `${[intro, ...sections].join("\n\n")}\n`;
}

const intro = `${banner("machines/")}

# Machines

The statecharts of a call, a ring and all else that has states. They decide what happens next, and the engine does it.
They are exported from \`ringback/machines\`: plain XState machines that run without the engine.

A transition has the label \`EVENT [guard]\`, \`after delay\` if time causes it, or \`always\` if it happens at once. Of several
transitions for one event, the machine takes the first whose guard holds, in the order of the table. It ignores an event that has
no transition. *Any state* stands for every state that has no transition of its own on that event.

[What the tests reach](coverage.md) says which lesson shows each state and transition.`;

/** Draws a machine as a Mermaid state diagram. */
export function stateDiagram({ root }: AnyStateMachine): string {
  return diagram(root, edgesOf(root)).join("\n");
}

function machineSection(name: string, machine: AnyStateMachine): string {
  const edges = edgesOf(machine.root);
  const states = nodesUnder(machine.root);
  return [
    `## ${machine.id}`,
    `${machine.root.description ?? ""} Exported as \`${name}\`.`,
    `\`\`\`mermaid\n${stateDiagram(machine)}\n\`\`\``,
    table(
      ["State", "Meaning"],
      states.map((state) => [
        code(nameOf(state)) + (state.type === "final" ? " (final)" : ""),
        state.description,
      ]),
    ),
    table(
      ["Event or delay", "In", "If", "Leads to", "What happened"],
      alike(edges).map(({ on, edge: { from, to, guard, description } }) => [
        on.map(code).join(", "),
        from === machine.root ? "*any state*" : code(nameOf(from)),
        guard === undefined ? "" : code(guard),
        to === from ? "*the same*" : code(nameOf(to)),
        description,
      ]),
    ),
  ].join("\n\n");
}

/** The rows of the table. Events of a state with the same transitions in the same order share a row. */
function alike(edges: readonly Edge[]): { on: readonly string[]; edge: Edge }[] {
  const byEvent = groupBy(edges, ({ from, on }) => `${from.id} ${on}`);
  const shape = (alternatives: readonly Edge[]) =>
    alternatives
      .map(({ from, to, guard, description }) => [from.id, to.id, guard, description].join("\n"))
      .join("\n");
  return [...groupBy(byEvent.values(), shape).values()].flatMap((events) => {
    const on = events.flatMap(([first]) => first?.on ?? []);
    return (events[0] ?? []).map((edge) => ({ on, edge }));
  });
}

/** The machine as a Mermaid `stateDiagram-v2`. */
function diagram(root: Node, edges: readonly Edge[]): string[] {
  const anyState = edges.some(({ from }) => from === root) ? ['  state "any state" as anyState'] : [];
  return [
    "stateDiagram-v2",
    ...blocks(root, "  "),
    ...anyState,
    ...joined(edges).map(({ from, to, label }) => {
      const start = from === root ? "anyState" : nameOf(from);
      return `  ${start} --> ${to === root ? start : nameOf(to)} : ${label}`;
    }),
    ...finalsOf(root).map((node) => `  ${nameOf(node)} --> [*]`),
  ];
}

/** Draws the start of a machine or of a state with inner states, and those states in braces. */
function blocks(node: Node, indent: string): string[] {
  const children = Object.values(node.states) as Node[];
  const initial = node.type === "parallel" ? [] : node.initial.target.map((child: Node) => nameOf(child));
  return [
    ...initial.map((child: string) => `${indent}[*] --> ${child}`),
    ...children
      .filter((child) => Object.keys(child.states).length > 0)
      .flatMap((child) => [
        `${indent}state ${nameOf(child)} {`,
        ...blocks(child, `${indent}  `),
        ...finalsOf(child).map((each) => `${indent}  ${nameOf(each)} --> [*]`),
        `${indent}}`,
      ]),
  ];
}

function finalsOf(node: Node): Node[] {
  return (Object.values(node.states) as Node[]).filter(({ type }) => type === "final");
}

/** Draws one arrow for all events that lead from one state to another under the same guard. */
function joined(edges: readonly Edge[]): { from: Node; to: Node; label: string }[] {
  const arrows = groupBy(edges, ({ from, to, guard }) => [from.id, to.id, guard].join(" "));
  return [...arrows.values()].flatMap((alike) => {
    const [first] = alike;
    if (first === undefined) return [];
    const on = alike.map((edge) => edge.on).join(", ");
    return [{ ...first, label: first.guard === undefined ? on : `${on} [${first.guard}]` }];
  });
}

/** All transitions of a machine: for each state its events, its delays, then those that are taken at once. */
function edgesOf(root: Node): Edge[] {
  return [root, ...nodesUnder(root)].flatMap((node) => {
    const delays = new Map(node.after.map(({ eventType, delay }) => [eventType, `after ${delay}`]));
    const named = [...node.transitions].flatMap(([event, transitions]) =>
      transitions.map((transition) => ({ transition, on: delays.get(event) ?? event })),
    );
    const always = (node.always ?? []).map((transition) => ({ transition, on: "always" }));
    return [...named, ...always].flatMap(({ transition, on }) => edgesOfOne(node, transition, on));
  });
}

// biome-ignore lint/suspicious/noExplicitAny: as above
function edgesOfOne(from: Node, transition: TransitionDefinition<any, any>, on: string): Edge[] {
  const targets = (transition.target as Node[] | undefined) ?? [from];
  return targets.map((to) => ({
    on,
    from,
    to,
    guard: guardName(transition.guard),
    description: transition.description,
  }));
}

function guardName(guard: unknown): string | undefined {
  if (guard === undefined || typeof guard === "string") return guard;
  return typeof guard === "object" && guard !== null && "type" in guard ? String(guard.type) : "condition";
}

/** All inner states, outer ones first. */
function nodesUnder(node: Node): Node[] {
  return (Object.values(node.states) as Node[]).flatMap((child) => [child, ...nodesUnder(child)]);
}

/** A state's name: `offered`, or `open_waiting` for an inner state, since Mermaid reads a dot as its own syntax. */
function nameOf(node: Node): string {
  return node.path.join("_");
}

function groupBy<T>(items: Iterable<T>, keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

const code = (text: string) => `\`${text}\``;

function table(head: readonly string[], rows: readonly (readonly (string | undefined)[])[]): string {
  const line = (cells: readonly (string | undefined)[]) =>
    `| ${cells.map((cell) => cell ?? "").join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
