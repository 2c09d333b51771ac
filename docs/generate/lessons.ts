import { readdirSync, readFileSync } from "node:fs";
import type { PlatformEvent } from "../../src/index.ts";
import { parseScenario, runScenario } from "../../src/index.ts";
import { toMermaid } from "../../src/story/mermaid.ts";
import { toTimeline } from "../../src/story/timeline.ts";
import type { Page } from "./pages.ts";

const folder = new URL("../../scenarios/", import.meta.url);
const organisations = Object.fromEntries(
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
      content: () => lessonPage(lesson, lessons[index - 1], lessons[index + 1]),
    })),
  ];
}

function readLesson(file: string): Lesson {
  const text = readFileSync(new URL(file, folder), "utf8");
  const { title, description } = parseScenario(text, { organisations });
  return { file, name: file.replace(/^\d+-|\.yaml$/g, ""), text, title, description: description.trim() };
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

function lessonPage(lesson: Lesson, before: Lesson | undefined, after: Lesson | undefined): string {
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
    "## The ladder",
    fenced("mermaid", toMermaid(story)),
    "## What happens",
    "`*` is an event that is told to webhooks; `|` is what nobody outside sees.",
    fenced("text", toTimeline(story)),
    "## The script",
    fenced("yaml", lesson.text),
    "## The stream",
    ...stream(events, simulator.startTimestamp),
    ...payloads(events, matchedPlaces(scenario.expect ?? [])),
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

/** The places that the lesson looks at closely. */
function matchedPlaces(expect: readonly { readonly match: unknown }[]): number[] {
  return expect.flatMap(({ match }, place) => (match === undefined ? [] : [place]));
}

/** The first event that the lesson looks at closely, and the last of the stream. */
function payloads(events: readonly PlatformEvent[], matched: readonly number[]): string[] {
  const places = [...new Set([matched[0] ?? 0, events.length - 1])];
  return places.flatMap((place) => {
    const event = events[place];
    if (event === undefined) return [];
    const json = JSON.stringify(event, null, 2);
    return [
      `<details><summary>Event ${place + 1}, <code>${event.type}</code>, as it is delivered</summary>`,
      fenced("json", json),
      "</details>",
    ];
  });
}

export function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}
