import { useMemo } from "preact/hooks";
import type { Bar, PageRow, TeamHold } from "../../model/types.ts";
import { clock } from "../common/format.ts";
import { memo } from "../common/memo.ts";
import {
  bottomAt,
  type Columns,
  findMiddle,
  type Layout,
  laneExtent,
  laneX,
  middleAt,
} from "../state/layout.ts";
import type { LoadedRun } from "../state/loading.ts";
import { useChosen } from "../state/use-chosen.ts";
import type { FindRanges } from "./row-ranges.ts";
import type { ShownLane, ShownLanes } from "./shown-lanes.ts";

interface WiresProps {
  readonly run: LoadedRun;
  readonly layout: Layout;
  /** The visible rows to draw, from `first` to before `last`. */
  readonly first: number;
  readonly last: number;
  readonly columns: Columns;
  readonly lanes: ShownLanes;
  readonly barsAt: FindRanges<Bar>;
  readonly holdsAt: FindRanges<TeamHold>;
  /** While a class is taught, hides further attempts. */
  readonly hidesThreads: boolean;
  readonly now: number;
  /** The visible part of the list, px. */
  readonly from: number;
  readonly to: number;
}

/** Everything in the lanes. Only the visible part is drawn. */
export const Wires = memo(function Wires(props: WiresProps) {
  const { run, layout, first, last, columns, lanes, now } = props;
  const chosen = useChosen();
  // only the visible part: a long run is hundreds of thousands of px tall
  const from = Math.max(0, props.from);
  const height = Math.max(1, Math.min(layout.height, props.to) - from);
  const firstRow = layout.visible[first] ?? 0;
  const lastRow = layout.visible[Math.max(first, last - 1)] ?? 0;
  const bars = props.barsAt(firstRow, lastRow);
  const holds = props.holdsAt(firstRow, lastRow);
  const arrows: preact.ComponentChildren[] = [];
  for (let position = first; position < last; position++) {
    const row = run.rows[layout.visible[position] ?? -1];
    if (row === undefined) continue;
    arrows.push(
      <Arrow
        key={position % 256}
        row={row}
        y={middleAt(layout, position)}
        columns={columns}
        lanes={lanes}
        opacity={chooseOpacity(row.index > now, chosen?.has(row.record) === false)}
      />,
    );
  }
  const zigzags = layout.gaps.filter(
    ({ top, height }) =>
      top + height > props.from &&
      top < props.to &&
      top < (layout.tops[last - 1] ?? Number.POSITIVE_INFINITY),
  );
  const bottom = last < layout.visible.length ? bottomAt(layout, last - 1) : layout.height;
  return (
    <svg
      class="wires"
      style={{ top: `${from}px` }}
      width={columns.width}
      height={height}
      viewBox={`0 ${from} ${columns.width} ${height}`}
      aria-hidden="true"
    >
      {holds.map((hold) => (
        <HoldBand key={`${hold.team} ${hold.record} ${hold.fromRow}`} hold={hold} {...props} />
      ))}
      {lanes.list.map(({ id }, position) => (
        <path
          key={id}
          d={`M${laneX(columns, position)} ${Math.max(0, props.from)}V${Math.min(props.to, bottom)}`}
          stroke="var(--line)"
        />
      ))}
      {bars.map((bar) => (
        <BarShape
          key={`${bar.lane} ${bar.kind} ${bar.record} ${bar.endpoint} ${bar.fromRow}`}
          bar={bar}
          lastRow={lastRow}
          slots={findSlot(bar, bars)}
          dim={chosen?.has(bar.record) === false}
          {...props}
        />
      ))}
      {zigzags.map(({ top, height }) => (
        <Zigzag key={top} y={top + height / 2} columns={columns} count={lanes.list.length} />
      ))}
      {!props.hidesThreads && <Threads {...props} firstRow={firstRow} lastRow={lastRow} />}
      {arrows}
    </svg>
  );
});

function chooseOpacity(isLater: boolean, isDim: boolean): number {
  return isDim ? 0.16 : isLater ? 0.42 : 1;
}

function HoldBand({ hold, run, layout, columns, lanes }: { hold: TeamHold } & WiresProps) {
  const positions = run.summary.lanes
    .flatMap(({ id, team }) => (team === hold.team ? [lanes.positionOf.get(id) ?? -1] : []))
    .filter((position) => position >= 0);
  if (positions.length === 0) return null;
  const [from, to] = [Math.min(...positions), Math.max(...positions)];
  const { left, width } = laneExtent(columns, from, to);
  const y = findMiddle(layout, hold.fromRow);
  return (
    <rect
      x={left}
      y={y}
      width={width}
      height={Math.max(0, findMiddle(layout, hold.toRow) - y)}
      rx="6"
      fill="var(--band)"
    />
  );
}

/** The slot of a bar. Endpoints of one lane ring side by side. */
function findSlot(bar: Bar, bars: readonly Bar[]): { slot: number; of: number } {
  if (bar.kind !== "ring") return { slot: 0, of: 1 };
  const beside = bars.filter(
    (each) =>
      each.kind === "ring" &&
      each.lane === bar.lane &&
      each.record === bar.record &&
      each.fromRow === bar.fromRow,
  );
  return { slot: Math.max(0, beside.indexOf(bar)), of: beside.length };
}

function BarShape({
  bar,
  slots,
  dim,
  layout,
  columns,
  lanes,
  now,
  lastRow,
  run,
}: { bar: Bar; slots: { slot: number; of: number }; dim: boolean; lastRow: number } & WiresProps) {
  const position = lanes.positionOf.get(bar.lane);
  if (position === undefined) return null;
  const width = bar.kind === "ring" ? 6 : bar.kind === "live" ? 2 : 8;
  const pitch = columns.isNarrow ? Math.min(7, (laneExtent(columns, position).width - 2) / slots.of) : 8;
  const thin = columns.isNarrow && slots.of > 1 ? Math.max(2, pitch - 1) : width;
  const centre =
    laneX(columns, position) +
    (slots.slot - (slots.of - 1) / 2) * pitch +
    (bar.kind === "live" ? (columns.isNarrow ? 2 : 5) : 0);
  const y0 = findMiddle(layout, bar.fromRow);
  const isCut = bar.toRow > lastRow;
  const bottomOf = (row: number) => bottomAt(layout, layout.positionOf[row] ?? 0);
  const end = bar.end === "open" ? bottomOf(bar.toRow) : findMiddle(layout, bar.toRow);
  const y1 = isCut ? bottomOf(lastRow) : end;
  const nowY = bottomOf(now);
  const part = (from: number, to: number, opacity: number) =>
    to - from < 1 ? null : (
      <rect
        x={centre - thin / 2}
        y={from}
        width={thin}
        height={to - from}
        rx={bar.kind === "talk" ? 2 : 1}
        opacity={opacity}
        {...paint(bar)}
      />
    );
  const strength = dim ? 0.16 : 1;
  // a click on a bar shows where it ends
  return (
    <g class="bar" data-row={bar.end === "open" ? bar.fromRow : bar.toRow}>
      <title>{barText(run, bar, lanes.list[position])}</title>
      {part(y0, Math.min(y1, nowY), strength)}
      {part(Math.max(y0, nowY), y1, dim ? 0.16 : 0.42)}
      {!isCut && <BarTip bar={bar} x={centre} y={y1} opacity={y1 > nowY ? 0.42 * strength : strength} />}
    </g>
  );
}

const barVerbs: Readonly<Record<Bar["kind"], string>> = {
  wait: "waits",
  ring: "rings",
  talk: "talks",
  voicemail: "is in voicemail",
  live: "has the call",
};
const barEndTexts: Readonly<Record<Bar["end"], string>> = {
  declined: "declined",
  timeout: "nobody answered in time",
  answered: "answered",
  elsewhere: "answered on another phone",
  left: "over",
  open: "still so when the run ends",
};

/** Describes a bar: `Bob Tane, desktop: rings from 0:00 to 0:20, nobody answered in time`. */
function barText({ rows }: LoadedRun, bar: Bar, shown: ShownLane | undefined): string {
  const { lane, endpoint, kind, fromRow, toRow, end } = bar;
  // a lane that many callers share has another name
  const name = shown?.id === lane ? shown.name : lane;
  const [from, to] = [rows[fromRow]?.atMs ?? 0, rows[toRow]?.atMs ?? 0];
  const who = endpoint === undefined ? name : `${name}, ${endpoint}`;
  return `${who}: ${barVerbs[kind]} from ${clock(from)} to ${clock(to)}, ${barEndTexts[end]}`;
}

function paint({ kind }: Bar) {
  if (kind === "wait")
    return { fill: "var(--panel)", stroke: "var(--command)", "stroke-width": 1.2, "stroke-dasharray": "3 2" };
  if (kind === "ring") return { fill: "url(#hatch-ring)", stroke: "var(--ring)", "stroke-width": 0.8 };
  if (kind === "voicemail")
    return { fill: "url(#weave-voicemail)", stroke: "var(--voicemail)", "stroke-width": 0.8 };
  return { fill: kind === "talk" ? "var(--answer)" : "var(--line2)" };
}

/**
 * The end of a bar: a cross if someone declined, a flat end after a timeout, a ring if another phone was answered.
 */
function BarTip({ bar, x, y, opacity }: { bar: Bar; x: number; y: number; opacity: number }) {
  if (bar.end === "declined")
    return (
      <path
        d={`M${x - 4.5} ${y - 4.5}l9 9m0-9l-9 9`}
        stroke="var(--failed)"
        stroke-width="2"
        stroke-linecap="round"
        opacity={opacity}
      />
    );
  if (bar.end === "timeout" || (bar.end === "left" && bar.kind !== "live"))
    return <path d={`M${x - 5} ${y}h10`} stroke="var(--timer)" stroke-width="1.6" opacity={opacity} />;
  if (bar.end === "elsewhere")
    return (
      <circle
        cx={x}
        cy={y}
        r="3"
        fill="var(--panel)"
        stroke="var(--ring)"
        stroke-width="1.4"
        opacity={opacity}
      />
    );
  return null;
}

function Zigzag({ y, columns, count }: { y: number; columns: Columns; count: number }) {
  const { left: from, width } = laneExtent(columns, 0, count - 1);
  const teeth = Math.max(2, Math.round(width / 30));
  let d = `M${from} ${y}`;
  for (let tooth = 0; tooth < teeth * 2; tooth++)
    d += `L${from + ((tooth + 1) * width) / (teeth * 2)} ${y + (tooth % 2 === 0 ? -3 : 3)}`;
  return (
    <g>
      <rect x={from} y={y - 9} width={width} height="18" fill="var(--panel)" />
      <path d={d} fill="none" stroke="var(--line2)" />
    </g>
  );
}

const colours: Partial<Record<PageRow["kind"], string>> = {
  command: "var(--command)",
  ring: "var(--ring)",
  answer: "var(--answer)",
  voicemail: "var(--voicemail)",
  message: "var(--message)",
  cards: "var(--cards)",
  state: "var(--state)",
  event: "var(--event)",
  retry: "var(--retry)",
  timer: "var(--timer)",
  rest: "var(--rest)",
  failed: "var(--failed)",
  lost: "var(--lost)",
};

function Arrow({
  row,
  y,
  columns,
  lanes,
  opacity,
}: {
  row: PageRow;
  y: number;
  columns: Columns;
  lanes: ShownLanes;
  opacity: number;
}) {
  const from = lanes.positionOf.get(row.source);
  if (from === undefined) return null;
  const x = laneX(columns, from);
  const targets = [...new Set(row.targets.flatMap((lane) => lanes.positionOf.get(lane) ?? []))].filter(
    (position) => position !== from,
  );
  const size = columns.isNarrow ? 9 : 13;
  const colour = colours[row.kind] ?? "var(--command)";
  return (
    <g opacity={opacity}>
      {targets.map((position) => (
        <Line
          key={position}
          row={row}
          startX={x}
          endX={laneX(columns, position)}
          y={y}
          size={size}
          colour={colour}
          outcome={outcomeAt(row, lanes, position)}
        />
      ))}
      {row.command?.name !== "decline" && (
        <>
          <circle cx={x} cy={y} r={size / 2 + 1} fill="var(--panel)" />
          <use href={`#mark-${row.kind}`} x={x - size / 2} y={y - size / 2} width={size} height={size} />
        </>
      )}
    </g>
  );
}

function outcomeAt(row: PageRow, { positionOf }: ShownLanes, position: number): string | undefined {
  return (
    row.deliveries.find(({ lane }) => positionOf.get(lane) === position)?.outcome.kind ?? row.outcome?.kind
  );
}

interface LineProps {
  readonly row: PageRow;
  readonly startX: number;
  readonly endX: number;
  readonly y: number;
  readonly size: number;
  readonly colour: string;
  readonly outcome: string | undefined;
}

function Line({ row, startX, endX, y, size, colour, outcome }: LineProps) {
  const way = Math.sign(endX - startX);
  const start = startX + way * (size / 2 + 2);
  const isDelivery = row.deliveries.length > 0 || row.outcome !== undefined;
  const end = endX - way * (isDelivery ? size / 2 + 2 : 5);
  if (way * (end - start) < 2) return null;
  const isDotted = row.kind === "timer" || row.assumed !== undefined;
  const dashes = row.kind === "ring" ? "5 3" : isDotted ? "1.5 3" : undefined;
  const isLost = outcome === "lost";
  const tone = outcome === "failed" ? "var(--failed)" : isLost ? "var(--lost)" : colour;
  const middle = (start + end) / 2;
  const mark =
    outcome === "delivered" ? "delivered" : outcome === "failed" ? "failed" : isLost ? "lost" : "idle";
  return (
    <g>
      {isLost ? (
        <>
          <path d={`M${start} ${y}H${middle}`} stroke={colour} stroke-width="1.5" />
          <path d={`M${middle} ${y}H${end}`} stroke="var(--lost)" stroke-width="1.5" stroke-dasharray="2 3" />
          <path d={`M${middle - 3} ${y + 5}l5-10`} stroke="var(--lost)" stroke-width="1.6" />
        </>
      ) : (
        <path d={`M${start} ${y}H${end}`} stroke={tone} stroke-width="1.5" stroke-dasharray={dashes} />
      )}
      {isDelivery ? (
        <>
          <circle cx={endX} cy={y} r={size / 2 + 1} fill="var(--panel)" />
          <use href={`#mark-${mark}`} x={endX - size / 2} y={y - size / 2} width={size} height={size} />
        </>
      ) : row.kind === "timer" ? null : (
        <path d={`M${end + way * 4} ${y}l${-way * 8}-4v8z`} fill={colour} />
      )}
    </g>
  );
}

/** The attempts of one delivery, on a dotted thread beside the webhook's lane. */
function Threads({
  run,
  layout,
  columns,
  lanes,
  now,
  firstRow,
  lastRow,
}: WiresProps & { firstRow: number; lastRow: number }) {
  const threads = useMemo(() => listThreads(run), [run]);
  const chosen = new Set(run.rows[now]?.deliveries.map(({ id }) => id));
  const seen = threads.filter(({ rows }) => (rows[0] ?? 0) <= lastRow && (rows.at(-1) ?? 0) >= firstRow);
  // in a long run, draw only the chosen row's
  const shown = seen.length > 12 ? seen.filter(({ id }) => chosen.has(id)) : seen;
  return (
    <>
      {shown.map(({ id, lane, rows }, index) => {
        const position = lanes.positionOf.get(lane);
        if (position === undefined) return null;
        const isChosen = chosen.has(id);
        const x = laneX(columns, position);
        const side = x - (columns.isNarrow ? 5 : 9) - (columns.isNarrow ? 2 : 5) * (index % 3);
        const ys = rows.map((row) => findMiddle(layout, row));
        const d = ys
          .map((y, at) =>
            at === 0
              ? `M${x - 7} ${y}Q${side} ${y} ${side} ${y + 8}`
              : `V${y - 8}Q${side} ${y} ${x - 7} ${y}${at < ys.length - 1 ? `M${side} ${y + 8}` : ""}`,
          )
          .join("");
        return (
          <path
            key={id}
            d={d}
            fill="none"
            stroke="var(--retry)"
            stroke-width={isChosen ? 2.6 : 1.2}
            stroke-dasharray={isChosen ? "1 4" : "1 3.5"}
            stroke-linecap="round"
            opacity={isChosen ? 1 : 0.6}
          />
        );
      })}
    </>
  );
}

interface Thread {
  readonly id: string;
  readonly lane: string;
  readonly rows: number[];
}

function listThreads({ rows }: LoadedRun): Thread[] {
  const found = new Map<string, Thread>();
  for (const row of rows) {
    if (row.kind !== "event" && row.kind !== "retry") continue;
    for (const { id, lane, attemptCount } of row.deliveries) {
      if (attemptCount < 2) continue;
      const known = found.get(id);
      if (known === undefined) found.set(id, { id, lane, rows: [row.index] });
      else known.rows.push(row.index);
    }
  }
  return [...found.values()].filter((each) => each.rows.length > 1);
}
