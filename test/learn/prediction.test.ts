import { describe, expect, test } from "vitest";
import { type Lesson, playLesson, readLessons } from "../../docs/learn/lessons.ts";
import { type Moment, markPrediction, momentAt, type NearRun } from "../../docs/learn/mark.ts";
import { isWhole, sixthOf } from "../counts.ts";
import { expectNone } from "../lists.ts";
import { auditMarks, guessesOneMoveAway, guessesTwoMovesAway, rightGuess } from "./audit-marks.ts";

/** The questions of lessons: which cards lie on the table, and which runs explain a wrong order. */

const course = readLessons();
const named = (name: string) => course.find((lesson) => lesson.name === name) as Lesson;
/** Each card of a run with the place of its time. */
const timesOf = ({ cards, instants }: Omit<NearRun, "words">, moments: readonly Moment[]) =>
  cards.map((card, at) => [card, momentAt(moments, instants[at] ?? 0)]);
const some = sixthOf(course, 1).map((lesson) => [lesson.number, lesson] as const);

describe.each(some)("Mark in lesson %s", (_, lesson) => {
  test("names only runs in which the guess is right, or as far as it says", () => {
    const { prediction } = playLesson(lesson);
    const audit = auditMarks(prediction, guessesOneMoveAway(prediction));
    expect(audit.untrue).toEqual([]);
    expect(audit.guesses).toBeGreaterThan(0);
  });

  test("judges guesses two moves away as truly", () => {
    const { prediction } = playLesson(lesson);
    const audit = auditMarks(prediction, guessesTwoMovesAway(prediction, isWhole ? 10 : 500));
    expect(audit.untrue).toEqual([]);
  });
});

describe("the cards of a lesson", () => {
  const { prediction } = playLesson(named("the-second-tier-rings-after-twenty-seconds"));
  const texts = prediction.table.map(({ title, detail }) => `${title} ${detail}`);
  const deck = prediction.deck.map((number) => texts[number]);

  test("are the events of its run, and some of runs in which one step is another", () => {
    expect(deck).toContain("call.answered by Lobby");
    expect(deck).toContain("call.answered by Carol Diaz");
  });

  test("lie in an order that tells nothing", () => {
    expect(deck).toEqual(deck.toSorted());
  });

  test("name a run in which a wrong card comes", () => {
    const number = (text: string) => texts.indexOf(text);
    const guess = ["call.started inbound", "call.answered by Carol Diaz"].map((text, moment) => ({
      card: number(text),
      moment,
    }));
    const difference = markPrediction(prediction, guess);
    expect(difference).toMatchObject({ at: 1, right: number("call.answered by Lobby") });
    const near = prediction.nearRuns[difference?.alikeRun?.run ?? -1];
    expect(near?.words).toBe("if Carol answered at 0:05");
    expect(near?.rows.map(({ subject, rest }) => `${subject} ${rest}`)).toContain(
      "call.answered by Carol Diaz, waited 5s",
    );
  });

  test("say why somebody else did not answer, as the inspector does", () => {
    const of = (card: string) =>
      prediction.nearRuns.find(({ cards }) => texts[cards[1] ?? -1]?.startsWith(card))?.why;
    expect(of("call.answered by Carol")).toEqual({
      question: "Why not Carol?",
      answer:
        "Nobody answered Carol Diaz's phones. They rang from 0:00 to 0:20; then it was the next tier's turn.",
    });
    expect(of("call.not_answered missed")).toEqual({
      question: "Why not call.not_answered?",
      answer: "The call was answered. call.not_answered comes only when nobody answers.",
    });
  });

  test("name no run of which only the order within an instant differs, as if the other of two hung up", () => {
    expect(prediction.nearRuns.find(({ words }) => words === "if Lobby hung up at 0:40")).toBeUndefined();
  });

  test("say how a call ended if it ends without an answer in both runs", () => {
    const { nearRuns } = playLesson(named("suspended-mid-ring")).prediction;
    expect(nearRuns.find(({ why }) => why?.question === "Why not abandoned?")?.why?.answer).toMatch(
      /^Nobody answered Bob Tane's phones\. They rang from 0:00 to 0:05; /,
    );
  });

  test("name the caller if a run has calls of several", () => {
    const { table } = playLesson(named("busy-on-a-call")).prediction;
    expect(table.map(({ title, detail }) => `${title} ${detail}`)).toContain(
      "call.not_answered missed, call of Kiwi Freight",
    );
  });

  test("are those of further attempts too if webhooks fail", () => {
    const { table } = playLesson(named("a-retry-that-succeeds")).prediction;
    expect(table).toContainEqual({ kind: "retry", title: "call.started", detail: "inbound, attempt 2" });
  });

  test("are at most nine, and those that come before them are given", () => {
    const { given, asked, cards, times } = playLesson(named("a-better-priority-goes-first")).prediction;
    expect(asked).toBeLessThanOrEqual(8);
    expect(given + asked).toBeLessThan(cards.length);
    // the question begins at an instant of its own
    expect(times[given - 1]).not.toBe(times[given]);
  });
});

describe("a lesson with a webhook", () => {
  const withWebhooks = course.filter(({ scenario }) => {
    const { organisation } = scenario.options;
    const has = scenario.steps.some(({ command }) => command === "createWebhook");
    return has || (organisation?.webhooks ?? []).length > 0;
  });

  test("asks for what its webhook gets, in the order of arrival", () => {
    expect(withWebhooks.length).toBeGreaterThanOrEqual(9);
    expectNone(
      withWebhooks.flatMap((lesson) => {
        const { prediction, run } = playLesson(lesson);
        const { host, events } = prediction.webhook ?? { host: "", events: [] };
        const arrived = run.simulator.network.requests
          .filter(({ to, arrival }) => new URL(to).host === host && arrival !== null)
          .toSorted((one, other) => (one.arrival ?? 0) - (other.arrival ?? 0))
          .map(({ recordId }) => run.simulator.webhooks.delivery(recordId).event.type);
        const asked = prediction.cards.map((card) => prediction.table[card]?.title ?? "");
        const isWrong = asked.join() !== arrived.join() || asked.length === 0;
        return [
          ...(isWrong ? [`${lesson.number} asks for ${asked.join()}, ${host} gets ${arrived.join()}`] : []),
          ...asked
            .filter((type) => !events.includes(type))
            .map((type) => `${lesson.number} asks for ${type}`),
        ];
      }),
    );
  });

  test("takes every order of requests that arrive at one instant as right, and no other", () => {
    const tried = withWebhooks.flatMap((lesson) => {
      const { prediction } = playLesson(lesson);
      const { given, instants } = prediction;
      const right = rightGuess(prediction);
      return right.slice(1).flatMap((card, index) => {
        const before = right[index] as (typeof right)[number];
        if (card.card === before.card) return [];
        const guess = right.with(index, card).with(index + 1, before);
        const isTogether = instants[given + index] === instants[given + index + 1];
        const isRight = markPrediction(prediction, guess) === undefined;
        return [{ lesson: lesson.number, isTogether, isRight }];
      });
    });
    expect(tried.some(({ isTogether }) => isTogether)).toBe(true);
    expect(tried.filter(({ isTogether, isRight }) => isTogether !== isRight)).toEqual([]);
  });
});

describe("every lesson", () => {
  test("has at least two cards that do not come", () => {
    expectNone(
      sixthOf(course, 2).flatMap((lesson) => {
        const { deck, asked } = playLesson(lesson).prediction;
        return deck.length - asked < 2 ? [lesson.number] : [];
      }),
    );
  });

  test.each(some)("%s asks for cards that tell no time and takes its own order as right", (_, lesson) => {
    const { prediction } = playLesson(lesson);
    const { table, deck, cards, given, asked } = prediction;
    expect(markPrediction(prediction, rightGuess(prediction))).toBeUndefined();
    const wanted = cards.slice(given, given + asked);
    expect(deck.toSorted((a, b) => a - b)).toEqual(expect.arrayContaining(wanted));
    // what somebody wrote may have numbers
    const telling = table.filter(
      ({ title, detail }) => !title.startsWith("conversation") && /\d+ ?(?:s|ms|m|h|bytes)\b/.test(detail),
    );
    expectNone(telling.map(({ title, detail }) => `${title} ${detail}`));
  });

  test("has times that differ by their words, each with what people do, and hosts as they are written", () => {
    // their first acts are of hosts or within a second, or there are none
    const special = course.filter(({ number }) => ["31", "35", "48", "58", "60"].includes(number));
    const shown = [...sixthOf(course, 3), ...special].map((lesson) => {
      const { moments } = playLesson(lesson).prediction;
      return { number: lesson.number, words: moments.map(({ at, what }) => `${at} ${what}`), moments };
    });
    expectNone(
      shown.flatMap(({ number, words, moments }) => {
        const labels = moments.map(({ at }) => at).filter((at) => at !== "");
        const isPlain =
          new Set(words).size === words.length &&
          new Set(labels).size === labels.length &&
          moments.every(({ what }) => what !== "" && !/[A-Z][\w-]*(?:\.[\w-]+){2}/.test(what));
        return isPlain ? [] : [`${number}: ${words.join(", ")}`];
      }),
    );
  });

  test.each(some)("%s has near runs that differ where they say", (_, lesson) => {
    const { cards, instants, moments, nearRuns } = playLesson(lesson).prediction;
    for (const near of nearRuns) {
      expect(timesOf(near, moments)).not.toEqual(timesOf({ cards, instants }, moments));
      expect(near.words).toMatch(/^(if|without) /);
      expect(near.rows.length).toBeGreaterThan(0);
    }
  });
});
