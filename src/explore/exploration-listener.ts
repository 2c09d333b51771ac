import type { Reproduction } from "./report/reproduce.ts";
import type { WorldOutcome } from "./run/outcome.ts";
import type { Prepared } from "./run/prepare.ts";
import type { Limits } from "./search/limits.ts";

/** The options of an exploration that is about to start. */
export interface ReadTask {
  readonly prepared: Prepared;
  readonly limits: Limits;
  /** The number of parts into which the worlds are divided. */
  readonly parts: number;
}

/** Follows an exploration. */
export interface ExplorationListener {
  /** Called when the options and the scenario were read. */
  onStart?(read: ReadTask): void;
  onWorld?(outcome: WorldOutcome): void;
  /** Called after each part. */
  onPartDone?(): void;
  /** The command that runs a failing world again, in place of the option `replay`. */
  readonly replay?: Reproduction["command"];
  /** Called when all worlds were run, before their failures are minimized. */
  onMinimize?(failures: number): void;
}
