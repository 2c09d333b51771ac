import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { exploreAs } from "../../src/explore/explore.ts";
import { endLine, headLine, mergeResults, type ResultsFile, worldLine } from "../../src/explore/results.ts";
import type { Simulator } from "../../src/index.ts";
import { isWhole } from "../counts.ts";
import { scenario, url } from "./missed-call.ts";

/** Has two defects: it counts repeated events again, and takes the first event to arrive for the beginning. */
function wallboard(sim: Simulator) {
  const seen: string[] = [];
  sim.network.route(url, ({ body }) => {
    seen.push(JSON.parse(body).type);
    return 200;
  });
  return seen;
}

const options = {
  scenario,
  subject: wallboard,
  eventually: {
    "counts each missed call once": (_: Simulator, seen: readonly string[]) =>
      expect(seen.filter((type) => type === "call.not_answered")).toHaveLength(1),
  },
  always: {
    "hears of the beginning first": (_: Simulator, [first]: readonly string[]) =>
      expect(first).toBe("call.started"),
  },
  sometimes: {
    "hears three times": (_: Simulator, { length }: readonly string[]) => length === 3,
    "hears nine times": (_: Simulator, { length }: readonly string[]) => length === 9,
  },
  deviations: 2,
};

/** The file that one shard writes. */
async function resultsOf(index: number, count: number, more: object = {}): Promise<ResultsFile> {
  const lines: string[] = [];
  const report = await exploreAs(
    { ...options, ...more, shard: { index, count } },
    {
      onStart: ({ prepared, limits }) => lines.push(headLine(prepared, limits)),
      onWorld: (outcome) => lines.push(worldLine(outcome)),
    },
  );
  return { name: `shard-${index}.jsonl`, text: lines.join("") + endLine(report.result) };
}

/** How many shards there are. */
const counts = isWhole ? [2, 3, 5] : [2, 3];
const shards = new Map<number, readonly ResultsFile[]>();

beforeAll(async () => {
  for (const count of [1, ...counts]) {
    const files: ResultsFile[] = [];
    for (let index = 1; index <= count; index++) files.push(await resultsOf(index, count));
    shards.set(count, files);
  }
});

const filesOf = (count: number) => shards.get(count) ?? [];

describe("The results of all shards together", () => {
  test("equal those of the whole, whatever the order of the shards", () => {
    const whole = mergeResults(filesOf(1));
    expect(whole.failures.map(({ property }) => property)).toEqual([
      "hears of the beginning first",
      "counts each missed call once",
    ]);
    expect(whole.neverHeld).toEqual(["hears nine times"]);
    fc.assert(
      fc.property(fc.constantFrom(...counts), fc.infiniteStream(fc.nat()), (count, picks) => {
        const left = [...filesOf(count)];
        const files = filesOf(count).flatMap(() => left.splice((picks.next().value ?? 0) % left.length, 1));
        expect(JSON.stringify(mergeResults(files))).toBe(JSON.stringify(whole));
        expect(mergeResults(files).toText()).toBe(whole.toText());
      }),
      { numRuns: 20 },
    );
  });

  test("have each world once", () => {
    const worldsIn = (files: readonly ResultsFile[]) =>
      files.flatMap(({ text }) => text.split("\n").filter((line) => line.startsWith('{"world"'))).sort();
    for (const count of counts) expect(worldsIn(filesOf(count))).toEqual(worldsIn(filesOf(1)));
  });

  test("are incomplete if a shard is missing, which the error names", () => {
    fc.assert(
      fc.property(fc.constantFrom(...counts), fc.nat(), (count, pick) => {
        const index = pick % count;
        const files = filesOf(count).filter((_, each) => each !== index);
        expect(() => mergeResults(files)).toThrow(`of ${count} shards, this one is missing: ${index + 1}`);
      }),
      { numRuns: 20 },
    );
  });

  test("are incomplete if a file was cut off anywhere, which the error names", () => {
    const [first, second] = filesOf(2) as [ResultsFile, ResultsFile];
    fc.assert(
      fc.property(fc.integer({ min: 1, max: second.text.length - 1 }), (end) => {
        const cut = { ...second, text: second.text.slice(0, end) };
        expect(() => mergeResults([first, cut])).toThrow(
          /shard-2\.jsonl: (shard 2 of 2 is incomplete|this is not a file of)/,
        );
      }),
      { numRuns: 100 },
    );
  });

  test("are rejected if a line is missing, or a shard is repeated or of another exploration", async () => {
    const [first, second] = filesOf(2) as [ResultsFile, ResultsFile];
    const lines = second.text.split("\n");
    const without = { ...second, text: lines.filter((_, index) => index !== 2).join("\n") };
    expect(() => mergeResults([first, without])).toThrow(/it has \d+ worlds, but its last line says \d+/);
    expect(() => mergeResults([first, first, second])).toThrow("are both shard 1 of 2");
    expect(() => mergeResults([first, filesOf(3)[1] as ResultsFile])).toThrow("is one of 3 shards");
    const other = await resultsOf(2, 2, { deviations: 1 });
    expect(() => mergeResults([first, other])).toThrow(
      /belongs to another exploration than .*: its bound is/,
    );
    expect(() => mergeResults([])).toThrow("expected the results of at least one shard");
  });

  test("list what was left out", async () => {
    const files = [await resultsOf(1, 2, { worlds: 3 }), await resultsOf(2, 2, { worlds: 3 })];
    const merged = mergeResults(files);
    expect(merged.complete).toBe(false);
    expect(merged.toText()).toContain(
      "6 worlds with at most 2 deviations, not all of them: shard 1 stopped after 3, as `worlds` says; shard 2 stopped",
    );
  });
});

test.each([
  ["version", { version: "0.1.0" }],
  ["options", { options: { patienceMs: 1, steps: 1 } }],
  ["module", { module: "0123456789abcdef" }],
])("Results whose %s differs do not belong together", (key, other) => {
  const [first, second] = filesOf(2) as [ResultsFile, ResultsFile];
  const [head = "", ...rest] = second.text.split("\n");
  const changed = {
    ...second,
    text: [JSON.stringify({ ...JSON.parse(head), ...other }), ...rest].join("\n"),
  };
  expect(() => mergeResults([first, changed])).toThrow(
    `shard-2.jsonl belongs to another exploration than shard-1.jsonl: its ${key} is `,
  );
});
