import { describe, expect, test } from "vitest";
import { lessonPages } from "../../docs/generate/lessons.ts";
import { type Lesson, placeOf, playLesson, readLessons } from "../../docs/learn/lessons.ts";
import { clock } from "../../src/core/foundation/clock.ts";
import { sixthOf } from "../counts.ts";
import { expectNone } from "../lists.ts";

/** What a lesson says before its question is answered. */

const course = readLessons();
const pages = new Map(lessonPages().map((page) => [page.path, page]));
const some = sixthOf(course, 2).map((lesson) => [lesson.number, lesson] as const);
const pageOf = async ({ number }: Lesson) => (await pages.get(`docs/lessons/${number}.md`)?.content()) ?? "";

/** The times of what the platform does, in the forms in which a text could say them. */
function answerTimes(lesson: Lesson): string[] {
  const { scenario, text } = lesson;
  const { run } = playLesson(lesson);
  const done = new Set(scenario.steps.map(({ atMs }) => atMs));
  const script = text.slice(text.search(/^(organisation|steps):/m)).split("expect:")[0] ?? "";
  const times = run.rows.filter(({ atMs, command }) => atMs > 0 && command === undefined && !done.has(atMs));
  return times.flatMap(({ atMs }) => {
    const seconds = atMs / 1000;
    // what the script says is no answer
    if (script.includes(`PT${seconds}S`) || script.includes(`PT${seconds}.`)) return [];
    return [clock(atMs), `PT${seconds}S`, `${seconds}s`, `${seconds} s`, `${seconds} seconds`];
  });
}

describe("the text above the mark", () => {
  test.each(some)("of lesson %s holds neither its answer nor a time that is asked for", async (_, lesson) => {
    const [above = "", below = ""] = (await pageOf(lesson)).split("<details><summary>Show the run");
    const [, whole = ""] = above.split(" Do not edit. -->");
    // the answers to the questions of the file are folded
    const said = whole.replaceAll(/<details>.*?<\/details>/gs, "");
    expect(below).toContain(lesson.title);
    expect(said).toContain(lesson.question);
    expect(said).not.toContain(lesson.title);
    const sentences = lesson.description.split(/(?<=[.:]) /).filter((sentence) => sentence.length > 20);
    const choices = lesson.scenario.questions.flatMap((question) => question.choices.map(({ text }) => text));
    const read = [lesson.question, ...choices].reduce((text, each) => text.replace(each, ""), said);
    expectNone(sentences.filter((sentence) => read.includes(sentence)));
    // a question tells what came before it
    const prose = lesson.scenario.questions
      .reduce((text, { ask }) => text.replace(ask, ""), read)
      .replace(/about \d minutes/, "");
    const times = answerTimes(lesson).filter((form) =>
      new RegExp(`(?<![\\d:.])${form.replaceAll(".", "\\.")}(?![\\d:])`).test(prose),
    );
    expectNone(times);
  });

  test("is the same length whatever a run comes to: no page is over 60 KB", async () => {
    const sizes = await Promise.all(
      sixthOf(course, 5).map(async (lesson) => [lesson.name, (await pageOf(lesson)).length]),
    );
    expectNone(sizes.filter(([, size]) => Number(size) > 60_000).map(String));
  });
});

describe("the list of lessons", () => {
  test("shows questions and numbers, and no answers", async () => {
    const page = (await pages.get("docs/lessons/README.md")?.content()) ?? "";
    for (const lesson of course) {
      const { question, number, place } = lesson;
      const before = place === undefined ? "- " : `- **${placeOf(lesson)}** `;
      expect(page).toContain(`\n${before}[${question}](${number}.md) (number ${number})`);
    }
    expectNone(course.filter(({ title }) => page.includes(title)).map(({ title }) => title));
  });

  test("has each lesson in one chapter", () => {
    expect(new Set(course.map(({ name }) => name)).size).toBe(course.length);
  });
});
