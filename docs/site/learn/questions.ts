import type { ScenarioQuestion } from "../../../src/core/scenario/scenario.ts";
import { escapeHtml } from "../../../src/inspector/markup.ts";

/** The questions of a lesson's file on its page. Without scripts they read as lists, with the answer behind a summary. */
export function questionsHtml(questions: readonly ScenarioQuestion[]): string {
  return questions.map(questionHtml).join("\n");
}

function questionHtml({ ask, choices, right, because }: ScenarioQuestion, index: number): string {
  const items = choices.map(({ text, instead }) => {
    const would = instead === undefined ? "" : ` data-if="${escapeHtml(instead.if)}"`;
    return `<li${would}>${escapeHtml(text)}</li>`;
  });
  const answer = (choices[right]?.text ?? "").replace(/\.$/, "");
  return [
    `<section class="quiz" data-right="${right}"><h2 id="question-${index + 1}"><span class="place" aria-hidden="true">${index + 1}</span>${escapeHtml(ask)}</h2>`,
    `<ul class="choices">${items.join("")}</ul>`,
    '<p class="told" role="status"></p>',
    `<details><summary>Show the answer</summary><p><b>${escapeHtml(answer)}.</b> ${escapeHtml(because)}</p></details>`,
    "</section>",
  ].join("\n");
}
