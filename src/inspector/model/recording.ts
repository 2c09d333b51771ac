import { journalStart } from "../../core/simulator/options.ts";
import { resume } from "../../core/simulator/replay.ts";
import { type JournalDocument, replay, type Simulator } from "../../index.ts";
import type { CaptureSource, StateAt } from "../data.ts";
import { Recorder } from "./recorder.ts";
import type { PageRow, RunSummary } from "./types.ts";

/** A copy of the simulator at a step, and the next entry of the journal. */
interface Checkpoint {
  /** How many steps the run had made. */
  readonly step: number;
  readonly simulator: Simulator;
  readonly nextEntry: number;
}

/** How many checkpoints are kept at most. With more, every second is dropped. */
const MAX_CHECKPOINTS = 64;

/** How a run is recorded. */
export interface RecordOptions {
  readonly title?: string | undefined;
  readonly problems?: readonly string[] | undefined;
  /** The text of the scenario that was played. */
  readonly scenario?: string | undefined;
  /** What the run was imported from. */
  readonly capture?: CaptureSource | undefined;
  /** The states of the app, in order. */
  readonly states?: readonly StateAt[] | undefined;
  /** Commands that this fork did not allow. */
  readonly skipped?: readonly string[] | undefined;
  /** Reports the part of the journal that has been played, 0 to 1. */
  readonly progress?: (part: number) => void;
}

/** A replayed journal: everything that the page shows of it, and checkpoints to fork it. */
export class Recording {
  readonly rows: readonly PageRow[];
  readonly summary: RunSummary;

  private constructor(
    readonly journal: JournalDocument,
    /** The run at its end. */
    readonly simulator: Simulator,
    readonly recorder: Recorder,
    private readonly checkpoints: readonly Checkpoint[],
    /** The text of the scenario that was played, if it is known. */
    readonly scenario: string | undefined,
    about: Pick<RunSummary, "title" | "problems" | "skipped" | "capture">,
  ) {
    this.rows = recorder.rows;
    this.summary = summarise(journal, simulator, recorder, about);
  }

  /** @throws {InputError} if the value is not a journal of this version */
  static from(
    given: JournalDocument,
    { title, problems = [], skipped = [], scenario, capture, states, progress }: RecordOptions = {},
  ): Recording {
    const journal = withoutRetention(given);
    const simulator = replay({ ...journal, entries: [], end: journalStart(journal) });
    const name = nameOf(journal);
    const hasStandIns = capture?.hasStandIns === true;
    const recorder = new Recorder(simulator, simulator.narrate(hasStandIns), hasStandIns);
    simulator.watch(recorder);
    const checkpoints = new Checkpoints();
    let steps = 0;
    checkpoints.add({ step: 0, simulator: simulator.fork(), nextEntry: 0 });
    for (const nextEntry of resume(simulator.services, journal)) {
      steps++;
      recorder.flush();
      checkpoints.addIfDue(steps, () => ({ step: steps, simulator: simulator.fork(), nextEntry }));
      if (steps % 2_000 === 0) progress?.(nextEntry / Math.max(1, journal.entries.length));
    }
    recorder.finish(capture, states);
    return new Recording(journal, simulator, recorder, checkpoints.list, scenario, {
      title: title ?? name,
      problems,
      skipped,
      capture,
    });
  }

  /** Restores the run after a step: a new simulator, and the next entry of the journal. */
  at(step: number): { simulator: Simulator; nextEntry: number } {
    const from = this.checkpoints.findLast((each) => each.step <= step);
    if (from === undefined) throw new Error(`the run has no step ${step}`);
    const simulator = from.simulator.fork();
    let { nextEntry } = from;
    let reached = from.step;
    const rest = resume(simulator.services, this.journal, from.nextEntry);
    while (reached < step) {
      const next = rest.next();
      if (next.done === true) break;
      nextEntry = next.value;
      reached++;
    }
    return { simulator, nextEntry };
  }

  /** The number of steps before the first one after which `holds` stays true. */
  stepsUntil(holds: (run: Simulator) => boolean): number {
    const from = this.checkpoints.findLast(({ simulator }) => !holds(simulator));
    if (from === undefined) return 0;
    const simulator = from.simulator.fork();
    let { step } = from;
    for (const _ of resume(simulator.services, this.journal, from.nextEntry)) {
      if (holds(simulator)) return step;
      step++;
    }
    throw new Error("this never holds in the run");
  }
}

/** Keeps forks at even distances in a run of any length. */
class Checkpoints {
  list: Checkpoint[] = [];
  private every = 64;

  add(checkpoint: Checkpoint): void {
    this.list.push(checkpoint);
  }

  addIfDue(step: number, make: () => Checkpoint): void {
    if (step % this.every !== 0) return;
    this.list.push(make());
    if (this.list.length <= MAX_CHECKPOINTS) return;
    this.list = this.list.filter((_, index) => index % 2 === 0);
    this.every *= 2;
  }
}

/** Removes the retention limits that change nothing else, so that the page shows the records of the whole run. */
function withoutRetention(journal: JournalDocument): JournalDocument {
  // the next message of a dropped conversation begins another
  const { conversations } = journal.options.retain;
  const retain = conversations === undefined ? {} : { conversations };
  return { ...journal, options: { ...journal.options, retain } };
}

function nameOf({ options: { organisation } }: JournalDocument): string {
  return organisation.name ?? organisation.id;
}

/** Says what a compacted journal lacks. */
function compactionNote({ snapshot }: JournalDocument): string | undefined {
  if (snapshot === undefined) return undefined;
  return `The journal was compacted at ${new Date(snapshot.atMs).toISOString()}: earlier instants are gone.`;
}

function summarise(
  journal: JournalDocument,
  simulator: Simulator,
  recorder: Recorder,
  about: Pick<RunSummary, "title" | "problems" | "skipped" | "capture">,
): RunSummary {
  const { bars, holds, records } = recorder;
  const startMs = simulator.startTimestamp;
  return {
    ...about,
    seed: journal.options.seed,
    start: journal.options.start,
    startMs,
    zone: journal.options.organisation.timezone ?? "UTC",
    endMs: simulator.timestamp - startMs,
    eventCount: recorder.events.length,
    journalBytes: JSON.stringify(journal).length,
    lanes: recorder.lanes.list(),
    teams: recorder.lanes.teamNames(),
    records,
    bars,
    holds,
    compactionNote: compactionNote(journal),
  };
}
