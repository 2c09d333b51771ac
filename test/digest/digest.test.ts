import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CoverageCount, CoverageRecorder } from "../../src/explore/run/coverage.ts";
import { isWhole, runsOf } from "../counts.ts";
import { aspects, digest, digestsOf, groups, RUNS_PER_GROUP, type Story, story } from "./runs.ts";

/**
 * Plays the same 1,500 random runs, or in `npm test` the first three of each group, and compares everything that a consumer can
 * see, byte for byte. After an intended change of behaviour, `UPDATE=1 npm run test:digest` writes the digests again;
 * docs/contributing.md says how to see what changed.
 */

const file = new URL("digests.txt", import.meta.url);
/** The states and transitions of machines that the runs reach. docs/coverage.md is made from it. */
const reachedFile = new URL("reached.txt", import.meta.url);
const reached = new CoverageCount();

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

/** Says which aspects and runs differ between two lines of a group. */
function difference(group: number, stored: string, now: string): string {
  const [was, is] = [stored, now].map((line) => line.split("; runs "));
  const parts = (line: string | undefined) => line?.split(/[:,] /) ?? [];
  const changed = parts(is?.[0]).filter((part) => !parts(was?.[0]).includes(part));
  const before = was?.[1]?.split(" ") ?? [];
  const runs = (is?.[1]?.split(" ") ?? []).flatMap((each, index) =>
    each === before[index] ? [] : group * RUNS_PER_GROUP + index,
  );
  const what = isWhole ? changed.map((part) => part.split(" ")[0]).join(", ") : "something";
  return `${what} of ${runs.length} runs, first ${runs.slice(0, 5).join(", ")}`;
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
          "RUNS=1 npm run test:digest says what differs, RUN=<number> writes all of a run; where it is meant, UPDATE=1 npm run test:digest writes test/digest/digests.txt";
        if (now !== was) expect.fail(`${difference(group, was, now)}. ${look}`);
        played++;
      },
    );

    it("reach the recorded states and transitions of machines", ({ skip }) => {
      if (!isWhole || played < groups.length)
        skip("some runs were not played, or came to something else: RUNS=1 plays all");
      const how =
        "test/digest/reached.txt is out of date: run UPDATE=1 npm run test:digest, then npm run generate";
      expect(reachedText(), how).toBe(readFileSync(reachedFile, "utf8"));
    });
  }
});

function digestsOfGroup(group: number): Story[] {
  return Array.from({ length: runsPlayed }, (_, index) => {
    const watches: CoverageRecorder[] = [];
    const digests = digestsOf(group * RUNS_PER_GROUP + index, (sim) =>
      watches.push(new CoverageRecorder(sim)),
    );
    for (const { places } of watches) reached.add(places);
    return digests;
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
