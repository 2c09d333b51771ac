import { readFileSync } from "node:fs";
import { lessonNumber } from "../../src/inspector/lesson.ts";
import { type Coverage, CoverageCount } from "../../src/stories/coverage.ts";
import { unreachable } from "../../src/stories/unreachable.ts";
import { forms, lostPairs } from "../../test/capture/pairs.ts";
import { banner } from "./banner.ts";
import { lessonsFolder, playedAt, scenariosIn } from "./played-lessons.ts";

const directed = new URL("../../test/transitions/", import.meta.url);
const random = new URL("../../test/digest/reached.txt", import.meta.url);

/** A state or a transition, and what reaches it. */
export interface Reached {
  /** Its name, such as `call: offered: ANSWER`. */
  readonly name: string;
  readonly machine: string;
  readonly place: string;
  readonly kind: "states" | "transitions";
  /** Undefined if nothing reaches it. */
  readonly by: string | undefined;
  /** Why nothing can reach it. */
  readonly why: string | undefined;
}

let reached: readonly Reached[] | undefined;

/**
 * Every state and transition of every machine, with the first that reaches it: a lesson, random runs, or a scenario
 * made for it. All are played once.
 */
export function reachedPlaces(): readonly Reached[] {
  reached ??= playedPlaces();
  return reached;
}

function playedPlaces(): Reached[] {
  const randomly = new Set(readFileSync(random, "utf8").split("\n"));
  const byLesson = firstReaching(lessonsFolder, (file) => {
    const number = lessonNumber(file);
    return `lesson [${number}](lessons/${number}.md)`;
  });
  const byScenario = firstReaching(directed, (file) => `\`test/transitions/${file}\``);
  return Object.entries(new CoverageCount().coverage).flatMap(([machine, kinds]) =>
    (["states", "transitions"] as const).flatMap((kind) =>
      Object.keys(kinds[kind]).map((place) => {
        const name = `${machine}: ${place}`;
        const key = `${machine} ${kind} ${place}`;
        const by = byLesson.get(key) ?? (randomly.has(name) ? "random runs" : byScenario.get(key));
        return { name, machine, place, kind, by, why: unreachable[name] };
      }),
    ),
  );
}

/** The first scenario of a folder that reaches each place. */
function firstReaching(folder: URL, nameOf: (file: string) => string): Map<string, string> {
  const first = new Map<string, string>();
  for (const file of scenariosIn(folder)) {
    const { coverage } = playedAt(new URL(file, folder));
    for (const key of keysIn(coverage)) if (!first.has(key)) first.set(key, nameOf(file));
  }
  return first;
}

function keysIn(coverage: Coverage): string[] {
  return Object.entries(coverage).flatMap(([machine, kinds]) =>
    (["states", "transitions"] as const).flatMap((kind) =>
      Object.entries(kinds[kind]).flatMap(([place, count]) =>
        count > 0 ? [`${machine} ${kind} ${place}`] : [],
      ),
    ),
  );
}

/** `docs/coverage.md`: what the lessons and the tests reach of each machine. */
export function coveragePage(): string {
  const all = reachedPlaces();
  const machines = [...new Set(all.map(({ machine }) => machine))];
  const sections = machines.map((machine) => sectionOf(machine, all));
  return `${[intro(all), ...sections, importSection()].join("\n\n")}\n`;
}

/** What an import finds again of the forms in `test/capture/pairs.ts`. */
function importSection(): string {
  const names = Object.keys(forms);
  const rows = lostPairs.map(([first, second]) => `| ${first} | ${second} |`);
  const lost =
    rows.length === 0
      ? "Each pair comes back."
      : ["These do not come back:", "", "| First | Then |", "| --- | --- |", ...rows].join("\n");
  return `## What an import finds again

\`npm run prove\` plays these ${names.length} forms in ${names.length ** 2} pairs, one after the other, at times that it draws anew. It imports what an app got, and looks for a run that sends it
again and nothing else. ${lost}

${names.map((name) => `- ${name}`).join("\n")}`;
}

function intro(all: readonly Reached[]): string {
  const of = (kind: Reached["kind"]) => {
    const list = all.filter((each) => each.kind === kind);
    return `${list.filter(({ by }) => by !== undefined).length} of ${list.length} ${kind}`;
  };
  return `${banner("machines/, scenarios/ and test/")}

# What the tests reach

Every state and transition of [the machines](machines.md), and what reaches it first: a [lesson](lessons/README.md), the random runs of
\`npm run test:digest\`, or a scenario that was written for it. For the few that nothing can reach, the table says why. A test fails
if one is neither reached nor explained.

${of("states")} and ${of("transitions")} are reached. An exploration counts the same for your own scenario: its report has it as \`coverage\`.`;
}

function sectionOf(machine: string, all: readonly Reached[]): string {
  const own = all.filter((each) => each.machine === machine);
  const rows = own.map(
    ({ kind, place, by, why }) =>
      `| ${kind === "states" ? `*${place}*` : `\`${place}\``} | ${by ?? `nothing: ${why ?? "not explained"}`} |`,
  );
  return [`## ${machine}`, "", "| *State* or `transition` | Reached by |", "| --- | --- |", ...rows].join(
    "\n",
  );
}
