import type { Engine } from "../engine/engine.ts";

/** A copy of a run, and its instant. */
interface Copy<Run> {
  readonly atMs: number;
  readonly run: Run;
}

/** Keeps a run as it was before the current instant: a copy is made whenever nothing more is due at an instant. */
export class EarlierRun<Run> {
  private latest: Copy<Run> | undefined;
  /** The latest copy of an instant before that of `latest`. */
  private previous: Copy<Run> | undefined;

  constructor(
    private readonly engine: Pick<Engine, "now" | "loop" | "probes">,
    private readonly copy: () => Run,
  ) {
    engine.probes.attach({ afterStep: this.keep });
  }

  /** The run before an instant; undefined if no step of it was taken before. */
  before(atMs: number): Run | undefined {
    return [this.latest, this.previous].find((each) => each !== undefined && each.atMs < atMs)?.run;
  }

  private readonly keep = (): void => {
    const { now, loop } = this.engine;
    if (loop.nextDueMs <= now) return;
    if (this.latest !== undefined && this.latest.atMs < now) this.previous = this.latest;
    this.latest = { atMs: now, run: this.copy() };
  };
}
