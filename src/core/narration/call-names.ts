import type { CallRecord } from "../records/call.ts";

/** Names calls by their caller where a line is ambiguous. */
export class CallNames {
  private readonly calls = new Map<string, { readonly caller: string; readonly nth: number }>();
  private readonly callsBy = new Map<string, number>();
  private readonly overlapping = new Set<string>();
  private latest: string | undefined;
  private liveCount = 0;

  /** Notes a new call. If another is live, lines about either name their call. */
  addCall(call: CallRecord): void {
    const caller = call.parties[0]?.displayName ?? "";
    const nth = this.timesCalled(caller) + 1;
    this.callsBy.set(caller, nth);
    this.calls.set(call.id, { caller, nth });
    if (this.liveCount > 0) this.overlapping.add(call.id);
    this.liveCount++;
    this.latest = call.id;
  }

  closeCall(): void {
    this.liveCount--;
  }

  /**
   * Returns `call of Jane Smith`, or undefined if the call is unambiguous.
   * @param isCallerNamed whether the line already names the caller, so that only several calls of theirs need a name
   */
  nameOf(callId: string, isCallerNamed = false): string | undefined {
    const call = this.calls.get(callId);
    if (call === undefined || (callId === this.latest && !this.overlapping.has(callId))) return undefined;
    const { caller, nth } = call;
    if (this.timesCalled(caller) > 1) return `call ${nth} of ${caller}`;
    return isCallerNamed ? undefined : `call of ${caller}`;
  }

  private timesCalled(caller: string): number {
    return this.callsBy.get(caller) ?? 0;
  }
}
