import { counted } from "../../../src/core/platform/declare/words.ts";
import { escapeHtml } from "../../../src/inspector/markup.ts";
import { type Chapter, chapterAnchor, chapters } from "../../learn/chapters.ts";
import { type Lesson, placeOf } from "../../learn/lessons.ts";

/** The page of the course: its chapters, each with its lessons. */

const tick =
  '<svg viewBox="0 0 18 18" aria-hidden="true"><path d="m4 9.5 3.2 3.2L14 6" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/></svg>';

/** Makes the page of the course. A script marks what is done, which the browser remembers. */
export function courseHtml(lessons: readonly Lesson[]): string {
  const course = lessons.filter(({ place }) => place !== undefined);
  const [first] = course;
  if (first === undefined) throw new Error("the course has no lesson");
  return [
    '<link rel="stylesheet" href="../learn.css">',
    '<article class="course">',
    '<h1 id="lessons">How calls become events</h1>',
    `<p class="lead">${course.length} lessons in ${counts[chapters.length] ?? chapters.length} chapters. You guess what happens, see the run, and change it. A lesson needs only what came before it, and you need to know nothing of telephony: the <a href="../glossary.html">glossary</a> explains the words.</p>`,
    `<a class="go-on" href="${first.number}.html"><span class="ring" aria-hidden="true"></span><span class="go-text"><small>Begin with lesson ${placeOf(first)}, about ${first.minutes} minutes</small><b>${escapeHtml(first.question)}</b></span><span class="primary">Begin</span></a>`,
    ...chapters.map((chapter, index) => chapterHtml(chapter, index, lessons)),
    '<h2 id="with-a-class">With a class, or in a terminal</h2>',
    '<p><a href="../guides/teach-a-call-flow.html">Teach a call flow</a> says how to use the lessons with a class: the playground asks their questions on a projector. <code>npx ringback run</code> lists all lessons and examples by number, and <code>npx ringback run 16</code> plays number 16.</p>',
    '<p class="forget" hidden><button type="button" id="forget">Forget what is done</button></p>',
    '<script src="../learn.js" defer></script>',
    "</article>",
  ].join("\n");
}

const counts: Readonly<Record<number, string>> = { 8: "eight", 9: "nine", 10: "ten" };

function chapterHtml(chapter: Chapter, index: number, all: readonly Lesson[]): string {
  const own = all.filter((lesson) => lesson.chapter === chapter);
  const lessons = own.filter(({ place }) => place !== undefined);
  const examples = own.filter(({ place }) => place === undefined);
  const minutes = lessons.reduce((sum, lesson) => sum + lesson.minutes, 0);
  return [
    `<details class="chapter" open><summary><span class="number">${index + 1}</span>`,
    `<span class="about"><h2 id="${chapterAnchor(chapter)}">${chapter.title}</h2><span>${chapter.about}</span></span>`,
    `<span class="count">${lessons.length} lessons, ${minutes} min<b></b></span></summary>`,
    `<ol class="taught">${lessons.map(entry).join("")}</ol>`,
    examples.length === 0
      ? ""
      : `<details class="examples"><summary>${counted(examples.length, "example")} beside it</summary><ol>${examples.map(entry).join("")}</ol></details>`,
    "</details>",
  ].join("");
}

function entry(lesson: Lesson): string {
  const { name, number, question, title, minutes, place } = lesson;
  const shown = place === undefined ? number : placeOf(lesson);
  return [
    `<li data-lesson="${name}"><a href="${number}.html"><span class="tick">${tick}</span><span class="no">${shown}</span>`,
    `<span class="q">${escapeHtml(question)}<span class="said">not done</span><small hidden>${escapeHtml(title)}</small></span>`,
    `<span class="min">${minutes} min</span></a></li>`,
  ].join("");
}
