import type { JournalDocument } from "../../../index.ts";
import type { RunFailure } from "../../data.ts";
import { showsFailure } from "../../model/types.ts";
import type { WorkerInput } from "../../worker/protocol.ts";
import { thrownText } from "../common/format.ts";
import { Live, type LiveState, type ServerState } from "../common/live.ts";
import { type ComparingState, notComparing } from "./comparing.ts";
import type { Links } from "./links.ts";
import type { LoadedRun, Loading, PageRunState } from "./loading.ts";
import type { PlaybackState } from "./playback.ts";
import type { Store } from "./store.ts";
import { notTeaching, type TeachingState } from "./teaching.ts";
import type { ViewState } from "./view.ts";

/** A run with more rows than this opens folded. */
const FOLDS_FROM = 2_000;
/** A run with more calls and conversations than this opens with their overview. */
const BUSY_FROM = 30;

/** Whether a run has an overview of its calls. */
export function isBusy(run: LoadedRun | undefined): boolean {
  return run !== undefined && run.summary.records.length > BUSY_FROM;
}

/** The row at which a failure's page opens: its event, or else the last thing that the app received. */
function failedRow({ rows }: LoadedRun, { place }: RunFailure): number | undefined {
  if (place !== undefined) return rows.find(({ event }) => event === place)?.index;
  return rows.findLast(({ deliveries, isInsideHandler }) => deliveries.length > 0 || isInsideHandler === true)
    ?.index;
}

export function initialServerState(isServed: boolean): ServerState {
  return {
    live: isServed ? { is: "connecting", problem: "", timestamp: undefined, isHeld: false } : undefined,
  };
}

type RunsState = PageRunState & ViewState & PlaybackState & ComparingState & TeachingState & ServerState;

/** Which run is shown: one of the page's, or the server's as it goes on. */
export class Runs {
  readonly live: Live | undefined;

  constructor(
    private readonly store: Store<RunsState>,
    private readonly loading: Loading,
    private readonly links: Links,
  ) {
    if (store.state.live === undefined) return;
    this.live = new Live({
      state: (change) => this.updateLive(change),
      journal: (journal) => this.follow(journal),
      mustWait: () => this.isShowingOther(),
    });
    // shows a held update once the user returns to the run
    store.follow(() => {
      if (store.state.live?.isHeld && !this.isShowingOther()) this.live?.release();
    });
  }

  async open(input: WorkerInput<"open">): Promise<void> {
    try {
      this.show(await this.loading.ask("open", input));
    } catch (error) {
      this.fail(error);
    }
  }

  show(number: number): void {
    const run = this.loading.run(number);
    if (run === undefined) return;
    const { now, follows, showsCalls, source, live, mode } = this.store.state;
    const last = Math.max(0, run.rows.length - 1);
    const isNew = now < 0;
    const failed = source?.failure;
    // a server's run goes on behind its failures
    const hasFailed =
      live === undefined && mode === "inspect" ? run.rows.find(showsFailure)?.index : undefined;
    this.store.set({
      // the detail panel describes a row that is in view
      follows: isNew || follows,
      run,
      status: "shown",
      folded: run.rows.length > FOLDS_FROM || isBusy(run),
      showsCalls: isNew ? isBusy(run) && failed?.place === undefined : showsCalls,
      // a new run opens at its failure, at the first thing that failed, or at its end
      now: isNew ? ((failed && failedRow(run, failed)) ?? hasFailed ?? last) : Math.min(now, last),
      ...notComparing,
      ...notTeaching,
    });
    document.title = `${run.summary.title} · ringback`;
  }

  fail(error: unknown): void {
    if (this.store.state.isDead) return;
    this.store.set({ status: "failed", error: thrownText(error) });
  }

  /** Moves time on the server. */
  advance(duration: string): Promise<void> {
    return this.trySaying(() => this.live?.advance(duration));
  }

  /** Gives a command on the server. */
  command(name: string, args: object): Promise<void> {
    return this.trySaying(() => this.live?.command(name, args));
  }

  private async trySaying(what: () => Promise<void> | undefined): Promise<void> {
    try {
      await what();
    } catch (error) {
      this.links.say(thrownText(error));
    }
  }

  /** Shows the server's current run. A view of the last row stays at the last row. */
  private async follow(journal: JournalDocument): Promise<void> {
    const { run, now, record, folded, data, isDead } = this.store.state;
    if (isDead) return;
    const number = await this.loading.ask("open", { journal, title: data.title, problems: [] });
    const next = this.loading.run(number);
    const shown = run?.rows[now];
    const isSameRun =
      shown !== undefined &&
      next?.rows[now]?.atMs === shown.atMs &&
      next.rows[now]?.subject === shown.subject;
    const wasAtEnd = run === undefined || now >= run.rows.length - 1;
    if (wasAtEnd || !isSameRun) this.store.set({ now: -1 });
    this.show(number);
    if (isSameRun) this.store.set({ record, folded });
    if (run !== undefined) this.loading.forget(run.number);
  }

  private updateLive(change: Partial<LiveState>): void {
    const { live } = this.store.state;
    if (live !== undefined) this.store.set({ live: { ...live, ...change } });
  }

  /** Whether something is open that a newer run would close. */
  private isShowingOther(): boolean {
    const { isComparing, teaching, playing, mode, opened } = this.store.state;
    return isComparing || opened !== undefined || teaching !== undefined || playing || mode === "play";
  }
}
