import { clock } from "../../../src/core/foundation/clock.ts";
import * as exploring from "../../../src/explore/index.ts";
import { writeClause } from "../../../src/findings/wording.ts";
import { escapeHtml } from "../../../src/inspector/markup.ts";
import { capital } from "../../../src/inspector/model/question-words.ts";
import { makeQuestions } from "../../../src/inspector/model/questions.ts";
import type { Recording } from "../../../src/inspector/model/recording.ts";
import { mark } from "../learn/run-ladder.ts";
import { evaluateProgram } from "../run/program.ts";
import { smallLadder } from "./stage.ts";

/** What explores, imports and teaches, each with something that was really run. */

type Options = Parameters<typeof exploring.exploreReport>[0];

/**
 * Explores the README's second program, and draws its smallest failing world beside the nearest one that passes.
 * @throws if nothing fails, or if the program does not explore
 */
export async function exploreProof(program: string): Promise<string> {
  let options: Options | undefined;
  await evaluateProgram(program, {
    "ringback/explore": {
      ...exploring,
      explore: (given: Options) => {
        options = given;
      },
    },
    vitest: { test: (_: string, run: () => unknown) => run() },
  });
  if (options === undefined) throw new Error("the README's second program does not explore");
  const { failures, result } = await exploring.exploreReport(options);
  const [failure] = failures;
  const nearest = failure?.nearest;
  if (failure === undefined || nearest === undefined)
    throw new Error("the README's second program does not fail");
  const { property, smallest } = failure;
  const clause = smallest.deviations.map(writeClause).join(", and ");
  const [shared = undefined] = nearest.received;
  if (shared === undefined) throw new Error("the app of the README's second program receives nothing");
  const rest = smallest.received
    .slice(1)
    .map(({ at, of, attempt = 1, state = "" }) =>
      [
        step(clock(at), "retry", `<b>${escapeHtml(of)}</b>${attempt > 1 ? `, attempt ${attempt}` : ""}`),
        step("", "failed", `<code>${escapeHtml(state)}</code>`, "fork"),
      ].join(""),
    );
  const squares = Array.from(
    { length: result.worlds },
    (_, index) => `<i${index < result.worlds - failure.worlds ? "" : ' class="fails"'}></i>`,
  );
  return [
    '<div class="window">',
    `<p class="story">When <b>${escapeHtml(clause)}</b>, “${escapeHtml(property)}” does not hold.</p>`,
    `<div class="trunk">${step(clock(shared.at), "event", `<b>${escapeHtml(shared.of)}</b> your app adds an activity`)}</div>`,
    '<div class="worlds">',
    `<div><h3 class="passes">${mark("answer")}Without that</h3>${step("", "delivered", "nothing more is sent")}${step("", "answer", `<code>${escapeHtml(shared.state ?? "")}</code>`)}</div>`,
    `<div><h3 class="fails">${mark("failed")}${escapeHtml(capital(clause))}</h3>${step(clock(shared.at), "lost", "your 204 does not arrive")}${rest.join("")}</div>`,
    "</div>",
    `<p class="matrix"><span>${result.worlds} worlds</span>${squares.join("")}<span>${failure.worlds} fail. ${result.alike} more would look the same to your app.</span></p>`,
    "</div>",
  ].join("\n");
}

function step(at: string, name: string, html: string, kind = ""): string {
  return `<div class="step ${kind}"><span class="at">${at}</span>${mark(name)}<span>${html}</span></div>`;
}

/** Asks who rings next in a lesson, and shows the run until then. @throws if the lesson has no such question */
export function teachProof({ number }: { readonly number: string }, recording: Recording): string {
  const { rows } = recording;
  const asked = makeQuestions(recording).list.find(
    ({ row, answerRow }) => row > 1 && rows[answerRow]?.kind === "ring",
  );
  if (asked === undefined) throw new Error(`lesson ${number} asks nowhere who rings next`);
  const choices = asked.choices.map(
    (choice, index) => `<li><kbd>${index + 1}</kbd>${escapeHtml(choice)}</li>`,
  );
  return [
    '<div class="window asked">',
    `<div>${smallLadder(recording, `Lesson ${number}`, ({ index }) => index <= asked.row)}<div class="cover"></div></div>`,
    `<div class="question"><p>${escapeHtml(asked.text)}</p><ol>${choices.join("")}</ol></div>`,
    "</div>",
  ].join("\n");
}
