import type { CommandName } from "../../../src/core/platform/base/core-services.ts";
import { timerWords } from "../../../src/core/platform/base/timers.ts";
import { operations } from "../../../src/core/platform/catalogue/operations.ts";
import type { EventType, PlatformEvent } from "../../../src/core/platform/declare/events.ts";
import { type EventCauses, eventCauses } from "../../../src/core/platform/reactions/event-causes.ts";
import { lessonNumber } from "../../../src/inspector/lesson.ts";
import { banner } from "../banner.ts";
import { MendFirst } from "../failures.ts";
import { fenced } from "../markdown.ts";
import type { Page } from "../pages.ts";
import { lessonsFolder, playedAt, scenariosIn } from "../played-lessons.ts";
import { documentPage, type RestDocument, recordLink, restDocument } from "./document.ts";
import { type EventGroup, eventGroups, eventLink } from "./event-groups.ts";
import { fieldList } from "./fields.ts";
import { restLinks } from "./rest.ts";
import { label, type Schema } from "./schema-words.ts";
import { typeOf } from "./typescript.ts";

/** A page for each group of events. */
export const eventPages: readonly Page[] = eventGroups.map((group) => ({
  path: `docs/reference/${group.file}.md`,
  content: () => groupPage(group),
}));

async function groupPage({ title, types }: EventGroup): Promise<string> {
  const document = await restDocument();
  const links = await restLinks();
  const rows = types.map(
    (type) => `| ${eventLink(type).replace(/\(.*#/, "(#")} | ${sentenceOf(document, type)} |`,
  );
  return [
    banner("the OpenAPI document, what brings events about, and the lessons' streams"),
    `# ${title}`,
    `What a webhook receives, as a \`POST\`. [All events](README.md#events) · [how deliveries are signed and repeated](../webhooks.md)`,
    ["| event | when |", "|---|---|", ...rows].join("\n"),
    ...types.map((type) => eventSection(document, type, links)),
    "",
  ].join("\n\n");
}

function sentenceOf({ webhooks }: RestDocument, type: EventType): string {
  const { summary = "", deprecated = false } = webhooks[type]?.post ?? {};
  return `${summary}.${deprecated ? " Deprecated." : ""}`;
}

/** The list of all events, for the first page of the reference. */
export function eventRows(document: RestDocument): string[] {
  return eventGroups.flatMap(({ types }) =>
    types.map((type) => `| ${eventLink(type)} | ${sentenceOf(document, type)} |`),
  );
}

/** The body of an event. @throws {MendFirst} if nothing in the examples brings the event about */
export function bodyBlock(type: string, example: unknown): string {
  if (example === undefined)
    throw new MendFirst(`${type} does not happen in the examples; bring it about in its \`example\``);
  return fenced("json fold", JSON.stringify(example, null, 2));
}

function eventSection(document: RestDocument, type: EventType, links: ReadonlyMap<string, string>): string {
  const { description = "", requestBody } = document.webhooks[type]?.post ?? {};
  const { schema = {}, example } = Object.values(requestBody?.content ?? {})[0] ?? {};
  const data = schema.properties?.data ?? {};
  return [
    '<div class="operation">\n<div>',
    `## ${type}`,
    data.description ?? "",
    label("Sent"),
    `At the instant of its cause, unless an [assumption](../assumptions.md) delays it. ${description.split(". ")[0]}.`,
    label("Brought about by"),
    causeList(type, links),
    label("What follows"),
    followTable(type),
    label("In <code>data</code>"),
    fieldList(data, { ...documentPage(document), isRead: true }),
    '</div>\n<div class="examples">',
    "**Body**",
    bodyBlock(type, example),
    `<details><summary>As a TypeScript type</summary>\n\n${fenced("typescript", typeOf(schema))}\n\n${typeLinks(document, schema)}\n\n</details>`,
    "</div>\n</div>",
  ].join("\n\n");
}

/** Links to the records in an event's data. */
function typeLinks(document: RestDocument, { properties: { data } = {} }: Schema): string {
  const names = [...JSON.stringify(data).matchAll(/#\/components\/schemas\/(\w+)/g)].map(
    ([, name = ""]) => name,
  );
  const links = [...new Set(names)].map((name) => recordLink(document, name));
  return links.length === 0
    ? ""
    : `Records: ${links.join(", ")}. In a test, \`PlatformEvent<"…">\` of \`ringback\` is this type.`;
}

function causeList(type: EventType, links: ReadonlyMap<string, string>): string {
  const { commands, timers, settings }: EventCauses = eventCauses[type];
  const byRest = [
    ...operations.filter((each) =>
      (each.commands ?? []).some((name: CommandName) => commands.includes(name)),
    ),
    ...(commands.includes("redirect") ? [{ id: "redirectCall" }] : []),
  ];
  const line = (title: string, all: readonly string[]) =>
    all.length === 0 ? [] : [`- ${title}: ${all.join(", ")}`];
  return [
    ...line(
      "Steps",
      commands.map((name) => `[\`${name}\`](steps.md#${name.toLowerCase()})`),
    ),
    ...line("The REST API", byRest.map(({ id }) => links.get(id) ?? "").filter(Boolean)),
    ...line("Timers", timers.map(timerName)),
    ...line(
      "Settings that decide whether or when",
      settings.map((name) => `\`${name}\``),
    ),
  ].join("\n");
}

/** What happens when a timer is due, in words: "nobody answered in time". */
export function timerName(purpose: string): string {
  const { subject, verb } = timerWords(purpose);
  if (subject === purpose) return purpose.replace(": ", ": the ");
  return `${subject === "" ? "a user" : subject} ${verb}`.trim();
}

/** What came next in the lessons' streams, after one type of event. */
interface Followed {
  count: number;
  readonly next: Map<string, { count: number; atOnce: number }>;
  readonly lessons: Set<string>;
}

let counted: ReadonlyMap<EventType, Followed> | undefined;

/** Counts which event is next: about the same call or conversation, or at the same instant. */
function followers(): ReadonlyMap<EventType, Followed> {
  if (counted !== undefined) return counted;
  const found = new Map<EventType, Followed>();
  for (const file of scenariosIn(lessonsFolder)) {
    const events = [...playedAt(new URL(file, lessonsFolder)).run.events];
    events.forEach((event, place) => {
      const own = found.get(event.type) ?? { count: 0, next: new Map(), lessons: new Set() };
      found.set(event.type, own);
      const next = events.slice(place + 1).find((each) => isAboutSame(event, each));
      const named = own.next.get(next?.type ?? "") ?? { count: 0, atOnce: 0 };
      own.next.set(next?.type ?? "", named);
      own.count += 1;
      own.lessons.add(file);
      named.count += 1;
      if (next?.createdTimestamp === event.createdTimestamp) named.atOnce += 1;
    });
  }
  counted = found;
  return found;
}

function isAboutSame(one: PlatformEvent, other: PlatformEvent): boolean {
  const subject = ({ data }: PlatformEvent) => {
    const { call, conversation } = data as { call?: { id: string }; conversation?: { id: string } };
    return call?.id ?? conversation?.id;
  };
  if (one.createdTimestamp === other.createdTimestamp) return true;
  return subject(one) !== undefined && subject(one) === subject(other);
}

function followTable(type: EventType): string {
  const { count = 0, next = new Map(), lessons = new Set<string>() } = followers().get(type) ?? {};
  if (count === 0) return "No lesson has it.";
  const sorted = [...next].sort(([one, a], [other, b]) => b.count - a.count || (one < other ? -1 : 1));
  const rows = sorted.map(([name, { count: each, atOnce }]) => {
    const share = `${each} of ${count}`;
    const when =
      atOnce === 0 ? "" : atOnce === each ? ", at the same instant" : `, ${atOnce} at the same instant`;
    return `| ${name === "" ? "nothing more" : eventLink(name)} | ${share}${when} |`;
  });
  const shown = [...lessons]
    .slice(0, 3)
    .map((file) => `[lesson ${Number.parseInt(file, 10)}](../lessons/${lessonNumber(file)}.md)`);
  return [
    ["| next | how often |", "|---|---|", ...rows].join("\n"),
    `The next event about the same call or conversation, or at the same instant, counted in the lessons. See ${shown.join(", ")}.`,
  ].join("\n\n");
}
