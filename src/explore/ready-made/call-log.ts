import * as v from "valibot";
import { callback, flag, list, object, readInput, text } from "../../core/foundation/input-schemas.ts";
import { show } from "../../core/foundation/show.ts";
import type { PublicCallRecord } from "../../core/generated/records.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { holds } from "../run/compared.ts";
import { withToldCheck } from "../run/told-check.ts";
import { type ColumnVerdict, type CompareColumn, callLogColumns, type ShownRow } from "./call-log-columns.ts";
import { mustBeWellSpelt } from "./columns.ts";
import {
  judgedCalls,
  mustShowCalls,
  orAbsent,
  type ReadyProperties,
  readShown,
  SharedReading,
} from "./properties.ts";
import { toldCalls } from "./told.ts";

/**
 * One call in an app's log. Leave out what the app does not keep. Other columns are ignored, and the report names them; a name
 * that is a typo or the case of its letters away from one of these is refused.
 */
export interface CallLogRow {
  /** The call's id. */
  readonly callId: string;
  /** Whether somebody answered: the call has `answeredAt`. A voicemail is no answer. */
  readonly answered?: boolean | undefined;
  /** From the start to the end of the call, seconds: its `duration`, right to a second. */
  readonly seconds?: number | undefined;
  /** Everybody inside who talked, by id or e-mail address, in any order: the users in `connections`. */
  readonly users?: readonly string[] | undefined;
  /**
   * When the call started, right to a second: a `Date`, ms since 1970, or ISO 8601 text with an offset such as `Z`. Another
   * value is not compared, and the report says so.
   */
  readonly startedAt?: Date | number | string | null | undefined;
  /** `inbound` or `outbound`. Another value is not compared, and the report says so. */
  readonly direction?: string | null | undefined;
  /**
   * The number of the other side, the call's `contactNumber`, as the app writes it: in E.164, or as it is dialled in the
   * organisation's country. Its digits are compared. In an internal call it is the extension of either side.
   */
  readonly number?: string | null | undefined;
  /**
   * The id of the other side's contact: one in a phonebook that has the number, or one whom somebody assigned to the call. What is
   * the id of no contact is not compared, and the report says so.
   */
  readonly contact?: string | null | undefined;
}

const callLogRows = list(
  v.looseObject(
    {
      callId: text(),
      answered: orAbsent(flag()),
      seconds: orAbsent(v.number((issue) => `expected a number of seconds, got ${show(issue.input)}`)),
      users: orAbsent(list(text())),
    },
    (issue) => (issue.expected === "Object" ? `expected an object, got ${show(issue.input)}` : "missing"),
  ),
);
const columns = Object.keys(callLogColumns);
const known = ["callId", ...columns];

/** Reads the rows. @throws {Error} for what cannot be read, by its place */
function readRows(shown: unknown): readonly ShownRow[] {
  // first: a misspelt `callId` would be missing
  for (const [index, row] of Array.isArray(shown) ? shown.entries() : [])
    mustBeWellSpelt(Object.keys(Object(row)), known, `[${index}].`);
  return readShown(callLogRows, shown);
}

const of = "call log";
const oneRow = "the call log has one row for each call that is over";

/**
 * Properties of an app that logs calls. Once everything is quiet, each call that is over has one row, and none that is
 * live: an event may come twice, late or in another order, and a CRM then shows a call twice or not at all. What a row
 * says is compared with the call's record: a log that takes the user who answered for everybody who talked, or the wait
 * for the length, is wrong after a transfer. Blocked calls and calls of withheld numbers may be missing. The report names what
 * was compared, and what was not.
 * @param options `rows` reads the log; it may be asynchronous
 * @returns properties to spread into the options of `explore`. They need a world in which a call is over. Rows that cannot be
 * read fail the first property alone
 * @throws {InputError} for options that are wrong
 * @example
 * import { callLog } from "ringback/explore";
 * import { exploreReport } from "ringback/explore";
 *
 * const log = callLog({ rows: (app: Map<string, boolean>) => [...app].map(([callId, answered]) => ({ callId, answered })) });
 * const report = await exploreReport({
 *   scenario(sim) {
 *     sim.webhooks.create({ url: "https://crm.test/", events: ["call.not_answered"] });
 *     sim.calls.inbound({ from: "+6421555001", to: "+6495550104" });
 *   },
 *   app(sim) {
 *     const app = new Map<string, boolean>();
 *     sim.network.route("https://crm.test/", ({ body }) => {
 *       const { call } = JSON.parse(body).data;
 *       app.set(call.id, call.answeredAt !== null);
 *       return 204;
 *     });
 *     return app;
 *   },
 *   ...log,
 * });
 * report.passed; // => true
 */
export function callLog<T>(options: {
  readonly rows: (app: T) => readonly CallLogRow[] | Promise<readonly CallLogRow[]>;
}): ReadyProperties<T> {
  readInput(object({ rows: callback() }), options, ["callLog"]);
  const read = async (app: T) => readRows(await options.rows(app));
  const others = Object.values(callLogColumns).map(({ property }) => property);
  const reading = new SharedReading<Simulator, readonly ShownRow[]>(others);
  const comparing = Object.entries(callLogColumns).map(([column, { property, compare }]) => [
    property,
    withToldCheck<T>(
      async (sim, app) => {
        const shown = await reading.again(sim, property, () => read(app));
        return holds(compareColumn(column, compare, shown ?? [], sim));
      },
      (sim) => compareColumn(column, compare, toldRows(sim), sim),
    ),
  ]);
  return {
    eventually: {
      [oneRow]: withToldCheck<T>(
        async (sim, app) => {
          const rows = await reading.first(sim, () => read(app));
          const ids = rows.map(({ callId }) => callId);
          mustShowCalls(sim, ids, isOver, "is logged", unaskedEnd(sim));
          const ignored = [...new Set(rows.flatMap(Object.keys))].filter((each) => !known.includes(each));
          return holds({ of, columns: ["callId"], compared: ids.length === 0 ? [] : ["callId"], ignored });
        },
        (sim) => mustShowCalls(sim, toldRows(sim).map(idOf), isOver, "is logged"),
      ),
      ...Object.fromEntries(comparing),
    },
    sometimes: { "a call of the call log is over": (sim) => overCalls(sim).length > 0 },
  };
}

/** Compares what rows say in one column, if they say it. @throws {Error} with the first call of which that is wrong */
function compareColumn(column: string, compare: CompareColumn, rows: readonly ShownRow[], sim: Simulator) {
  const calls = new Map(overCalls(sim).map((call) => [call.id, call]));
  const verdicts: ColumnVerdict[] = [];
  for (const row of rows) {
    const call = calls.get(row.callId);
    const value = row[column] ?? undefined;
    if (call === undefined || value === undefined) continue;
    const verdict = compare(value, call, sim);
    if (verdict !== undefined && "problem" in verdict) throw new Error(`${row.callId}: ${verdict.problem}`);
    verdicts.push(verdict);
  }
  const compared = verdicts.some((each) => each === undefined) ? [column] : [];
  const uncomparable = verdicts.flatMap((each) =>
    each === undefined || !("uncomparable" in each) ? [] : [{ column, because: each.uncomparable }],
  );
  return { of, columns: [column], compared, uncomparable: uncomparable.slice(0, 1) };
}

const idOf = ({ callId }: ShownRow) => callId;

/** The rows that an app could have that does all which it can. */
function toldRows(sim: Simulator): ShownRow[] {
  const values = Object.entries(callLogColumns);
  return toldCalls(sim)
    .filter(isOver)
    .map((call) => ({
      ...Object.fromEntries(values.map(([column, { inRecord }]) => [column, inRecord(call)])),
      callId: call.id,
    }));
}

/** Says of a missing call that no webhook asks for the event with which it ended. */
function unaskedEnd(sim: Simulator): (id: string) => string | undefined {
  const asked = new Set<string>(sim.webhooks.list().flatMap(({ events }) => events));
  return (id) => {
    const end = sim.events.findLast(
      ({ type, data }) => endings.includes(type) && "call" in data && data.call.id === id,
    )?.type;
    if (asked.size === 0 || end === undefined || asked.has("*") || asked.has(end)) return undefined;
    return `${id} ended with ${end}, which no webhook asks for`;
  };
}

const endings: readonly string[] = ["call.ended", "call.not_answered"];

const isOver = ({ endedAt }: PublicCallRecord) => endedAt !== null;

function overCalls(sim: Simulator): PublicCallRecord[] {
  return judgedCalls(sim).filter(isOver);
}
