import type { MarkName } from "../../../look/marks.ts";
import type { PersonAt } from "../../model/run-answers.ts";
import type { Bar, BarKind, TeamHold } from "../../model/types.ts";
import { clock, counted } from "../common/format.ts";
import { Mark } from "../common/marks.tsx";
import { listLabels } from "../state/chosen.ts";
import { useActions, useSelect } from "../state/context.ts";
import { type Columns, laneExtent } from "../state/layout.ts";
import type { LoadedRun } from "../state/loading.ts";
import { useChosen } from "../state/use-chosen.ts";
import { usePeople } from "../state/use-people.ts";
import type { FindRanges } from "./row-ranges.ts";
import type { ShownLane, ShownLanes } from "./shown-lanes.ts";

const barMarks: Readonly<Record<BarKind, MarkName>> = {
  wait: "wait",
  ring: "ring",
  talk: "answer",
  voicemail: "voicemail",
  live: "idle",
};
const rank: readonly BarKind[] = ["live", "wait", "ring", "voicemail", "talk"];

/** How much room a letter takes, px. */
const LETTER = 7;
/** A longer name is cut, px. On a projector it is cut later: hardly any first name is as long. */
const MOST_FOR_A_NAME = { alone: 64, taught: 140 };

/** The least room for what somebody does, such as `suspended`, px. */
const FOR_A_STATE = 58;

/** The width that the head of each lane needs, px. @param isTaught whether a class reads the names from afar */
export function headWidths(run: LoadedRun, lanes: ShownLanes, isTaught = false): number[] {
  const most = isTaught ? MOST_FOR_A_NAME.taught : MOST_FOR_A_NAME.alone;
  const room = (text: string, around: number) => Math.min(most, text.length * LETTER + around);
  // names are bold while something rings
  const widths = lanes.list.map(({ kind, short, secondLine = "" }) =>
    Math.max(room(short, 8), room(secondLine, 4), kind === "member" || kind === "other" ? FOR_A_STATE : 0),
  );
  for (const { name, first, last } of brackets(run, lanes)) {
    const own = widths.slice(first, last + 1);
    const missing = room(name, 2) - own.reduce((sum, width) => sum + width, 0);
    if (missing > 0) widths.fill(Math.max(...own) + missing / own.length, first, last + 1);
  }
  return widths;
}

const HEAD = 72;
/** On a phone, lanes have numbers, and their names stand above. */
const NARROW_HEAD = 40;
/** The second line of a name. */
const SECOND_LINE = 14;

/** How high the heads are, px. */
export function headHeight({ list }: ShownLanes, { isNarrow }: Columns): number {
  if (isNarrow) return NARROW_HEAD;
  return list.some(({ secondLine }) => secondLine !== undefined) ? HEAD + SECOND_LINE : HEAD;
}

/** The names of numbered lanes, on a phone. */
export function LaneNames({ list }: ShownLanes) {
  const isAsked = useSelect(({ teaching }) => teaching !== undefined && !teaching.isRevealed);
  const known = usePeople();
  const people = new Map(isAsked ? [] : known?.map(({ id, does }) => [id, does]));
  return (
    <ol class="lane-names" aria-hidden="true">
      {list.map(({ id, name }, position) => (
        <li key={id}>
          <b>{position + 1}</b> {name}
          {people.has(id) && <span class="muted">, {people.get(id)}</span>}
        </li>
      ))}
    </ol>
  );
}

/** The heads of the lanes: team brackets, names, and the present state of each. */
export function Heads({
  run,
  lanes,
  barsAt,
  holdsAt,
  columns,
  now,
  count,
  hasRepeats,
}: {
  run: LoadedRun;
  lanes: ShownLanes;
  barsAt: FindRanges<Bar>;
  holdsAt: FindRanges<TeamHold>;
  columns: Columns;
  now: number;
  count: number;
  hasRepeats: boolean;
}) {
  const states = statesAt(barsAt(now, now), lanes, now);
  // what somebody does at this instant may be the answer
  const isAsked = useSelect(({ teaching }) => teaching !== undefined && !teaching.isRevealed);
  const known = usePeople();
  const people = new Map(isAsked ? [] : known?.map((each) => [each.id, each]));
  const held = new Set(holdsAt(now, now).flatMap(({ team, toRow }) => (now < toRow ? [team] : [])));
  return (
    <div class="heads" style={{ height: `${headHeight(lanes, columns)}px` }}>
      <HeadsLeft run={run} count={count} width={columns.left} hasRepeats={hasRepeats} />
      {brackets(run, lanes).map(({ name, first, last, team }) => {
        const holds = team !== undefined && held.has(team);
        const { left, width } = laneExtent(columns, first, last);
        return (
          <div
            key={`${name} ${first}`}
            class={holds ? "bracket holds" : "bracket"}
            style={{
              left: `${left + 3}px`,
              width: `${width - 6}px`,
            }}
          >
            {/* a short name may be a little wider than a bracket of one lane */}
            <span class={name.length * LETTER > width + 10 ? "cut" : ""} title={name}>
              {name}
            </span>
          </div>
        );
      })}
      {lanes.list.map((lane, position) => (
        <Head
          key={lane.id}
          lane={lane}
          extent={laneExtent(columns, position)}
          number={columns.isNarrow ? position + 1 : undefined}
          state={states.get(position)}
          person={people.get(lane.id)}
        />
      ))}
    </div>
  );
}

function Head({
  lane,
  extent,
  number,
  state,
  person,
}: {
  lane: ShownLane;
  extent: { readonly left: number; readonly width: number };
  /** On a phone, what the lane has in place of its name. */
  number: number | undefined;
  state: BarKind | undefined;
  /** What a user or a device does now, in words; undefined for others, and until it is known. */
  person: PersonAt | undefined;
}) {
  const width = extent.width + (number === undefined ? -2 : 2);
  const isOn = state !== undefined && state !== "live";
  return (
    <div
      class={isOn ? "lane-head on" : "lane-head"}
      title={lane.name}
      style={{ left: `${extent.left + (extent.width - width) / 2}px`, width: `${width}px` }}
    >
      <span aria-hidden="true">{number ?? lane.short}</span>
      {number === undefined && lane.secondLine !== undefined && (
        <span class="below" aria-hidden="true">
          {lane.secondLine}
        </span>
      )}
      <span class="sr">
        {lane.name}
        {person !== undefined ? `, ${person.does}` : isOn ? `, ${state}` : ""}
      </span>
      {person === undefined || number !== undefined ? (
        <Mark name={state === undefined ? "idle" : barMarks[state]} small />
      ) : (
        <span class={`does ${person.is}`} aria-hidden="true">
          {person.does}
        </span>
      )}
    </div>
  );
}

function HeadsLeft({
  run,
  count,
  width,
  hasRepeats,
}: {
  run: LoadedRun;
  count: number;
  width: number;
  hasRepeats: boolean;
}) {
  const actions = useActions();
  const total = run.rows.length;
  const foldGaps = useSelect((state) => state.foldGaps);
  const endpoints = useSelect((state) => state.endpoints);
  const folded = useSelect((state) => state.folded);
  const foldRepeats = useSelect((state) => state.foldRepeats);
  const chosen = useChosen();
  const isLong = useSelect((state) => (state.run?.rows.length ?? 0) > 2_000);
  // while a class is taught, the amount that is still to come stays hidden
  const isTeaching = useSelect((state) => state.teaching !== undefined);
  const now = useSelect((state) => (isTeaching ? (state.run?.rows[state.now]?.atMs ?? 0) : 0));
  return (
    <div class="heads-left" style={{ width: `${width}px` }}>
      <span class="muted num">
        {chosen === undefined || chosen.size === 0
          ? ""
          : `${chosen.size === 1 ? "Call" : "Calls"} ${listLabels(run, chosen, 4)}: `}
        {isTeaching
          ? `Up to ${clock(now)}`
          : count === total
            ? counted(total, "step")
            : `${count.toLocaleString("en")} of ${counted(total, "step")}`}
      </span>
      <div>
        <button
          type="button"
          class="mini"
          aria-pressed={foldGaps}
          onClick={() => actions.view.toggle("foldGaps")}
        >
          Fold gaps
        </button>
        <button
          type="button"
          class="mini"
          aria-pressed={endpoints}
          onClick={() => actions.view.toggle("endpoints")}
        >
          Endpoints
        </button>
        {hasRepeats && (
          <button
            type="button"
            class="mini"
            aria-pressed={foldRepeats}
            onClick={() => actions.view.toggle("foldRepeats")}
          >
            Fold repeats
          </button>
        )}
        {isLong && (
          <button
            type="button"
            class="mini"
            aria-pressed={folded}
            onClick={() => actions.view.toggle("folded")}
          >
            Fold calls
          </button>
        )}
      </div>
    </div>
  );
}

/** The state of each lane at a row. Of several, the most important one. */
function statesAt(bars: readonly Bar[], { positionOf }: ShownLanes, now: number): Map<number, BarKind> {
  const states = new Map<number, BarKind>();
  for (const { lane, kind, fromRow, toRow, end } of bars) {
    if (fromRow > now || (end !== "open" && toRow <= now)) continue;
    const position = positionOf.get(lane);
    if (position === undefined) continue;
    const known = states.get(position);
    if (known === undefined || rank.indexOf(kind) > rank.indexOf(known)) states.set(position, kind);
  }
  return states;
}

function brackets({ summary }: LoadedRun, { list }: ShownLanes) {
  const names = new Map(summary.teams.map(({ id, name }) => [id, name]));
  const found: { name: string; first: number; last: number; team: string | undefined }[] = [];
  for (const [position, { kind, team }] of list.entries()) {
    const name =
      kind === "outside"
        ? "Outside"
        : kind === "app"
          ? "Apps"
          : kind === "member"
            ? (names.get(team ?? "") ?? "")
            : "";
    if (name === "") continue;
    const last = found.at(-1);
    if (last?.name === name && last.last === position - 1) last.last = position;
    else found.push({ name, first: position, last: position, team });
  }
  return found;
}
