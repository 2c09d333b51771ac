import { type PageRow, showsFailure } from "../../model/types.ts";
import { chosenIn } from "./chosen.ts";
import { type Layout, layOutRows, shownRows } from "./layout.ts";
import type { Links } from "./links.ts";
import type { LoadedRun, PageRunState } from "./loading.ts";
import type { Store } from "./store.ts";
import { limitOf, type TeachingState } from "./teaching.ts";
import type { ViewState } from "./view.ts";

export interface PlaybackState {
  /** The row at the present instant. */
  readonly now: number;
  /** Whether the ladder keeps the row in sight, as it does once someone has chosen one. */
  readonly follows: boolean;
  readonly playing: boolean;
  /** How fast time passes, as a multiple of the run's own speed. */
  readonly speed: number;
}

export const notPlaying: PlaybackState = { now: -1, follows: false, playing: false, speed: 10 };

/** Moves through the rows of the run. */
export class Playback {
  private timer = 0;
  private laidOut: { readonly inputs: readonly unknown[]; readonly layout: Layout } | undefined;

  constructor(
    private readonly store: Store<PlaybackState & PageRunState & ViewState & TeachingState>,
    private readonly links: Links,
  ) {}

  select(row: number): void {
    const { run, now: last, follows } = this.store.state;
    if (run === undefined || run.rows.length === 0) return;
    const now = Math.max(0, Math.min(run.rows.length - 1, row));
    if (now === last && follows) return;
    this.store.set({ now, follows: true });
    this.links.remember();
  }

  /** Goes to the next or the previous shown row. */
  step(by: 1 | -1): void {
    this.moveTo(by, () => true);
  }

  /** Goes to the next or the previous shown failure; from the last one to the first. */
  failure(by: 1 | -1): void {
    const { now, run } = this.store.state;
    if (this.moveTo(by, showsFailure)) return;
    const isRound = this.moveTo(by, showsFailure, by > 0 ? -1 : (run?.rows.length ?? 0));
    if (!isRound) this.links.say("Nothing that is shown failed.");
    else if (this.store.state.now === now) this.links.say("This is the only failure that is shown.");
  }

  sameRecord(by: 1 | -1): void {
    const { run, now, isAlone } = this.store.state;
    const own = chosenIn(run, { record: run?.rows[now]?.record, isAlone });
    this.moveTo(by, (row) => own?.has(row.record) === true);
  }

  togglePlay(): void {
    const { run, now, playing } = this.store.state;
    if (!playing && run !== undefined && now >= run.rows.length - 1) this.select(0);
    this.store.set({ playing: !playing });
    this.tick();
  }

  setSpeed(speed: number): void {
    this.store.set({ speed });
  }

  /** Waits for the next row's time and goes there. A pause takes a second at most. */
  private tick(): void {
    clearTimeout(this.timer);
    const { playing, run, now, speed } = this.store.state;
    if (!playing) return;
    const [here, next] = [run?.rows[now], run?.rows[now + 1]];
    if (here === undefined || next === undefined) {
      this.store.set({ playing: false });
      return;
    }
    const wait = Math.min(1_000, Math.max(speed >= 100 ? 16 : 120, (next.atMs - here.atMs) / speed));
    this.timer = window.setTimeout(() => {
      if (!this.store.state.playing) return;
      if (!this.moveTo(1, () => true)) this.store.set({ playing: false });
      this.tick();
    }, wait);
  }

  private moveTo(by: 1 | -1, fits: (row: PageRow) => boolean, from = this.store.state.now): boolean {
    const { run, teaching } = this.store.state;
    if (run === undefined) return false;
    const { visible, positionOf } = this.layout(run);
    const limit = Math.min(limitOf(teaching), run.rows.length - 1);
    const isBeyond = from > limit;
    const now = isBeyond ? limit : from;
    const at = positionOf[now] ?? -1;
    for (
      let position = by > 0 ? at + 1 : visible[at] === now && !isBeyond ? at - 1 : at;
      position >= 0 && position < visible.length;
      position += by
    ) {
      const row = run.rows[visible[position] ?? -1];
      if (row === undefined || row.index > limit) break;
      if (!fits(row)) continue;
      this.select(row.index);
      return true;
    }
    return false;
  }

  /** Caches the layout while its inputs stay the same, for a held arrow key. */
  private layout(run: LoadedRun): Layout {
    const { state } = this.store;
    const { query, hidden, onlyFailures, folded, record, isAlone, foldRepeats, foldGaps } = state;
    const of = [run, query, hidden, onlyFailures, folded, folded ? record : undefined, isAlone, foldRepeats];
    if (this.laidOut === undefined || this.laidOut.inputs.some((each, at) => each !== of[at])) {
      const shown = shownRows(run, { ...state, chosen: chosenIn(run, state) });
      this.laidOut = { inputs: of, layout: layOutRows(run, shown, foldGaps, () => 28) };
    }
    return this.laidOut.layout;
  }
}
