import { readStored, writeStored } from "./stored.ts";

/** Which challenges are passed, as the reader ticks them. */

const KEY = "ringback:challenges";

/** Shows what is passed on the page of the challenges. */
export function showPassed(): void {
  const list = document.querySelector<HTMLElement>(".challenges");
  if (list === null) return;
  const known = readStored(KEY);
  const passed = new Set(Array.isArray(known) ? known : []);
  const items = [...list.querySelectorAll<HTMLElement>("li[data-challenge]")];
  const said = document.querySelector<HTMLElement>(".passed");
  const show = () => {
    for (const item of items) item.classList.toggle("done", passed.has(item.dataset.challenge));
    const count = items.filter(({ dataset }) => passed.has(dataset.challenge)).length;
    if (said === null) return;
    said.hidden = count === 0;
    said.textContent = `${count} of ${items.length} passed`;
  };
  for (const item of items) {
    const [label, box] = [item.querySelector("label"), item.querySelector("input")];
    if (label === null || box === null) continue;
    label.hidden = false;
    box.checked = passed.has(item.dataset.challenge);
    box.setAttribute("aria-label", `${item.querySelector("b")?.textContent?.trim()}: passed`);
    box.addEventListener("change", () => {
      if (box.checked) passed.add(item.dataset.challenge);
      else passed.delete(item.dataset.challenge);
      writeStored(KEY, [...passed]);
      show();
    });
  }
  show();
}
