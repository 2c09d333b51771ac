import { hostOf } from "../network/endpoint-url.ts";
import { fullName } from "./lifelines.ts";
import type { Bar, NarrationRow, RunNarration } from "./rows.ts";

/** An event of the Trace Event Format, which Perfetto and chrome://tracing open. Times are microseconds. */
interface TraceEvent {
  readonly ph: "M" | "b" | "e" | "n";
  readonly pid: number;
  readonly tid: number;
  readonly name: string;
  readonly ts?: number;
  readonly cat?: string;
  readonly id?: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

const barNames: Readonly<Record<Bar["kind"], string>> = {
  wait: "waits",
  ring: "rings",
  talk: "talks",
  voicemail: "in voicemail",
  live: "live",
};

/**
 * Writes a run as a trace: a process for each person, call, conversation and endpoint. Bars are pairs of asynchronous
 * events, since phones of one person ring together. Events are instants on the track of their call.
 */
export function* traceLines(narration: RunNarration): Generator<string> {
  yield '{"displayTimeUnit":"ms","traceEvents":[';
  let isFirst = true;
  for (const event of traceEvents(narration)) {
    yield `${isFirst ? "\n" : ",\n"}${JSON.stringify(event)}`;
    isFirst = false;
  }
  yield "\n]}\n";
}

function traceEvents(narration: RunNarration): TraceEvent[] {
  const tracks = new Tracks();
  const { rows, startMs, endMs, platform } = narration;
  for (const line of narration.lifelines) tracks.of(`lane ${line.id}`, fullName(line));
  const timed: TraceEvent[] = [];
  const atOf = (row: NarrationRow | undefined) => ((row?.atMs ?? endMs) - startMs) * 1000;
  // text from 1: readers take the number 0 for no id and drop the event
  const nextId = () => String(timed.length + 1);
  const add = (pid: number, cat: string, name: string, from: number, to: number, args: object) => {
    const both = { pid, tid: 0, cat, id: nextId() };
    timed.push({ ph: "b", ...both, name, ts: from, args: { ...args } });
    timed.push({ ph: "e", ...both, name, ts: to });
  };
  for (const row of rows)
    for (const bar of row.began) {
      const isRecord = bar.lane === platform.id;
      const track = isRecord ? recordTrack(tracks, row, bar.record) : tracks.of(`lane ${bar.lane}`, bar.lane);
      const where = bar.endpoint === undefined ? "" : ` on ${bar.endpoint}`;
      const to = bar.end === "open" ? (endMs - startMs) * 1000 : atOf(rows[bar.toRow]);
      add(track, bar.kind, `${barNames[bar.kind]}${where}`, atOf(row), to, { ended: bar.end });
    }
  for (const { to, ...request } of requestsOf(rows)) {
    const { startedTimestamp, endedTimestamp, method, subject, answer, failure } = request;
    const host = hostOf(to);
    const track = tracks.of(`lane ${host}`, host);
    const [from, end] = [startedTimestamp, endedTimestamp ?? endMs].map((ms) => (ms - startMs) * 1000);
    const args = { url: to, status: answer?.status ?? null, failure };
    add(track, "request", `${method} ${subject}`, from ?? 0, end ?? 0, args);
  }
  for (const row of rows) {
    if (row.event === undefined) continue;
    const pid =
      row.record < 0 ? tracks.of(`lane ${platform.id}`, platform.name) : recordTrack(tracks, row, row.record);
    timed.push({ ph: "n", pid, tid: 0, cat: "event", id: nextId(), name: row.event.type, ts: atOf(row) });
  }
  // viewers expect the order of time; the sort is stable
  return [...tracks.metadata(), ...timed.sort((a, b) => (a.ts ?? 0) - (b.ts ?? 0))];
}

/** Each request in its last state, in the order of sending. */
function requestsOf(rows: readonly NarrationRow[]) {
  const byId = new Map<string, NonNullable<NarrationRow["request"]>>();
  for (const { request } of rows) if (request !== undefined) byId.set(request.id, request);
  return byId.values();
}

function recordTrack(tracks: Tracks, row: NarrationRow, record: number): number {
  return tracks.of(`record ${record}`, `${record + 1} · ${row.callName ?? fullName(row.actor)}`);
}

/** Numbers the tracks in the order of their first use. */
class Tracks {
  private readonly byKey = new Map<string, { readonly pid: number; readonly name: string }>();

  of(key: string, name: string): number {
    let track = this.byKey.get(key);
    if (track === undefined) {
      track = { pid: this.byKey.size + 1, name };
      this.byKey.set(key, track);
    }
    return track.pid;
  }

  metadata(): TraceEvent[] {
    return [...this.byKey.values()].flatMap(({ pid, name }) => [
      { ph: "M", pid, tid: 0, name: "process_name", args: { name } } as const,
      { ph: "M", pid, tid: 0, name: "process_sort_index", args: { sort_index: pid } } as const,
    ]);
  }
}
