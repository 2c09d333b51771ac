import type { ShownRow } from "../../learn/shown-row.ts";

/** What the scripts of the course draw. */

/** Rows of a run as a list. A time that the row before has is left out. @param fork the row that is marked */
export function rowList(rows: readonly ShownRow[], fork?: ShownRow): HTMLElement {
  const list = element("ol");
  let last = "";
  for (const row of rows) {
    const item = element("li", row === fork ? "fork" : "");
    const words = element("span", "words");
    words.append(element("b", "", row.subject), ` ${row.rest}`.trimEnd());
    item.append(element("span", "at", row.at === last ? "" : row.at), markShape(row.kind), words);
    last = row.at;
    list.append(item);
  }
  return list;
}

export function element(name: string, className = "", text = ""): HTMLElement {
  const made = document.createElement(name);
  if (className !== "") made.className = className;
  if (text !== "") made.textContent = text;
  return made;
}

function markShape(kind: string): Element {
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  shape.setAttribute("class", "mark");
  shape.setAttribute("viewBox", "0 0 16 16");
  shape.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#mark-${kind}`);
  shape.append(use);
  return shape;
}
