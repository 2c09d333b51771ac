import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { compareRuns, type RunDifferences, type SideRow } from "../../model/compare-rows.ts";
import type { RunRecord } from "../../model/types.ts";
import { clock, counted } from "../common/format.ts";
import { Mark } from "../common/marks.tsx";
import type { Comparison } from "../state/comparing.ts";
import { useActions, useSelect } from "../state/context.ts";
import type { LoadedRun } from "../state/loading.ts";
import { useWriteTime } from "../state/use-clock.ts";
import { Chips } from "./ladder.tsx";

/** How many instants are shown at once. */
const PAGE = 200;

/** The run and another one side by side, from their first difference on. */
export function Compare() {
  const run = useSelect((state) => state.run);
  const comparison = useSelect((state) => state.comparison);
  const region = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => region.current?.focus(), [comparison]);
  if (run === undefined) return null;
  return (
    <div class="compare" role="region" aria-label="Two runs, side by side" tabindex={0} ref={region}>
      {comparison === undefined ? <ChooseOther /> : <SideBySide run={run} comparison={comparison} />}
    </div>
  );
}

/** Shown if there is nothing to compare with yet: offers a fork or a file. */
function ChooseOther() {
  const actions = useActions();
  return (
    <div class="choose">
      <h2>Compare this run</h2>
      <p>With a fork: choose a step, then Fork here, and what should be done instead.</p>
      <p>
        With another run: a journal that sim.journal() returned, or a golden stream with one event a line.
      </p>
      <FileChoice />
      <button type="button" class="button" onClick={() => actions.comparing.toggle()}>
        Close <kbd>Esc</kbd>
      </button>
    </div>
  );
}

function FileChoice() {
  const actions = useActions();
  return (
    <label class="button">
      Open a journal or a golden stream…
      <input
        type="file"
        class="sr"
        accept=".json,.jsonl,.txt"
        onChange={async (event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file !== undefined) await actions.comparing.withText(file.name, await file.text());
        }}
      />
    </label>
  );
}

function SideBySide({ run, comparison }: { run: LoadedRun; comparison: Comparison }) {
  const actions = useActions();
  const { other, isBefore = false } = comparison;
  const isOfFork = useSelect((state) => state.opened !== undefined);
  const compared = useMemo(
    () =>
      isBefore && other !== undefined
        ? compareRuns(other, { ...comparison, other: run })
        : compareRuns(run, comparison),
    [run, comparison],
  );
  const time = useWriteTime();
  const [pages, setPages] = useState(1);
  const shown = compared.instants.slice(0, PAGE * pages);
  return (
    <>
      <div class="compare-grid compare-head">
        <div />
        <div>
          <h2>{isBefore ? "Before" : isOfFork ? "The fork" : "Recorded"}</h2>
          <span class="muted">{run.summary.title}</span>
        </div>
        <div class="title">
          <div class="grow">
            <h2>{comparison.title}</h2>
            <span class="muted">{comparison.note}</span>
          </div>
          {comparison.isFork === true && (
            <button type="button" class="button" onClick={() => actions.openFork()}>
              Open this fork
            </button>
          )}
          <button type="button" class="button" onClick={() => actions.comparing.toggle()}>
            Close <kbd>Esc</kbd>
          </button>
        </div>
      </div>
      {isBefore && other !== undefined ? (
        <OutcomeChanges run={other} other={run} compared={compared} />
      ) : (
        <OutcomeChanges run={run} other={other} compared={compared} />
      )}
      {compared.sameBefore > 0 && (
        <div class="same-before">
          {counted(compared.sameBefore, "step")}{" "}
          {compared.firstMs === undefined ? "are" : "before the first difference are"} the same in both
        </div>
      )}
      <FirstDifference compared={compared} comparison={comparison} />
      <Skipped other={comparison.other} />
      <div class="compare-grid">
        {shown.map(({ atMs, left, right }) => (
          <>
            <div class="at num" key={atMs}>
              {time(atMs)}
            </div>
            <div class="cell">
              {left.map((side) => (
                <ComparedStep
                  key={side.row.index}
                  side={side}
                  sign="−"
                  only={`only in the ${isBefore ? "run before" : "recorded run"}:`}
                />
              ))}
            </div>
            <div class="cell">
              {right.map((side) => (
                <ComparedStep
                  key={side.row.index}
                  side={side}
                  sign="+"
                  only={`only in the ${isBefore ? "run after" : "other"}:`}
                />
              ))}
            </div>
          </>
        ))}
      </div>
      {shown.length < compared.instants.length && (
        <div class="choose">
          <button type="button" class="button" onClick={() => setPages(pages + 1)}>
            {counted(compared.instants.length - shown.length, "more instant")}
          </button>
        </div>
      )}
    </>
  );
}

function FirstDifference({
  compared: { first, firstMs },
  comparison: { isBefore = false, data = [] },
}: {
  compared: RunDifferences;
  comparison: Comparison;
}) {
  const time = useWriteTime();
  if (first === undefined || firstMs === undefined)
    return (
      <div class="first-difference">
        {data.length === 0 ? (
          "The two runs are the same."
        ) : (
          <ul aria-label="Data that differs">
            {data.map((line) => (
              <li key={line}>
                <code>{line}</code>
              </li>
            ))}
          </ul>
        )}
      </div>
    );
  const { row, isNew } = first;
  return (
    <div class="first-difference">
      <b aria-hidden="true">≠</b>
      <span>
        First difference: {time(firstMs)},{" "}
        {isNew
          ? `only the ${isBefore ? "run after the change" : "second"} has`
          : `only the ${isBefore ? "run before" : "recorded run"} has`}{" "}
        “{row.subject} {row.verb}”{row.detail === "" ? "" : `, ${row.detail}`}.
      </span>
    </div>
  );
}

/** Commands of the run that the fork does not allow. */
function Skipped({ other }: { other: LoadedRun | undefined }) {
  const skipped = other?.summary.skipped ?? [];
  if (skipped.length === 0) return null;
  return (
    <div class="notice">
      <Mark name="retry" />
      <details class="grow">
        <summary>{counted(skipped.length, "command")} of the run refused in the fork</summary>
        <pre tabindex={0}>{skipped.join("\n")}</pre>
      </details>
    </div>
  );
}

function ComparedStep({
  side: { row, isSame },
  sign,
  only,
}: {
  side: SideRow;
  sign: "−" | "+";
  only: string;
}) {
  const how = isSame ? "same" : sign === "−" ? "gone" : "new";
  return (
    <div class={`item ${how}`}>
      <span class="sign" aria-hidden="true">
        {isSame ? "" : sign}
      </span>
      {!isSame && <span class="sr">{only}</span>}
      <Mark name={row.kind} />
      <span class="text" title={`${row.subject} ${row.verb} ${row.detail}`}>
        <b>{row.subject}</b> {row.verb} <span class="detail muted">{row.detail}</span>
      </span>
      <Chips row={row} />
    </div>
  );
}

/** The outcomes of the calls that ended differently. */
function OutcomeChanges({
  run,
  other,
  compared,
}: {
  run: LoadedRun;
  other: LoadedRun | undefined;
  compared: RunDifferences;
}) {
  const changed = run.summary.records.flatMap((record) => {
    const twin =
      other?.summary.records.find(({ id }) => id === record.id) ??
      other?.summary.records.find(({ label }) => label === record.label);
    return twin === undefined || (twin.outcome === record.outcome && twin.toMs === record.toMs)
      ? []
      : [{ record, twin }];
  });
  return (
    <div class="sums num">
      {changed.slice(0, 6).map(({ record, twin }) => (
        <OutcomeChange key={record.id} record={record} twin={twin} />
      ))}
      <span>
        <b>{counted(compared.gone, other === undefined ? "event" : "step")}</b> gone, <b>{compared.added}</b>{" "}
        new
      </span>
    </div>
  );
}

function OutcomeChange({ record, twin }: { record: RunRecord; twin: RunRecord }) {
  return (
    <>
      {record.outcome !== twin.outcome && (
        <span>
          {record.label}: <b>{record.outcome || "open"}</b> → <b>{twin.outcome || "open"}</b>
        </span>
      )}
      {record.toMs !== twin.toMs && (
        <span>
          {record.label} lasts <b>{clock(record.toMs - record.fromMs)}</b> →{" "}
          <b>{clock(twin.toMs - twin.fromMs)}</b>
        </span>
      )}
    </>
  );
}
