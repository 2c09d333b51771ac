import type { JournalDocument } from "../../index.ts";
import type { Act, ActGroup } from "../model/acts.ts";
import type { Detail } from "../model/detail.ts";
import type { MachineView } from "../model/machine-view.ts";
import type { Question } from "../model/questions.ts";
import type { Row, RunShape } from "../model/types.ts";
import type { WhyAnswer, WhyQuestion } from "../model/why-not.ts";

/** A problem in a scenario's text, where it is: lines and columns from 1. */
export interface TextProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly endLine?: number | undefined;
  readonly endColumn?: number | undefined;
}

/** What became of a scenario's text: problems, and a run unless it could not be played. */
export interface Played {
  readonly problems: readonly TextProblem[];
  /** What the stream was not, compared with what the scenario expects. */
  readonly mismatches: readonly string[];
  readonly run: number | undefined;
  readonly title: string;
}

/** What the page asks of the worker: the name, what it gives and what it gets. `run` is a run's number. */
export interface Asks {
  open(given: { journal: JournalDocument; title: string; problems: readonly string[] }): number;
  play(given: { text: string; organisations: Readonly<Record<string, string>> }): Played;
  close(given: { run: number }): void;
  detail(given: { run: number; row: number }): Detail;
  machines(given: { run: number; row: number }): MachineView[];
  acts(given: { run: number; row: number }): ActGroup[];
  fork(given: { run: number; row: number; act: Act }): number;
  whyQuestions(given: { run: number; row: number }): WhyQuestion[];
  why(given: { run: number; row: number; question: string }): WhyAnswer;
  questions(given: { run: number }): Question[];
  text(given: { run: number; as: "mermaid" | "timeline" | "jsonl" | "journal" | "yaml" }): string;
  alive(given: Record<never, never>): true;
}

export type AskName = keyof Asks;
export type Given<N extends AskName> = Parameters<Asks[N]>[0];
export type Got<N extends AskName> = ReturnType<Asks[N]>;

/** From the page to the worker. */
export interface Ask {
  readonly id: number;
  readonly name: AskName;
  readonly given: unknown;
}

/** From the worker to the page. */
export type Told =
  | { readonly is: "got"; readonly id: number; readonly got: unknown }
  | { readonly is: "threw"; readonly id: number; readonly message: string }
  /** How far the replay is, 0 to 1. */
  | { readonly is: "progress"; readonly part: number }
  /** A run is there; its rows follow in pieces, before the answer to whoever asked for it. */
  | { readonly is: "shape"; readonly run: number; readonly shape: RunShape }
  | { readonly is: "rows"; readonly run: number; readonly rows: readonly Row[]; readonly done: boolean };
