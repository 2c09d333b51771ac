import { element } from "./rows.ts";
import { keepTries, triesOf } from "./tries.ts";

/** Lets the reader choose an answer to each question of a lesson, until it is the right one. */
export function askQuestions(): void {
  const lesson = document.querySelector<HTMLElement>(".lesson")?.dataset.lesson ?? "";
  const { answers } = triesOf(lesson);
  const tried = [...document.querySelectorAll<HTMLElement>(".quiz")].map((section, index) => {
    const keep = () => keepTries(lesson, { answers: tried });
    return askOne(section, answers[index] ?? [], keep);
  });
}

/** @returns the places of the choices that were tried, which grows */
function askOne(section: HTMLElement, known: readonly number[], keep: () => void): number[] {
  const right = Number(section.dataset.right);
  const [told, answer] = [section.querySelector(".told"), section.querySelector("details")];
  if (told === null || answer === null) throw new Error("a question has no place for its answer");
  const items = [...section.querySelectorAll<HTMLElement>(".choices li")];
  const tried: number[] = [];
  const choose = (index: number) => {
    const item = items[index];
    if (item === undefined || item.className !== "" || section.classList.contains("over")) return;
    tried.push(index);
    const isRight = index === right;
    item.className = isRight ? "right" : "wrong";
    item
      .querySelector("button")
      ?.append(element("small", "", `${isRight ? "right" : "not so"}, your ${tryOf(tried.length)} answer`));
    if (isRight) {
      for (const each of items) each.querySelector("button")?.setAttribute("aria-disabled", "true");
      told.replaceChildren(
        ...[...(answer.querySelector("p")?.childNodes ?? [])].map((each) => each.cloneNode(true)),
      );
      answer.hidden = true;
      section.classList.add("over");
    } else
      told.textContent = item.dataset.if === undefined ? "" : `That would be right if ${item.dataset.if}.`;
  };
  for (const [index, item] of items.entries()) {
    const button = element("button") as HTMLButtonElement;
    button.type = "button";
    button.append(...item.childNodes);
    item.append(button);
    button.addEventListener("click", () => {
      choose(index);
      keep();
    });
  }
  for (const index of known) choose(index);
  return tried;
}

const tryOf = (count: number) =>
  ["first", "second", "third", "fourth", "fifth", "sixth"][count - 1] ?? "last";
