import ElkConstructor, { type ElkExtendedEdge, type ElkNode } from "elkjs";
import type { AnyStateMachine, StateNode } from "xstate";

/** A state with its position in the drawing. */
export interface ChartState {
  readonly name: string;
  readonly description: string;
  readonly isFinal: boolean;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A transition from one state to another. */
interface ChartTransition {
  readonly source: string;
  readonly target: string;
}

/** The line of all transitions from one state to another. */
export interface ChartEdge {
  readonly source: string;
  readonly target: string;
  /** The points of the line. */
  readonly points: readonly (readonly [number, number])[];
}

/** A statechart with its layout. */
export interface ChartDrawing {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly states: readonly ChartState[];
  readonly edges: readonly ChartEdge[];
}

// biome-ignore lint/suspicious/noExplicitAny: charts are of machines of every type
type Node = StateNode<any, any>;

const STATE_HEIGHT = 30;
/** The width of the inspector's panel, px. */
const PANEL_WIDTH = 330;
/** Limits how many states stand beside each other. */
const layerOptions = (states: string) => ({
  "elk.layered.layering.strategy": "COFFMAN_GRAHAM",
  "elk.layered.layering.coffmanGraham.layerBound": states,
  "elk.layered.spacing.nodeNodeBetweenLayers": "34",
});
const stateWidth = (name: string) => Math.max(72, Math.ceil(name.length * 6.8) + 24);

/** Lays out the statecharts at build time, since elkjs is too large for the page. */
export async function layOutCharts(
  machines: readonly AnyStateMachine[],
): Promise<Record<string, ChartDrawing>> {
  // the types declare a namespace, but the module is the class
  const elk = new (ElkConstructor as unknown as new () => { layout(graph: ElkNode): Promise<ElkNode> })();
  const charts: Record<string, ChartDrawing> = {};
  for (const machine of machines) {
    const states = Object.values(machine.root.states) as Node[];
    const pairs = new Map(
      listTransitions(machine.root)
        .filter(({ source, target }) => source !== target)
        .map((each) => [`${each.source} ${each.target}`, each]),
    );
    const layOutWith = (more: Readonly<Record<string, string>>) =>
      elk.layout({
        id: machine.id,
        layoutOptions: {
          "elk.algorithm": "layered",
          "elk.direction": "DOWN",
          "elk.edgeRouting": "SPLINES",
          "elk.spacing.nodeNode": "18",
          "elk.layered.spacing.nodeNodeBetweenLayers": "44",
          "elk.spacing.edgeNode": "14",
          "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
          "elk.padding": "[top=8,left=8,bottom=8,right=8]",
          ...more,
        },
        children: states.map(({ key }) => ({ id: key, width: stateWidth(key), height: STATE_HEIGHT })),
        edges: [...pairs].map(([id, { source, target }]) => ({
          id,
          sources: [source],
          targets: [target],
        })),
      });
    // the panel is narrow: a chart that is wider gets fewer states beside each other
    let laidOut = await layOutWith({});
    for (const states of ["3", "2"])
      if ((laidOut.width ?? 0) > PANEL_WIDTH) laidOut = await layOutWith(layerOptions(states));
    charts[machine.id] = {
      id: machine.id,
      width: Math.ceil(laidOut.width ?? 0),
      height: Math.ceil(laidOut.height ?? 0),
      states: states.map((state) => placeState(state, laidOut)),
      edges: (laidOut.edges ?? []).map(edgeOf),
    };
  }
  return charts;
}

function placeState(state: Node, laidOut: ElkNode): ChartState {
  const { x = 0, y = 0, width = 0, height = 0 } = laidOut.children?.find(({ id }) => id === state.key) ?? {};
  return {
    name: state.key,
    description: state.description ?? "",
    isFinal: state.type === "final",
    ...{ x: Math.round(x), y: Math.round(y), width, height },
  };
}

function edgeOf({ sources, targets, sections }: ElkExtendedEdge): ChartEdge {
  const [section] = sections ?? [];
  const points =
    section === undefined ? [] : [section.startPoint, ...(section.bendPoints ?? []), section.endPoint];
  return {
    source: sources[0] ?? "",
    target: targets[0] ?? "",
    points: points.map(({ x, y }) => [Math.round(x), Math.round(y)] as const),
  };
}

/** All transitions by source and target. Those of the root appear once for each state that inherits them. */
function listTransitions(root: Node): ChartTransition[] {
  const states = Object.values(root.states) as Node[];
  return states.flatMap((state) => {
    const own = [...state.transitions.values()].flat();
    const handled = new Set(own.map(({ eventType }) => eventType));
    const inherited =
      state.type === "final"
        ? []
        : [...root.transitions.values()].flat().filter(({ eventType }) => !handled.has(eventType));
    return [...own, ...inherited].map(({ target }) => ({
      source: state.key,
      target: target?.[0]?.key ?? state.key,
    }));
  });
}
