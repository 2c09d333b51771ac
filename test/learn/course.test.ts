import { expect, test } from "vitest";
import { chapters } from "../../docs/learn/chapters.ts";
import { type Lesson, placeOf, readCourse, readLessons } from "../../docs/learn/lessons.ts";
import { expectNone } from "../lists.ts";
import { usesOf } from "./uses.ts";

/** The order of the course. */

const course = readCourse();
const taught = chapters.flatMap(({ lessons }) => lessons);
const introducedBy = ({ name }: Lesson) => taught.find((each) => each.name === name)?.introduces ?? [];

test("the course is about forty of all lessons, each with its place, and the others are examples", () => {
  expect(course.length).toBeGreaterThanOrEqual(38);
  expect(course.length).toBeLessThanOrEqual(44);
  expect(course.map(placeOf).slice(0, 6)).toEqual(["1.1", "1.2", "1.3", "1.4", "1.5", "2.1"]);
  const all = readLessons().map(({ number }) => number);
  expect(all.toSorted()).toEqual([...new Set(all)].toSorted());
  expect(all.length).toBeGreaterThan(course.length);
});

test("a lesson of the course uses only what an earlier lesson or itself introduces", () => {
  const known = new Set<string>();
  for (const lesson of course) {
    const introduced = introducedBy(lesson);
    const uses = usesOf(lesson);
    const where = `${placeOf(lesson)}, ${lesson.name}`;
    expectNone(
      introduced.filter((each) => known.has(each)).map((each) => `${where} introduces ${each} again`),
    );
    expectNone(
      introduced.filter((each) => !uses.includes(each)).map((each) => `${where} does not use ${each}`),
    );
    for (const each of introduced) known.add(each);
    expectNone(uses.filter((each) => !known.has(each)).map((each) => `${where} needs ${each}`));
  }
});

test("no lesson of the course introduces more than five things, except for the first", () => {
  const crowded = course.slice(1).filter((lesson) => introducedBy(lesson).length > 5);
  expectNone(crowded.map(({ name }) => name));
});

test("beginners meet no voicemail, team, webhook or trunk before the chapter that is about it", () => {
  const first = (thing: string) => course.findIndex((lesson) => usesOf(lesson).includes(thing));
  const chapterOf = (thing: string) => course[first(thing)]?.chapter.title;
  expect(
    ["voicemail", "team", "transfer", "webhook", "redirect", "conversation.message.created"].map(chapterOf),
  ).toEqual([
    "Voicemail and hours",
    "Teams",
    "Transfers, calling out",
    "Webhooks",
    "Other applications",
    "Conversations",
  ]);
  expect(chapterOf("addTrunkEntry")).toBeUndefined();
});
