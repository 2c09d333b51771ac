import { RangeSet, StateEffect, StateField, type Text, type TransactionSpec } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  GutterMarker,
  gutter,
  hoverTooltip,
} from "@codemirror/view";
import type { TextProblem } from "../worker/protocol.ts";

/**
 * Marks problems in the editor: underlined, marked beside the line, and explained to a resting pointer. CodeMirror
 * has a package for this, but the page would use a tenth of it, since its list of problems is its own.
 */

interface Problem {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

const setProblems = StateEffect.define<readonly Problem[]>();

/** The underlined ranges with their problems. They move with the text until it is checked again. */
const underlines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(ranges, { changes, effects }) {
    for (const effect of effects)
      if (effect.is(setProblems))
        return Decoration.set(
          effect.value.map(({ from, to, message }) =>
            Decoration.mark({ class: "cm-problem", message }).range(from, Math.max(from + 1, to)),
          ),
          true,
        );
    return ranges.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const mark = new (class extends GutterMarker {
  override toDOM(): Node {
    const element = document.createElement("div");
    element.className = "cm-problem-mark";
    return element;
  }
})();

/** Shows the marks that `showProblems` sets. */
export const problemMarks = [
  underlines,
  gutter({
    class: "cm-problems",
    markers: ({ state }) => {
      const lines = new Set<number>();
      state.field(underlines).between(0, state.doc.length, (from) => {
        lines.add(state.doc.lineAt(from).from);
      });
      return RangeSet.of([...lines].sort((a, b) => a - b).map((line) => mark.range(line)));
    },
    initialSpacer: () => mark,
  }),
  hoverTooltip(({ state }, position) => {
    const messages: string[] = [];
    state.field(underlines).between(position, position, (_from, _to, { spec }) => {
      messages.push(String(spec.message));
    });
    if (messages.length === 0) return null;
    return { pos: position, create: () => ({ dom: messageElement(messages) }) };
  }),
];

/** The change that makes the editor show exactly these problems. */
export function showProblems(doc: Text, problems: readonly TextProblem[]): TransactionSpec {
  const ranges = problems.map((problem) => ({ ...problemRange(doc, problem), message: problem.message }));
  // an empty text has nothing to underline
  return { effects: setProblems.of(doc.length === 0 ? [] : ranges) };
}

/** The place of a problem: its range, or the word at its start. */
export function problemRange(
  doc: Text,
  { line, column, endLine, endColumn }: TextProblem,
): { from: number; to: number } {
  // an underline needs a width: at the end of the text it takes the last character
  const from = Math.min(offsetOf(doc, line, column), Math.max(0, doc.length - 1));
  const given =
    endLine === undefined || endColumn === undefined ? undefined : offsetOf(doc, endLine, endColumn);
  return { from, to: given !== undefined && given > from ? given : endOfWord(doc, from) };
}

/** The offset of a place. The text may have become shorter since the problem was found. */
function offsetOf(doc: Text, line: number, column: number): number {
  const at = doc.line(Math.max(1, Math.min(doc.lines, line)));
  return Math.min(at.to, at.from + Math.max(0, column - 1));
}

function endOfWord(doc: Text, from: number): number {
  const { to } = doc.lineAt(from);
  const [word = ""] = /^[^\s,{}[\]]+/.exec(doc.sliceString(from, to)) ?? [];
  return Math.min(to, from + Math.max(1, word.length));
}

function messageElement(messages: readonly string[]): HTMLElement {
  const element = document.createElement("div");
  element.append(
    ...messages.map((message) => {
      const line = document.createElement("p");
      line.textContent = message;
      return line;
    }),
  );
  return element;
}
