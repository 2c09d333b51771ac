import type { Mismatch } from "../../../core/scenario/compare.ts";
import type { Theme } from "../../../look/theme.ts";
import type { TextProblem } from "../../worker/protocol.ts";

/** The editor of a scenario. */
export interface CodeEditor {
  setText(text: string): void;
  /** Explains problems, and differences of the run from what is expected. */
  setProblems(problems: readonly TextProblem[], mismatches: readonly Mismatch[]): void;
  setTheme(theme: Theme): void;
  /** Moves the cursor to a problem. */
  goTo(problem: TextProblem): void;
  end(): void;
}

/** What can be done about a problem. */
export interface ProblemActions {
  /** Moves a step that stands in another list to the steps. */
  moveStep(problem: TextProblem): void;
}

/** What the editor tells the page. */
export interface EditorListener extends ProblemActions {
  changed(text: string): void;
}

/** Makes an editor in an element. */
export type MakeEditor = (parent: HTMLElement, text: string, listener: EditorListener) => CodeEditor;

declare global {
  /** The editor of playgrounds; other pages have none. */
  var ringbackEditor: MakeEditor | undefined;
}
