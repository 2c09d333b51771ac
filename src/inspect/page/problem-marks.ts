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
 * What is wrong in the editor's text: underlined, marked beside the line, and said to a pointer that rests on it. CodeMirror
 * has a package for this, of which the page would use a tenth: its list of problems is the page's own.
 */

interface Problem {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

const found = StateEffect.define<readonly Problem[]>();

/** The underlined ranges, each with its problem; they move with the text until it is checked again. */
const underlines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(ranges, { changes, effects }) {
    for (const effect of effects)
      if (effect.is(found))
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

/** The change that has the editor show these problems, and no others. */
export function showProblems(doc: Text, problems: readonly TextProblem[]): TransactionSpec {
  const places = problems.map((problem) => ({ ...placeOfProblem(doc, problem), message: problem.message }));
  // nothing can be underlined in an empty text
  return { effects: found.of(doc.length === 0 ? [] : places) };
}

/** Where a problem is: its range, or the word that it begins at. */
export function placeOfProblem(
  doc: Text,
  { line, column, endLine, endColumn }: TextProblem,
): { from: number; to: number } {
  // an underline has a width: at the end of the text it is the last sign's
  const from = Math.min(placeOf(doc, line, column), Math.max(0, doc.length - 1));
  const given =
    endLine === undefined || endColumn === undefined ? undefined : placeOf(doc, endLine, endColumn);
  return { from, to: given !== undefined && given > from ? given : endOfWord(doc, from) };
}

/** The text may have become shorter since the problem was found. */
function placeOf(doc: Text, line: number, column: number): number {
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
