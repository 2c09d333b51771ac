import built from "built:charts";
import type { ChartDrawing, ChartEdge, ChartState } from "../../build/charts.ts";
import type { MachineView } from "../../model/machine-view.ts";
import { Mark } from "../common/marks.tsx";
import { useActions, useAnswer, useSelect } from "../state/context.ts";
import { GoTo } from "./go-to.tsx";

const charts = built as Readonly<Record<string, ChartDrawing>>;

/** The statecharts that concern the row, with the present state lit and the last transition drawn bold. */
export function MachineTab() {
  const actions = useActions();
  const run = useSelect((state) => state.run?.number);
  const row = useSelect((state) => state.now);
  const chosen = useSelect((state) => state.machine);
  const { got: views } = useAnswer("machines", run === undefined ? undefined : { run, row });
  if (views === undefined) return null;
  const view = views.find(({ title }) => title === chosen) ?? views[0];
  if (view === undefined) return <p class="muted">No state machine took part in this step.</p>;
  return (
    <>
      <div class="bar">
        <select
          class="select"
          aria-label="Machine"
          value={view.title}
          onChange={(event) => actions.view.machine(event.currentTarget.value)}
        >
          {views.map(({ title, state, machine, id }) => (
            <option key={`${machine} ${id}`} value={title}>
              {title}: {state}
            </option>
          ))}
        </select>
      </div>
      <StateChart view={view} />
      <LastCard view={view} />
      <PossibleCard view={view} />
      <details>
        <summary class="muted">Context</summary>
        <pre tabindex={0}>{view.context}</pre>
      </details>
    </>
  );
}

function StateChart({ view }: { view: MachineView }) {
  const chart = charts[view.machine];
  if (chart === undefined) return null;
  const { last } = view;
  return (
    <div
      class="chart"
      role="img"
      tabindex={0}
      aria-label={`Statechart of ${view.title}: it is ${view.state}${last === undefined ? "" : `, after ${last.event} from ${last.source}`}`}
    >
      <svg
        width={chart.width}
        height={chart.height}
        viewBox={`0 0 ${chart.width} ${chart.height}`}
        aria-hidden="true"
      >
        <defs>
          {["line2", "text3", "accent"].map((colour) => (
            <marker
              key={colour}
              id={`tip-${colour}`}
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="8"
              markerHeight="8"
              markerUnits="userSpaceOnUse"
              orient="auto"
            >
              <path d="M0 0.5 8 4 0 7.5z" fill={`var(--${colour})`} />
            </marker>
          ))}
        </defs>
        {chart.edges.map((edge) => (
          <Edge key={`${edge.source} ${edge.target}`} edge={edge} view={view} />
        ))}
        {chart.states.map((state) => (
          <State key={state.name} state={state} view={view} />
        ))}
        {namesIn(chart, view).map(({ text, x, y, isLast }) => (
          <text
            key={`${text} ${x} ${y}`}
            class={isLast ? "name last" : "name"}
            x={x}
            y={y + 4}
            text-anchor="middle"
          >
            {text}
          </text>
        ))}
      </svg>
    </div>
  );
}

function State({
  state: { name, x, y, width, height, isFinal, description },
  view,
}: {
  state: ChartState;
  view: MachineView;
}) {
  const how = name === view.state ? "lit" : view.earlierStates.includes(name) ? "past" : "";
  const radius = isFinal ? 15 : 6;
  return (
    <g class={how}>
      <title>{description}</title>
      <rect class="box" x={x} y={y} width={width} height={height} rx={radius} />
      {isFinal && (
        <rect class="box" x={x + 3} y={y + 3} width={width - 6} height={height - 6} rx={radius - 3} />
      )}
      <text x={x + width / 2} y={y + height / 2 + 4} text-anchor="middle">
        {name}
      </text>
    </g>
  );
}

/** The path of a line. A spline's points belong to cubic curves, three each after the first. */
function drawPath({ points: [first, ...rest] }: ChartEdge): string {
  if (first === undefined) return "";
  const at = ([x, y]: readonly [number, number]) => `${x} ${y}`;
  let d = `M${at(first)}`;
  if (rest.length % 3 === 0)
    for (let index = 0; index < rest.length; index += 3)
      d += `C${rest
        .slice(index, index + 3)
        .map(at)
        .join(" ")}`;
  else for (const point of rest) d += `L${at(point)}`;
  return d;
}

/** Points on the line, from its middle outwards. */
function pointsFromMiddle({ points }: ChartEdge): (readonly [number, number])[] {
  const along = (points.length - 1) % 3 === 0 ? onCurves(points) : [...points];
  const middle = (along.length - 1) / 2;
  return along
    .map((point, index) => ({ point, off: Math.abs(index - middle) }))
    .sort((a, b) => a.off - b.off)
    .map(({ point }) => point);
}

/** Points on cubic curves. */
function onCurves(points: ChartEdge["points"]): (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  for (let first = 0; first + 3 < points.length; first += 3)
    for (const t of [0.1, 0.3, 0.5, 0.7, 0.9]) {
      const parts = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t ** 2 * (1 - t), t ** 3];
      const at = (axis: 0 | 1) =>
        parts.reduce((sum, part, index) => sum + part * (points[first + index]?.[axis] ?? 0), 0);
      found.push([at(0), at(1)]);
    }
  return found;
}

type Box = Pick<ChartState, "x" | "y" | "width" | "height">;

function isOver(one: Box, other: Box): boolean {
  return (
    one.x + one.width > other.x &&
    one.x < other.x + other.width &&
    one.y + one.height > other.y &&
    one.y < other.y + other.height
  );
}

function isLast({ source, target }: ChartEdge, { last }: MachineView): boolean {
  return last !== undefined && last.source === source && last.target === target;
}

function Edge({ edge, view }: { edge: ChartEdge; view: MachineView }) {
  const last = isLast(edge, view);
  const visited = [...view.earlierStates, view.state];
  const isWalked = visited.some((name, index) => name === edge.source && visited[index + 1] === edge.target);
  const colour = last ? "accent" : isWalked ? "text3" : "line2";
  return (
    <path
      class={`line ${last ? "last" : isWalked ? "walked" : ""}`}
      d={drawPath(edge)}
      marker-end={`url(#tip-${colour})`}
    />
  );
}

interface EdgeName {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly isLast: boolean;
}

/** The names of lines, none over another or over a state. Only the last transition and possible next ones have one. */
function namesIn({ edges, states, width }: ChartDrawing, view: MachineView): EdgeName[] {
  const taken: Box[] = [...states];
  return edges
    .toSorted((one, other) => Number(isLast(other, view)) - Number(isLast(one, view)))
    .flatMap((edge) => {
      const last = isLast(edge, view);
      const could =
        edge.source === view.state ? view.possible.filter(({ target }) => target === edge.target) : [];
      const names =
        last && view.last !== undefined ? [view.last.event] : [...new Set(could.map(({ event }) => event))];
      if (names.length === 0) return [];
      const text = names.length > 2 ? `${names[0]} +${names.length - 1}` : names.join(", ");
      const half = text.length * 3.7;
      // in the middle of the line, or as close to it as possible
      const spots = pointsFromMiddle(edge).map(
        ([at, y]) => [Math.max(half, Math.min(width - half, at)), y] as const,
      );
      const boxAt = ([x, y]: readonly [number, number]) => ({
        x: x - half,
        y: y - 8,
        width: 2 * half,
        height: 16,
      });
      const free = spots.find((spot) => !taken.some((each) => isOver(each, boxAt(spot))));
      // possible next ones are also listed, so a name that has no room is left out
      const spot = free ?? (last ? spots[0] : undefined);
      if (spot === undefined) return [];
      taken.push(boxAt(spot));
      return [{ text, x: spot[0], y: spot[1], isLast: last }];
    });
}

function LastCard({ view: { last, state } }: { view: MachineView }) {
  const now = useSelect((each) => each.now);
  if (last === undefined)
    return (
      <div class="card">
        <h3>Just started</h3>
        <p>It began as {state}.</p>
      </div>
    );
  return (
    <div class="card">
      <h3>
        {last.row === now ? "Just taken" : "Last taken"}
        <span class="grow" />
        {last.row !== now && <GoTo row={last.row} />}
      </h3>
      <dl>
        <dt>Event</dt>
        <dd class="mono">
          {last.event} {last.given}
        </dd>
        <dt>From, to</dt>
        <dd>
          {last.source} → <b>{last.target}</b>
        </dd>
        {last.guards.length > 0 && (
          <>
            <dt>Guards</dt>
            <dd>
              {last.guards.map(({ name, holds }) => (
                <span key={name} class={holds ? "guard holds" : "guard muted"}>
                  <Mark name={holds ? "delivered" : "idle"} />
                  {name}: {String(holds)}
                </span>
              ))}
            </dd>
          </>
        )}
        {last.emits.length > 0 && (
          <>
            <dt>Emits</dt>
            <dd class="mono">{last.emits.join(", ")}</dd>
          </>
        )}
      </dl>
    </div>
  );
}

function PossibleCard({ view: { possible } }: { view: MachineView }) {
  return (
    <div class="card">
      <h3>Could follow</h3>
      {possible.length === 0 ? (
        <p class="muted">Nothing: this state is final.</p>
      ) : (
        <dl>
          {possible.map(({ event, guard, target }, index) => (
            <>
              <dt class="mono" key={index}>
                {event}
              </dt>
              <dd>
                {target}
                {guard !== undefined && <span class="muted"> if {guard}</span>}
              </dd>
            </>
          ))}
        </dl>
      )}
    </div>
  );
}
