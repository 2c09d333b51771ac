import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "vitest";
import { withoutGroups } from "../../../src/core/foundation/phone-number.ts";
import type { NarrationRow, RowKind } from "../../../src/core/narration/rows.ts";
import { parseScenario, runScenario, type Simulator } from "../../../src/index.ts";
import { drawRows } from "../../../src/inspector/model/draw-rows.ts";
import { Recording } from "../../../src/inspector/model/recording.ts";
import type { PageRow } from "../../../src/inspector/model/types.ts";
import { sixthOf } from "../../counts.ts";
import { groups, play, RUNS_PER_GROUP } from "../../digest/runs.ts";
import { expectNone } from "../../lists.ts";

/**
 * A run is told once: its timeline, its diagram and its page have the same rows, in one order, with the same words.
 * Attempts stand below what led to them.
 */

/** What a text says in one row. */
interface Line {
  /** Who does it, or the type of an event; empty for the platform, which texts leave out. */
  readonly who: string;
  readonly says: string;
}

function linesOfTimeline(text: string): Line[] {
  return text.split("\n").flatMap((line): Line[] => {
    const event = /^ {12}\* (\S+) +(.*)$/.exec(line) ?? /^ {12}\* (\S+)$/.exec(line);
    if (event !== null) return [{ who: event[1] ?? "", says: event[2] ?? "" }];
    const effect = /^ {12}\| (?: {2})?(.*)$/.exec(line);
    // who it is stands before the first colon that a space follows
    if (effect !== null) return [whoSays(effect[1] ?? "")];
    const cause = /^(?: *[\d:]+\.\d{3}| {10}) {2}(\S.*)$/.exec(line);
    return cause === null || cause[1]?.startsWith(". . .") ? [] : [{ who: "?", says: cause[1] ?? "" }];
  });
}

function whoSays(text: string): Line {
  const at = text.indexOf(": ");
  return { who: text.slice(0, at), says: text.slice(at + 2) };
}

function linesOfDiagram(text: string): Line[] {
  const plain = (part: string) => part.replaceAll(/#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  const names = new Map<string, string>();
  return text.split("\n").flatMap((line): Line[] => {
    const [, alias, name] = /^ {2}(?:actor|participant) (\w+) as (.*)$/.exec(line) ?? [];
    if (alias !== undefined) names.set(alias, plain(name ?? ""));
    if (/^ {2}Note over \w+,E: .* later$/.test(line)) return [];
    const [, type, note] = /^ {2}\w+-\)E: (\S+?)<br\/>(.*)$/.exec(line) ?? [];
    if (type !== undefined) return [{ who: type, says: plain(note ?? "") }];
    const [, told] = /^ {2}Note over \w+: (.*)$/.exec(line) ?? [];
    if (told !== undefined) return [{ who: "", says: plain(told) }];
    const [, from, sign, to, says] = /^ {2}(\w+)(->>|-->>)(\w+): (.*)$/.exec(line) ?? [];
    if (says === undefined) return [];
    return [{ who: names.get((sign === "->>" ? from : to) ?? "") ?? "", says: plain(says) }];
  });
}

/** Rows of these kinds have a row of the page for themselves; the others are part of one, or of none. */
const ownRow: ReadonlySet<RowKind> = new Set([
  ...(["command", "answer", "voicemail", "message", "rest", "timer", "event"] as const),
  ...(["arrival", "deviation", "failed"] as const),
]);

/** Only pages have phone numbers in groups, and reasons such as `callerHungUp` in words. */
const wordsOf = (text: string): readonly string[] =>
  withoutGroups(text)
    .replaceAll(/(?<=[a-zA-Z])(?=[A-Z])/g, " ")
    .toLowerCase()
    .match(/[\p{L}\d@+_]+(?:[.:-][\p{L}\d_]+)*/gu) ?? [];

/** How a page counts phones, and where it has an extension. */
const glue = ["ring", "stop", "stops", "on", "ext", "and", "see"];
const isCount = (word: string) => /^\d$/.test(word);

/** What a page's row says that none of its lines does; it may say what a line of text has no room for. */
function newWords(page: PageRow, lines: readonly Line[], asides: readonly string[]): string[] {
  const known = new Set(
    [...glue, ...asides, ...lines.map(({ who, says }) => `${who} ${says}`)].flatMap(wordsOf),
  );
  return wordsOf(`${page.verb} ${page.detail}`).filter((word) => !known.has(word) && !isCount(word));
}

/** What a timeline says in other words than a diagram, which has one name for a person through the whole run. */
function isSame(line: Line, drawn: Line): boolean {
  if (line.who !== "?") {
    // "+6421555003", and "Di (+6421555003)" once Di is a contact
    const isNamed = line.who !== "" && wordsOf(line.who).every((word) => wordsOf(drawn.who).includes(word));
    return (line.who === drawn.who || isNamed) && line.says === drawn.says;
  }
  const who = line.says.slice(0, -drawn.says.length);
  const isSomeOf =
    drawn.who === "" ? who === "" : wordsOf(drawn.who).some((word) => wordsOf(who).includes(word));
  return line.says.endsWith(drawn.says) && isSomeOf;
}

/** Attempts of deliveries that stand below a row that did not lead to them. */
function misplacedAttempts(told: readonly NarrationRow[], sim: Simulator): string[] {
  const published = new Map(told.flatMap((row) => (row.event === undefined ? [] : [[row.event.id, row]])));
  const deliveries = sim.webhooks.list().flatMap(({ id }) => sim.webhooks.deliveries(id));
  const eventOf = new Map(deliveries.map(({ id, event }) => [id, event.id]));
  return told.flatMap(({ index, kind, cause, request }) => {
    if (kind !== "attempt" || request === undefined || cause === undefined) return [];
    const { recordId } = request;
    const isAgain = told[cause]?.delivery === recordId;
    const event = eventOf.get(recordId);
    if (event === undefined) return []; // `retain` dropped it, or its webhook is gone
    const led = published.get(event)?.cause;
    const isInside = told[cause]?.kind === "arrival" && told[cause]?.request?.id === request.id;
    return isAgain || isInside || led === cause ? [] : [`row ${index} stands below row ${cause}, not ${led}`];
  });
}

function problemsOf(name: string, sim: Simulator): string[] {
  const timeline = linesOfTimeline(sim.events.toTimeline());
  const diagram = linesOfDiagram(sim.events.toMermaid());
  const { recorder } = Recording.from(sim.journal());
  const { narrationRows } = recorder;
  const { rows, pageRowOf } = drawRows(narrationRows, recorder);
  const problems = misplacedAttempts(narrationRows, sim).map((problem) => `${name}, ${problem}`);
  const say = (index: number, problem: string) => problems.push(`${name}, row ${index}: ${problem}`);
  if (timeline.length !== narrationRows.length || diagram.length !== narrationRows.length)
    say(
      0,
      `the page has ${narrationRows.length}, the timeline ${timeline.length}, the diagram ${diagram.length}`,
    );
  // like a diagram, a page has one name for a contact through the whole run, also before the contact is uploaded
  const contacts = sim.phonebooks.list().flatMap(({ record }) => record.contacts.map(({ name }) => name));
  let lastPlace = -1;
  for (const [index, row] of narrationRows.entries()) {
    const [line, drawn, page] = [timeline[index], diagram[index], rows[pageRowOf[index] ?? -1]];
    if (line === undefined || drawn === undefined) continue;
    if (!isSame(line, drawn))
      say(index, `the timeline says "${line.who} ${line.says}", the diagram "${drawn.who} ${drawn.says}"`);
    if (!ownRow.has(row.kind) || row.delivery !== undefined) continue;
    if (page === undefined || page.index <= lastPlace) {
      say(index, `the page has no row of its own, below the row before, for "${line.says}"`);
      continue;
    }
    lastPlace = page.index;
    if (page.atMs !== row.atMs - sim.startTimestamp) say(index, "the page has another instant");
    const all = narrationRows.filter((_, other) => pageRowOf[other] === page.index);
    const lines = all.flatMap((each) => timeline[each.index] ?? []);
    const asides = all.flatMap(({ sentence }) => sentence.aside ?? []);
    const strange = newWords(page, lines, [...asides, ...contacts]);
    if (strange.length > 0)
      say(index, `the page says "${strange.join(" ")}", which is not in "${line.says}"`);
    const [who = ""] = wordsOf(page.subject);
    const known = wordsOf(`${line.who} ${drawn.who} ${line.says} ${recorder.lanes.name("platform")}`);
    if (!known.includes(who)) say(index, `the page says that ${page.subject} does it: "${line.says}"`);
  }
  return problems;
}

const folder = new URL("../../../scenarios/", import.meta.url);

describe("A timeline, a diagram and a page have the same rows, with the same words", () => {
  const lessons = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
  // lessons have rows that no other has
  test.each(lessons)("of the lesson %s", (name) => {
    const { simulator } = runScenario(parseScenario(readFileSync(new URL(name, folder), "utf8")));
    expectNone(problemsOf(name, simulator));
  });

  const runs = groups.map((_, group) => group * RUNS_PER_GROUP);
  test.each(sixthOf(runs, 3))("of the random run %i", (run) => {
    expectNone(problemsOf(`run ${run}`, play(run).sim));
  });
});
