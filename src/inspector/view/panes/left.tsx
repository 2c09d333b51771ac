import { useMemo, useState } from "preact/hooks";
import type { MarkName } from "../../../look/marks.ts";
import { spaceWords } from "../../model/row-text.ts";
import {
  type PageRow,
  type RowDelivery,
  type RunRecord,
  type SpanKind,
  showsFailure,
} from "../../model/types.ts";
import { clock, counted, lengthText } from "../common/format.ts";
import { kindNames, Mark } from "../common/marks.tsx";
import { listTones, type Tone } from "../common/tones.ts";
import { ServerSection } from "../frame/live-panel.tsx";
import { chosenIn, listLabels } from "../state/chosen.ts";
import { useActions, useSelect, useTurn } from "../state/context.ts";
import { filterParts, searchText } from "../state/layout.ts";
import { useChosen } from "../state/use-chosen.ts";
import { useWriteTime, type WriteTime } from "../state/use-clock.ts";
import { AskPane } from "./ask.tsx";

/** How many lines a list shows at first. */
const PAGE = 40;

/** The left panel: filter, calls, failures, kinds. */
export function Left() {
  return (
    <nav aria-label="Calls and filters">
      <Filter />
      <Description />
      <Records />
      <AskPane />
      <WentWrong />
      <Kinds />
      <Legend />
      <ServerSection />
    </nav>
  );
}

function Filter() {
  const actions = useActions();
  const query = useSelect((state) => state.query);
  return (
    <div class="filter">
      <label class="search">
        <svg class="mark" viewBox="0 0 16 16" aria-hidden="true">
          <circle cx="7" cy="7" r="4.5" fill="none" stroke="currentColor" stroke-width="1.5" />
          <path d="m10.5 10.5 3.5 3.5" stroke="currentColor" stroke-width="1.5" />
        </svg>
        <span class="sr">Filter steps</span>
        <input
          id="filter"
          value={query}
          placeholder="Filter: bob, 503, call.*"
          onInput={(event) => actions.view.filter(event.currentTarget.value)}
        />
        <kbd aria-hidden="true">/</kbd>
      </label>
    </div>
  );
}

function Description() {
  const text = useSelect((state) => state.source?.description);
  if (text === undefined || text.trim() === "") return null;
  return (
    <div class="section">
      <details open>
        <summary class="muted">What to notice</summary>
        <p>{text.trim()}</p>
      </details>
    </div>
  );
}

function Records() {
  const summary = useSelect((state) => state.run?.summary);
  const records = summary?.records ?? [];
  const query = useSelect((state) => state.query);
  const chosen = useSelect((state) => state.record);
  const journey = useChosen();
  const [pages, setPages] = useState(1);
  const indexes = useMemo(() => {
    const parts = filterParts(query);
    return records.flatMap((record, index) => (records.length <= PAGE || fits(record, parts) ? [index] : []));
  }, [records, query]);
  if (summary === undefined) return null;
  const shown = indexes.slice(0, PAGE * pages);
  if (chosen !== undefined && !shown.includes(chosen)) shown.unshift(chosen);
  return (
    <div class="section">
      <div class="section-head">
        <h2>Calls and conversations</h2>
        {records.length > 1 && (
          <span class="muted num">
            {records.length > PAGE ? `${records.length.toLocaleString("en")}, ` : ""}oldest first
          </span>
        )}
      </div>
      <JourneySwitch />
      {shown.map((index) => (
        <RecordButton key={index} index={index} isOfJourney={journey?.has(index) === true} />
      ))}
      {indexes.length > shown.length && (
        <button type="button" class="mini" onClick={() => setPages(pages + 1)}>
          {counted(indexes.length - shown.length, "more call")}
        </button>
      )}
      {summary.records.length === 0 && <p class="muted">None in this run.</p>}
    </div>
  );
}

/** Says that the chosen call has others in its journey, and leaves them out on demand. */
function JourneySwitch() {
  const actions = useActions();
  const run = useSelect((state) => state.run);
  const record = useSelect((state) => state.record);
  const isAlone = useSelect((state) => state.isAlone);
  const whole = useMemo(() => chosenIn(run, { record, isAlone: false }), [run, record]);
  if (run === undefined || whole === undefined || whole.size < 2) return null;
  return (
    <div class="journey">
      <span>
        One journey: {counted(whole.size, "call")}, {listLabels(run, whole, 6)}
      </span>
      <button
        type="button"
        class="mini"
        aria-pressed={isAlone}
        onClick={() => actions.view.toggle("isAlone")}
      >
        This call alone <kbd>G</kbd>
      </button>
    </div>
  );
}

function fits({ title, outcome, label, people }: RunRecord, parts: ReturnType<typeof filterParts>): boolean {
  const text = searchText([title, outcome, label, ...people].join(" "));
  return parts.every((part) => part(text));
}

const stateTexts: Readonly<Record<SpanKind, string>> = {
  wait: "waiting",
  ring: "ringing",
  talk: "talking",
  voicemail: "in voicemail",
  message: "open",
};
const stateMarks: Readonly<Record<SpanKind, MarkName>> = {
  wait: "wait",
  ring: "ring",
  talk: "answer",
  voicemail: "voicemail",
  message: "message",
};

/** The state of a record at an instant. */
function stateAt(record: RunRecord, atMs: number): { mark: MarkName; text: string } {
  if (atMs < record.fromMs) return { mark: "idle", text: "not yet" };
  const last = record.spans.at(-1);
  // without an outcome, it is still live at the end of the run
  const open = record.outcome === "" && last !== undefined && atMs >= last.toMs ? last : undefined;
  const now = record.spans.find(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs) ?? open;
  if (now !== undefined)
    return { mark: stateMarks[now.kind], text: `${stateTexts[now.kind]}, ${clock(atMs - now.fromMs)}` };
  if (record.kind === "conversation") return { mark: "idle", text: record.outcome || "over" };
  const isGood = record.outcome.startsWith("answered");
  return { mark: isGood ? "answer" : "failed", text: spaceWords(record.outcome) || "over" };
}

function RecordButton({ index, isOfJourney }: { index: number; isOfJourney: boolean }) {
  const actions = useActions();
  const record = useSelect((state) => state.run?.summary.records[index]);
  const endMs = useSelect((state) => state.run?.summary.endMs) ?? 1;
  const isMany = useSelect((state) => (state.run?.summary.records.length ?? 0) > PAGE);
  // clamps the time to the record's own, so that a long list is not drawn again at each step
  const atMs = useSelect((state) => {
    const ms = state.run?.rows[state.now]?.atMs ?? 0;
    const own = state.run?.summary.records[index];
    return !isMany || own === undefined ? ms : Math.max(own.fromMs - 1, Math.min(own.toMs, ms));
  });
  const isChosen = useSelect((state) => state.record === index);
  if (record === undefined) return null;
  const { mark, text } = stateAt(record, atMs);
  const [from, to] = record.title.split(" → ");
  return (
    <button
      type="button"
      class={isOfJourney && !isChosen ? "record of-journey" : "record"}
      aria-pressed={isChosen}
      onClick={() => actions.view.choose(index)}
    >
      <span class="tag">{record.label}</span>
      <b>{from || record.id}</b>
      <span class="muted num">
        {record.toMs - record.fromMs < 3_600_000
          ? clock(record.toMs - record.fromMs)
          : lengthText(record.toMs - record.fromMs)}
      </span>
      {to !== undefined && <span class="to">to {to}</span>}
      <span class="state">
        <Mark name={mark} small />
        <span>{text}</span>
      </span>
      <Spark record={record} atMs={isMany ? 0 : atMs} endMs={endMs} marksNow={!isMany} />
    </button>
  );
}

const spanColours: Readonly<Record<SpanKind, string>> = {
  wait: "var(--timer)",
  ring: "var(--ring)",
  talk: "var(--answer)",
  voicemail: "var(--voicemail)",
  message: "var(--message)",
};

function Spark({
  record,
  atMs,
  endMs,
  marksNow,
}: {
  record: RunRecord;
  atMs: number;
  endMs: number;
  marksNow: boolean;
}) {
  // the first minutes are the busiest: the square root gives them more room
  const x = (ms: number) => 180 * Math.sqrt(Math.max(0, Math.min(1, ms / Math.max(1, endMs))));
  return (
    <svg class="spark" viewBox="0 0 180 8" preserveAspectRatio="none" aria-hidden="true">
      <rect x="0" y="3" width="180" height="2" rx="1" fill="var(--line)" />
      {record.spans.map(({ kind, fromMs, toMs }, index) => (
        <rect
          key={index}
          x={x(fromMs)}
          y="1"
          width={Math.max(2, x(toMs) - x(fromMs))}
          height="6"
          fill={spanColours[kind]}
        />
      ))}
      {marksNow && <rect x={x(atMs) - 1} y="0" width="2" height="8" fill="var(--accent)" />}
    </svg>
  );
}

interface Problem {
  readonly row: PageRow;
  readonly text: string;
  /** How it failed: each different outcome once. */
  readonly outcomes: readonly string[];
  /** When it failed, from the start of the run, ms. */
  readonly times: readonly number[];
  /** For a failed delivery, the delivery. */
  readonly delivery: RowDelivery | undefined;
  /** How the platform ended it, such as `is given up`. */
  readonly end?: string;
}

/** The problems. Failures of one delivery share a line, and so do requests that fail in the same way. */
function problemsIn(rows: readonly PageRow[], laneName: (lane: string) => string): Problem[] {
  const found = new Map<string, Problem>();
  for (const row of rows) {
    if (!showsFailure(row) || row.kind === "lost") continue;
    const bad = row.deliveries.find(({ outcome }) => outcome.kind === "failed" || outcome.kind === "lost");
    const outcome = (bad?.outcome ?? row.outcome)?.text ?? "failed";
    const key = bad?.id ?? `${row.subject} ${row.verb} ${row.detail} ${outcome}`;
    const known = found.get(key);
    const ends = row.kind === "failed" ? { end: row.verb } : {};
    if (known !== undefined) {
      const more =
        row.kind === "failed"
          ? ends
          : { times: [...known.times, row.atMs], outcomes: [...new Set([...known.outcomes, outcome])] };
      found.set(key, { ...known, ...more });
      continue;
    }
    const to = bad === undefined ? row.verb : `→ ${laneName(bad.lane)}`;
    const outcomes = [row.kind === "failed" ? row.verb : outcome];
    found.set(key, { row, text: `${row.subject} ${to}`, outcomes, times: [row.atMs], delivery: bad });
  }
  return [...found.values()];
}

/** When it failed and what followed: `0:00; attempt 2 at 2:49: 200`. */
function attemptsText(
  { times, delivery, end: ended }: Problem,
  ends: ReadonlyMap<string, LastAttempt>,
  time: WriteTime,
): string {
  const said = times.slice(0, 3).map(time).join(", ");
  const when = times.length > 3 ? `${said} …` : said;
  if (ended !== undefined) return `at ${when}; ${ended}`;
  const end = ends.get(delivery?.id ?? "");
  if (end === undefined) return `at ${when}`;
  return `at ${when}; ${end.isDue ? "next attempt" : `attempt ${end.attempt}`} at ${time(end.atMs)}${end.isDue ? "" : `: ${end.text}`}`;
}

/** The last attempt of a delivery, or the next one if the run ends before it. */
interface LastAttempt {
  readonly attempt: number;
  readonly atMs: number;
  readonly text: string;
  readonly isDue: boolean;
}

/** How each delivery with several attempts ended, or will go on. */
function lastAttempts(rows: readonly PageRow[]): Map<string, LastAttempt> {
  const ends = new Map<string, LastAttempt>();
  for (const { atMs, deliveries, kind } of rows) {
    if (kind !== "event" && kind !== "retry") continue;
    for (const { id, attempt, outcome, nextMs } of deliveries)
      if (nextMs !== undefined) ends.set(id, { attempt: attempt + 1, atMs: nextMs, text: "", isDue: true });
      else if (attempt > 1) ends.set(id, { attempt, atMs, text: outcome.text, isDue: false });
  }
  return ends;
}

function WentWrong() {
  const time = useWriteTime();
  const actions = useActions();
  const run = useSelect((state) => state.run);
  const isOnly = useSelect((state) => state.onlyFailures);
  const [pages, setPages] = useState(1);
  const isTurn = useTurn(run, 3);
  const problems = useMemo(() => {
    const shorts = new Map(run?.summary.lanes.map(({ id, short }) => [id, short]));
    return run?.isWhole && isTurn ? problemsIn(run.rows, (lane) => shorts.get(lane) ?? lane) : [];
  }, [run, isTurn]);
  const ends = useMemo(
    () => (run === undefined || problems.length === 0 ? new Map() : lastAttempts(run.rows)),
    [problems],
  );
  if (problems.length === 0) return null;
  const shown = problems.slice(0, 8 * pages);
  return (
    <div class="section">
      <div class="section-head">
        <h2>Went wrong</h2>
        <button
          type="button"
          class="mini"
          aria-pressed={isOnly}
          onClick={() => actions.view.toggle("onlyFailures")}
        >
          Only these
        </button>
      </div>
      {shown.map((problem) => {
        const { row, text, outcomes, times } = problem;
        const isLost = row.deliveries.some((each) => each.outcome.kind === "lost") && row.kind !== "failed";
        return (
          <button
            type="button"
            class="problem"
            key={row.index}
            onClick={() => actions.playback.select(row.index)}
          >
            <Mark name={isLost ? "lost" : "failed"} />
            <span title={text}>
              {/* a long type breaks behind a full stop */}
              {text.split(/(?<=\.)/).map((part) => (
                <>
                  {part}
                  <wbr />
                </>
              ))}
            </span>
            <b style={{ color: isLost ? "var(--lost)" : "var(--failed)" }}>
              {outcomes.join(", ")}
              {times.length > 1 ? ` ×${times.length}` : ""}
            </b>
            <small class="muted num">{attemptsText(problem, ends, time)}</small>
          </button>
        );
      })}
      {problems.length > shown.length && (
        <button type="button" class="mini" onClick={() => setPages(pages + 1)}>
          {(problems.length - shown.length).toLocaleString("en")} more
        </button>
      )}
    </div>
  );
}

function Kinds() {
  const actions = useActions();
  const run = useSelect((state) => state.run);
  const hidden = useSelect((state) => state.hidden);
  const isTurn = useTurn(run, 4);
  const counts = useMemo(() => {
    const found = new Map<Tone, number>();
    for (const row of run?.isWhole && isTurn ? run.rows : [])
      for (const tone of listTones(row)) found.set(tone, (found.get(tone) ?? 0) + 1);
    return found;
  }, [run, isTurn]);
  if (run === undefined || run.rows.length === 0) return null;
  const names = Object.entries(kindNames) as [Tone, string][];
  return (
    <div class="section">
      <div class="section-head">
        <h2>Kinds</h2>
      </div>
      <div class="kinds">
        {names
          .filter(([tone]) => counts.has(tone))
          .map(([tone, name]) => (
            <button
              type="button"
              class="kind"
              key={tone}
              aria-pressed={!hidden.has(tone)}
              onClick={() => actions.view.toggleKind(tone)}
            >
              <Mark name={tone} />
              <span class="name">{name}</span>
              <span class="num">{counts.get(tone)?.toLocaleString("en")}</span>
            </button>
          ))}
      </div>
    </div>
  );
}

function Legend() {
  const hasRows = useSelect((state) => (state.run?.rows.length ?? 0) > 0);
  if (!hasRows) return null;
  const swatches: readonly [string, preact.ComponentChildren][] = [
    [
      "Waits",
      <rect
        x="5"
        y="1"
        width="6"
        height="14"
        rx="1"
        fill="none"
        stroke="var(--command)"
        stroke-width="1.5"
        stroke-dasharray="3 2"
      />,
    ],
    [
      "Rings",
      <rect
        x="5"
        y="1"
        width="6"
        height="14"
        rx="1"
        fill="url(#hatch-ring)"
        stroke="var(--ring)"
        stroke-width="1"
      />,
    ],
    ["Talks", <rect x="4" y="1" width="8" height="14" rx="2" fill="var(--answer)" />],
    [
      "Voicemail",
      <rect
        x="4"
        y="1"
        width="8"
        height="14"
        rx="2"
        fill="url(#weave-voicemail)"
        stroke="var(--voicemail)"
        stroke-width="1"
      />,
    ],
    [
      "Declined",
      <path d="m3.5 3.5 9 9m0-9-9 9" stroke="var(--failed)" stroke-width="2" stroke-linecap="round" />,
    ],
    [
      "Timed out",
      <path d="M8 2v11M3.5 13.500h9" stroke="var(--timer)" stroke-width="2" stroke-linecap="round" />,
    ],
  ];
  return (
    <div class="section">
      <div class="section-head">
        <h2>In the lanes</h2>
      </div>
      <div class="kinds">
        {swatches.map(([name, shape]) => (
          <span class="kind" key={name}>
            <svg class="swatch" viewBox="0 0 16 16" aria-hidden="true">
              {shape}
            </svg>
            <span class="name">{name}</span>
          </span>
        ))}
      </div>
    </div>
  );
}
