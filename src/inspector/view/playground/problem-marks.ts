import { RangeSet, StateEffect, StateField, type Text, type TransactionSpec } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  GutterMarker,
  gutter,
  WidgetType,
} from "@codemirror/view";
import type { Mismatch } from "../../../core/scenario/compare.ts";
import { isMisplacedStep } from "../../../core/scenario/misplaced-step.ts";
import type { TextProblem } from "../../worker/protocol.ts";
import { lineDifferences } from "../state/verdict-words.ts";
import type { ProblemActions } from "./any-editor.ts";

/**
 * Marks problems in the editor: underlined, marked beside the line, and explained in a block below the line, so that
 * nothing covers the text. CodeMirror has a package for this, but the page would use a tenth of it.
 */

/** A message below a line. */
interface Message {
  /** The offset of the end of its line. */
  readonly offset: number;
  readonly text: string;
  /** The range to underline, for a problem. */
  readonly range?: { readonly from: number; readonly to: number };
  /** What can be done about it. */
  readonly remedy?: { readonly label: string; apply(view: EditorView): void };
}

const setMessages = StateEffect.define<readonly Message[]>();

/** A block below a line. */
class MessageWidget extends WidgetType {
  constructor(private readonly messages: readonly Message[]) {
    super();
  }

  override eq(other: MessageWidget): boolean {
    const textOf = ({ text, remedy }: Message) => `${text}\n${remedy?.label}`;
    return this.messages.map(textOf).join("\n") === other.messages.map(textOf).join("\n");
  }

  override toDOM(view: EditorView): HTMLElement {
    const element = document.createElement("div");
    element.className = "cm-message";
    for (const { text, remedy } of this.messages) {
      const words = document.createElement("p");
      words.textContent = text;
      element.append(words);
      if (remedy === undefined) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = remedy.label;
      button.onclick = () => {
        remedy.apply(view);
        view.focus();
      };
      element.append(button);
    }
    return element;
  }

  // the buttons get their clicks
  override ignoreEvent(): boolean {
    return true;
  }
}

/** The underlined ranges. They move with the text until it is checked again. */
const underlines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(ranges, { changes, effects }) {
    for (const effect of effects)
      if (effect.is(setMessages))
        return Decoration.set(
          effect.value.flatMap(({ range }) =>
            range === undefined
              ? []
              : [
                  Decoration.mark({ class: "cm-problem" }).range(
                    range.from,
                    Math.max(range.from + 1, range.to),
                  ),
                ],
          ),
          true,
        );
    return ranges.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** The blocks below lines. */
const blocks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(ranges, { changes, effects }) {
    for (const effect of effects)
      if (effect.is(setMessages)) {
        const byLine = new Map<number, Message[]>();
        for (const message of effect.value)
          byLine.set(message.offset, [...(byLine.get(message.offset) ?? []), message]);
        return Decoration.set(
          [...byLine].map(([at, messages]) =>
            Decoration.widget({ widget: new MessageWidget(messages), block: true, side: 1 }).range(at),
          ),
          true,
        );
      }
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
  blocks,
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
];

/** The change that makes the editor show exactly these problems and differences. */
export function showProblems(
  doc: Text,
  problems: readonly TextProblem[],
  mismatches: readonly Mismatch[],
  actions: ProblemActions,
): TransactionSpec {
  // an empty text has nothing to underline
  if (doc.length === 0) return { effects: setMessages.of([]) };
  const wrong = problems.map((problem): Message => {
    const range = problemRange(doc, problem);
    const remedy = makeRemedy(problem, range, actions);
    return {
      offset: doc.lineAt(range.from).to,
      text: problem.message,
      range,
      ...(remedy === undefined ? {} : { remedy }),
    };
  });
  const different = lineDifferences(mismatches)
    .filter(({ line }) => line <= doc.lines)
    .map(({ line, text }): Message => ({ offset: doc.line(line).to, text }));
  return { effects: setMessages.of([...wrong, ...different]) };
}

function makeRemedy(
  problem: TextProblem,
  { from, to }: { readonly from: number; readonly to: number },
  actions: ProblemActions,
): Message["remedy"] {
  const { suggestion } = problem;
  if (isMisplacedStep(problem)) return { label: "Move it to steps", apply: () => actions.moveStep(problem) };
  if (suggestion === undefined) return undefined;
  return {
    label: `Write ${suggestion}`,
    apply: (view) => view.dispatch({ changes: { from, to, insert: suggestion }, userEvent: "input" }),
  };
}

/** The place of a problem: its range, or the word at its start. */
export function problemRange(
  doc: Text,
  { line, column, endLine, endColumn }: TextProblem,
): { from: number; to: number } {
  // an underline needs a width: at the end of the text it takes the last character
  const from = Math.min(findOffset(doc, line, column), Math.max(0, doc.length - 1));
  const given =
    endLine === undefined || endColumn === undefined ? undefined : findOffset(doc, endLine, endColumn);
  return { from, to: given !== undefined && given > from ? given : endOfWord(doc, from) };
}

/** The offset of a place. The text may have become shorter since the problem was found. */
function findOffset(doc: Text, line: number, column: number): number {
  const at = doc.line(Math.max(1, Math.min(doc.lines, line)));
  return Math.min(at.to, at.from + Math.max(0, column - 1));
}

function endOfWord(doc: Text, from: number): number {
  const { to } = doc.lineAt(from);
  const [word = ""] = /^[^\s,{}[\]]+/.exec(doc.sliceString(from, to)) ?? [];
  return Math.min(to, from + Math.max(1, word.length));
}
