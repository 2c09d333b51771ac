import { memo } from "preact/compat";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Row } from "../model/types.ts";
import { useActions, useSize } from "./context.ts";
import { clock, shortClock, span } from "./format.ts";
import { Heads } from "./heads.tsx";
import { type Columns, columnsOf, firstBelow, type Layout, layOut, NARROW, shownRows } from "./layout.ts";
import { Mark } from "./marks.tsx";
import { shownLanes } from "./shown-lanes.ts";
import { type LoadedRun, useSelect } from "./store.ts";
import { Question } from "./teach.tsx";
import { Wires } from "./wires.tsx";

const HEAD = 64;
const NARROW_HEAD = 44;
/** So many px above and below what is seen are drawn too. */
const OVERSCAN = 120;
/** Rows are drawn in so many slots, which scrolling uses again: more than are ever seen. */
const SLOTS = 256;

/** The ladder: a row for each thing that happened, its arrow in the lanes beside it. */
export function Ladder() {
  const run = useSelect((state) => state.run);
  return run === undefined ? null : <LadderOf run={run} />;
}

function LadderOf({ run }: { run: LoadedRun }) {
  const scroller = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(scroller);
  const shown = useShown(run);
  const { visible } = shown;
  const foldGaps = useSelect((state) => state.foldGaps);
  const foldRepeats = useSelect((state) => state.foldRepeats);
  const record = useSelect((state) => state.record);
  const teaching = useSelect((state) => state.teaching);
  const now = useSelect((state) => state.now);
  const lanes = useMemo(() => shownLanes(run, record), [run, record]);
  const columns = useMemo(
    () => columnsOf(lanes.list.length, width || 800, globalThis.innerWidth <= NARROW, run.shape.endMs),
    [lanes, width, run],
  );
  const layout = useMemo(
    () => layOut(run, shown, foldGaps, columns.isNarrow ? 44 : 28),
    [run, shown, foldGaps, columns.isNarrow],
  );
  const head = columns.isNarrow ? NARROW_HEAD : HEAD;
  const { top, scrolled } = usePosition(scroller, layout, now, head, height);
  const first = Math.max(0, firstBelow(layout, top - OVERSCAN));
  const last = Math.min(visible.length, firstBelow(layout, top + height + OVERSCAN) + 1);
  const question = teaching?.questions[teaching.at];
  const limit =
    question === undefined
      ? Number.POSITIVE_INFINITY
      : teaching?.isRevealed
        ? question.reveals
        : question.row;
  const nowTop = topOf(layout, now);
  return (
    <>
      <div class="scroll" ref={scroller} onScroll={(event) => scrolled(event.currentTarget.scrollTop)}>
        <div class={columns.width > width ? "inner wide" : "inner"} style={{ width: `${columns.width}px` }}>
          <Heads
            run={run}
            lanes={lanes}
            columns={columns}
            now={now}
            count={visible.length}
            hasRepeats={shown.repeats.size > 0 || !foldRepeats}
          />
          <List run={run} layout={layout} first={first} last={last} columns={columns} limit={limit} now={now}>
            <Wires
              run={run}
              layout={layout}
              first={first}
              last={Math.min(last, limitPlace(layout, limit))}
              columns={columns}
              lanes={lanes}
              now={now}
              from={top - OVERSCAN}
              to={top + height + OVERSCAN}
            />
            <div class="now-line" style={{ top: `${nowTop + layout.rowHeight}px` }} />
            {question !== undefined && (
              <div class="curtain" style={{ top: `${topOf(layout, limit) + layout.rowHeight}px` }} />
            )}
          </List>
        </div>
      </div>
      {question !== undefined && (
        <Question
          top={topOf(layout, limit) + layout.rowHeight + head - top + 18}
          left={columns.isNarrow ? 12 : columns.time + 14}
        />
      )}
    </>
  );
}

/** The places of the rows that the filter, the kinds and the folds leave. */
function useShown(run: LoadedRun): Pick<Layout, "visible" | "repeats"> {
  const query = useSelect((state) => state.query);
  const hidden = useSelect((state) => state.hidden);
  const onlyFailures = useSelect((state) => state.onlyFailures);
  const folded = useSelect((state) => state.folded);
  const foldRepeats = useSelect((state) => state.foldRepeats);
  const record = useSelect((state) => (state.folded ? state.record : undefined));
  return useMemo(
    () => shownRows(run, { query, hidden, onlyFailures, folded, record, foldRepeats }),
    [run, query, hidden, onlyFailures, folded, record, foldRepeats],
  );
}

function topOf(layout: Layout, row: number): number {
  const place = layout.placeOf[row] ?? -1;
  return place < 0 ? 0 : (layout.tops[place] ?? 0);
}

function limitPlace(layout: Layout, limit: number): number {
  return Number.isFinite(limit) ? (layout.placeOf[limit] ?? -1) + 1 : Number.POSITIVE_INFINITY;
}

/**
 * How far the list is scrolled. It follows the chosen row: worked out before drawing, so that a step is drawn once and not
 * again when the scroller has heard of it.
 */
function usePosition(
  scroller: { current: HTMLDivElement | null },
  layout: Layout,
  now: number,
  head: number,
  height: number,
): { top: number; scrolled: (top: number) => void } {
  const follows = useSelect((state) => state.follows);
  const [, redraw] = useState({});
  const at = useRef({ top: 0, now: -1, layout, height });
  const last = at.current;
  if (follows && (last.now !== now || last.layout !== layout || last.height !== height)) {
    const top = topOf(layout, now);
    const room = height - head;
    if (top < last.top + 30 || top > last.top + room - 90)
      last.top = Math.max(0, Math.round(top - room * 0.45));
    Object.assign(last, { now, layout, height });
  }
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element !== null && Math.abs(element.scrollTop - last.top) > 1) element.scrollTop = last.top;
  });
  const scrolled = (top: number) => {
    if (Math.abs(top - last.top) <= 1) return;
    last.top = top;
    redraw({});
  };
  return { top: last.top, scrolled };
}

interface ListProps {
  readonly run: LoadedRun;
  readonly layout: Layout;
  readonly first: number;
  readonly last: number;
  readonly columns: Columns;
  readonly limit: number;
  readonly now: number;
  readonly children: preact.ComponentChildren;
}

function List({ run, layout, first, last, columns, limit, now, children }: ListProps) {
  const actions = useActions();
  const record = useSelect((state) => state.record);
  const endpoints = useSelect((state) => state.endpoints);
  const rows: preact.ComponentChildren[] = [];
  for (let place = first; place < last; place++) {
    const row = run.rows[layout.visible[place] ?? -1];
    if (row === undefined || row.index > limit) break;
    const isDim = record !== undefined && row.record !== record;
    const label = run.shape.records[row.record]?.label ?? "";
    const isFirst = isFirstOfInstant(run, layout, place);
    rows.push(
      <Step
        key={place % SLOTS}
        row={row}
        label={label}
        top={layout.tops[place] ?? 0}
        height={layout.rowHeight}
        columns={columns}
        isNow={row.index === now}
        isLater={row.index > now}
        isDim={isDim}
        showsTime={isFirst || row.index === now}
        place={place}
        count={layout.visible.length}
        showsEndpoints={endpoints}
        repeats={layout.repeats.get(row.index) ?? 1}
      />,
    );
  }
  const gaps = layout.gaps.filter(
    ({ top }) =>
      top > (layout.tops[first] ?? 0) - 40 &&
      top < (layout.tops[Math.max(first, last - 1)] ?? 0) &&
      top < limitTop(layout, limit),
  );
  return (
    <div
      class="list"
      role="listbox"
      tabindex={0}
      aria-label="Steps of the run"
      aria-activedescendant={`step-${now}`}
      style={{ height: `${layout.height}px` }}
      onClick={(event) => {
        const step = (event.target as HTMLElement).closest<HTMLElement>("[data-row]");
        if (step !== null) actions.select(Number(step.dataset.row));
      }}
    >
      {rows}
      {gaps.map(({ top, height, ms }) => (
        <div class="fold" key={top} style={{ top: `${top}px`, height: `${height}px` }} aria-hidden="true">
          <span style={columns.isNarrow ? { paddingLeft: `${columns.width - columns.text}px` } : {}}>
            ⋯ {span(ms)}
          </span>
        </div>
      ))}
      {children}
      {layout.visible.length === 0 && (
        <div class="waiting" role="option" aria-selected="false" aria-disabled="true">
          {run.rows.length === 0 ? "Nothing has happened yet." : "Nothing fits the filter."}
        </div>
      )}
    </div>
  );
}

function limitTop(layout: Layout, limit: number): number {
  return Number.isFinite(limit) ? topOf(layout, limit) : Number.POSITIVE_INFINITY;
}

function isFirstOfInstant(run: LoadedRun, layout: Layout, place: number): boolean {
  const [here, before] = [run.rows[layout.visible[place] ?? -1], run.rows[layout.visible[place - 1] ?? -1]];
  return here?.atMs !== before?.atMs;
}

interface StepProps {
  readonly row: Row;
  readonly label: string;
  readonly top: number;
  readonly height: number;
  readonly columns: Columns;
  readonly isNow: boolean;
  readonly isLater: boolean;
  readonly isDim: boolean;
  readonly showsTime: boolean;
  readonly place: number;
  readonly count: number;
  readonly showsEndpoints: boolean;
  /** How many alike the row stands for. */
  readonly repeats: number;
}

const Step = memo(function Step({
  row,
  label,
  top,
  height,
  columns,
  isNow,
  isLater,
  isDim,
  showsTime,
  place,
  count,
  showsEndpoints,
  repeats,
}: StepProps) {
  const classes = ["step", isDim && "dim", isLater && "later"].filter(Boolean).join(" ");
  const { isNarrow, time, text } = columns;
  const endpoints =
    showsEndpoints && row.endpoints.length > 0
      ? row.endpoints.map(({ lane, endpoint, does }) => `${lane} ${endpoint} ${does}`).join(", ")
      : "";
  const detail = endpoints || row.detail;
  return (
    <div
      class={classes}
      role="option"
      id={`step-${row.index}`}
      data-row={row.index}
      aria-selected={isNow}
      aria-posinset={place + 1}
      aria-setsize={count}
      style={{ top: `${top}px`, height: `${height}px` }}
    >
      <div class="back" />
      <div
        class="label"
        style={
          isNarrow
            ? { marginLeft: `${columns.width - text}px`, width: `${text}px` }
            : { width: `${time + text}px` }
        }
      >
        {!isNarrow && (
          <span class="time" style={{ width: `${time - 8}px` }}>
            {showsTime ? (row.atMs % 1000 === 0 ? clock(row.atMs) : shortClock(row.atMs)) : ""}
          </span>
        )}
        <Mark name={row.kind} />
        <span class="text" title={`${row.subject} ${row.verb} ${detail}`}>
          <span>
            <b>{row.subject}</b> {row.verb}
          </span>{" "}
          <span class="detail">
            {isNarrow ? `${clock(row.atMs)}${detail === "" ? "" : " · "}` : ""}
            {detail}
          </span>
        </span>
        {repeats > 1 && (
          <span class="chip repeats" title={`${repeats.toLocaleString("en")} times`}>
            ×{repeats.toLocaleString("en")}
          </span>
        )}
        <Chips row={row} />
        {!isNarrow && <span class="letter">{label}</span>}
      </div>
    </div>
  );
});

/** How the deliveries of a row came out: the worst, and how often they were tried. */
export function Chips({ row }: { row: Row }) {
  const outcomes = row.outcome === undefined ? row.deliveries.map(({ outcome }) => outcome) : [row.outcome];
  const [worst] = [...outcomes].sort((a, b) => severity(b.kind) - severity(a.kind));
  if (worst === undefined) return null;
  const tries = Math.max(1, ...row.deliveries.map((each) => each.tries));
  const isBad = worst.kind === "failed" || worst.kind === "lost";
  return (
    <>
      {tries > 1 && row.kind === "event" && (
        <span class="chip retry" title={`${tries} attempts`}>
          <Mark name="retry" small />
          {tries}
          <span class="sr"> attempts</span>
        </span>
      )}
      <span class={`chip ${worst.kind}`}>
        {isBad && <Mark name={worst.kind === "lost" ? "lost" : "failed"} small />}
        {worst.text}
      </span>
    </>
  );
}

function severity(kind: string): number {
  return ["pending", "delivered", "lost", "failed"].indexOf(kind);
}
