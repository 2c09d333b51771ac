import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { chapters } from "../../docs/learn/chapters.ts";
import { type Lesson, placeOf, playLesson, readCourse, readLessons } from "../../docs/learn/lessons.ts";
import { newWordsOf, wordsOf } from "../../docs/learn/words.ts";
import { expectNone } from "../lists.ts";
import { usesOf } from "./uses.ts";

/** The order of the course, the words that it explains, and how its lessons tell their stories. */

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

describe("a word", () => {
  test("is explained where the course uses it first, with the cards that are wrong too", () => {
    const explained = new Map(
      course.flatMap((each) => newWordsOf(each).map(({ word }) => [word, each.number])),
    );
    expect(Object.fromEntries(explained)).toMatchObject({
      event: "01",
      missed: "01",
      "missed, timeout": "01",
      voicemail: "01",
      team: "17",
      webhook: "56",
      "data action": "31",
    });
    const known = new Set<string>();
    for (const lesson of course) {
      for (const { word } of newWordsOf(lesson)) known.add(word);
      expectNone(
        wordsOf(lesson)
          .filter(({ word }) => !known.has(word))
          .map(({ word }) => word),
      );
    }
  });

  test("for the end of a call is true of each call of all lessons that ended so", () => {
    const wrong = readLessons().flatMap((lesson) => {
      const { events } = playLesson(lesson).run.simulator;
      return events.flatMap(({ type, data }) => {
        const call = "call" in data ? data.call : undefined;
        const outcome = call?.outcome;
        if (call === undefined || !outcome) return [];
        const wasAnswered = events.some(
          (each) => each.type === "call.answered" && "call" in each.data && each.data.call.id === call.id,
        );
        const isTrue = [
          wasAnswered === (outcome.status === "answered"),
          outcome.status !== "missed" || call.direction === "inbound",
          outcome.status !== "abandoned" || call.direction === "inbound",
          outcome.status !== "unanswered" || call.direction !== "inbound",
          outcome.status !== "blocked" || outcome.reason === "dataAction",
          outcome.reason !== "voicemail" || call.voicemail !== null,
        ];
        return isTrue.every(Boolean) ? [] : [`${lesson.number}: ${type} ${outcome.status} ${outcome.reason}`];
      });
    });
    expectNone(wrong);
  });
});

describe("the story of a lesson", () => {
  const stories = readLessons().map((lesson) => {
    const { people, acts } = playLesson(lesson).situation;
    return {
      number: lesson.number,
      story: [...people, ...acts.map(({ when, what }) => `${when} ${what}`)].join(" "),
    };
  });

  test("is prose: no shares, codes of durations or addresses with a path", () => {
    expectNone(
      stories.flatMap(({ number, story }) => {
        const found =
          /\d%|\bPT\d|https?:|is reached with|asks for call|\((?:doNotDisturb|close|\w+_)|\b\d+s\b/.exec(
            story,
          );
        return found === null ? [] : [`${number}: ${found[0]} in ${story}`];
      }),
    );
  });

  test("says what a network does as a person would", () => {
    const of = (number: string) => stories.find((each) => each.number === number)?.story;
    expect(of("61")).toContain("Each request to crm.acme.test arrives twice.");
    expect(of("65")).toContain("crm.acme.test answers 503 to the first 2 requests.");
    expect(of("31")).toContain("crm.acme.test answers “action: block” after 2 seconds.");
    expect(of("37")).toContain("Alice answers each call on desktop after 4 seconds of ringing.");
  });
});

test("the picture of time shows nothing that its first question asks for", () => {
  for (const lesson of readLessons()) {
    const { picture } = playLesson(lesson);
    const told = new Set(lesson.scenario.steps.map(({ atMs }) => atMs ?? 0));
    for (const { bars } of picture?.lanes ?? [])
      for (const { toMs } of bars) expect(toMs <= (picture?.askedMs ?? 0) || told.has(toMs)).toBe(true);
  }
});

test("the page on webhooks has the times of the attempts that a lesson plays, rounded down as clocks are", () => {
  const lesson = readLessons().find(({ name }) => name === "ten-attempts-in-a-day") as Lesson;
  const { network, startTimestamp } = playLesson(lesson).run.simulator;
  const times = network.requests.map(({ startedTimestamp }) => {
    const seconds = Math.floor((startedTimestamp - startTimestamp) / 1000);
    const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    if (seconds === 0) return "0";
    return (h > 0 ? [`${h}h`, m > 0 ? `${m}m` : ""] : [`${m}m`, `${s}s`]).filter(Boolean).join(" ");
  });
  const page = readFileSync(new URL("../../docs/webhooks.md", import.meta.url), "utf8");
  expect(page).toContain(`| after | ${times.join(" | ")} |`);
});
