import type { Deviation } from "../../core/engine/deviations.ts";
import type { Mismatch } from "../../core/scenario/compare.ts";
import type { PatchOperation } from "../../core/scenario/patch.ts";
import type { JournalDocument } from "../../index.ts";
import type { StoryTree } from "../../stories/story-tree.ts";
import type { CaptureSource, StateAt } from "../data.ts";
import type { ActGroup, OfferedAct } from "../model/acts.ts";
import type { AskedQuestion } from "../model/asked-questions.ts";
import type { Detail } from "../model/detail.ts";
import type { ForkableRequest, RequestDeviation } from "../model/forkable-requests.ts";
import type { MachineView } from "../model/machine-view.ts";
import type { Questions } from "../model/question.ts";
import type { PersonAt } from "../model/run-answers.ts";
import type { PageRow, RunLists, RunSummary } from "../model/types.ts";
import type { WhatIfUp } from "../model/what-if-up.ts";
import type { AskedWhy, WhyAnswer } from "../model/why-answer.ts";
import type { ExpectedEvents } from "../stream.ts";

/** A problem and its place in a scenario's text. Lines and columns count from 1. */
export interface TextProblem {
  readonly message: string;
  /** The keys that lead to it, such as `steps[2].answer.by`; empty for the text as a whole. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly endLine?: number | undefined;
  readonly endColumn?: number | undefined;
  /** What was probably meant: text to replace the range with. */
  readonly suggestion?: string | undefined;
}

/** The result of a scenario's text: problems, and a run if it could be played. */
export interface PlayResult {
  readonly problems: readonly TextProblem[];
  /** How the run differs from what the scenario expects: the whole comparison as text, and each difference. */
  readonly report: string;
  readonly mismatches: readonly Mismatch[];
  /** Whether the scenario expects anything. */
  readonly expects: boolean;
  readonly run: number | undefined;
  readonly title: string;
}

/** The result of an import: a run, and its scenario as YAML. */
export interface ImportedRun {
  readonly run: number;
  readonly yaml: string;
}

/** What a run is compared with: another run, or events. */
export type OtherRun =
  | { readonly run: number; readonly events?: undefined }
  | { readonly run?: undefined; readonly events: ExpectedEvents };

/** The worker's methods, with inputs and outputs. `run` is the number of a run. */
export interface WorkerMethods {
  open(input: {
    journal: JournalDocument;
    title: string;
    problems: readonly string[];
    scenario?: string | undefined;
    capture?: CaptureSource | undefined;
    states?: readonly StateAt[] | undefined;
  }): number;
  /** Imports a capture. @throws if nothing of it can be read, or the page has no importer */
  importCapture(input: { text: string; title: string }): ImportedRun;
  /** Another run, or the expected events, from a file's text. @throws if the text is neither */
  other(input: { run: number; text: string; title: string }): OtherRun;
  play(input: { text: string; organisations: Readonly<Record<string, string>> }): PlayResult;
  /** A scenario's text with what happens in its run as what it expects. */
  expected(input: { text: string; organisations: Readonly<Record<string, string>> }): string;
  /** A scenario's text with the misplaced step of a problem among its steps; undefined if it cannot be moved. */
  stepMoved(input: { text: string; path: string }): string | undefined;
  /** A scenario's text after a patch. */
  patched(input: { text: string; patch: readonly PatchOperation[] }): string;
  /** The event fields in which two runs with equal steps differ. */
  dataChanges(input: { run: number; other: number }): string[];
  close(input: { run: number }): void;
  detail(input: { run: number; row: number }): Detail;
  machines(input: { run: number; row: number }): MachineView[];
  acts(input: { run: number; row: number }): ActGroup[];
  fork(input: { run: number; row: number; act: OfferedAct }): number;
  /** The deviation point of a request. */
  deviationPoint(input: { run: number; request: ForkableRequest }): Omit<Deviation, "is">;
  /** @throws if this cannot happen to the request */
  deviate(input: { run: number; request: ForkableRequest; is: RequestDeviation }): number;
  /** A run like this in which a host is up all the time, and what that changes. */
  whatIfUp(input: { run: number; host: string }): { readonly run: number; readonly answer: WhatIfUp };
  /** What everybody does after a row. */
  people(input: { run: number; row: number }): PersonAt[];
  /** The last row at or before an instant, as people write it. @throws if it is none of the run */
  rowAt(input: { run: number; text: string }): number;
  /** Questions about what happened, each answered in one step. */
  asked(input: { run: number }): AskedQuestion[];
  whyQuestions(input: { run: number; row: number; record?: number | undefined }): AskedWhy[];
  why(input: { run: number; row: number; question: string }): WhyAnswer;
  questions(input: { run: number }): Questions;
  /** What can become of a scenario if one person does something else; or why that is not told. */
  stories(input: { text: string; organisations: Readonly<Record<string, string>> }): ToldTree;
  text(input: { run: number; as: "mermaid" | "timeline" | "jsonl" | "journal" | "yaml" }): string;
  ping(input: Record<never, never>): true;
}

/** The tree of a scenario's stories, or why there is none. */
export type ToldTree =
  | { readonly tree: StoryTree; readonly why?: undefined }
  | { readonly tree?: undefined; readonly why: string };

export type WorkerMethod = keyof WorkerMethods;
export type WorkerInput<N extends WorkerMethod> = Parameters<WorkerMethods[N]>[0];
export type WorkerOutput<N extends WorkerMethod> = ReturnType<WorkerMethods[N]>;

/** A message from the page to the worker. */
export interface WorkerRequest {
  readonly id: number;
  readonly name: WorkerMethod;
  readonly input: unknown;
}

/** A message from the worker to the page. */
export type WorkerMessage =
  | { readonly is: "answer"; readonly id: number; readonly answer: unknown }
  | { readonly is: "error"; readonly id: number; readonly message: string }
  /** How much has been replayed, 0 to 1. */
  | { readonly is: "progress"; readonly progress: number }
  /** A run is ready. Its lists follow in chunks, before the answer. */
  | { readonly is: "summary"; readonly run: number; readonly summary: Omit<RunSummary, keyof RunLists> }
  | { readonly is: "chunk"; readonly run: number; readonly chunk: RunChunk; readonly done: boolean };

/** The next part of each list of a run. */
export interface RunChunk extends RunLists {
  readonly rows: readonly PageRow[];
}
