import { element } from "./rows.ts";

/** Lets the reader choose an answer to each question of a lesson, until it is the right one. */
export function askQuestions(): void {
  for (const section of document.querySelectorAll<HTMLElement>(".quiz")) askOne(section);
}

function askOne(section: HTMLElement): void {
  const right = Number(section.dataset.right);
  const [told, answer] = [section.querySelector(".told"), section.querySelector("details")];
  if (told === null || answer === null) throw new Error("a question has no place for its answer");
  const items = [...section.querySelectorAll<HTMLElement>(".choices li")];
  let tries = 0;
  for (const [index, item] of items.entries()) {
    const button = element("button") as HTMLButtonElement;
    button.type = "button";
    button.append(...item.childNodes);
    item.append(button);
    button.addEventListener("click", () => {
      if (item.className !== "" || section.classList.contains("over")) return;
      tries++;
      const isRight = index === right;
      item.className = isRight ? "right" : "wrong";
      button.append(element("small", "", `${isRight ? "right" : "not so"}, your ${tryOf(tries)} answer`));
      if (isRight) {
        for (const each of items) each.querySelector("button")?.setAttribute("aria-disabled", "true");
        told.replaceChildren(
          ...[...(answer.querySelector("p")?.childNodes ?? [])].map((each) => each.cloneNode(true)),
        );
        answer.hidden = true;
        section.classList.add("over");
      } else
        told.textContent = item.dataset.if === undefined ? "" : `That would be right if ${item.dataset.if}.`;
    });
  }
}

const tryOf = (count: number) =>
  ["first", "second", "third", "fourth", "fifth", "sixth"][count - 1] ?? "last";
