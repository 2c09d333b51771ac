import * as v from "valibot";
import { callback, flag, list, object, readInput, text } from "../../core/foundation/input-schemas.ts";
import { show } from "../../core/foundation/show.ts";
import type { PublicCallRecord } from "../../core/generated/records.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import {
  judgedCalls,
  mustShowCalls,
  orAbsent,
  type ReadyProperties,
  readShown,
  SharedReading,
  shownObject,
} from "./properties.ts";

/** One call in an app's log. Leave out what the app does not keep. */
export interface CallLogRow {
  /** The call's id. */
  readonly callId: string;
  /** Whether somebody answered: the call has `answeredAt`. A voicemail is no answer. */
  readonly answered?: boolean | undefined;
  /** From the start to the end of the call, seconds: its `duration`, right to a second. */
  readonly seconds?: number | undefined;
  /** Everybody inside who talked, by id or e-mail address, in any order: the users in `connections`. */
  readonly users?: readonly string[] | undefined;
}

const callLogRows = list(
  shownObject({
    callId: text(),
    answered: orAbsent(flag()),
    seconds: orAbsent(v.number((issue) => `expected a number of seconds, got ${show(issue.input)}`)),
    users: orAbsent(list(text())),
  }),
);
type ReadRow = v.InferOutput<typeof callLogRows>[number];

const oneRow = "the call log has one row for each call that is over";
const answers = "the call log says which calls were answered";
const lengths = "the call log says how long each call took";
const talked = "the call log names everybody who talked";

/**
 * Properties of an app that logs calls. Once everything is quiet, each call that is over has one row, and none that is
 * live: an event may come twice, late or in another order, and a CRM then shows a call twice or not at all. What a row
 * says is compared with the call's record: a log that takes the user who answered for everybody who talked, or the wait
 * for the length, is wrong after a transfer. Blocked calls and withheld numbers are not judged.
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
 *   subject(sim) {
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
  const read = async (app: T) => readShown(callLogRows, await options.rows(app));
  const reading = new SharedReading<Simulator, ReadRow[]>([answers, lengths, talked]);
  /** Compares what each row says, if it says it. */
  const each =
    (name: string, problemOf: (call: PublicCallRecord, row: ReadRow) => string | undefined) =>
    async (sim: Simulator, app: T) => {
      const shown = await reading.again(sim, name, () => read(app));
      const calls = new Map(overCalls(sim).map((call) => [call.id, call]));
      for (const row of shown ?? []) {
        const call = calls.get(row.callId);
        const problem = call && problemOf(call, row);
        if (problem !== undefined) throw new Error(`${row.callId}: ${problem}`);
      }
    };
  return {
    eventually: {
      [oneRow]: async (sim, app) =>
        mustShowCalls(
          sim,
          (await reading.first(sim, () => read(app))).map(({ callId }) => callId),
          isOver,
        ),
      [answers]: each(answers, ({ answeredAt }, { answered }) =>
        answered === undefined || answered === (answeredAt !== null)
          ? undefined
          : `the log says ${answered ? "answered" : "not answered"}, and answeredAt is ${answeredAt}`,
      ),
      [lengths]: each(lengths, ({ duration }, { seconds }) =>
        seconds === undefined || Math.abs(seconds - (duration ?? 0) / 1_000) <= 1
          ? undefined
          : `the log says ${seconds} s, and it took ${(duration ?? 0) / 1_000} s`,
      ),
      [talked]: each(talked, (call, { users }) =>
        users === undefined ? undefined : talkersProblem(call, users),
      ),
    },
    sometimes: { "a call of the call log is over": (sim) => overCalls(sim).length > 0 },
  };
}

const isOver = ({ endedAt }: PublicCallRecord) => endedAt !== null;

function overCalls(sim: Simulator): PublicCallRecord[] {
  return judgedCalls(sim).filter(isOver);
}

function talkersProblem(
  { parties, connections }: PublicCallRecord,
  users: readonly string[],
): string | undefined {
  const joined = new Set(connections.map(({ partyId }) => partyId));
  const people = parties.filter(({ type }) => type === "user");
  const nameOf = (given: string) => people.find(({ email }) => email === given)?.entryId ?? given;
  const expected = [
    ...new Set(people.filter(({ id }) => joined.has(id)).map(({ id, entryId = id }) => entryId)),
  ].sort();
  const shown = [...new Set(users.map(nameOf))].sort();
  if (shown.join(" ") === expected.join(" ")) return undefined;
  return `the log names ${shown.join(", ") || "nobody"}, and ${expected.join(", ") || "nobody"} talked`;
}
