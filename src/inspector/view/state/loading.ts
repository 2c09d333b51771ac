import type { PageData, RunSource } from "../../data.ts";
import type { Row, RunLists, RunShape } from "../../model/types.ts";
import type { Piece } from "../../worker/protocol.ts";
import { Client } from "../client.ts";
import type { Store } from "./store.ts";

/** A run, as far as it has been loaded. */
export interface LoadedRun {
  readonly number: number;
  readonly shape: RunShape;
  readonly rows: readonly Row[];
  readonly isWhole: boolean;
}

export interface RunState {
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

export function noRunOf(data: PageData): RunState {
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
  private readonly client: Client;
  private readonly coming = new Map<number, ComingRun>();

  constructor(
    private readonly store: Store<RunState & { readonly playing: boolean }>,
    worker: string,
  ) {
    this.client = new Client(worker, {
      shape: (run, shape) => this.coming.set(run, newRun(run, shape)),
      piece: (run, piece, isWhole) => this.take(run, piece, isWhole),
      progress: (progress) => store.set({ progress }),
      died: (why) => store.set({ isDead: true, error: why, playing: false }),
    });
  }

  readonly ask: Client["ask"] = (name, given) => this.client.ask(name, given);

  /** A run whose shape has come. */
  run(number: number): LoadedRun | undefined {
    return this.coming.get(number)?.run;
  }

  forget(run: number): void {
    this.coming.delete(run);
    void this.client.ask("close", { run });
  }

  private take(run: number, piece: Piece, isWhole: boolean): void {
    const coming = this.coming.get(run);
    if (coming === undefined) return;
    const { rows, lists } = coming;
    // lists that grow: copying them for each piece would take a long run's time squared
    rows.push(...piece.rows);
    lists.records.push(...piece.records);
    lists.lanes.push(...piece.lanes);
    lists.bars.push(...piece.bars);
    lists.holds.push(...piece.holds);
    coming.run = { ...coming.run, isWhole };
    if (run === this.store.state.run?.number) this.store.set({ run: coming.run });
  }
}

/** A run whose lists are not complete yet. */
interface ComingRun {
  run: LoadedRun;
  readonly rows: Row[];
  readonly lists: { readonly [L in keyof RunLists]: RunLists[L][number][] };
}

function newRun(number: number, shape: Omit<RunShape, keyof RunLists>): ComingRun {
  const lists: ComingRun["lists"] = { records: [], lanes: [], bars: [], holds: [] };
  const rows: Row[] = [];
  return { lists, rows, run: { number, shape: { ...shape, ...lists }, rows, isWhole: false } };
}
