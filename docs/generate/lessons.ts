import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { goldenPath, shownData } from "../../src/cli/golden.ts";
import { toMermaid } from "../../src/core/narration/mermaid.ts";
import { toTimeline } from "../../src/core/narration/timeline.ts";
import type { ExpectedEvent, PlatformEvent, Scenario } from "../../src/index.ts";
import { banner } from "./banner.ts";
import { answerOf, type Exercise, exercises, playExercise } from "./exercises.ts";
import { MendFirst } from "./failures.ts";
import { lessonTexts } from "./lesson-texts.ts";
import type { Page } from "./pages.ts";
import {
  lessonsFolder as folder,
  organisations,
  playedAt,
  scenarioAt,
  scenariosIn,
} from "./played-lessons.ts";

/** The words of `docs/glossary.md`, by the first of their forms. */
const glossary = [
  ...readFileSync(new URL("../glossary.md", import.meta.url), "utf8").matchAll(
    /^\| <a id="([\w-]+)"><\/a>([\w -]+)/gm,
  ),
].map(([, anchor = "", word = ""]) => ({ anchor, word: word.trim() }));

/** What the pages need of a lesson. */
interface Lesson {
  /** The file, such as `01-first-endpoint-wins.yaml`. */
  readonly file: string;
  /** The name, such as `first-endpoint-wins`, without the number, which changes when lessons are inserted. */
  readonly name: string;
  readonly text: string;
  readonly title: string;
  readonly description: string;
  readonly question: string;
  readonly exercise: Exercise;
  readonly scenario: Scenario;
  /** The event types that its page shows with all their fields, as its golden file does. Empty for most lessons. */
  readonly showsInFull: readonly string[];
}

/** One page for each lesson under `docs/lessons/`, and a page that lists them. */
export function lessonPages(): Page[] {
  const files = scenariosIn(folder);
  let read: readonly Lesson[] | undefined;
  // other pages can be made while a lesson is not complete
  const lessons = () => {
    read ??= readLessons(files);
    return read;
  };
  return [
    { path: "docs/lessons/README.md", content: () => indexPage(lessons()) },
    ...files.map((file, index) => ({
      path: `docs/lessons/${nameOf(file)}.md`,
      content: () => {
        const all = lessons();
        return lessonPage(all[index] as Lesson, all[index - 1], all[index + 1], all);
      },
    })),
  ];
}

const nameOf = (file: string): string => file.replace(/^\d+-|\.yaml$/g, "");

/** @throws {MendFirst} with everything that is missing */
function readLessons(files: readonly string[]): Lesson[] {
  const missing: string[] = [];
  for (const name of files.map(nameOf)) {
    if (lessonTexts[name] === undefined)
      missing.push(`docs/generate/lesson-texts.ts: ${name} has no question`);
    if (exercises[name] === undefined) missing.push(`scenarios/exercises.json: ${name} has no exercise`);
  }
  if (missing.length > 0) throw new MendFirst(missing.join("\n"));
  return files.map(readLesson);
}

function readLesson(file: string): Lesson {
  const text = readFileSync(new URL(file, folder), "utf8");
  const scenario = scenarioAt(new URL(file, folder));
  const { title, description, expect = [] } = scenario;
  const name = nameOf(file);
  const texts = lessonTexts[name] as (typeof lessonTexts)[string];
  const exercise = exercises[name] as Exercise;
  const isFull = existsSync(goldenPath(fileURLToPath(new URL(file, folder)), "full"));
  const showsInFull = isFull ? expect.map(({ type }) => type) : [];
  const notice = description.trim().replaceAll(/\s+/g, " ");
  return { file, name, text, title, description: notice, ...texts, exercise, scenario, showsInFull };
}

function indexPage(lessons: readonly Lesson[]): string {
  const rows = lessons.map(({ name, title, question }) => `- [${title}](${name}.md). ${question}`);
  return [
    banner("scenarios/"),
    "",
    "# Lessons",
    "",
    "Each lesson asks one question about how a phone system behaves, and answers it with a run: who does what, and which events an",
    "integration receives. You need to know nothing of telephony: the [glossary](../glossary.md) explains the words. Read the question, guess,",
    "then look at the ladder.",
    "",
    "`npx ringback run` shows the lessons in a terminal, and `npx ringback run 01` plays one. To try something, copy a lesson's script, change",
    "it, and play your copy with `npx ringback run <file>`. [Teach a call flow](../guides/teach-a-call-flow.md) says how to use them with a class.",
    "",
    ...rows,
    "",
  ].join("\n");
}

/** Other forms in which lessons use a word of the glossary. */
const alsoSaid: Readonly<Record<string, string>> = {
  "back-off": "gap",
  "HTTP status": "400|429|503|5xx",
  tariff: "price",
  "wrap-up": "wrapUp",
};

/** Links to the words of the glossary that a text uses. */
function glossaryLinks(text: string): string {
  const used = glossary.filter(({ word }) => {
    const forms = [word, ...(alsoSaid[word] === undefined ? [] : [alsoSaid[word]])].join("|");
    return new RegExp(`\\b(${forms})(s|es)?\\b`, "i").test(text);
  });
  return used.map(({ word, anchor }) => `[${word}](../glossary.md#${anchor})`).join(" · ");
}

function lessonPage(
  lesson: Lesson,
  before: Lesson | undefined,
  after: Lesson | undefined,
  all: readonly Lesson[],
): string {
  const { simulator, events } = playedAt(new URL(lesson.file, folder)).run;
  const story = { ...simulator.narration(), title: lesson.title };
  const links = [
    before && `Before: [${before.title}](${before.name}.md)`,
    after && `Next: [${after.title}](${after.name}.md)`,
    "[All lessons](README.md)",
  ];
  return [
    banner(`scenarios/${lesson.file} and scenarios/exercises.json`),
    `# ${lesson.title}`,
    `**${lesson.question}**`,
    "## The ladder",
    fenced("mermaid", toMermaid(story)),
    "## What to notice",
    lesson.description,
    `Words: ${glossaryLinks(`${lesson.title} ${lesson.question} ${lesson.description} ${lesson.exercise.question}`)}`,
    "## What to try next",
    lesson.exercise.question,
    "<details><summary>The answer: what changes</summary>",
    fenced("diff", answerOf(simulator, playExercise(lesson.text, lesson.exercise, organisations))),
    "</details>",
    `\`npx ringback play ${lesson.file.replace(/-.*/, "")}\` opens this lesson in the [playground](../inspector.md), where **Try it** makes this change and shows both runs side by side, and where you can change anything else. Or copy the script below into a file and play it with \`npx ringback run <file>\`.`,
    "## What happens",
    "A line with `*` is an event, which webhooks receive. A line with `|` happens inside: nobody outside is told.",
    fenced("text", toTimeline(story)),
    "## The script",
    fenced("yaml", copied(lesson.text)),
    "## The stream",
    ...stream(events, simulator.startTimestamp),
    ...(lesson.showsInFull.length > 0
      ? payloadsInFull(events)
      : [...payloads(events, lesson.scenario.expect ?? []), ...whereInFull(events, all)]),
    links.filter(Boolean).join(" · "),
    "",
  ].join("\n\n");
}

/** A script for a copy of the lesson in a consumer's project, as `ringback init` writes it. */
function copied(text: string): string {
  return text.replace("$schema=./", "$schema=../node_modules/ringback/scenarios/");
}

function stream(events: readonly PlatformEvent[], startMs: number): string[] {
  if (events.length === 0) return ["This run has no event."];
  const lines = events.map(
    ({ createdTimestamp, type }) => `PT${(createdTimestamp - startMs) / 1000}S ${type}`,
  );
  return [fenced("text", lines.join("\n"))];
}

/** The last event of each type, with all fields. */
function payloadsInFull(events: readonly PlatformEvent[]): string[] {
  const last = new Map(events.map((event, place) => [event.type, place]));
  return [...last.values()]
    .sort((a, b) => a - b)
    .flatMap((place) => payload(place, events[place], "as it is delivered", (event) => event));
}

/** The parts that the lesson matches in its first matched event and in the stream's last event. */
function payloads(events: readonly PlatformEvent[], expect: readonly ExpectedEvent[]): string[] {
  const matched = expect.findIndex(({ match }) => match !== undefined);
  const places = [...new Set([Math.max(0, matched), events.length - 1])];
  return places.flatMap((place) =>
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
  return [`Such events with all their fields: [${best.title}](${best.name}.md#the-stream).`];
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

export function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}
