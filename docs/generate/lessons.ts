import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { goldenPath, shownData } from "../../src/cli/golden.ts";
import type { ExpectedEvent, PlatformEvent } from "../../src/index.ts";
import { parseScenario, runScenario } from "../../src/index.ts";
import { toMermaid } from "../../src/story/mermaid.ts";
import { toTimeline } from "../../src/story/timeline.ts";
import type { Page } from "./pages.ts";

const folder = new URL("../../scenarios/", import.meta.url);
/** The organisations that lessons name, as text. */
export const organisations = Object.fromEntries(
  readdirSync(new URL("organisations/", folder)).map((name) => [
    name.replace(/\.yaml$/, ""),
    readFileSync(new URL(`organisations/${name}`, folder), "utf8"),
  ]),
);

/** A lesson as the pages need it. */
interface Lesson {
  /** `01-first-endpoint-wins.yaml`. */
  readonly file: string;
  /** `first-endpoint-wins`: without its number, which changes as lessons come between. */
  readonly name: string;
  readonly text: string;
  readonly title: string;
  readonly description: string;
  /** The types of event that its page shows with all their fields, as its golden file does; most lessons: none. */
  readonly showsInFull: readonly string[];
}

/** One page a lesson under `docs/lessons/`, and a page that lists them. */
export function lessonPages(): Page[] {
  const lessons = readdirSync(folder)
    .filter((file) => file.endsWith(".yaml"))
    .sort()
    .map(readLesson);
  return [
    { path: "docs/lessons/README.md", content: () => indexPage(lessons) },
    ...lessons.map((lesson, index) => ({
      path: `docs/lessons/${lesson.name}.md`,
      content: () => lessonPage(lesson, lessons[index - 1], lessons[index + 1], lessons),
    })),
  ];
}

function readLesson(file: string): Lesson {
  const text = readFileSync(new URL(file, folder), "utf8");
  const { title, description, expect = [] } = parseScenario(text, { organisations });
  const name = file.replace(/^\d+-|\.yaml$/g, "");
  const isFull = existsSync(goldenPath(fileURLToPath(new URL(file, folder)), "full"));
  const showsInFull = isFull ? expect.map(({ type }) => type) : [];
  return { file, name, text, title, description: description.trim(), showsInFull };
}

const made = (from: string) => `<!-- Made from ${from} by \`npm run generate\`. Do not edit. -->`;

function indexPage(lessons: readonly Lesson[]): string {
  const rows = lessons.map(
    ({ name, title, description }) => `- [${title}](${name}.md): ${oneSentence(description)}`,
  );
  return [
    made("scenarios/"),
    "",
    "# Lessons",
    "",
    "Each lesson teaches one rule: a script, what happens, and the exact stream of events that an integration receives.",
    "`npx ringback list` shows them in a terminal, `npx ringback run 01` plays one. The [teaching guide](../teaching.md) says how to",
    "use them with a class.",
    "",
    ...rows,
    "",
  ].join("\n");
}

/** The first one, without its full stop. */
function oneSentence(text: string): string {
  return (text.split(/(?<=\.)\s/)[0] ?? text).replace(/\.$/, "");
}

function lessonPage(
  lesson: Lesson,
  before: Lesson | undefined,
  after: Lesson | undefined,
  all: readonly Lesson[],
): string {
  const scenario = parseScenario(lesson.text, { organisations });
  const { simulator, events } = runScenario(scenario);
  const story = { ...simulator.story(), title: scenario.title };
  const links = [
    before && `Before: [${before.title}](${before.name}.md)`,
    after && `Next: [${after.title}](${after.name}.md)`,
    "[All lessons](README.md)",
  ];
  return [
    made(`scenarios/${lesson.file}`),
    `# ${lesson.title}`,
    "## What to notice",
    lesson.description,
    `\`npx ringback play ${lesson.file.replace(/-.*/, "")}\` opens this lesson in the [playground](../inspector.md).`,
    "## The ladder",
    fenced("mermaid", toMermaid(story)),
    "## What happens",
    "`*` is an event that is told to webhooks; `|` is what nobody outside sees.",
    fenced("text", toTimeline(story)),
    "## The script",
    fenced("yaml", lesson.text),
    "## The stream",
    ...stream(events, simulator.startTimestamp),
    ...(lesson.showsInFull.length > 0
      ? payloadsInFull(events)
      : [...payloads(events, scenario.expect ?? []), ...whereInFull(events, all)]),
    links.filter(Boolean).join(" · "),
    "",
  ].join("\n\n");
}

function stream(events: readonly PlatformEvent[], startMs: number): string[] {
  if (events.length === 0) return ["No event: that is the point."];
  const lines = events.map(
    ({ createdTimestamp, type }) => `PT${(createdTimestamp - startMs) / 1000}S ${type}`,
  );
  return [fenced("text", lines.join("\n"))];
}

/** The last event of each type, in full. */
function payloadsInFull(events: readonly PlatformEvent[]): string[] {
  const last = new Map(events.map((event, place) => [event.type, place]));
  return [...last.values()]
    .sort((a, b) => a - b)
    .flatMap((place) => payload(place, events[place], "as it is delivered", (event) => event));
}

/** What the lesson looks at in the first event that it looks at closely, and in the last of the stream. */
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

/** Where the events of these types are shown with all their fields. */
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
