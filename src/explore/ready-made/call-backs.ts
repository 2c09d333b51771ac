import * as v from "valibot";
import { callback, list, object, oneOf, readInput, text } from "../../core/foundation/input-schemas.ts";
import type { PublicCallRecord } from "../../core/generated/records.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { withToldCheck } from "../run/told-check.ts";
import { isJudged, judgedCalls, mustBeSame, type ReadyProperties, readShown } from "./properties.ts";
import { toldCalls } from "./told.ts";

const property = "the call-backs are the numbers whose last call was missed";
const directions = ["inbound", "outbound"] as const;
const givenOptions = object({ numbers: callback(), clearedBy: v.optional(list(oneOf(directions))) });

/**
 * The property of an app that lists whom to call back. Once everything is quiet, a number is on the list, once, if its
 * last call came in and was not answered: `answeredAt` is null, also if the caller left a message. The last call is the
 * one that started last, whatever arrived last: a list that goes by arrival calls back who was already served.
 * Not judged are blocked and internal calls, withheld numbers, numbers with a live call, and numbers of which two calls
 * overlapped, as either order of those can be defended.
 * @param options `numbers` reads the list; it may be asynchronous. `clearedBy` says which answered calls take a number off
 * it; default: both directions
 * @returns properties to spread into the options of `explore`. They need a world in which a number is to be called back
 * @throws {InputError} for options that are wrong
 * @example
 * import { callBacks } from "ringback/explore";
 * import { exploreReport } from "ringback/explore";
 *
 * const report = await exploreReport({
 *   scenario(sim) {
 *     sim.webhooks.create({ url: "https://crm.test/", events: ["call.not_answered"] });
 *     sim.calls.inbound({ from: "+6421555001", to: "+6495550104" });
 *   },
 *   app(sim) {
 *     const missed = new Set<string>();
 *     sim.network.route("https://crm.test/", ({ body }) => {
 *       missed.add(JSON.parse(body).data.call.contactNumber);
 *       return 204;
 *     });
 *     return missed;
 *   },
 *   ...callBacks({ numbers: (missed: Set<string>) => [...missed] }),
 * });
 * report.passed; // => true
 */
export function callBacks<T>(options: {
  readonly numbers: (app: T) => readonly string[] | Promise<readonly string[]>;
  readonly clearedBy?: readonly ("inbound" | "outbound")[];
}): ReadyProperties<T> {
  readInput(givenOptions, options, ["callBacks"]);
  const { numbers, clearedBy = directions } = options;
  return {
    eventually: {
      [property]: withToldCheck<T>(
        async (sim, app) => mustBeDue(sim, readShown(list(text()), await numbers(app)), clearedBy),
        (sim) => mustBeDue(sim, listCallBacks(toldCalls(sim).filter(isJudged), clearedBy).due, clearedBy),
      ),
    },
    sometimes: {
      "a number is to be called back": (sim) => listCallBacks(judgedCalls(sim), clearedBy).due.length > 0,
    },
  };
}

/** @throws {Error} if these are not the numbers to call back */
function mustBeDue(sim: Simulator, shown: readonly string[], clearedBy: readonly string[]): void {
  const { due, open } = listCallBacks(judgedCalls(sim), clearedBy);
  mustBeSame(
    shown.filter((each) => !open.has(each)),
    due,
  );
}

/** The numbers to call back, and those that may be on the list or not. */
function listCallBacks(
  all: readonly PublicCallRecord[],
  clearedBy: readonly string[],
): { due: string[]; open: Set<string> } {
  const due: string[] = [];
  const open = new Set<string>();
  for (const [number, calls] of callsByNumber(all)) {
    if (calls.some(isInterrupted)) {
      open.add(number);
      continue;
    }
    const last = calls.findLast(({ direction, answeredAt }) =>
      answeredAt === null ? direction === "inbound" : clearedBy.includes(direction),
    );
    if (last?.answeredAt === null) due.push(number);
  }
  return { due, open };
}

/** Whether a call is live, or not over when the next one of its number starts. */
function isInterrupted(
  { endedTimestamp }: PublicCallRecord,
  index: number,
  calls: readonly PublicCallRecord[],
): boolean {
  const next = calls[index + 1];
  return endedTimestamp === null || (next !== undefined && next.startedTimestamp < endedTimestamp);
}

/** The calls of each outside number, in the order in which they started. */
function callsByNumber(all: readonly PublicCallRecord[]): Map<string, PublicCallRecord[]> {
  const calls = new Map<string, PublicCallRecord[]>();
  for (const call of all) {
    if (call.contactNumber === null || call.isInternal) continue;
    calls.set(call.contactNumber, [...(calls.get(call.contactNumber) ?? []), call]);
  }
  return calls;
}
