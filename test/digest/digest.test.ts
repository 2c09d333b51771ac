import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CoverageCount, CoverageRecorder } from "../../src/stories/coverage.ts";
import { isWhole, runsOf } from "../counts.ts";
import { firstOtherLine, lineMarks } from "../line-marks.ts";
import { aspects, digest, digestsOf, groups, RUNS_PER_GROUP, type Story, story } from "./runs.ts";

/**
 * Plays the same 1,500 random runs, or in `npm test` the first three of each group, and compares everything that a consumer can
 * see, byte for byte. After an intended change of behaviour, `npm run accept` writes the digests again;
 * docs/contributing.md says how to see what changed.
 */

const file = new URL("digests.txt", import.meta.url);
/** The states and transitions of machines that the runs reach. docs/coverage.md is made from it. */
const reachedFile = new URL("reached.txt", import.meta.url);
const reached = new CoverageCount();
/** Marks of the lines of the runs that `npm test` plays, so that a failure can say which line differs. */
const linesFile = new URL("lines.txt", import.meta.url);
/** How many runs of each group have them. */
const MARKED = 3;

/** A line for each group: a digest of each aspect of its runs, then three digits for each run. */
function lineOf(name: string, runs: readonly Story[]): string {
  const whole = aspects.map((aspect) => `${aspect} ${digest(runs.map((each) => each[aspect]).join())}`);
  const each = runs.map((run) => digest(Object.values(run).join()).slice(0, 3));
  return `${name}: ${whole.join(", ")}; runs ${each.join(" ")}`;
}

/** A stored line as it would be with only the first runs of its group. The digests of whole aspects are not compared. */
function firstRunsOf(stored: string, now: string): string {
  const [aspects] = now.split("; runs ");
  const [, runs = ""] = stored.split("; runs ");
  return `${aspects}; runs ${runs.split(" ").slice(0, runsPlayed).join(" ")}`;
}

/** The marks of the lines of runs that were played, a line for each aspect. */
const marked: string[] = [];

/** Where a run first differs from what was recorded of it, and what stands there now. */
function firstDifference(run: number): string {
  const recorded = readFileSync(linesFile, "utf8").split("\n");
  for (const [aspect, text] of Object.entries(story(run))) {
    const start = `${run} ${aspect} `;
    const marks = recorded.find((line) => line.startsWith(start))?.slice(start.length);
    const other = marks === undefined ? undefined : firstOtherLine(marks, text.split("\n"));
    if (other !== undefined) return `\nrun ${run}, ${aspect}, ${other}`;
  }
  return "";
}

/** Says which aspects and runs differ between two lines of a group, and the first line that does. */
function difference(group: number, stored: string, now: string): string {
  const [was, is] = [stored, now].map((line) => line.split("; runs "));
  const parts = (line: string | undefined) => line?.split(/[:,] /) ?? [];
  const changed = parts(is?.[0]).filter((part) => !parts(was?.[0]).includes(part));
  const before = was?.[1]?.split(" ") ?? [];
  const runs = (is?.[1]?.split(" ") ?? []).flatMap((each, index) =>
    each === before[index] ? [] : group * RUNS_PER_GROUP + index,
  );
  const what = isWhole ? changed.map((part) => part.split(" ")[0]).join(", ") : "something";
  const [first] = runs.filter((run) => run % RUNS_PER_GROUP < MARKED);
  const where = first === undefined ? "" : firstDifference(first);
  return `${what} of ${runs.length} runs, first ${runs.slice(0, 5).join(", ")}${where}\n`;
}

const { RUN, UPDATE } = process.env;
/** How many runs of each group are played. */
const runsPlayed = UPDATE !== undefined ? RUNS_PER_GROUP : Math.min(runsOf(RUNS_PER_GROUP), RUNS_PER_GROUP);

describe("Random runs", () => {
  if (RUN !== undefined)
    it(`are written as text: run ${RUN}`, () => {
      const path = join(mkdtempSync(join(tmpdir(), `ringback-run-${RUN}-`)), "story.txt");
      const text = Object.entries(story(Number(RUN))).map(([aspect, of]) => `== ${aspect}\n${of}`);
      writeFileSync(path, text.join("\n"));
      process.stdout.write(`run ${RUN}: ${path}\n`);
    });
  else if (UPDATE !== undefined)
    it("are written as digests", () => {
      writeFileSync(file, groups.map((name, group) => `${lineOf(name, digestsOfGroup(group))}\n`).join(""));
      writeFileSync(reachedFile, reachedText());
      writeFileSync(linesFile, marked.join(""));
    });
  else {
    let played = 0;
    const stored = readFileSync(file, "utf8").split("\n");
    it.each(groups.map((name, group) => ({ name, group })))(
      "give the recorded digests: $name",
      ({ name, group }) => {
        const now = lineOf(name, digestsOfGroup(group));
        const was = isWhole ? (stored[group] ?? "") : firstRunsOf(stored[group] ?? "", now);
        const look =
          "RUNS=1 npm run test:digest says what differs, RUN=<number> writes all of a run; where it is meant, npm run accept writes test/digest/digests.txt";
        if (now !== was) expect.fail(`${difference(group, was, now)}${look}`);
        played++;
      },
    );

    it("reach the recorded states and transitions of machines", ({ skip }) => {
      if (!isWhole || played < groups.length)
        skip("some runs were not played, or came to something else: RUNS=1 plays all");
      const how = "test/digest/reached.txt is out of date: run npm run accept";
      expect(reachedText(), how).toBe(readFileSync(reachedFile, "utf8"));
      const lines = "test/digest/lines.txt is out of date: run npm run accept";
      expect(marked.join(""), lines).toBe(readFileSync(linesFile, "utf8"));
    });
  }
});

function digestsOfGroup(group: number): Story[] {
  return Array.from({ length: runsPlayed }, (_, index) => {
    const watches: CoverageRecorder[] = [];
    const run = group * RUNS_PER_GROUP + index;
    const played = story(run, (sim) => watches.push(new CoverageRecorder(sim)));
    for (const { places } of watches) reached.add(places);
    if (index < MARKED)
      for (const aspect of aspects)
        marked.push(`${run} ${aspect} ${lineMarks(played[aspect].split("\n"))}\n`);
    return digestsOf(played);
  });
}

/** `call: offered: ANSWER`, line by line. */
function reachedText(): string {
  const lines = Object.entries(reached.coverage).flatMap(([machine, { states, transitions }]) =>
    [...Object.entries(states), ...Object.entries(transitions)].flatMap(([name, runs]) =>
      runs > 0 ? [`${machine}: ${name}\n`] : [],
    ),
  );
  return lines.join("");
}
