import { lineDifferences } from "../state/verdict-words.ts";
import type { MakeEditor } from "./any-editor.ts";

/** The editor of a page that shows a run: a field, and below it what is wrong, line by line. A playground has a better one. */
export const createPlainEditor: MakeEditor = (parent, text, listener) => {
  const field = document.createElement("textarea");
  field.value = text;
  field.spellcheck = false;
  field.setAttribute("aria-label", "Scenario in YAML.");
  field.addEventListener("input", () => listener.changed(field.value));
  const list = document.createElement("ul");
  list.setAttribute("aria-label", "What is wrong");
  parent.replaceChildren(field, list);
  const goTo = (line: number, column = 1) => {
    const before = field.value.split("\n").slice(0, line - 1);
    const at = before.reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
    field.focus();
    field.setSelectionRange(at, at);
  };
  const makeItem = (line: number, words: string) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `Line ${line}: ${words}`;
    button.onclick = () => goTo(line);
    const item = document.createElement("li");
    item.append(button);
    return item;
  };
  return {
    setText(next) {
      if (next !== field.value) field.value = next;
    },
    setProblems(problems, mismatches) {
      const wrong = problems.map(({ line, message }) => makeItem(line, message));
      const different = lineDifferences(mismatches).map(({ line, text }) => makeItem(line, text));
      list.replaceChildren(...wrong, ...different);
    },
    setTheme() {},
    goTo: ({ line, column }) => goTo(line, column),
    end: () => parent.replaceChildren(),
  };
};
