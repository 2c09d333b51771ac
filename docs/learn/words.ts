import { readFileSync } from "node:fs";
import { type Lesson, playLesson, readCourse } from "./lessons.ts";

/** A word that a lesson explains. */
export interface Word {
  readonly word: string;
  /** What it means, in Markdown. */
  readonly meaning: string;
}

/** The words of `docs/glossary.md`, by the first of their forms. */
export const glossary = [
  ...readFileSync(new URL("../glossary.md", import.meta.url), "utf8").matchAll(
    /^\| <a id="([\w-]+)"><\/a>([\w -]+)[^|]*\| (.*) \|$/gm,
  ),
].map(([, anchor = "", word = "", meaning = ""]) => ({ anchor, word: word.trim(), meaning }));

/** The words of the glossary without which a lesson cannot be understood. */
const needed =
  "event app crm voicemail team extension webhook http-status back-off data-action redirect conversation contact close-timer transcript analysis tariff availability".split(
    " ",
  );

/** How calls end, as cards say it. */
const ends: readonly Word[] = [
  { word: "answered", meaning: "A person answered the call." },
  { word: "missed", meaning: "A call from outside that no person answered." },
  { word: "missed, timeout", meaning: "Missed, and the phones rang until their time was over." },
  { word: "missed, declined", meaning: "Missed, and whoever was rung declined." },
  { word: "missed, unavailable", meaning: "Missed, and nobody could be rung, or nobody any more." },
  { word: "missed, voicemail", meaning: "Missed, and the caller left a message." },
  { word: "abandoned", meaning: "The caller left before anybody answered." },
  { word: "unanswered", meaning: "Nobody took a call that a user made." },
  { word: "blocked", meaning: "A data action did not allow the call." },
];

const lacking = needed.filter((anchor) => glossary.every((each) => each.anchor !== anchor));
if (lacking.length > 0)
  throw new Error(`docs/glossary.md lacks words that lessons need: ${lacking.join(", ")}`);

const words: readonly Word[] = [...glossary.filter(({ anchor }) => needed.includes(anchor)), ...ends];

/** The words that a lesson's page uses before its run is shown. */
export function wordsOf(lesson: Lesson): Word[] {
  const { prediction, situation } = playLesson(lesson);
  const cards = [...prediction.cards.slice(0, prediction.given), ...prediction.deck].map(
    (number) => prediction.table[number],
  );
  const text = [
    lesson.question,
    ...lesson.scenario.questions.flatMap(({ ask, choices }) => [
      ask,
      ...choices.map((choice) => choice.text),
    ]),
    ...situation.people,
    ...situation.acts.map(({ what }) => what),
    ...cards.map((card) => card?.detail),
    // what every page says above its cards
    "Which events will your app get?",
  ].join("\n");
  return words.filter(({ word }) => new RegExp(`\\b${word}s?\\b`, "i").test(text));
}

let firsts: ReadonlyMap<string, string> | undefined;

/** The words that no earlier lesson of the course uses. */
export function newWordsOf(lesson: Lesson): Word[] {
  if (firsts === undefined) {
    const found = new Map<string, string>();
    for (const each of readCourse())
      for (const { word } of wordsOf(each)) if (!found.has(word)) found.set(word, each.name);
    firsts = found;
  }
  const known = firsts;
  return wordsOf(lesson).filter(({ word }) => known.get(word) === lesson.name);
}
