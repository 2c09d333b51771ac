import { describe, expect, test } from "vitest";
import { type Lesson, readLessons } from "../../docs/learn/lessons.ts";
import { checkQuestions } from "../../src/core/scenario/check-questions.ts";
import { parseScenario, runScenario } from "../../src/index.ts";
import { makeQuestions } from "../../src/inspector/model/questions.ts";
import { Recording } from "../../src/inspector/model/recording.ts";
import { sixthOf } from "../counts.ts";
import { expectNone } from "../lists.ts";

/** The questions that the playground asks a class. */

const course = readLessons();
const ask = ({ scenario }: Lesson) =>
  makeQuestions(Recording.from(runScenario(scenario).simulator.journal()));
const named = (name: string) => ask(course.find((lesson) => lesson.name === name) as Lesson);

describe("the questions about a run", () => {
  const { list, lanes } = named("the-second-tier-rings-after-twenty-seconds");

  test("stand alone: who did what, for how long, and what is asked", () => {
    expect(list.map(({ text }) => text)).toEqual([
      "Jane Smith calls Sales. Which event is sent first?",
      "Jane Smith calls Sales. Who rings first?",
      "Bob and Carol have rung for 20 seconds, and nobody has answered. Who rings next?",
      "Lobby answers after 5 seconds of ringing. Which event is sent first?",
      "Jane Smith hangs up 40 seconds after the call began. Which event is sent first?",
    ]);
  });

  test("explain the answer in sentences", () => {
    expect(list[2]?.because).toBe(
      "Bob and Carol had 20 seconds and stop ringing. Lobby is the second choice of Sales. No event tells your app so.",
    );
  });

  test("have lanes for all who occur in a choice, so that the lanes do not answer", () => {
    const people = list.flatMap(({ choices }) => choices).filter((choice) => /^[A-Z][a-z]+$/.test(choice));
    expect(people).toContain("Dave");
    expect(lanes.map(({ short }) => short)).toEqual(expect.arrayContaining(people));
  });

  test("say whose call is answered by somebody who rings for two, and keep titles", () => {
    const practice = parseScenario(`
scenario: A dental practice at lunch
organisation:
  id: smile
  name: Smile Dental
  timezone: Pacific/Auckland
  numbers:
    - { number: "+6498880100", owner: reception }
    - { number: "+6498880101", owner: mere }
  users:
    - { id: mere, email: mere@smile.test, displayName: Mere Hohepa, extension: "101", endpoints: [mobile] }
    - { id: drkim, email: kim@smile.test, displayName: Prof. Dr. Kim Lee, extension: "103", endpoints: [mobile] }
  teams:
    - { id: reception, displayName: Reception, extension: "200", timeout: PT40S, nextOfferTimeout: PT15S,
        members: [{ user: mere, priority: 1 }, { user: drkim, priority: 2 }] }
steps:
  - { at: PT0S, inbound: { as: c1, from: "+64211234567", to: "+6498880100" } }
  - { at: PT5S, inbound: { as: c2, from: "+64217654321", to: "+6498880101" } }
  - { at: PT8S, answer: { call: c2, by: mere } }
  - { at: PT9S, answer: { call: c1, by: drkim } }
`);
    const recording = Recording.from(runScenario(practice).simulator.journal());
    const { list: asked } = makeQuestions(recording);
    const texts = asked.map(({ text }) => text).join(" ");
    expect(texts).toContain("Mere answers the call of +64 21 765 4321 after 3 seconds of ringing.");
    expect(texts).toContain("Prof. Dr. Kim answers after 1 second of ringing.");
  });

  test("say of people who are rung again that they are", () => {
    const again = named("the-next-team-and-then-voicemail").list.filter(({ choices, right }) =>
      choices[right]?.endsWith(" again"),
    );
    expect(again.map(({ choices, right }) => choices[right])).toEqual(["Dave again", "Dave again"]);
  });
});

describe("every lesson", () => {
  test.each(sixthOf(course, 3).map((lesson) => [lesson.number, lesson] as const))(
    "%s has questions with different choices and an explanation, and none that its title answers",
    (_, lesson) => {
      for (const { text, choices, right, because, row, answerRow } of ask(lesson).list) {
        expect(text).toMatch(/^[A-Z+\d].*[.”?!] (?:Who|Which|What) .*\?$|^[^ ]+\.test .*\?$/);
        expect(new Set(choices).size).toBe(choices.length);
        expect(choices.length).toBeGreaterThan(1);
        expect(choices[right]).toBeDefined();
        expect(row).toBeLessThan(answerRow);
        expectNone(because.match(/^[A-Z+].*\.$/) === null ? [`${lesson.number}: ${text} ${because}`] : []);
      }
    },
  );
});

test("each lesson has two to four questions, and the file says of every choice what it claims", () => {
  expectNone(
    course.flatMap(({ number, scenario: { questions } }) => [
      ...(questions.length < 2 || questions.length > 4
        ? [`${number} has ${questions.length} questions`]
        : []),
      ...questions.flatMap(({ ask: words, choices }) =>
        choices.some(({ when }) => when.length === 0)
          ? [`${number}: a choice of "${words}" claims nothing`]
          : [],
      ),
    ]),
  );
});

test.each(sixthOf(course, 4).map((lesson) => [lesson.number, lesson] as const))(
  "what the choices of lesson %s claim is so of the right one, of no wrong one, and of that where its change is made",
  (_, { scenario }) => {
    expectNone(checkQuestions(scenario).map(({ path, message }) => `${path}: ${message}`));
  },
);
