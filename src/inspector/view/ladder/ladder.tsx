import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { PageRow } from "../../model/types.ts";
import { lengthText } from "../common/format.ts";
import { Mark } from "../common/marks.tsx";
import { memo } from "../common/memo.ts";
import type { Chosen } from "../state/chosen.ts";
import { useActions, useSelect, useSize } from "../state/context.ts";
import {
  bottomAt,
  type Columns,
  chooseColumns,
  firstBelow,
  type Layout,
  laneX,
  layOutRows,
  NARROW,
  PLACE_HEIGHT,
  type PlaceTop,
  shownRows,
  TIGHT,
} from "../state/layout.ts";
import type { LoadedRun } from "../state/loading.ts";
import { limitOf } from "../state/teaching.ts";
import { useChosen } from "../state/use-chosen.ts";
import { useTimeWidth, useWriteTime } from "../state/use-clock.ts";
import { isOld } from "../state/verdict-words.ts";
import { type Differences, differencesIn, noDifferences } from "./differences.ts";
import { Heads, headHeight, headWidths, LaneNames } from "./heads.tsx";
import { indexRanges } from "./row-ranges.ts";
import { ROOM_FOR_RETRIES, roomIn, textWidth } from "./row-room.ts";
import { type ShownLanes, shownLanes } from "./shown-lanes.ts";
import { Wires } from "./wires.tsx";

/** The height of a row while a class is taught, in which no text is cut, px. */
const TEACH_ROW = 36;
/** How many px above and below the visible part are drawn too. */
const OVERSCAN = 120;
/** How many slots rows are drawn in. Scrolling uses them again; there are more than are ever visible. */
const SLOTS = 256;

/** The ladder: a row for each thing that happened, with its arrow in the lanes beside it. */
export function Ladder() {
  const run = useSelect((state) => state.run);
  return run === undefined ? null : <LoadedLadder run={run} />;
}

function LoadedLadder({ run }: { run: LoadedRun }) {
  const scroller = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(scroller);
  const shown = useShown(run);
  const { visible } = shown;
  const foldRepeats = useSelect((state) => state.foldRepeats);
  const chosen = useChosen();
  const teaching = useSelect((state) => state.teaching);
  const now = useSelect((state) => state.now);
  // the lanes must not say who will take part
  const all = teaching?.lanes;
  const lanes = useLanes(run, all, chosen, width);
  const isTaught = teaching !== undefined;
  const question = teaching?.isOver === true ? undefined : teaching?.questions[teaching.at];
  const limit = limitOf(teaching);
  const { barsAt, holdsAt } = useRowRanges(run, limit);
  const columns = useColumns(run, lanes, width, isTaught);
  const differences = useDifferences(run);
  const layout = useLayout(run, shown, columns, differences);
  const head = headHeight(lanes, columns);
  const { top, scrolled } = usePosition(scroller, layout, now, head, height);
  const first = Math.max(0, firstBelow(layout, top - OVERSCAN));
  const drawn = {
    run,
    layout,
    first,
    columns,
    lanes,
    now,
    from: top - OVERSCAN,
    to: top + height + OVERSCAN,
  };
  const last = Math.min(visible.length, firstBelow(layout, top + height + OVERSCAN) + 1);
  // two runs side by side cover it, and nobody should get the focus in something invisible
  const isCovered = useSelect((state) => state.isComparing);
  return (
    <>
      {columns.isNarrow && <LaneNames {...lanes} />}
      <div
        class="scroll"
        ref={scroller}
        inert={isCovered}
        onScroll={(event) => scrolled(event.currentTarget.scrollTop)}
      >
        <div class={columns.width > width ? "inner wide" : "inner"} style={{ width: `${columns.width}px` }}>
          <Heads
            run={run}
            lanes={lanes}
            barsAt={barsAt}
            holdsAt={holdsAt}
            columns={columns}
            now={now}
            count={visible.length}
            hasRepeats={shown.repeats.size > 0 || !foldRepeats}
          />
          <List {...drawn} last={last} limit={limit} differences={differences}>
            <Wires
              {...drawn}
              last={Math.min(last, limitPosition(layout, limit))}
              barsAt={barsAt}
              holdsAt={holdsAt}
              hidesThreads={question !== undefined}
            />
            <div
              class="now-line"
              hidden={run.rows.length === 0}
              style={{ top: `${bottomAt(layout, layout.positionOf[now] ?? 0)}px` }}
            />
            {question !== undefined && (
              <div class="curtain" style={{ top: `${curtainTop(layout, limit)}px` }}>
                <span>
                  {teaching?.isRevealed
                    ? "What follows is covered until the next question"
                    : "Covered until you reveal"}
                </span>
              </div>
            )}
          </List>
        </div>
      </div>
    </>
  );
}

function useColumns(run: LoadedRun, lanes: ShownLanes, width: number, isTaught: boolean): Columns {
  const time = useTimeWidth(run);
  return useMemo(() => {
    const needs = headWidths(run, lanes, isTaught);
    return chooseColumns(needs, width || 800, globalThis.innerWidth <= NARROW, time, isTaught);
  }, [lanes, width, run, time, isTaught]);
}

/** The height of a line, if the text of a row has several, px. */
const LINE = 17;
/** How full lines are that end with whole words. */
const FULL = 0.88;
/** The positions of the rows, with room for several lines if a row has them. */
function useLayout(
  run: LoadedRun,
  shown: Pick<Layout, "visible" | "repeats">,
  columns: Columns,
  { places }: Differences,
): Layout {
  const foldGaps = useSelect((state) => state.foldGaps);
  const isTall = useSelect((state) => state.endpoints) || columns.isNarrow;
  const isTeaching = useSelect((state) => state.teaching !== undefined);
  const height = isTall ? 44 : isTeaching ? TEACH_ROW : 28;
  return useMemo(() => {
    // a line ends with a whole word, so that it is not full
    const linesOf = (row: PageRow) => Math.ceil(textWidth(row) / (roomIn(columns, row) * FULL));
    const heightOf = (row: PageRow) =>
      isTall || textWidth(row) <= roomIn(columns, row) ? height : Math.max(height, 6 + linesOf(row) * LINE);
    return layOutRows(run, shown, foldGaps, heightOf, places);
  }, [run, shown, foldGaps, height, places, columns]);
}

/** How the run differs from what the text in the editor expects. A text that has changed expects something else. */
function useDifferences(run: LoadedRun): Differences {
  const mismatches = useSelect((state) => state.mismatches);
  const isHidden = useSelect(
    (state) => state.mode !== "play" || state.teaching !== undefined || isOld(state),
  );
  return useMemo(
    () => (isHidden ? noDifferences : differencesIn(run, mismatches)),
    [run, mismatches, isHidden],
  );
}

/** The lanes that are shown. @param all those of another run too, where two are compared */
function useLanes(
  run: LoadedRun,
  all: LoadedRun["summary"]["lanes"] | undefined,
  chosen: Chosen,
  width: number,
): ShownLanes {
  const isTight = width > 0 && width < TIGHT && globalThis.innerWidth > NARROW;
  return useMemo(() => {
    const shown = all === undefined ? run : { ...run, summary: { ...run.summary, lanes: all } };
    return shownLanes(shown, chosen, isTight);
  }, [run, chosen, all, isTight]);
}

/** What lasts at some rows. @param limit the last row that may be inView */
function useRowRanges(run: LoadedRun, limit: number) {
  const barsAt = useMemo(() => indexRanges(run.summary.bars), [run]);
  // the last row would show whose turn is next, which is what a question asks
  const holdsAt = useMemo(
    () => indexRanges(run.summary.holds.filter(({ fromRow }) => fromRow < limit)),
    [run, limit],
  );
  return { barsAt, holdsAt };
}

/** The indices of the rows that the filter, the kinds and the folds leave. */
function useShown(run: LoadedRun): Pick<Layout, "visible" | "repeats"> {
  const query = useSelect((state) => state.query);
  const hidden = useSelect((state) => state.hidden);
  const onlyFailures = useSelect((state) => state.onlyFailures);
  const folded = useSelect((state) => state.folded);
  const foldRepeats = useSelect((state) => state.foldRepeats);
  const whole = useChosen();
  const chosen = folded ? whole : undefined;
  return useMemo(
    () => shownRows(run, { query, hidden, onlyFailures, folded, chosen, foldRepeats }),
    [run, query, hidden, onlyFailures, folded, chosen, foldRepeats],
  );
}

function findTop(layout: Layout, row: number): number {
  const position = layout.positionOf[row] ?? -1;
  return position < 0 ? 0 : (layout.tops[position] ?? 0);
}

/** Where the cover begins: below the last row that may be seen. */
function curtainTop(layout: Layout, limit: number): number {
  return limit < 0 ? 0 : bottomAt(layout, layout.positionOf[limit] ?? 0);
}

function limitPosition(layout: Layout, limit: number): number {
  return Number.isFinite(limit) ? (layout.positionOf[limit] ?? -1) + 1 : Number.POSITIVE_INFINITY;
}

/**
 * How far the list is scrolled. It follows the chosen row. It is computed before drawing, so that a step is drawn
 * once, and not again when the scroller reports it.
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
    const top = findTop(layout, now);
    const room = height - head;
    const end = bottomAt(layout, layout.tops.length - 1);
    if (end <= room) last.top = 0;
    else if (top < last.top + 30 || top > last.top + room - 90)
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
  /** The part of the list to draw, px. */
  readonly from: number;
  readonly to: number;
  readonly columns: Columns;
  readonly lanes: ShownLanes;
  readonly limit: number;
  readonly now: number;
  readonly differences: Differences;
  readonly children: preact.ComponentChildren;
}

function List({
  run,
  layout,
  first,
  last,
  from,
  to,
  columns,
  lanes,
  limit,
  now,
  differences,
  children,
}: ListProps) {
  const actions = useActions();
  const chosen = useChosen();
  const endpoints = useSelect((state) => state.endpoints);
  const isLive = useSelect((state) => state.live !== undefined);
  const rows: preact.ComponentChildren[] = [];
  // the only call needs no letter
  const hasLetters = run.summary.records.length > 1;
  for (let position = first; position < last; position++) {
    const row = run.rows[layout.visible[position] ?? -1];
    if (row === undefined || row.index > limit) break;
    const isDim = chosen?.has(row.record) === false;
    const label = hasLetters ? (run.summary.records[row.record]?.label ?? "\u00a0") : "";
    const isFirst = isFirstOfInstant(run, layout, position);
    rows.push(
      <Step
        key={position % SLOTS}
        run={run}
        row={row}
        label={label}
        top={layout.tops[position] ?? 0}
        height={layout.heights[position] ?? 0}
        columns={columns}
        room={textRoom(run, row, columns, lanes)}
        isNow={row.index === now}
        isLater={row.index > now}
        isDim={isDim}
        showsTime={isFirst || row.index === now}
        position={position}
        count={layout.visible.length}
        showsEndpoints={endpoints}
        repeats={layout.repeats.get(row.index) ?? 1}
        wrong={differences.wrong.get(row.index) ?? ""}
        hidesRetries={Number.isFinite(limit)}
      />,
    );
  }
  // in a long list only nearby rows can be pointed at
  const at = layout.positionOf[now] ?? -1;
  const isDrawn = at >= first && at < last && layout.visible[at] === now;
  const isNear = ({ top, height }: { readonly top: number; readonly height: number }) =>
    top + height > from && top < Math.min(to, limitTop(layout, limit));
  return (
    <div
      class="list"
      role="listbox"
      tabindex={0}
      aria-label="Steps of the run"
      aria-activedescendant={isDrawn ? `step-${now}` : undefined}
      style={{ height: `${layout.height}px` }}
      onClick={(event) => {
        const step = (event.target as HTMLElement).closest<HTMLElement>("[data-row]");
        if (step !== null) actions.playback.select(Number(step.dataset.row));
      }}
    >
      {rows}
      {layout.gaps.filter(isNear).map(({ top, height, ms, isTaken }) => (
        <div class="fold" key={top} style={{ top: `${top}px`, height: `${height}px` }} aria-hidden="true">
          {!isTaken && (
            <span style={columns.isNarrow ? { paddingLeft: `${columns.width - columns.text}px` } : {}}>
              … {lengthText(ms)}
            </span>
          )}
        </div>
      ))}
      {layout.places
        .filter((each) => isNear({ ...each, height: PLACE_HEIGHT }))
        .map((placed) => (
          <Place key={placed.top} columns={columns} {...placed} />
        ))}
      {children}
      {layout.visible.length === 0 && (
        <div class="waiting" role="option" aria-selected="false" aria-disabled="true">
          {run.rows.length > 0 ? "Nothing fits the filter." : "Nothing has happened yet."}
          {run.rows.length === 0 && isLive && (
            <span class="muted">
              Make a call at “This server”. Each call, event and request is shown here as it happens.
            </span>
          )}
        </div>
      )}
    </div>
  );
}

/** The place of an expected event. The verdict and the row of the event say the same in words. */
function Place({ top, place, columns }: PlaceTop & { columns: Columns }) {
  const { isNarrow, width, text, time } = columns;
  const left = isNarrow ? width - text : time;
  return (
    <div
      class="place"
      style={{ top: `${top}px`, height: `${PLACE_HEIGHT}px`, left: `${left}px`, width: `${text}px` }}
      aria-hidden="true"
    >
      <span>
        {place.time} expected <b>{place.type}</b> here
      </span>
    </div>
  );
}

/**
 * The right edge of a row's text, px. Before the first call the lanes are empty, so a text may extend to where its
 * own arrow begins.
 */
function textRoom(
  { summary }: LoadedRun,
  row: PageRow,
  columns: Columns,
  { positionOf }: ShownLanes,
): number | undefined {
  const isBusy = row.index >= (summary.records[0]?.fromRow ?? 0);
  if (columns.isNarrow || isBusy || row.outcome !== undefined || row.deliveries.length > 0) return undefined;
  const positions = [row.source, ...row.targets].flatMap((lane) => positionOf.get(lane) ?? []);
  return positions.length === 0 ? undefined : laneX(columns, Math.min(...positions)) - 12;
}

function limitTop(layout: Layout, limit: number): number {
  return Number.isFinite(limit) ? findTop(layout, limit) : Number.POSITIVE_INFINITY;
}

function isFirstOfInstant(run: LoadedRun, layout: Layout, position: number): boolean {
  const [here, before] = [
    run.rows[layout.visible[position] ?? -1],
    run.rows[layout.visible[position - 1] ?? -1],
  ];
  return here?.atMs !== before?.atMs;
}

interface StepProps {
  readonly run: LoadedRun;
  readonly row: PageRow;
  readonly label: string;
  readonly top: number;
  readonly height: number;
  readonly columns: Columns;
  /** How far the text may extend, in a row that has more room than others. */
  readonly room: number | undefined;
  readonly isNow: boolean;
  readonly isLater: boolean;
  readonly isDim: boolean;
  readonly showsTime: boolean;
  readonly position: number;
  readonly count: number;
  readonly showsEndpoints: boolean;
  /** How many equal rows this one represents. */
  readonly repeats: number;
  /** How it differs from what was expected; empty if it does not. */
  readonly wrong: string;
  /** While a class is taught: hides how often a delivery will be tried, and whose phones stop. */
  readonly hidesRetries: boolean;
}

const Step = memo(function Step({
  run,
  row,
  label,
  top,
  height,
  columns,
  room = 0,
  isNow,
  isLater,
  isDim,
  showsTime,
  position,
  count,
  showsEndpoints,
  repeats,
  wrong,
  hidesRetries,
}: StepProps) {
  const { isNarrow, time, text } = columns;
  const clock = useWriteTime();
  const endpoints = showsEndpoints ? endpointsText(row, run) : "";
  const said = hidesRetries ? shortDetail(row) : row.detail;
  const detail = endpoints || [wrong, said].filter(Boolean).join("; ");
  const isAssumed = row.assumed !== undefined;
  const classes = [
    "step",
    isAssumed && "is-assumed",
    endpoints !== "" && "two-lines",
    endpoints === "" && !isNarrow && height > TEACH_ROW && "wraps",
    wrong !== "" && "differs",
    isDim && "dim",
    isLater && "later",
  ]
    .filter(Boolean)
    .join(" ");
  return (
    <div
      class={classes}
      role="option"
      id={`step-${row.index}`}
      data-row={row.index}
      aria-selected={isNow}
      aria-posinset={position + 1}
      aria-setsize={count}
      style={{ top: `${top}px`, height: `${height}px` }}
    >
      <div class="back" />
      <div
        class="label"
        style={
          isNarrow
            ? { marginLeft: `${columns.width - text}px`, width: `${text}px` }
            : { width: `${Math.max(time + text, room)}px` }
        }
      >
        {!isNarrow && (
          <span class="time" style={{ width: `${time - 8}px` }}>
            {showsTime ? clock(row.atMs) : ""}
          </span>
        )}
        <Mark name={row.kind} />
        <span
          class={row.isInsideHandler === true ? "text inside" : "text"}
          title={`${row.subject} ${row.verb} ${detail}`}
        >
          <span>
            <b>{row.subject}</b> {row.verb}
          </span>{" "}
          <span class="detail">
            {isNarrow ? `${clock(row.atMs)}${detail === "" ? "" : " · "}` : ""}
            {detail}
          </span>
        </span>
        {isAssumed && (
          <span class="chip assumed" title={row.assumed?.join("; ")}>
            assumed
          </span>
        )}
        {repeats > 1 && (
          <span class="chip repeats" title={`${repeats.toLocaleString("en")} times`}>
            ×{repeats.toLocaleString("en")}
          </span>
        )}
        <Chips row={row} hidesRetries={hidesRetries || text < ROOM_FOR_RETRIES} />
        {!isNarrow && room === 0 && label !== "" && <span class="letter">{label}</span>}
      </div>
    </div>
  );
});

/** What a class reads from afar: the lanes show whose phones stop, and an app's name stands before its address. */
function shortDetail({ subject, detail }: PageRow): string {
  const [first = ""] = detail.split(";");
  const parts = first.split(", ");
  return parts.filter((part) => !part.includes(`://${subject}/`)).join(", ");
}

/** What the endpoints of a row do: `timeout: Bob Tane mobile, desktop; Carol Diaz mobile`. */
function endpointsText({ endpoints }: PageRow, { summary }: LoadedRun): string {
  const nameOf = (id: string) => summary.lanes.find((lane) => lane.id === id)?.name ?? id;
  const found = new Map<string, Map<string, string>>();
  for (const { lane, endpoint, does } of endpoints) {
    const lanes = found.get(does) ?? new Map<string, string>();
    const known = lanes.get(lane);
    found.set(
      does,
      lanes.set(lane, known === undefined ? `${nameOf(lane)} ${endpoint}` : `${known}, ${endpoint}`),
    );
  }
  return [...found].map(([does, lanes]) => `${does}: ${[...lanes.values()].join("; ")}`).join("; ");
}

/** The results of a row's deliveries: the worst one, and how many attempts there were. */
export function Chips({ row, hidesRetries = false }: { row: PageRow; hidesRetries?: boolean }) {
  const outcomes = row.outcome === undefined ? row.deliveries.map(({ outcome }) => outcome) : [row.outcome];
  const [worst] = [...outcomes].sort((a, b) => severity(b.kind) - severity(a.kind));
  if (worst === undefined) return null;
  const tries = Math.max(1, ...row.deliveries.map((each) => each.attemptCount));
  const isBad = worst.kind === "failed" || worst.kind === "lost";
  return (
    <>
      {tries > 1 && row.kind === "event" && !hidesRetries && (
        <span class="chip retry" title={`Attempt 1 of ${tries}`}>
          <Mark name="retry" small />
          <span class="sr">attempt </span>1 of {tries}
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
