import { shownData } from "../../src/cli/golden.ts";
import { toMermaid } from "../../src/core/narration/mermaid.ts";
import type { ScenarioQuestion } from "../../src/core/scenario/scenario.ts";
import type { PlatformEvent, Scenario } from "../../src/index.ts";
import { lessonNumber } from "../../src/inspector/lesson.ts";
import { chapters } from "../learn/chapters.ts";
import { type Lesson, placeOf, playLesson, readLessons, shownScript } from "../learn/lessons.ts";
import { boardWords, type Prediction } from "../learn/prediction.ts";
import type { Situation } from "../learn/situation.ts";
import { glossary } from "../learn/words.ts";
import { banner } from "./banner.ts";
import { answerOf } from "./exercises.ts";
import { fenced } from "./markdown.ts";
import type { Page } from "./pages.ts";
import { lessonsFolder as folder, scenariosIn } from "./played-lessons.ts";

// parts without a name of their own
type ExpectedEvent = NonNullable<Scenario["expect"]>[number];

/** One page for each lesson under `docs/lessons/`, and a page that lists them. */
export function lessonPages(): Page[] {
  let read: readonly Lesson[] | undefined;
  // other pages can be made while a lesson is not complete
  const lessons = () => {
    read ??= readLessons();
    return read;
  };
  return [
    { path: "docs/lessons/README.md", content: () => indexPage(lessons()) },
    ...scenariosIn(folder).map((file) => ({
      path: `docs/lessons/${lessonNumber(file)}.md`,
      content: () => {
        const all = lessons();
        const lesson = all.find((each) => each.file === file) as Lesson;
        return lessonPage(lesson, nextOf(lesson, all), all);
      },
    })),
  ];
}

/** The lesson of the course after this one; undefined after the last one, and after an example. */
export function nextOf(lesson: Lesson, all: readonly Lesson[]): Lesson | undefined {
  const course = all.filter(({ place }) => place !== undefined);
  return lesson.place === undefined ? undefined : course[course.indexOf(lesson) + 1];
}

function indexPage(all: readonly Lesson[]): string {
  const taught = all.filter(({ place }) => place !== undefined);
  return [
    banner("scenarios/ and docs/learn/chapters.ts"),
    "",
    "# Lessons",
    "",
    `The course has ${taught.length} lessons. Each asks a question about how a phone system behaves. You guess which events your app gets, look at the run,`,
    "and change it. A lesson needs only what came before it, and you need to know nothing of telephony: the [glossary](../glossary.md) explains the",
    "words. The examples below a chapter are about the same thing, and no other lesson needs them.",
    "",
    "`npx ringback run` lists all of them by number in a terminal, and `npx ringback run 16` plays number 16. On the site of this documentation the events",
    "are cards that you put in order, and the page says how far a wrong one is right, and in which run it would be.",
    "[Teach a call flow](../guides/teach-a-call-flow.md) says how to use the lessons with a class.",
    ...chapters.flatMap((chapter, index) => {
      const own = all.filter((lesson) => lesson.chapter === chapter);
      const examples = own.filter(({ place }) => place === undefined);
      return [
        "",
        `## ${index + 1}. ${chapter.title}`,
        "",
        `${chapter.about}.`,
        "",
        ...own
          .filter(({ place }) => place !== undefined)
          .map((lesson) => `- **${placeOf(lesson)}** ${linkTo(lesson)}`),
        ...(examples.length === 0 ? [] : ["", "Examples:", ""]),
        ...examples.map((each) => `- ${linkTo(each)}`),
      ];
    }),
    "",
  ].join("\n");
}

const linkTo = ({ number, question }: Lesson): string => `[${question}](${number}.md) (number ${number})`;

/** Other forms in which lessons use a word of the glossary. */
const alsoSaid: Readonly<Record<string, string>> = {
  "back-off": "gap",
  "HTTP status": "400|429|503|5xx",
  tariff: "price",
  "wrap-up": "wrapUp",
};

/** Links to the words of the glossary that a text uses. */
export function glossaryLinks(text: string): string {
  const used = glossary.filter(({ word }) => {
    const forms = [word, ...(alsoSaid[word] === undefined ? [] : [alsoSaid[word]])].join("|");
    return new RegExp(`\\b(${forms})(s|es)?\\b`, "i").test(text);
  });
  return used.map(({ word, anchor }) => `[${word}](../glossary.md#${anchor})`).join(" · ");
}

function lessonPage(lesson: Lesson, after: Lesson | undefined, all: readonly Lesson[]): string {
  const { run, changed, prediction, situation } = playLesson(lesson);
  const { simulator } = run;
  const script = shownScript(lesson.text);
  const story = { ...simulator.narration(), title: lesson.title };
  const { chapter, number } = lesson;
  const links = [
    after && `Next, lesson ${placeOf(after)}: [${after.question}](${after.number}.md)`,
    "[All lessons](README.md)",
  ];
  return [
    banner(`lesson ${number} in scenarios/, its question and its exercise`),
    `# ${lesson.question}`,
    lesson.place === undefined
      ? `An example beside chapter ${chapters.indexOf(chapter) + 1}, ${chapter.title}. Number ${number}, about ${lesson.minutes} minutes.`
      : `Chapter ${chapters.indexOf(chapter) + 1}, ${chapter.title}. Lesson ${placeOf(lesson)}, number ${number}, about ${lesson.minutes} minutes.`,
    "## What happens",
    ...situationTexts(situation),
    script === "" ? "Nobody does anything: time goes by." : fenced("yaml", script),
    ...questionTexts(lesson.scenario.questions),
    prediction.webhook === undefined
      ? "## Which events will your app get?"
      : `## Which requests will ${prediction.webhook.host} get?`,
    ...cardTexts(prediction),
    "<details><summary>Show the run</summary>",
    `**${lesson.title}.**`,
    fenced("mermaid", toMermaid(story)),
    lesson.description,
    `Words: ${glossaryLinks(`${lesson.title} ${lesson.question} ${lesson.description} ${lesson.exercise.question}`)}`,
    ...(lesson.showsInFull.length > 0
      ? payloadsInFull(simulator.events, lesson.scenario.expect ?? [])
      : [...payloads(simulator.events, lesson.scenario.expect ?? []), ...whereInFull(simulator.events, all)]),
    "</details>",
    "## Change it",
    lesson.exercise.question,
    "<details><summary>The answer: what changes</summary>",
    fenced("diff", answerOf(simulator, changed)),
    "</details>",
    `\`npx ringback play ${number}\` opens this lesson in the [playground](../inspector.md), where **Try it** makes this change and shows both runs side by side. Or copy the script into a file, change it, and play it with \`npx ringback run <file>\`.`,
    "<details><summary>The whole script, with the events that it expects</summary>",
    fenced("yaml", copied(lesson.text)),
    "</details>",
    links.filter(Boolean).join(" · "),
    "",
  ].join("\n\n");
}

function situationTexts({ people, acts }: Situation): string[] {
  const sentences = acts.map(({ when, what }) => (when === "" ? what : `${when} ${what}`));
  return [people.join(" "), sentences.join(" ")].filter((text) => text !== "");
}

/** The questions of the file, each with its answer behind a summary. */
function questionTexts(questions: readonly ScenarioQuestion[]): string[] {
  return questions.flatMap(({ ask, choices, right, because }) => {
    const answer = choices[right]?.text.replace(/\.$/, "");
    return [
      `## ${ask}`,
      choices.map(({ text }) => `- ${text}`).join("\n"),
      "<details><summary>The answer</summary>",
      `**${answer}.** ${because}`,
      "</details>",
    ];
  });
}

function cardTexts(prediction: Prediction): string[] {
  const { given, cards, deck, table } = prediction;
  const text = (number: number) => {
    const { title, detail } = table[number] as Prediction["table"][number];
    return `\`${title}\` ${detail}`.trim();
  };
  return [
    ...(given === 0
      ? []
      : [`First these come: ${cards.slice(0, given).map(text).join("; ")}. Which are next?`]),
    `${boardWords(prediction)} Then look at the run. Some of these do not come:`,
    deck.map((number) => `- ${text(number)}`).join("\n"),
  ];
}

/** A script for a copy of the lesson in a consumer's project, as `ringback init` writes it. */
function copied(text: string): string {
  return text.replace("$schema=./", "$schema=../node_modules/ringback/scenarios/");
}

/** The first event that the lesson is about, and the last of the stream, with all fields. */
function payloadsInFull(events: readonly PlatformEvent[], expect: readonly ExpectedEvent[]): string[] {
  return shownPlaces(events, expect).flatMap((place) =>
    payload(place, events[place], "as it is delivered", (event) => event),
  );
}

/** The places of the first event that a lesson matches, and of the last one. */
function shownPlaces(events: readonly PlatformEvent[], expect: readonly ExpectedEvent[]): number[] {
  const matched = expect.findIndex(({ match }) => match !== undefined);
  return [...new Set([Math.max(0, matched), events.length - 1])];
}

/** The parts that the lesson matches in its first matched event and in the stream's last event. */
function payloads(events: readonly PlatformEvent[], expect: readonly ExpectedEvent[]): string[] {
  return shownPlaces(events, expect).flatMap((place) =>
    payload(
      place,
      events[place],
      "as far as this lesson is about it",
      ({ id, type, createdAt, ...event }) => ({
        id,
        type,
        createdAt,
        data: shownData({ id, type, createdAt, ...event } as PlatformEvent, expect),
      }),
    ),
  );
}

/** The lessons that show events of these types with all their fields. */
function whereInFull(events: readonly PlatformEvent[], all: readonly Lesson[]): string[] {
  const types = new Set<string>(events.map(({ type }) => type));
  const shows = (lesson: Lesson) => lesson.showsInFull.filter((type) => types.has(type)).length;
  const best = [...all].sort((one, other) => shows(other) - shows(one))[0];
  if (best === undefined || shows(best) === 0) return [];
  return [`Such events with all their fields: [lesson ${best.number}](${best.number}.md).`];
}

function payload(
  place: number,
  event: PlatformEvent | undefined,
  how: string,
  shown: (event: PlatformEvent) => object,
): string[] {
  if (event === undefined) return [];
  return [
    `<details><summary>Event ${place + 1}, <code>${event.type}</code>, ${how}</summary>`,
    fenced("json", JSON.stringify(shown(event), null, 2)),
    "</details>",
  ];
}
