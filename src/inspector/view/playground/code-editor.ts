import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { history, historyKeymap, indentWithTab, standardKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { MakeEditor } from "./any-editor.ts";
import { problemMarks, problemRange, showProblems } from "./problem-marks.ts";
import { completeScenario, describeAt } from "./schema-help.ts";

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--rest)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--answer)" },
  { tag: [tags.number, tags.literal, tags.bool], color: "var(--ring)" },
  { tag: tags.content, color: "var(--text)" },
  { tag: tags.comment, color: "var(--text3)" },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: "var(--text2)" },
]);

const look = EditorView.theme({
  "&": {
    width: "100%",
    color: "var(--text)",
    backgroundColor: "var(--sunken)",
    fontSize: "12px",
    height: "100%",
    // the outline of the focus lies on it, since what is inside covers it
    padding: "2px",
  },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "20px", overflow: "auto" },
  ".cm-content": { caretColor: "var(--accent)", padding: "8px 0" },
  ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--text3)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--hover)" },
  ".cm-cursor": { borderLeftColor: "var(--accent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--sel)",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--panel)",
    color: "var(--text)",
    border: "1px solid var(--line2)",
    borderRadius: "6px",
    boxShadow: "var(--shadow)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--accent)",
    color: "var(--accent-ink)",
  },
  ".cm-tooltip-hover": { padding: "6px 10px", maxWidth: "360px", fontFamily: "var(--sans)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "2px 8px" },
  ".cm-completionDetail": { color: "var(--text3)", fontStyle: "normal" },
  "li[aria-selected] .cm-completionDetail": { color: "var(--accent-ink)" },
  ".cm-completionInfo": { fontFamily: "var(--sans)", padding: "6px 10px" },
  ".cm-problem-mark": {
    width: "9px",
    height: "9px",
    marginTop: "5px",
    backgroundColor: "var(--failed)",
    clipPath: "polygon(30% 0, 70% 0, 100% 30%, 100% 70%, 70% 100%, 30% 100%, 0 70%, 0 30%)",
  },
  ".cm-message": {
    margin: "2px 12px 4px 6px",
    padding: "6px 10px",
    border: "1px solid var(--failed)",
    borderRadius: "8px",
    backgroundColor: "var(--panel)",
    fontFamily: "var(--sans)",
    fontSize: "12px",
    lineHeight: "18px",
    whiteSpace: "normal",
  },
  ".cm-message p": { margin: "0", overflowWrap: "anywhere" },
  ".cm-message button": {
    margin: "4px 8px 2px 0",
    padding: "2px 10px",
    minHeight: "28px",
    border: "1px solid var(--line2)",
    borderRadius: "8px",
    backgroundColor: "var(--raised)",
    color: "var(--text)",
    font: "550 12px var(--sans)",
    cursor: "pointer",
  },
  ".cm-problem": {
    textDecoration: "underline wavy var(--failed) 1.5px",
    textUnderlineOffset: "3px",
  },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--sel)",
    outline: "1px solid var(--line2)",
  },
  ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--text)" },
});

const extensions = [
  lineNumbers(),
  history(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  highlightActiveLine(),
  EditorState.tabSize.of(2),
  EditorView.lineWrapping,
  yaml(),
  syntaxHighlighting(colours),
  look,
  problemMarks,
  autocompletion({ override: [completeScenario], icons: false }),
  hoverTooltip((editor, position) => {
    const help = describeAt(editor.state, position);
    if (help === undefined) return null;
    return {
      pos: help.from,
      end: help.to,
      create: () => ({ dom: helpElement(help.title, help.text) }),
    };
  }),
  EditorView.contentAttributes.of({
    "aria-label": "Scenario in YAML. Escape, then Tab leaves the editor.",
    // accessibility checkers want an explicit tabindex
    tabindex: "0",
  }),
  // Escape, then Tab leaves the editor, so that the keyboard is never trapped in it
  keymap.of([
    ...closeBracketsKeymap,
    ...standardKeymap,
    ...historyKeymap,
    ...completionKeymap,
    indentWithTab,
  ]),
];

/** The editor of playgrounds, with colours, help and completion. */
export const createCodeEditor: MakeEditor = (parent, text, listener) => {
  const theme = new Compartment();
  let isQuiet = false;
  // in a shadow tree the editor uses constructed style sheets; the page's policy refuses style elements
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: "open" });
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        ...extensions,
        theme.of(EditorView.theme({}, { dark: false })),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isQuiet) listener.changed(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    setText(next) {
      if (next === view.state.doc.toString()) return;
      isQuiet = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
      isQuiet = false;
    },
    setProblems(problems, mismatches) {
      view.dispatch(showProblems(view.state.doc, problems, mismatches, listener));
    },
    setTheme(name) {
      view.dispatch({ effects: theme.reconfigure(EditorView.theme({}, { dark: name === "dark" })) });
    },
    goTo(problem) {
      const { from } = problemRange(view.state.doc, problem);
      view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
      view.focus();
    },
    end() {
      view.destroy();
    },
  };
};

function helpElement(title: string, text: string): HTMLElement {
  const element = document.createElement("div");
  const heading = document.createElement("b");
  heading.textContent = title;
  const words = document.createElement("p");
  words.textContent = text;
  element.append(heading, words);
  return element;
}
