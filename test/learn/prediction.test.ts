import { describe, expect, test } from "vitest";
import { type Lesson, playLesson, readLessons } from "../../docs/learn/lessons.ts";
import { markPrediction } from "../../docs/learn/mark.ts";
import type { Prediction } from "../../docs/learn/prediction.ts";
import { thirdOf } from "../counts.ts";
import { expectNone } from "../lists.ts";

/** The questions of lessons: which cards lie on the table, and which runs explain a wrong order. */

const course = readLessons();
const named = (name: string) => course.find((lesson) => lesson.name === name) as Lesson;
const some = thirdOf(course).map((lesson) => [lesson.number, lesson] as const);

describe.each(some)("Mark in lesson %s", (_, lesson) => {
  test("names only runs in which the guess is right, or as far as it says", () => {
    const { prediction } = playLesson(lesson);
    const { given, asked, cards, deck, nearRuns } = prediction;
    const whole = given + asked === cards.length;
    const claims = guessesOneMoveAway(prediction).flatMap((guess) => {
      const { nearRun, alikeRun } = markPrediction(prediction, guess) ?? {};
      const run = nearRuns[nearRun ?? alikeRun?.run ?? -1];
      if (run === undefined) return [];
      const near = run.cards.slice(given);
      const said = alikeRun === undefined ? guess : [...guess.slice(0, alikeRun.cards), alikeRun.next];
      const isTrue =
        isInOrder(said, near, run.instants?.slice(given)) &&
        (alikeRun !== undefined || !whole || near.length === guess.length);
      return isTrue ? [] : [{ guess, said }];
    });
    expect(claims).toEqual([]);
    expect(deck.length).toBeGreaterThan(0);
  });
});

/** Whether cards come first in a run: each at its place, or, where instants count, at a place of the same instant. */
function isInOrder(
  said: readonly unknown[],
  cards: readonly number[],
  instants?: readonly number[],
): boolean {
  const at = (place: number) => instants?.[place] ?? place;
  return said.every((card, place) => {
    if (card === undefined) return place === cards.length;
    const same = (list: readonly unknown[], to: number) =>
      list.slice(0, to).filter((each, index) => each === card && at(index) === at(place)).length;
    return place < cards.length && same(said, said.length) <= same(cards, cards.length);
  });
}

/** Guesses that leave one card out, swap two, stop early, or have a card of the deck in the place of another. */
function guessesOneMoveAway({ given, asked, cards, deck }: Prediction): number[][] {
  const right = cards.slice(given, given + asked);
  return right.flatMap((_, at) => [
    right.toSpliced(at, 1),
    right.slice(0, at),
    right.with(at, right[at + 1] ?? -1).with(Math.min(at + 1, right.length - 1), right[at] ?? -1),
    ...deck.flatMap((card) => [
      right.with(at, card),
      right.toSpliced(at, 0, card),
      [...right.slice(0, at), card],
    ]),
  ]);
}

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
    const guess = ["call.started inbound", "call.answered by Carol Diaz"].map(number);
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

  test("say nothing more of events that only stand in another order", () => {
    const other = prediction.nearRuns.find(({ words }) => words === "if Lobby hung up at 0:40");
    expect(other).toBeDefined();
    expect(other?.why).toBeUndefined();
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
      const { given, asked, cards, instants = [] } = prediction;
      const right = cards.slice(given, given + asked);
      return right.slice(1).flatMap((card, index) => {
        const before = right[index] as number;
        if (card === before) return [];
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
      thirdOf(course).flatMap((lesson) => {
        const { deck, asked } = playLesson(lesson).prediction;
        return deck.length - asked < 2 ? [lesson.number] : [];
      }),
    );
  });

  test.each(some)("%s asks for cards that tell no time and takes its own order as right", (_, lesson) => {
    const { prediction } = playLesson(lesson);
    const { table, deck, cards, given, asked } = prediction;
    expect(markPrediction(prediction, cards.slice(given, given + asked))).toBeUndefined();
    const wanted = cards.slice(given, given + asked);
    expect(deck.toSorted((a, b) => a - b)).toEqual(expect.arrayContaining(wanted));
    // what somebody wrote may have numbers
    const telling = table.filter(
      ({ title, detail }) => !title.startsWith("conversation") && /\d+ ?(?:s|ms|m|h|bytes)\b/.test(detail),
    );
    expectNone(telling.map(({ title, detail }) => `${title} ${detail}`));
  });

  test.each(some)("%s has near runs that differ where they say", (_, lesson) => {
    const { cards, nearRuns } = playLesson(lesson).prediction;
    for (const near of nearRuns) {
      expect(near.cards).not.toEqual(cards);
      expect(near.words).toMatch(/^(if|without) /);
      expect(near.rows.length).toBeGreaterThan(0);
    }
  });
});
