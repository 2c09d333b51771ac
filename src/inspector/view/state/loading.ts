import type { PageData, RunSource } from "../../data.ts";
import type { PageRow, RunLists, RunSummary } from "../../model/types.ts";
import type { RunChunk } from "../../worker/protocol.ts";
import { WorkerClient } from "../common/client.ts";
import type { Store } from "./store.ts";

/** A run, as far as it has been loaded. */
export interface LoadedRun {
  readonly number: number;
  readonly summary: RunSummary;
  readonly rows: readonly PageRow[];
  readonly isWhole: boolean;
}

export interface PageRunState {
  readonly data: PageData;
  readonly source: RunSource | undefined;
  readonly run: LoadedRun | undefined;
  readonly status: "waiting" | "shown" | "failed";
  /** How much of the run has been replayed, 0 to 1. */
  readonly progress: number;
  readonly error: string;
  /** Whether the worker does not answer. */
  readonly isDead: boolean;
}

export function initialRunState(data: PageData): PageRunState {
  return {
    data,
    source: undefined,
    run: undefined,
    status: "waiting",
    progress: 0,
    error: "",
    isDead: false,
  };
}

/** Asks the worker, and puts together the runs that it sends in pieces. */
export class Loading {
  private readonly client: WorkerClient;
  private readonly incoming = new Map<number, IncomingRun>();

  constructor(
    private readonly store: Store<PageRunState & { readonly playing: boolean }>,
    worker: string,
  ) {
    this.client = new WorkerClient(worker, {
      summary: (run, summary) => this.incoming.set(run, newRun(run, summary)),
      chunk: (run, chunk, isWhole) => this.addChunk(run, chunk, isWhole),
      progress: (progress) => store.set({ progress }),
      died: (why) => store.set({ isDead: true, error: why, playing: false }),
    });
  }

  readonly ask: WorkerClient["ask"] = (name, input) => this.client.ask(name, input);

  /** A run whose summary has arrived. */
  run(number: number): LoadedRun | undefined {
    return this.incoming.get(number)?.run;
  }

  forget(run: number): void {
    this.incoming.delete(run);
    void this.client.ask("close", { run });
  }

  private addChunk(run: number, chunk: RunChunk, isWhole: boolean): void {
    const incoming = this.incoming.get(run);
    if (incoming === undefined) return;
    const { rows, lists } = incoming;
    // mutable lists: copying them for each chunk would take quadratic time
    rows.push(...chunk.rows);
    lists.records.push(...chunk.records);
    lists.lanes.push(...chunk.lanes);
    lists.bars.push(...chunk.bars);
    lists.holds.push(...chunk.holds);
    incoming.run = { ...incoming.run, isWhole };
    if (run === this.store.state.run?.number) this.store.set({ run: incoming.run });
  }
}

/** A run whose lists are not complete yet. */
interface IncomingRun {
  run: LoadedRun;
  readonly rows: PageRow[];
  readonly lists: { readonly [L in keyof RunLists]: RunLists[L][number][] };
}

function newRun(number: number, summary: Omit<RunSummary, keyof RunLists>): IncomingRun {
  const lists: IncomingRun["lists"] = { records: [], lanes: [], bars: [], holds: [] };
  const rows: PageRow[] = [];
  return { lists, rows, run: { number, summary: { ...summary, ...lists }, rows, isWhole: false } };
}
