import { fullName, type Lifeline } from "./lifelines.ts";

/** Names calls by their caller where a line is ambiguous. */
export class CallNames {
  private readonly calls = new Map<string, { readonly caller: Caller; readonly nth: number }>();
  private readonly callers = new Map<string, Caller>();
  /** How many callers have a name. */
  private readonly nameCounts = new Map<string, number>();
  private readonly overlapping = new Set<string>();
  private latest: string | undefined;
  private liveCount = 0;

  /**
   * Notes a new call. If another is live, lines about either name their call.
   */
  addCall(id: string, line: Lifeline): void {
    const caller = this.callers.get(line.id) ?? this.addCaller(line);
    caller.callCount++;
    this.calls.set(id, { caller, nth: caller.callCount });
    if (this.liveCount > 0) this.overlapping.add(id);
    this.liveCount++;
    this.latest = id;
  }

  private addCaller(line: Lifeline): Caller {
    const caller = { line, callCount: 0 };
    this.callers.set(line.id, caller);
    this.nameCounts.set(line.name, (this.nameCounts.get(line.name) ?? 0) + 1);
    return caller;
  }

  closeCall(): void {
    this.liveCount--;
  }

  /**
   * Returns `call of Jane Smith`, or undefined if the call is unambiguous.
   * @param isCallerNamed whether the line already names the caller, so that only several calls of theirs need a name
   */
  findName(callId: string, isCallerNamed = false): string | undefined {
    const call = this.calls.get(callId);
    if (call === undefined || (callId === this.latest && !this.overlapping.has(callId))) return undefined;
    const { caller, nth } = call;
    if (caller.callCount > 1) return `call ${nth} of ${this.callerName(caller)}`;
    return isCallerNamed ? undefined : `call of ${this.callerName(caller)}`;
  }

  /** The caller's name, with the number where another caller has the same name. */
  private callerName({ line }: Caller): string {
    return (this.nameCounts.get(line.name) ?? 0) > 1 ? fullName(line) : line.name;
  }
}

interface Caller {
  readonly line: Lifeline;
  callCount: number;
}
