import { useMemo, useState } from "preact/hooks";
import { type DeliveryHistory, deliveryHistories } from "../../model/delivery-histories.ts";
import {
  delayMs,
  findOutages,
  isDelayed,
  isDoubled,
  isWaiting,
  mainOutage,
  type Outage,
} from "../../model/incident.ts";
import { outageEffect, outageTime, outageVerb } from "../../model/incident-words.ts";
import { counted, lengthText, timeOfDay } from "../common/format.ts";
import { useActions, useSelect } from "../state/context.ts";
import type { LoadedRun } from "../state/loading.ts";
import { Bands } from "./bands.tsx";
import { groupCalls, laneName, makeBands, type OverviewRecord, overviewRecords } from "./calls.ts";
import { CallsTable } from "./calls-table.tsx";
import { Filter, type ShownRange } from "./filter.tsx";
import { Headline } from "./headline.tsx";
import { type FilterOption, filterOptions } from "./suggest.ts";
import { WhatIfUpButton } from "./what-if.tsx";

/** A run of many calls: what went wrong first, and behind each call its steps. */
export function Overview() {
  const run = useSelect((state) => state.run);
  // a run arrives in chunks; the overview is computed once, at the end
  if (run === undefined) return null;
  if (!run.isWhole) return <div class="waiting">Reading the calls</div>;
  return <LoadedOverview run={run} key={run.number} />;
}

function LoadedOverview({ run }: { run: LoadedRun }) {
  const { histories, records, outages, bands, choices, groups } = useMemo(() => {
    const histories = deliveryHistories(run);
    const records = overviewRecords(run, histories);
    return {
      ...{ histories, records, groups: groupCalls(records) },
      outages: findOutages(histories).filter(
        ({ late, lost, waiting }) => late.length + lost.length + waiting.length > 0,
      ),
      bands: makeBands(run, histories, records),
      choices: filterOptions(run, histories, records),
    };
  }, [run]);
  const main = mainOutage(outages, histories);
  const [group, setGroup] = useState(groups[0]);
  const [chosen, setChosen] = useState<readonly FilterOption[]>([]);
  const [range, setRange] = useState<ShownRange | undefined>(undefined);
  const shown = records.filter(
    ({ index }) =>
      (group === undefined || group.records.has(index)) &&
      chosen.every((choice) => choice.records.has(index)) &&
      overlaps(run, index, range),
  );
  return (
    <div class="overview" tabindex={-1}>
      <h2 class="headline">
        <Headline run={run} histories={histories} outage={main} />
      </h2>
      <Facts run={run} histories={histories} records={records} outages={main === undefined ? [] : outages} />
      <Bands run={run} bands={bands} outages={outages} range={range} limit={setRange} />
      <div class="overview-bar">
        <h2>Calls</h2>
        <div class="groups" role="group" aria-label="Which calls">
          {groups.map((each) => (
            <button
              type="button"
              class={each === group ? "pill on" : "pill"}
              aria-pressed={each === group}
              key={each.name}
              onClick={() => setGroup(each)}
            >
              {each.name} <b class="num">{each.records.size.toLocaleString("en")}</b>
            </button>
          ))}
        </div>
        <Filter
          run={run}
          choices={choices}
          chosen={chosen}
          range={range}
          choose={setChosen}
          limit={setRange}
        />
      </div>
      <CallsTable run={run} records={shown} outages={outages} />
    </div>
  );
}

function overlaps({ summary }: LoadedRun, index: number, range: ShownRange | undefined): boolean {
  const record = summary.records[index];
  return (
    range === undefined ||
    (record !== undefined && record.fromMs <= range.toMs && record.toMs >= range.fromMs)
  );
}

/** The figures below the sentence; if that names an outage, also the others, and the run in which the host was up. */
function Facts({
  run,
  histories,
  records,
  outages,
}: {
  run: LoadedRun;
  histories: readonly DeliveryHistory[];
  records: readonly OverviewRecord[];
  outages: readonly Outage[];
}) {
  const actions = useActions();
  const { summary } = run;
  const late = histories.filter(isDelayed);
  const lost = histories.filter(({ givenUpMs }) => givenUpMs !== undefined).length;
  const inverted = records.filter((each) => each.inverted !== undefined).length;
  const twice = histories.filter(isDoubled).length;
  const others = histories.filter(({ lane }) => lane === "");
  const calls = summary.records.filter(({ kind }) => kind === "call").length;
  const conversations = summary.records.length - calls;
  const arrived = late.flatMap(({ attempts }) => attempts.filter(({ kind }) => kind === "delivered"));
  const [first, ...more] = outages;
  return (
    <div class="facts num">
      {(first !== undefined || lost > 0) && (
        <span class={lost > 0 ? "bad" : ""}>
          <b>{lost.toLocaleString("en")}</b> lost
        </span>
      )}
      {late.length > 0 && (
        <>
          <span>
            latest by <b>{lengthText(Math.max(...late.map((each) => delayMs(each) ?? 0)))}</b>
          </span>
          <span>
            {lost > 0 || histories.some(isWaiting) ? "last late one at" : "all in by"}{" "}
            <b>{timeOfDay(summary, Math.max(...arrived.map(({ atMs }) => atMs)))}</b>
          </span>
        </>
      )}
      {inverted > 0 && (
        <span class="bad">
          <b>{inverted.toLocaleString("en")}</b>{" "}
          {inverted === 1 ? "call ended before it began" : "calls ended before they began"}
        </span>
      )}
      {twice > 0 && (
        <span>
          <b>{twice.toLocaleString("en")}</b> came twice
        </span>
      )}
      {others.map((history) => (
        <button
          type="button"
          class="link"
          key={history.key}
          onClick={() => actions.openCall(-1, history.row)}
        >
          {history.what}: {history.attempts[0]?.text} ×{history.attempts.length}
        </button>
      ))}
      <span>
        <b>{calls.toLocaleString("en")}</b> {calls === 1 ? "call" : "calls"},{" "}
        {conversations > 0 && `${counted(conversations, "conversation")}, `}
        <b>{summary.eventCount.toLocaleString("en")}</b> events in {lengthText(summary.endMs)}
      </span>
      {more.slice(0, 3).map((outage) => (
        <span key={`${outage.lane} ${outage.fromMs}`}>
          {laneName(run, outage.lane)} {outageVerb(outage)}{" "}
          {outageTime(outage, (atMs) => timeOfDay(summary, atMs))}: {outageEffect(outage)}
        </span>
      ))}
      {first !== undefined && <WhatIfUpButton run={run} lane={first.lane} />}
    </div>
  );
}
