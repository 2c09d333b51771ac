import { useMemo, useRef } from "preact/hooks";
import type { Row, SpanKind } from "../model/types.ts";
import { useActions, useSelect, useSize, useTurn } from "./context.ts";
import { clock, exactClock } from "./format.ts";
import { NARROW } from "./layout.ts";
import { Icon } from "./marks.tsx";
import { memo } from "./memo.ts";
import { type Column, columnsIn, type Scale, scaleOf } from "./scale.ts";
import type { LoadedRun } from "./state/loading.ts";

const speeds = [1, 10, 100, 1000];

/** The foot of the page: the instant, the buttons, and the whole run on one line. */
export function Scrubber() {
  const run = useSelect((state) => state.run);
  const isTurn = useTurn(run, 1);
  return (
    <footer aria-label="Time">
      <Transport />
      {run === undefined || run.rows.length === 0 || !isTurn ? <div class="track" /> : <Track run={run} />}
    </footer>
  );
}

function Transport() {
  const actions = useActions();
  const row = useSelect((state) => state.run?.rows[state.now]);
  const count = useSelect((state) => state.run?.rows.length) ?? 0;
  const speed = useSelect((state) => state.speed);
  const isTeaching = useSelect((state) => state.teaching !== undefined);
  return (
    <div class="transport">
      <div class="clock">
        <b>{exactClock(row?.atMs ?? 0)}</b>
        <span>
          step {row === undefined ? 0 : (row.index + 1).toLocaleString("en")}
          {isTeaching || count >= 10_000 ? "" : ` of ${count.toLocaleString("en")}`}
        </span>
      </div>
      <Buttons />
      <div class="hints">
        <span>
          <kbd>←</kbd> <kbd>→</kbd> step
        </span>
        <span class="hide-medium">
          <kbd>F</kbd> failure
        </span>
        <select
          class="select speed"
          aria-label="Speed"
          value={String(speed)}
          onChange={(event) => actions.playback.setSpeed(Number(event.currentTarget.value))}
        >
          {speeds.map((each) => (
            <option key={each} value={String(each)}>
              ×{each}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}

function Buttons() {
  const actions = useActions();
  const playing = useSelect((state) => state.playing);
  const showsKeys = useSelect((state) => state.showsKeys);
  return (
    <div class="buttons">
      <FailureButton by={-1} />
      <button
        type="button"
        class="button square"
        aria-label="Step back"
        onClick={() => actions.playback.step(-1)}
      >
        <Icon d="m10 3-5 5 5 5" />
      </button>
      <button
        type="button"
        class="button square go"
        aria-label={playing ? "Pause" : "Play"}
        onClick={() => actions.playback.togglePlay()}
      >
        <Icon fill d={playing ? "M4 3h3v10H4zM9 3h3v10H9z" : "M4.5 2.500v11L13.5 8z"} />
      </button>
      <button
        type="button"
        class="button square"
        aria-label="Step forward"
        onClick={() => actions.playback.step(1)}
      >
        <Icon d="m6 3 5 5-5 5" />
      </button>
      <FailureButton by={1} />
      <button
        type="button"
        class="button square"
        aria-label="Keys"
        aria-expanded={showsKeys}
        onClick={() => actions.view.toggle("showsKeys")}
      >
        ?
      </button>
    </div>
  );
}

/** A button with the failure's mark and an arrow, unlike the buttons to the start and the end of the run. */
function FailureButton({ by }: { by: 1 | -1 }) {
  const actions = useActions();
  const [name, key, round] =
    by > 0
      ? ["Next failure", "F", "after the last the first"]
      : ["Previous failure", "Shift F", "before the first the last"];
  return (
    <button
      type="button"
      class="button square"
      aria-label={name}
      title={`${name} (${key}); ${round}`}
      onClick={() => actions.playback.failure(by)}
    >
      <svg class="mark" viewBox="0 0 16 16" aria-hidden="true">
        <use href="#mark-failed" x={by > 0 ? 0 : 5} y="2.5" width="11" height="11" />
        <path
          d={by > 0 ? "m12.5 4.5 3 3.5-3 3.5" : "m3.5 4.5-3 3.5 3 3.5"}
          fill="none"
          stroke="currentColor"
          stroke-width="1.6"
          stroke-linecap="round"
          stroke-linejoin="round"
        />
      </svg>
    </button>
  );
}

function Track({ run }: { run: LoadedRun }) {
  const actions = useActions();
  const holder = useRef<HTMLDivElement>(null);
  const { width: outer } = useSize(holder);
  const foldGaps = useSelect((state) => state.foldGaps);
  const now = useSelect((state) => state.now);
  const record = useSelect((state) => state.record);
  const teaching = useSelect((state) => state.teaching);
  const scale = useMemo(() => scaleOf(run, foldGaps), [run, foldGaps]);
  const isSmall = globalThis.innerWidth <= NARROW;
  const width = Math.max(100, outer - (isSmall ? 24 : 28));
  const inset = isSmall ? 14 : 22;
  const row = run.rows[now];
  const question = teaching?.questions[teaching.at];
  const limit = question === undefined ? undefined : teaching?.isRevealed ? question.reveals : question.row;
  const x = inset + scale.xOf(row?.atMs ?? 0) * (width - 2 * inset);
  const pointTo = (clientX: number) => {
    const box = holder.current?.querySelector("input")?.getBoundingClientRect();
    if (box === undefined) return;
    const at = scale.rowAt((clientX - box.left - inset) / (box.width - 2 * inset));
    actions.playback.select(limit === undefined ? at : Math.min(at, limit));
  };
  const height = isSmall ? 84 : 132;
  return (
    <div class="track" ref={holder}>
      <Strip
        run={run}
        scale={scale}
        width={width}
        height={height}
        inset={inset}
        record={record}
        limit={limit}
        isSmall={isSmall}
      />
      <svg
        class="now"
        viewBox={`0 0 20 ${height}`}
        aria-hidden="true"
        style={{ transform: `translateX(${x - 10}px)`, height: `${height}px` }}
      >
        <path d={`M10 6V${height - (isSmall ? 16 : 22)}`} stroke="var(--accent)" stroke-width="2" />
        <circle
          cx={10}
          cy={isSmall ? 50 : 80}
          r="5.5"
          fill="var(--accent)"
          stroke="var(--panel)"
          stroke-width="2"
        />
      </svg>
      <input
        type="range"
        min={0}
        max={run.rows.length - 1}
        value={now}
        aria-label="Step"
        aria-valuetext={row === undefined ? "" : `${clock(row.atMs)}, ${row.subject} ${row.verb}`}
        onInput={(event) =>
          actions.playback.select(
            Math.min(Number(event.currentTarget.value), limit ?? Number.POSITIVE_INFINITY),
          )
        }
        onPointerDown={(event) => {
          event.preventDefault();
          event.currentTarget.focus();
          event.currentTarget.setPointerCapture(event.pointerId);
          pointTo(event.clientX);
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) pointTo(event.clientX);
        }}
      />
      <div class="focus" />
    </div>
  );
}

interface StripProps {
  readonly run: LoadedRun;
  readonly scale: Scale;
  readonly width: number;
  readonly height: number;
  readonly inset: number;
  readonly record: number | undefined;
  /** The last row that may be seen. */
  readonly limit: number | undefined;
  readonly isSmall: boolean;
}

/** The parts that do not change while scrubbing. */
const Strip = memo(function Strip(props: StripProps) {
  const { run, scale, width, height, inset, record, limit, isSmall } = props;
  const x = (atMs: number) => inset + scale.xOf(atMs) * (width - 2 * inset);
  const base = isSmall ? 50 : 80;
  const brick = isSmall ? 4 : 7;
  const top = isSmall ? 14 : 22;
  const columns = columnsIn(run, Math.floor((width - 2 * inset) / 3)).filter(
    ({ rows }) => limit === undefined || (rows[0] ?? 0) <= limit,
  );
  const isMany = columns.length > 150;
  return (
    <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {limit === undefined && <Arcs {...props} x={x} base={base} top={top} />}
      {isMany && <ManyBricks run={run} columns={columns} x={x} base={base} brick={brick} record={record} />}
      {!isMany &&
        columns.map((column) => (
          <Bricks
            key={column.atMs}
            run={run}
            rows={column.rows}
            limit={limit}
            x={x(column.atMs)}
            base={base}
            brick={brick}
            width={8}
            record={record}
          />
        ))}
      {columns.map((column) => (
        <Failure
          key={column.atMs}
          column={column}
          x={x(column.atMs)}
          foot={base - brick * Math.min(9, column.rows.length) - 3}
          top={top}
          isMany={isMany}
          {...props}
        />
      ))}
      {!isMany &&
        columns.map(({ atMs, rows }) => (
          <Worked
            key={atMs}
            rows={rows.map((index) => run.rows[index])}
            limit={limit}
            x={x(atMs)}
            y={base - brick * Math.min(9, rows.length) - 8}
          />
        ))}
      <path d={`M${inset} ${base}H${width - inset}`} stroke="var(--line2)" />
      <Ticks
        columns={columns.map(({ atMs }) => atMs)}
        x={x}
        base={base}
        height={height}
        width={width}
        isSmall={isSmall}
      />
      {limit === undefined && <Folds scale={scale} inset={inset} width={width} base={base} />}
      <Tracks {...props} x={x} base={base} />
    </svg>
  );
});

/** A failure's mark above its column. All are at one height, so that none is missed. */
function Failure({
  column: { failure },
  x,
  foot,
  top,
  isMany,
  run,
  limit,
  record,
}: { column: Column; x: number; foot: number; top: number; isMany: boolean } & StripProps) {
  const row = failure === undefined ? undefined : run.rows[failure];
  if (row === undefined || (limit !== undefined && row.index > limit)) return null;
  const isLost = row.kind === "lost" || row.deliveries.some(({ outcome }) => outcome.kind === "lost");
  const name = isLost ? "lost" : "failed";
  const size = isMany ? 6 : 13;
  return (
    <g opacity={record === undefined || row.record === record ? 1 : 0.2}>
      {foot > top + 8 && (
        <path d={`M${x} ${top + 8}V${foot}`} stroke={`var(--${name})`} stroke-dasharray="1.5 2.5" />
      )}
      {!isMany && <circle cx={x} cy={top} r="7.5" fill="var(--panel)" />}
      <use href={`#mark-${name}`} x={x - size / 2} y={top - size / 2} width={size} height={size} />
    </g>
  );
}

/** The mark of a later attempt that succeeded. One that failed is among the failures. */
function Worked({
  rows,
  limit = Number.POSITIVE_INFINITY,
  x,
  y,
}: {
  rows: readonly (Row | undefined)[];
  limit: number | undefined;
  x: number;
  y: number;
}) {
  const has = rows.some(
    (row) =>
      row?.kind === "retry" &&
      row.index <= limit &&
      row.deliveries.some(({ outcome }) => outcome.kind === "delivered"),
  );
  if (!has) return null;
  return (
    <>
      <circle cx={x} cy={y} r="7" fill="var(--panel)" />
      <use href="#mark-delivered" x={x - 5.5} y={y - 5.5} width="11" height="11" />
    </>
  );
}

/** Cuts in the line where time is folded. */
function Folds({
  scale,
  inset,
  width,
  base,
}: Pick<StripProps, "scale" | "inset" | "width"> & { base: number }) {
  const folded = scale.stretches.filter(({ isFolded }) => isFolded);
  return (
    <>
      {folded.map((stretch) => {
        const at = inset + (stretch.x + stretch.width / 2) * (width - 2 * inset);
        return (
          <g key={stretch.fromMs}>
            <rect x={at - 6} y={base - 5} width="12" height="10" fill="var(--panel)" />
            <path d={`m${at - 5} ${base + 5} 4-10m3 10 4-10`} stroke="var(--line2)" stroke-width="1.5" />
          </g>
        );
      })}
    </>
  );
}

function toneOf({ kind, deliveries, outcome }: Row): string {
  const all = outcome === undefined ? deliveries.map((each) => each.outcome) : [outcome];
  if (all.some((each) => each.kind === "failed")) return "failed";
  return all.some((each) => each.kind === "lost") ? "lost" : kind;
}

/** In a long run, one path for each kind instead of thousands of bricks. */
function ManyBricks({
  run,
  columns,
  x,
  base,
  brick,
  record,
}: {
  run: LoadedRun;
  columns: readonly Column[];
  x: (atMs: number) => number;
  base: number;
  brick: number;
  record: number | undefined;
}) {
  const paths = new Map<string, string>();
  for (const { atMs, rows } of columns) {
    const every = Math.max(1, Math.ceil(rows.length / 9));
    for (let at = 0; at < rows.length; at += every) {
      const row = run.rows[rows[at] ?? -1];
      if (row === undefined) continue;
      const key = `${toneOf(row)} ${record === undefined || row.record === record ? 1 : 0.2}`;
      const y = base - brick - (at / every) * brick;
      paths.set(key, `${paths.get(key) ?? ""}M${Math.round(x(atMs)) - 1} ${y}h2v${brick - 1.5}h-2z`);
    }
  }
  return (
    <>
      {[...paths].map(([key, d]) => {
        const [tone, opacity] = key.split(" ");
        return <path key={key} d={d} fill={`var(--${tone})`} opacity={opacity} />;
      })}
    </>
  );
}

function Bricks({
  run,
  rows,
  limit,
  x,
  base,
  brick,
  width,
  record,
}: {
  run: LoadedRun;
  rows: readonly number[];
  limit: number | undefined;
  x: number;
  base: number;
  brick: number;
  width: number;
  record: number | undefined;
}) {
  const shown = rows.filter((index) => limit === undefined || index <= limit);
  // a stack of nine means many; of more, only every nth is drawn
  const every = Math.max(1, Math.ceil(shown.length / 9));
  return (
    <>
      {shown
        .filter((_, index) => index % every === 0)
        .map((index, place) => {
          const row = run.rows[index];
          if (row === undefined) return null;
          const opacity = record === undefined || row.record === record ? 1 : 0.2;
          return (
            <rect
              key={index}
              x={x - width / 2}
              y={base - brick - place * brick}
              width={width}
              height={brick - 1.5}
              rx={width > 2 ? 1.5 : 0}
              fill={`var(--${toneOf(row)})`}
              opacity={opacity}
            />
          );
        })}
    </>
  );
}

function Ticks({
  columns,
  x,
  base,
  height,
  width,
  isSmall,
}: {
  columns: readonly number[];
  x: (atMs: number) => number;
  base: number;
  height: number;
  width: number;
  isSmall: boolean;
}) {
  const shown: preact.ComponentChildren[] = [];
  let last = -99;
  // from ten hours on, a time has two more characters
  const longest = clock(columns.at(-1) ?? 0).length;
  const room = Math.max(isSmall ? 44 : 54, 7.5 * longest + 10);
  // the last one is always shown, since the end of a run is what people look for
  const endMs = columns.at(-1) ?? 0;
  const end = Math.min(x(endMs), width - 3.75 * longest - 4);
  for (const atMs of columns) {
    const isEnd = atMs === endMs;
    const at = isEnd ? end : x(atMs);
    if (!isEnd && (at - last <= room || end - at <= room)) continue;
    last = at;
    shown.push(
      <g key={atMs}>
        <path d={`M${x(atMs)} ${base}v3`} stroke="var(--line2)" />
        <text x={at} y={height - (isSmall ? 4 : 9)} text-anchor="middle">
          {clock(atMs)}
        </text>
      </g>,
    );
  }
  return <>{shown}</>;
}

const fills: Readonly<Record<SpanKind, string>> = {
  wait: "var(--timer)",
  ring: "url(#hatch-ring)",
  talk: "var(--answer)",
  voicemail: "var(--voicemail)",
  message: "var(--message)",
};

/** In a longer run, only every nth call may be drawn. */
const MOST_TRACKS = 1_000;

/** A line for each call, two deep. Calls that do not fit are only in the list. */
function Tracks({
  run,
  x,
  base,
  record,
  limit,
  isSmall,
  width,
  inset,
}: StripProps & { x: (atMs: number) => number; base: number }) {
  const ends = [0, 0];
  const limitMs = limit === undefined ? Number.POSITIVE_INFINITY : (run.rows[limit]?.atMs ?? 0);
  const chosen = record === undefined ? [] : [record];
  const every = Math.ceil(run.shape.records.length / MOST_TRACKS);
  const places = [...chosen, ...run.shape.records.keys()].filter(
    (place, at) => at < chosen.length || place % every === 0,
  );
  // the letters of many calls would overlap
  const isFew = run.shape.records.length <= 60;
  const drawn = new Set<number>();
  return (
    <>
      {places.map((place) => {
        const it = run.shape.records[place];
        if (it === undefined || drawn.has(place) || it.fromMs > limitMs || it.spans.length === 0) return null;
        const from = x(it.fromMs);
        const to = Math.max(from + 3, x(Math.min(it.toMs, limitMs)));
        // its letters stand before it
        const room = isFew ? 7 + 7 * it.label.length : 3;
        const lane = place === record ? 0 : ends.findIndex((end) => end + room <= from || end === 0);
        if (lane < 0) return null;
        drawn.add(place);
        ends[lane] = Math.max(ends[lane] ?? 0, to);
        const y = base + (isSmall ? 6 : 6) + lane * (isSmall ? 6 : 10);
        const opacity = record === undefined || record === place ? 1 : 0.2;
        return (
          <g key={place} opacity={opacity}>
            {it.spans
              .filter(({ fromMs }) => fromMs <= limitMs)
              .map(({ kind, fromMs, toMs }) => (
                <rect
                  key={fromMs}
                  x={x(fromMs)}
                  y={y}
                  width={Math.max(2, x(Math.min(toMs, limitMs)) - x(fromMs))}
                  height={isSmall ? 4 : 6}
                  rx="2"
                  fill={fills[kind]}
                  stroke={kind === "ring" ? "var(--ring)" : "none"}
                  stroke-width="0.8"
                />
              ))}
            {!isSmall && (isFew || record === place) && from > inset - 10 && from < width && (
              <text
                x={from - 5}
                y={y + 7.5}
                text-anchor="end"
                class={record === place ? "chosen" : undefined}
              >
                {it.label}
              </text>
            )}
          </g>
        );
      })}
    </>
  );
}

/** Arcs from attempt to attempt. */
function Arcs({
  run,
  x,
  base,
  top,
  record,
  isSmall,
}: StripProps & { x: (atMs: number) => number; base: number; top: number }) {
  const tries = useMemo(() => attemptsOf(run), [run]);
  const now = useSelect((state) => state.now);
  if (tries.length > 200) return null;
  const chosen = new Set(run.rows[now]?.deliveries.map(({ id }) => id));
  return (
    <>
      {tries.map(({ id, from, to, isBad, record: of }) => {
        const [a, b] = [x(from), x(to)];
        const end = isBad ? `${b - 8} ${top - 3}` : `${b - 10} ${top + 4}Q${b} ${top + 8} ${b} ${base - 24}`;
        return (
          <path
            key={`${id} ${to}`}
            d={`M${a + 7} ${top - 4}Q${(a + b) / 2} ${isSmall ? -2 : -8} ${end}`}
            fill="none"
            stroke="var(--retry)"
            stroke-width={chosen.has(id) ? 2.2 : 1.4}
            stroke-dasharray="1 3.5"
            stroke-linecap="round"
            opacity={record !== undefined && of !== record ? 0.2 : chosen.has(id) ? 1 : 0.7}
          />
        );
      })}
    </>
  );
}

function attemptsOf({ rows }: LoadedRun) {
  const last = new Map<string, Row>();
  const found: { id: string; from: number; to: number; isBad: boolean; record: number }[] = [];
  for (const row of rows) {
    if (row.kind !== "event" && row.kind !== "retry") continue;
    for (const { id, tries, outcome } of row.deliveries) {
      if (tries < 2) continue;
      const before = last.get(id);
      const isBad = outcome.kind === "failed" || outcome.kind === "lost";
      if (before !== undefined)
        found.push({ id, from: before.atMs, to: row.atMs, isBad, record: row.record });
      last.set(id, row);
    }
  }
  return found;
}
