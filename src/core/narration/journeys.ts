import type { CallRecord } from "../records/call.ts";
import type { RunNarration, RunRecord } from "./rows.ts";
import { rowsByCause } from "./rows.ts";

/**
 * What happens to one caller's concern, over all of its calls. Calls belong together
 *
 * - that are one call for the carrier: a redirected one, its returns, and the calls as which flows take it back;
 * - that a dial link began, with an earlier call of the same outside number that has one of the link's parameters.
 *
 * A transfer stays in its call.
 */
export class Journeys {
  /** The journey of each of the carrier's calls. */
  private readonly byVendorCall = new Map<string, number>();
  private readonly calls: { readonly call: CallRecord; readonly journey: number }[] = [];

  /**
   * Adds a call.
   * @param index its index among the records
   * @param isDialled whether a dial link began it
   * @returns the index of the first call of its journey
   */
  add(index: number, call: CallRecord, isDialled: boolean): number {
    const before = this.byVendorCall.get(call.vendorCallId) ?? (isDialled ? this.sharing(call) : undefined);
    const journey = before ?? index;
    this.byVendorCall.set(call.vendorCallId, journey);
    this.calls.push({ call, journey });
    return journey;
  }

  /** The journey of the latest call with the same outside number and one of the parameters. */
  private sharing({ contactNumber, passthroughParameters }: CallRecord): number | undefined {
    const parameters = Object.entries(passthroughParameters);
    if (parameters.length === 0) return undefined;
    return this.calls.findLast(
      ({ call }) =>
        call.contactNumber === contactNumber &&
        parameters.some(([name, value]) => call.passthroughParameters[name] === value),
    )?.journey;
  }
}

/** The indices of the calls of a record's journey. */
export function findJourney(records: readonly RunRecord[], index: number): ReadonlySet<number> {
  const journey = records[index]?.journey ?? index;
  return new Set(records.flatMap((record, at) => (record.journey === journey ? [at] : [])));
}

/**
 * The part of a narration that tells one journey.
 * @param named a call's id or label (`A`), or an outside number: its first call
 * @returns undefined if there is no such call
 */
export function narrationOfJourney(narration: RunNarration, named: string): RunNarration | undefined {
  const { records } = narration;
  const byName = records.findIndex(({ id, label }) => id === named || label === named);
  const found =
    byName < 0 && named.startsWith("+") ? records.findIndex(({ people }) => people.includes(named)) : byName;
  if (found < 0) return undefined;
  const journey = findJourney(records, found);
  const rows = [...rowsByCause(narration)].flatMap(({ cause, effects }) => {
    const isOwn = (record: number) => journey.has(record);
    const own = effects.filter(({ record }) => isOwn(record) || (isOwn(cause.record) && record < 0));
    return isOwn(cause.record) || own.length > 0 ? [cause, ...own] : [];
  });
  return { ...narration, rows, eventCount: rows.filter(({ event }) => event !== undefined).length };
}
