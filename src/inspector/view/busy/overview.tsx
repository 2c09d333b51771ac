import { useMemo, useState } from "preact/hooks";
import { useActions, useSelect } from "../context.ts";
import { clock, counted, span } from "../format.ts";
import type { LoadedRun } from "../state/loading.ts";
import { Bands } from "./bands.tsx";
import {
  type BusyRecord,
  bandsOf,
  busyRecords,
  type Course,
  callerOf,
  coursesOf,
  type Trouble,
  troubleNames,
  troubles,
} from "./courses.ts";
import { Filter, type Stretch } from "./filter.tsx";
import { type Choice, choicesOf } from "./suggest.ts";

/** How many calls the table shows at first, and how many more each time. */
const FIRST = 25;
const MORE = 50;
/** How many deliveries of a kind are shown before all are asked for. */
const OF_A_KIND = 3;

/** A run of many calls: what went wrong first, and behind each call its steps. */
export function Overview() {
  const run = useSelect((state) => state.run);
  // a run comes in pieces; its sums are made once, when all are there
  if (run === undefined) return null;
  if (!run.isWhole) return <div class="waiting">Reading the calls</div>;
  return <OverviewOf run={run} />;
}

function OverviewOf({ run }: { run: LoadedRun }) {
  const { courses, records, bands, choices } = useMemo(() => {
    const courses = coursesOf(run);
    const records = busyRecords(run, courses);
    return {
      courses,
      records,
      bands: bandsOf(run, courses, records),
      choices: choicesOf(run, courses, records),
    };
  }, [run]);
  const [chosen, setChosen] = useState<readonly Choice[]>([]);
  const [stretch, setStretch] = useState<Stretch | undefined>(undefined);
  const isIn = (record: number) =>
    chosen.every((choice) => choice.records.has(record)) && overlaps(run, record, stretch);
  const isAll = chosen.length === 0 && stretch === undefined;
  const shown = isAll ? records : records.filter(({ place }) => isIn(place));
  const wrong = courses.filter(({ trouble, record }) => trouble !== undefined && (isAll || isIn(record)));
  return (
    <div class="overview" tabindex={-1}>
      <h2 class="headline">
        <Headline run={run} courses={courses} />
      </h2>
      <Filter choices={choices} chosen={chosen} stretch={stretch} choose={setChosen} limit={setStretch} />
      <Bands run={run} bands={bands} stretch={stretch} limit={setStretch} />
      <div class="overview-lists">
        {wrong.length > 0 && <WentWrong run={run} courses={wrong} />}
        <Calls records={shown} total={records.length} />
      </div>
    </div>
  );
}

function overlaps({ shape }: LoadedRun, place: number, stretch: Stretch | undefined): boolean {
  const record = shape.records[place];
  return (
    stretch === undefined ||
    (record !== undefined && record.fromMs <= stretch.toMs && record.toMs >= stretch.fromMs)
  );
}

/** The run in one sentence. */
function Headline({ run, courses }: { run: LoadedRun; courses: readonly Course[] }) {
  const { shape } = run;
  const count = (...kinds: readonly Trouble[]) =>
    courses.filter(({ trouble }) => trouble !== undefined && kinds.includes(trouble)).length;
  const [givenUp, late, twice, refused] = [
    count("givenUp"),
    count("error", "loss"),
    count("twice"),
    count("refused"),
  ];
  const are = (number: number) => (number === 1 ? "was" : "were");
  const parts = [
    givenUp > 0 && (
      <b class="bad">{`${counted2(givenUp, "delivery", "deliveries")} ${are(givenUp)} given up`}</b>
    ),
    late > 0 && `${late.toLocaleString("en")} came late`,
    twice > 0 && `${twice.toLocaleString("en")} came twice`,
    refused > 0 && `the REST API refused ${counted2(refused, "kind of request", "kinds of requests")}`,
  ].filter(Boolean);
  const calls = shape.records.filter(({ kind }) => kind === "call").length;
  const others = shape.records.length - calls;
  return (
    <>
      {counted(calls, "call")}
      {others > 0 && `, ${counted(others, "conversation")}`} and {counted(shape.eventCount, "event")} in{" "}
      {span(shape.endMs)}
      {parts.length === 0
        ? ": every delivery arrived once."
        : parts.map((part, place) => (
            <>
              {place === 0 ? ": " : ", "}
              {part}
            </>
          ))}
      {parts.length > 0 && "."}
    </>
  );
}

const counted2 = (count: number, one: string, many: string) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** Opens the steps of a call at a row. */
function useOpen(): (record: number, row: number) => void {
  const actions = useActions();
  return (record, row) => actions.openCall(record, row);
}

/** The deliveries that went wrong, by kind. */
function WentWrong({ run, courses }: { run: LoadedRun; courses: readonly Course[] }) {
  return (
    <section class="went-wrong" aria-label="Went wrong">
      <h2>
        Went wrong{" "}
        <span class="muted">
          {counted2(courses.length, "delivery or request", "deliveries and requests")}
        </span>
      </h2>
      {troubles.map((trouble) => {
        const own = courses.filter((course) => course.trouble === trouble);
        return own.length === 0 ? null : <Kind key={trouble} run={run} trouble={trouble} courses={own} />;
      })}
    </section>
  );
}

function Kind({ run, trouble, courses }: { run: LoadedRun; trouble: Trouble; courses: readonly Course[] }) {
  const open = useOpen();
  const [isAll, setAll] = useState(false);
  const shorts = new Map(run.shape.lanes.map(({ id, short }) => [id, short]));
  const shown = isAll ? courses : courses.slice(0, OF_A_KIND);
  const about = inCommon(run, courses);
  return (
    <div class={`trouble ${trouble}`}>
      <h3>
        {troubleNames[trouble]} <span class="num">{courses.length.toLocaleString("en")}</span>
      </h3>
      {about !== "" && <p class="muted num">{about}</p>}
      {shown.map((course) => {
        const record = run.shape.records[course.record];
        return (
          <button type="button" key={course.key} onClick={() => open(course.record, course.row)}>
            <span>
              <b>{course.what}</b> {course.lane !== "" && `to ${shorts.get(course.lane) ?? course.lane}`}
            </span>
            <small class="muted num">
              {record === undefined ? "" : `${record.kind} ${record.label}, `}
              {clock(course.atMs)}
            </small>
            {record !== undefined && <small class="muted num who">{record.title}</small>}
            <Way course={course} />
          </button>
        );
      })}
      {courses.length > shown.length && (
        <button type="button" class="all" onClick={() => setAll(true)}>
          All {courses.length.toLocaleString("en")}
        </button>
      )}
    </div>
  );
}

/** What all of a kind have in common: the caller, or the time in which they happened. */
function inCommon({ shape }: LoadedRun, courses: readonly Course[]): string {
  if (courses.length < 2) return "";
  const callers = courses.map(({ record }) => callerOf(shape.records[record]?.title ?? ""));
  if (callers[0] !== "" && callers.every((each) => each === callers[0])) return `all from ${callers[0]}`;
  const times = courses.flatMap(({ attempts }) => attempts.filter(({ kind }) => kind !== "delivered"));
  if (times.length === 0) return "";
  const at = times.map(({ atMs }) => atMs);
  return `from ${clock(Math.min(...at))} to ${clock(Math.max(...at))}`;
}

/** The way of a delivery: `503`, 2 min 49 s, `204`. */
function Way({ course: { attempts, givenUpMs, trouble } }: { course: Course }) {
  const first = attempts[0];
  // alike requests have a number; the way of a delivery has its pauses
  if (trouble === "refused")
    return (
      <span class="way">
        <span class="chip failed">{first?.text}</span>
        {attempts.length > 1 && `${attempts.length.toLocaleString("en")} times`}
      </span>
    );
  return (
    <span class="way">
      {attempts.map(({ text, kind, isDouble, atMs }, place) => (
        <>
          {place > 0 && !isDouble && (
            <small class="muted">{span(atMs - (attempts[place - 1]?.atMs ?? 0))}</small>
          )}
          <span class={`chip ${kind}`}>
            {text}
            {isDouble && " twice"}
          </span>
        </>
      ))}
      {givenUpMs !== undefined && <small class="muted">given up</small>}
    </span>
  );
}

function Calls({ records, total }: { records: readonly BusyRecord[]; total: number }) {
  const open = useOpen();
  const [limit, setLimit] = useState(FIRST);
  const shown = records.slice(0, limit);
  const hasWrong = shown.some(({ courses }) => courses.length > 0);
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
            {shown.map(({ place, record, from, to, outcome, courses, rank }) => (
              <tr key={place} class={courses.length === 0 ? "" : (troubles[rank] ?? "")}>
                {hasWrong && (
                  <td>
                    {courses.map((course) => (
                      <div class="ways" key={course.key}>
                        {course.what.replace(/^call\./, "")} <Way course={course} />
                      </div>
                    ))}
                  </td>
                )}
                <td>
                  <button
                    type="button"
                    class="link num"
                    aria-label={`Steps of ${record.kind} ${record.label}`}
                    onClick={() => open(place, courses[0]?.row ?? record.fromRow)}
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
      {shown.length === 0 && <p class="muted">No call has all of these.</p>}
      {records.length > limit && (
        <button type="button" class="all" onClick={() => setLimit(limit + MORE)}>
          {Math.min(MORE, records.length - limit)} more of {(records.length - limit).toLocaleString("en")}
        </button>
      )}
    </section>
  );
}
