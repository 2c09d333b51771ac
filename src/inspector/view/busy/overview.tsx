import { useMemo, useState } from "preact/hooks";
import { clock, counted, lengthText } from "../common/format.ts";
import { useActions, useSelect } from "../state/context.ts";
import type { LoadedRun } from "../state/loading.ts";
import { Bands } from "./bands.tsx";
import {
  bandsOf,
  callerOf,
  type DeliveryHistory,
  deliveryHistories,
  type OverviewRecord,
  overviewRecords,
  type Trouble,
  troubleNames,
  troubles,
} from "./delivery-histories.ts";
import { Filter, type TimeRange } from "./filter.tsx";
import { type FilterOption, filterOptions } from "./suggest.ts";

/** How many calls the table shows at first, and how many more each time. */
const FIRST = 25;
const MORE = 50;
/** How many deliveries of a kind are shown before all are asked for. */
const OF_A_KIND = 3;

/** A run of many calls: what went wrong first, and behind each call its steps. */
export function Overview() {
  const run = useSelect((state) => state.run);
  // a run arrives in chunks; the overview is computed once, at the end
  if (run === undefined) return null;
  if (!run.isWhole) return <div class="waiting">Reading the calls</div>;
  return <OverviewOf run={run} />;
}

function OverviewOf({ run }: { run: LoadedRun }) {
  const { histories, records, bands, choices } = useMemo(() => {
    const histories = deliveryHistories(run);
    const records = overviewRecords(run, histories);
    return {
      histories,
      records,
      bands: bandsOf(run, histories, records),
      choices: filterOptions(run, histories, records),
    };
  }, [run]);
  const [chosen, setChosen] = useState<readonly FilterOption[]>([]);
  const [range, setRange] = useState<TimeRange | undefined>(undefined);
  const isIn = (record: number) =>
    chosen.every((choice) => choice.records.has(record)) && overlaps(run, record, range);
  const isAll = chosen.length === 0 && range === undefined;
  const shown = isAll ? records : records.filter(({ index }) => isIn(index));
  const wrong = histories.filter(({ trouble, record }) => trouble !== undefined && (isAll || isIn(record)));
  return (
    <div class="overview" tabindex={-1}>
      <h2 class="headline">
        <Headline run={run} histories={histories} />
      </h2>
      <Filter choices={choices} chosen={chosen} range={range} choose={setChosen} limit={setRange} />
      <Bands run={run} bands={bands} range={range} limit={setRange} />
      <div class="overview-lists">
        {wrong.length > 0 && <WentWrong run={run} histories={wrong} />}
        <Calls records={shown} total={records.length} />
      </div>
    </div>
  );
}

function overlaps({ summary }: LoadedRun, index: number, range: TimeRange | undefined): boolean {
  const record = summary.records[index];
  return (
    range === undefined ||
    (record !== undefined && record.fromMs <= range.toMs && record.toMs >= range.fromMs)
  );
}

/** The run in one sentence. */
function Headline({ run, histories }: { run: LoadedRun; histories: readonly DeliveryHistory[] }) {
  const { summary } = run;
  const count = (...kinds: readonly Trouble[]) =>
    histories.filter(({ trouble }) => trouble !== undefined && kinds.includes(trouble)).length;
  const [givenUp, late, twice, refused] = [
    count("givenUp"),
    count("error", "loss"),
    count("twice"),
    count("refused"),
  ];
  const are = (number: number) => (number === 1 ? "was" : "were");
  const parts = [
    givenUp > 0 && (
      <b class="bad">{`${counted(givenUp, "delivery", "deliveries")} ${are(givenUp)} given up`}</b>
    ),
    late > 0 && `${late.toLocaleString("en")} came late`,
    twice > 0 && `${twice.toLocaleString("en")} came twice`,
    refused > 0 && `the REST API refused ${counted(refused, "kind of request", "kinds of requests")}`,
  ].filter(Boolean);
  const calls = summary.records.filter(({ kind }) => kind === "call").length;
  const others = summary.records.length - calls;
  return (
    <>
      {counted(calls, "call")}
      {others > 0 && `, ${counted(others, "conversation")}`} and {counted(summary.eventCount, "event")} in{" "}
      {lengthText(summary.endMs)}
      {parts.length === 0
        ? ": every delivery arrived once."
        : parts.map((part, index) => (
            <>
              {index === 0 ? ": " : ", "}
              {part}
            </>
          ))}
      {parts.length > 0 && "."}
    </>
  );
}

/** Opens the steps of a call at a row. */
function useOpen(): (record: number, row: number) => void {
  const actions = useActions();
  return (record, row) => actions.openCall(record, row);
}

/** The deliveries that went wrong, by kind. */
function WentWrong({ run, histories }: { run: LoadedRun; histories: readonly DeliveryHistory[] }) {
  return (
    <section class="went-wrong" aria-label="Went wrong">
      <h2>
        Went wrong{" "}
        <span class="muted">
          {counted(histories.length, "delivery or request", "deliveries and requests")}
        </span>
      </h2>
      {troubles.map((trouble) => {
        const own = histories.filter((history) => history.trouble === trouble);
        return own.length === 0 ? null : <Kind key={trouble} run={run} trouble={trouble} histories={own} />;
      })}
    </section>
  );
}

function Kind({
  run,
  trouble,
  histories,
}: {
  run: LoadedRun;
  trouble: Trouble;
  histories: readonly DeliveryHistory[];
}) {
  const open = useOpen();
  const [isAll, setAll] = useState(false);
  const shorts = new Map(run.summary.lanes.map(({ id, short }) => [id, short]));
  const shown = isAll ? histories : histories.slice(0, OF_A_KIND);
  const about = inCommon(run, histories);
  return (
    <div class={`trouble ${trouble}`}>
      <h3>
        {troubleNames[trouble]} <span class="num">{histories.length.toLocaleString("en")}</span>
      </h3>
      {about !== "" && <p class="muted num">{about}</p>}
      {shown.map((history) => {
        const record = run.summary.records[history.record];
        return (
          <button type="button" key={history.key} onClick={() => open(history.record, history.row)}>
            <span>
              <b>{history.what}</b> {history.lane !== "" && `to ${shorts.get(history.lane) ?? history.lane}`}
            </span>
            <small class="muted num">
              {record === undefined ? "" : `${record.kind} ${record.label}, `}
              {clock(history.atMs)}
            </small>
            {record !== undefined && <small class="muted num who">{record.title}</small>}
            <Attempts history={history} />
          </button>
        );
      })}
      {histories.length > shown.length && (
        <button type="button" class="all" onClick={() => setAll(true)}>
          All {histories.length.toLocaleString("en")}
        </button>
      )}
    </div>
  );
}

/** What all failures of a kind have in common: the caller, or their time range. */
function inCommon({ summary }: LoadedRun, histories: readonly DeliveryHistory[]): string {
  if (histories.length < 2) return "";
  const callers = histories.map(({ record }) => callerOf(summary.records[record]?.title ?? ""));
  if (callers[0] !== "" && callers.every((each) => each === callers[0])) return `all from ${callers[0]}`;
  const times = histories.flatMap(({ attempts }) => attempts.filter(({ kind }) => kind !== "delivered"));
  if (times.length === 0) return "";
  const at = times.map(({ atMs }) => atMs);
  return `from ${clock(Math.min(...at))} to ${clock(Math.max(...at))}`;
}

/** The attempts of a delivery: `503`, 2 min 49 s, `204`. */
function Attempts({ history: { attempts, givenUpMs, trouble } }: { history: DeliveryHistory }) {
  const first = attempts[0];
  // equal REST requests show their number; a delivery shows its pauses
  if (trouble === "refused")
    return (
      <span class="way">
        <span class="chip failed">{first?.text}</span>
        {attempts.length > 1 && `${attempts.length.toLocaleString("en")} times`}
      </span>
    );
  return (
    <span class="way">
      {attempts.map(({ text, kind, isDuplicate, atMs }, index) => (
        <>
          {index > 0 && !isDuplicate && (
            <small class="muted">{lengthText(atMs - (attempts[index - 1]?.atMs ?? 0))}</small>
          )}
          <span class={`chip ${kind}`}>
            {text}
            {isDuplicate && " twice"}
          </span>
        </>
      ))}
      {givenUpMs !== undefined && <small class="muted">given up</small>}
    </span>
  );
}

function Calls({ records, total }: { records: readonly OverviewRecord[]; total: number }) {
  const open = useOpen();
  const [limit, setLimit] = useState(FIRST);
  const shown = records.slice(0, limit);
  const hasWrong = shown.some(({ histories }) => histories.length > 0);
  return (
    <section class="calls" aria-label="Calls">
      <h2>
        Calls{" "}
        <span class="muted">
          {records.length.toLocaleString("en")} of {total.toLocaleString("en")}
        </span>
      </h2>
      <div class="calls-table" tabindex={0} role="region" aria-label="Table of calls">
        <table>
          <thead>
            <tr>
              {hasWrong && <th>Went wrong</th>}
              <th>Call</th>
              <th>From</th>
              <th>To</th>
              <th>Begins</th>
              <th>Length</th>
              <th>Outcome</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ index, record, from, to, outcome, histories, rank }) => (
              <tr key={index} class={histories.length === 0 ? "" : (troubles[rank] ?? "")}>
                {hasWrong && (
                  <td>
                    {histories.map((history) => (
                      <div class="ways" key={history.key}>
                        {history.what.replace(/^call\./, "")} <Attempts history={history} />
                      </div>
                    ))}
                  </td>
                )}
                <td>
                  <button
                    type="button"
                    class="link num"
                    aria-label={`Steps of ${record.kind} ${record.label}`}
                    onClick={() => open(index, histories[0]?.row ?? record.fromRow)}
                  >
                    {record.label}
                  </button>
                </td>
                <td class="num">{from}</td>
                <td>{to}</td>
                <td class="num">{clock(record.fromMs)}</td>
                <td class="num">{clock(record.toMs - record.fromMs)}</td>
                <td>
                  {outcome[0] || "open"} <span class="muted">{outcome[1]}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length === 0 && <p class="muted">No call matches all filters.</p>}
      {records.length > limit && (
        <button type="button" class="all" onClick={() => setLimit(limit + MORE)}>
          {Math.min(MORE, records.length - limit)} more of {(records.length - limit).toLocaleString("en")}
        </button>
      )}
    </section>
  );
}
