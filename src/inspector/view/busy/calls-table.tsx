import { Fragment } from "preact";
import { useState } from "preact/hooks";
import type { DeliveryHistory } from "../../model/delivery-histories.ts";
import { delayMs, deliveredMs, isDelayed, type Outage } from "../../model/incident.ts";
import { clock, counted, lengthText, timeOfDay } from "../common/format.ts";
import { Mark, outcomeMarks } from "../common/marks.tsx";
import { useActions } from "../state/context.ts";
import type { LoadedRun } from "../state/loading.ts";
import { laneName, type OverviewRecord } from "./calls.ts";
import { WhatIfUpButton } from "./what-if.tsx";

/** How many calls the table shows at first, and how many more each time. */
const FIRST = 25;
const MORE = 50;

/** The calls, one line each; a chosen one shows the requests of its events. */
export function CallsTable({
  run,
  records,
  outages,
}: {
  run: LoadedRun;
  records: readonly OverviewRecord[];
  outages: readonly Outage[];
}) {
  const [limit, setLimit] = useState(FIRST);
  const [open, setOpen] = useState<number | undefined>(undefined);
  const shown = records.slice(0, limit);
  const left = records.length - shown.length;
  return (
    <section class="calls" aria-label="Calls">
      <table class="calls-table">
        <thead>
          <tr>
            {["call", "began", "from", "to", "length", "outcome", "events", "how late", "what that did"].map(
              (head) => (
                <th key={head} class={head.replaceAll(" ", "-")}>
                  {head}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {shown.map((each) => (
            <Fragment key={each.index}>
              <CallRow
                run={run}
                of={each}
                isOpen={open === each.index}
                toggle={() => setOpen(open === each.index ? undefined : each.index)}
              />
              {open === each.index && (
                <tr class="in">
                  <td colSpan={9}>
                    <Ways run={run} of={each} outages={outages} />
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
      {shown.length === 0 && <p class="muted">No call matches all filters.</p>}
      {left > 0 && (
        <button type="button" class="all" onClick={() => setLimit(limit + MORE)}>
          {Math.min(MORE, left)} more of {left.toLocaleString("en")}
        </button>
      )}
    </section>
  );
}

function CallRow({
  run: { summary },
  of,
  isOpen,
  toggle,
}: {
  run: LoadedRun;
  of: OverviewRecord;
  isOpen: boolean;
  toggle(): void;
}) {
  const { record, from, to, outcome, histories, late, latestMs, lost, waiting, twice, inverted } = of;
  const lateness = [
    late > 0 && `${late} late, ${late === 1 ? "by" : "up to"} ${lengthText(latestMs)}`,
    waiting > 0 && `${waiting} not yet`,
    twice > 0 && `${twice} twice`,
  ].filter((part) => part !== false);
  const did = [
    inverted !== undefined && "ended before it began",
    lost > 0 && `${counted(lost, "event")} lost`,
  ].filter((part) => part !== false);
  return (
    <tr class={isOpen ? "call open" : "call"} onClick={toggle}>
      <td class="call">
        <button
          type="button"
          class="link num"
          aria-expanded={isOpen}
          aria-label={`${record.kind} ${record.label}`}
          onClick={(event) => {
            event.stopPropagation();
            toggle();
          }}
        >
          {record.label}
        </button>
      </td>
      <td class="began num">{timeOfDay(summary, record.fromMs)}</td>
      <td class="from num">
        <span title={from}>{from}</span>
      </td>
      <td class="to">
        <span title={to}>{to}</span>
      </td>
      <td class="length num">{clock(record.toMs - record.fromMs)}</td>
      <td class="outcome">
        <Mark name={outcome[0] === "answered" ? "answer" : outcome[0] === "" ? "wait" : "failed"} />{" "}
        {outcome[0] || "open"} <span class="muted">{outcome[1]}</span>
      </td>
      <td class="events">
        <Strip histories={histories} />
      </td>
      <td class="how-late num">{lateness.join("; ")}</td>
      <td class="what-that-did">{did.join("; ")}</td>
    </tr>
  );
}

/** How many events a strip shows as a mark each. */
const IN_STRIP = 12;

/** An event each: whether it came at once, late or not at all. */
function Strip({ histories }: { histories: readonly DeliveryHistory[] }) {
  if (histories.length === 0) return null;
  const late = histories.filter(isDelayed).length;
  const lost = histories.filter((each) => deliveredMs(each) === undefined).length;
  const label = `${counted(histories.length, "event")}: ${late} late, ${lost} not arrived`;
  return (
    <span class="marks" role="img" aria-label={label} title={label}>
      {histories.slice(0, IN_STRIP).map((history) => (
        <i
          key={history.key}
          class={deliveredMs(history) === undefined ? "lost" : isDelayed(history) ? "late" : "ok"}
        />
      ))}
      {histories.length > IN_STRIP && <small class="muted num">+{histories.length - IN_STRIP}</small>}
    </span>
  );
}

/** The requests of a call's events, on one scale of time. Events with equal requests share a line. */
function Ways({ run, of, outages }: { run: LoadedRun; of: OverviewRecord; outages: readonly Outage[] }) {
  const actions = useActions();
  const { histories, inverted, index, record } = of;
  const lines = alike(histories);
  const lanes = new Set(histories.map(({ lane }) => lane));
  const longest = Math.max(
    1,
    ...histories.map(({ attempts }) => (attempts.at(-1)?.atMs ?? 0) - (attempts[0]?.atMs ?? 0)),
  );
  const first = histories.find(({ trouble }) => trouble !== undefined);
  const at = (atMs: number) => timeOfDay(run.summary, atMs);
  const outage = outages.find(({ late, lost, waiting }) =>
    [...late, ...lost, ...waiting].some(({ record }) => record === index),
  );
  return (
    <>
      {lines.map(({ history, count }) => (
        <Way
          key={history.key}
          history={history}
          name={`${history.what}${count > 1 ? ` ×${count}` : ""}${lanes.size > 1 ? ` to ${laneName(run, history.lane)}` : ""}`}
          longest={longest}
        />
      ))}
      <p class="muted">
        {inverted !== undefined &&
          `Its end reached ${laneName(run, inverted.lane)} at ${at(inverted.endedMs)}, call.started at ${at(inverted.startedMs)}. `}
        <button
          type="button"
          class="link"
          onClick={() => actions.openCall(index, first?.row ?? record.fromRow)}
        >
          Show the steps of this call
        </button>{" "}
        {outage !== undefined && <WhatIfUpButton run={run} lane={outage.lane} />}
      </p>
    </>
  );
}

/** Deliveries of one type whose requests were at the same times, with the same answers. */
function alike(histories: readonly DeliveryHistory[]): { history: DeliveryHistory; count: number }[] {
  const lines = new Map<string, { history: DeliveryHistory; count: number }>();
  for (const history of histories) {
    const key = JSON.stringify([
      history.what,
      history.lane,
      history.attempts.map(({ atMs, text, isDuplicate }) => [atMs, text, isDuplicate]),
    ]);
    const known = lines.get(key);
    if (known === undefined) lines.set(key, { history, count: 1 });
    else known.count++;
  }
  return [...lines.values()];
}

function Way({ history, name, longest }: { history: DeliveryHistory; name: string; longest: number }) {
  const { attempts, givenUpMs } = history;
  const startMs = attempts[0]?.atMs ?? 0;
  const part = (atMs: number) => `${((atMs - startMs) / longest) * 100}%`;
  const late = delayMs(history);
  const end =
    givenUpMs !== undefined
      ? "given up"
      : late === undefined
        ? "not yet"
        : late === 0
          ? "at once"
          : lengthText(late);
  const said = attempts
    .map(({ text, atMs, isDuplicate }, index) =>
      index === 0 ? text : `${text}${isDuplicate ? " twice" : ` after ${lengthText(atMs - startMs)}`}`,
    )
    .join(", ");
  return (
    <div class="way">
      <b title={name}>{name}</b>
      <span class="line" role="img" aria-label={said} title={said}>
        <i style={{ width: part(attempts.at(-1)?.atMs ?? startMs) }} />
        {attempts.map(({ kind, atMs }, index) => (
          <span key={index} style={{ left: part(atMs) }}>
            <Mark name={outcomeMarks[kind]} />
          </span>
        ))}
      </span>
      <span class="num">{end}</span>
    </div>
  );
}
