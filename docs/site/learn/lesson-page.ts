import type MarkdownIt from "markdown-it";
import { toScriptText } from "../../../src/inspector/data.ts";
import { escapeHtml } from "../../../src/inspector/markup.ts";
import { answerOf } from "../../generate/exercises.ts";
import { glossaryLinks } from "../../generate/lessons.ts";
import { chapterAnchor, chapters } from "../../learn/chapters.ts";
import { type ExerciseTask, exerciseTask } from "../../learn/exercise-task.ts";
import { type Lesson, type PlayedLesson, placeOf, playLesson, shownScript } from "../../learn/lessons.ts";
import { boardWords, hasTimes, type Prediction } from "../../learn/prediction.ts";
import { newWordsOf, type Word, wordsOf } from "../../learn/words.ts";
import { codeBlock } from "../markdown.ts";
import { playgroundLink } from "./playground-link.ts";
import { questionsHtml } from "./questions.ts";
import { mark, runLadder, shapes } from "./run-ladder.ts";
import { storyTreeHtml } from "./story-tree.ts";
import { timePictureHtml } from "./time-picture.ts";

/** The page of a lesson: a question, a prediction that is marked, the run, and an exercise. */

/** Makes the page of a lesson. Without scripts it still reads: the run is behind a summary. */
export function lessonHtml(lesson: Lesson, next: Lesson | undefined, md: MarkdownIt): string {
  const played = playLesson(lesson);
  const { name, number, chapter, question, title } = lesson;
  return [
    '<link rel="stylesheet" href="../learn.css">',
    shapes,
    `<article class="lesson" data-lesson="${name}">`,
    '<div class="where"><nav class="crumb" aria-label="Where you are"><ol>',
    `<li><a href="index.html">Learn</a></li>`,
    `<li><a href="index.html#${chapterAnchor(chapter)}">${chapters.indexOf(chapter) + 1} ${chapter.title}</a></li>`,
    `<li aria-current="page">${lesson.place === undefined ? `Example ${number}` : `Lesson ${placeOf(lesson)}`}</li>`,
    `</ol></nav>${dots(lesson)}</div>`,
    `<h1 id="question">${escapeHtml(question)}</h1>`,
    storyHtml(lesson, played, md),
    questionsHtml(lesson.scenario.questions),
    predictionHtml(played.prediction, wordsHtml(lesson, md)),
    '<details id="run"><summary><span>Show the run without a guess</span></summary>',
    `<p class="title"><span>The answer</span> ${escapeHtml(title)}.</p>`,
    runLadder(played.run, `The run: ${title}`),
    md.render(`${lesson.description}\n\n${linksOf(lesson)}`, { source: `docs/lessons/${number}.md` }),
    changeIt(lesson, played, md),
    storyTreeHtml(lesson),
    "</details>",
    turn(lesson, next),
    `<script type="application/json" id="prediction">${toScriptText(played.prediction)}</script>`,
    '<script src="../learn.js" defer></script>',
    "</article>",
  ].join("\n");
}

/** The words that no earlier lesson has, in the open, and the others behind a summary. */
function wordsHtml(lesson: Lesson, md: MarkdownIt): string {
  const fresh = newWordsOf(lesson);
  const others = wordsOf(lesson).filter((each) => !fresh.includes(each));
  const list = (words: readonly Word[]) => {
    const source = `docs/lessons/${lesson.number}.md`;
    const rows = words.map(
      ({ word, meaning }) =>
        `<div><dt>${escapeHtml(word)}</dt><dd>${md.renderInline(meaning.replaceAll("](", "](../"), { source })}</dd></div>`,
    );
    return `<dl class="meanings">${rows.join("")}</dl>`;
  };
  return [
    fresh.length === 0 ? "" : list(fresh),
    others.length === 0
      ? ""
      : `<details class="known"><summary>Words that came before</summary>${list(others)}</details>`,
  ].join("");
}

function linksOf({ title, question, description, exercise }: Lesson): string {
  return `Words: ${glossaryLinks(`${title} ${question} ${description} ${exercise.question}`)}`;
}

/** The story in prose with its time, and its script behind a summary. */
function storyHtml(lesson: Lesson, { situation, picture }: PlayedLesson, md: MarkdownIt): string {
  const { people, acts } = situation;
  const sentences = acts.map(
    ({ when, what }) =>
      `${when === "" ? "" : `${escapeHtml(when).replace(/(\d+:[\d:.]*\d)/, "<b>$1</b>")} `}${escapeHtml(what)}`,
  );
  const script = shownScript(lesson.text);
  const words = [people.map(escapeHtml).join(" "), sentences.join(" ")].filter((text) => text !== "");
  const prose = words.length === 0 ? "Nobody does anything: time goes by." : words.join(" ");
  return [
    '<section class="story" aria-label="What happens">',
    `<p>${prose}</p>`,
    picture === undefined ? "" : timePictureHtml(picture),
    script === ""
      ? ""
      : `<details class="script"><summary>The script</summary>${codeBlock(md, "yaml", script, "script")}</details>`,
    "</section>",
  ].join("\n");
}

/** The lessons of the chapter as dashes, of which a script colours those that are done. */
function dots({ chapter, name, place }: Lesson): string {
  if (place === undefined) return "";
  const each = chapter.lessons.map(
    (one) => `<i data-lesson="${one.name}"${one.name === name ? ' class="here"' : ""}></i>`,
  );
  return `<span class="dots" role="img" aria-label="Lesson ${place} of ${chapter.lessons.length}">${each.join("")}</span>`;
}

function predictionHtml(prediction: Prediction, words: string): string {
  const { given, cards, deck, table, webhook } = prediction;
  const what = `${boardWords(prediction)} Some of them do not come.`;
  const [title, kind] =
    webhook === undefined
      ? ["Which events will your app get?", "event"]
      : [`Which requests will ${escapeHtml(webhook.host)} get?`, "request"];
  const [choose, keys] = hasTimes(prediction)
    ? ["Choose a time, then the cards that come in it.", "choose the time, or move a card"]
    : ["Choose the cards that come.", "move a card"];
  const card = (number: number) => {
    const { kind, title, detail } = table[number] as Prediction["table"][number];
    return `${mark(kind)}<b>${escapeHtml(title).replaceAll(".", ".<wbr>")}</b> <span>${escapeHtml(detail)}</span>`;
  };
  const first = cards.slice(0, given).map((number) => `<li class="card given">${card(number)}</li>`);
  return [
    `<section id="predict"><h2 id="which-events">${title}</h2>`,
    given === 0 ? "" : `<h3>First these come</h3><ol class="first">${first.join("")}</ol>`,
    words,
    `<p class="how">${what} <span class="with-script" hidden>${choose} <span class="for-taps">Tap a card of yours to move it or take it back.</span><span class="for-keys"><kbd>↑</kbd> <kbd>↓</kbd> ${keys} of yours that has the focus; <kbd>Delete</kbd> takes it back.</span></span></p>`,
    '<div class="board">',
    `<div class="mine" hidden><h3>Your prediction</h3><div class="moments"></div><p class="slot">Choose the next ${kind}</p></div>`,
    `<div class="deck"><h3>${kind === "event" ? "Events" : "Requests"} to choose from</h3><ul>${deck.map((number) => `<li class="card" data-card="${number}">${card(number)}</li>`).join("")}</ul></div>`,
    '<div class="acts with-script" hidden><button type="button" class="primary" id="mark">Mark</button> <button type="button" id="again">Begin again</button></div>',
    "</div>",
    '<div id="verdict" role="status"></div><div id="would"></div>',
    "</section>",
  ].join("\n");
}

function changeIt(lesson: Lesson, { run, changed }: PlayedLesson, md: MarkdownIt): string {
  const task = exerciseTask(lesson);
  const source = `docs/lessons/${lesson.number}.md`;
  return [
    '<section class="exercise"><h2 id="change-it">Change it</h2>',
    `<p class="task">${md.renderInline(lesson.exercise.question, { source })}</p>`,
    ...(task === undefined ? inPlayground(lesson) : hereOn(lesson, task, md)),
    "<details><summary>What changes</summary>",
    codeBlock(md, "diff", answerOf(run.simulator, changed), "before and after"),
    "</details></section>",
  ].join("\n");
}

/** No run tells whether the change was made, so the playground shows both side by side. */
function inPlayground({ number }: Lesson): string[] {
  return [
    "<p>Make the change in the playground. <b>Try it</b> makes it for you, and shows both runs side by side.</p>",
    `<p class="acts"><a class="primary" href="../playground.html#lesson=${number}">Change it in the playground</a></p>`,
  ];
}

/** The script, of which a script makes an editor when somebody asks for it. */
function hereOn({ number }: Lesson, task: ExerciseTask, md: MarkdownIt): string[] {
  const link = playgroundLink(`${task.script}${task.expect}`);
  return [
    "<p>Make the change in the script. It says <b>as expected</b> once the right events come.</p>",
    '<div id="exercise"><div class="said" role="status"></div>',
    codeBlock(md, "yaml", task.script, `lesson-${number}.yaml`),
    '<div class="played"></div></div>',
    `<p class="acts"><button type="button" class="primary" id="change" hidden>Change it here</button> </p>`,
    `<p class="elsewhere"><a href="../playground.html#${link}">Change it in the playground</a>, with all that it shows, or <a href="../playground.html#lesson=${number}">open this lesson there</a>.</p>`,
    `<script type="application/json" id="task">${toScriptText(task)}</script>`,
  ];
}

function turn({ chapter, place }: Lesson, next: Lesson | undefined): string {
  const all = `<a href="index.html#${chapterAnchor(chapter)}"><span>Chapter ${chapters.indexOf(chapter) + 1}, ${chapter.title}</span> All its lessons</a>`;
  const isExample = place === undefined;
  const on =
    next === undefined
      ? `<a href="index.html"><span>${isExample ? "Not in the course" : "The last lesson"}</span> All chapters</a>`
      : `<a rel="next" data-place="${placeOf(next)}" href="${next.number}.html"><span>Next, lesson ${placeOf(next)}, about ${next.minutes} minutes</span> ${escapeHtml(next.question)}</a>`;
  return `<nav class="turn" aria-label="Other lessons">${all}${on}</nav>`;
}
