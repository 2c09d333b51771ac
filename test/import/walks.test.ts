import fc from "fast-check";
import { expect, test } from "vitest";
import { type ImportResult, importCapture } from "../../src/import/index.ts";
import { isWhole } from "../counts.ts";
import { jsonl, type Line } from "./support.ts";
import { captureOf, walk } from "./walks.ts";

const runs = isWhole ? 1_000 : 30;

/** Imports the captures of random walks, of which only some lines are kept. */
async function imported(keeps: (line: Line) => boolean): Promise<ImportResult[]> {
  const results: ImportResult[] = [];
  for (const [index, turns] of fc.sample(walk, { numRuns: runs, seed: 5 }).entries()) {
    const lines = captureOf(turns, index + 1).filter(keeps);
    if (lines.length > 0) results.push(await importCapture(jsonl(lines), { redact: false }));
  }
  return results;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

test("importCapture explains 98 % of the requests of random walks, and 95 % of the walks as a whole", async () => {
  const results = await imported(() => true);
  const whole = results.filter(({ explained, requests }) => explained === requests);
  expect(results.filter(({ verdict }) => verdict === "impossible")).toEqual([]);
  expect(whole.length / results.length).toBeGreaterThanOrEqual(0.95);
  const share = sum(results.map((each) => each.explained)) / sum(results.map((each) => each.requests));
  expect(share).toBeGreaterThanOrEqual(0.98);
}, 900_000);

test("importCapture calls nothing impossible of which only three types of events were received", async () => {
  const types = ["call.started", "call.answered", "call.ended"];
  const results = await imported(({ body }) => types.includes(JSON.parse(body).type));
  expect(results.filter(({ verdict }) => verdict === "impossible")).toEqual([]);
}, 900_000);
