import type { Lane } from "./types.ts";

/** A quiz question, asked before the run shows the answer. It stands alone: who, how long, and what is asked. */
export interface Question {
  /** The last row that is visible with the question; -1 for none. */
  readonly row: number;
  /** The row that answers it. */
  readonly answerRow: number;
  readonly text: string;
  readonly choices: readonly string[];
  /** The index of the right choice. */
  readonly right: number;
  /** Why it is right, in a sentence or two. */
  readonly because: string;
  /** The instant that it is about, ms from the start. */
  readonly atMs: number;
  /** For each choice, the change under which it would be right; undefined for most. */
  readonly instead?: readonly (string | undefined)[];
}

/** The questions about a run. */
export interface Questions {
  readonly list: readonly Question[];
  /** The lanes of the run, and of all who occur in a choice: otherwise the lanes would give the answer. */
  readonly lanes: readonly Lane[];
  /** How many questions of the file are left out, since they are not true of the run. */
  readonly left: number;
}
