import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { projectWith, root, threadsAtOnce } from "../../cli/support.ts";
import { isWhole } from "../../counts.ts";
import { type Row, rows } from "./kinds.ts";

const property = "each missed call has one row";

/** An app of one form as a module. The right one also notes where a wrong one would have stored twice. */
const moduleOf = ({ form, isDurable }: Row, isRight: boolean) => `
import { build, emptyDatabase, formOf } from "../kinds.mjs";
const stored = (db, id) => { db.again ||= db.rows.includes(id); };
export const app = (sim, durable) =>
  build(formOf(${JSON.stringify(form)}), sim, durable ?? emptyDatabase(), { isRight: ${isRight}, stored });
export const durable = ${isDurable ? "emptyDatabase" : "undefined"};
export const eventually = {
  ${JSON.stringify(property)}: (_, { rows }) => {
    if (rows.join() !== "call-1") throw new Error("the rows are " + rows);
  },
};
export const sometimes = ${isRight} ? { "it stores again": (_, db) => db.again === true } : {};
`;

const fileOf = ({ form, isDurable }: Row, isRight: boolean) =>
  `apps/${form}-${isRight ? "right" : "wrong"}-${isDurable ? "durable" : "lost"}.mjs`.replaceAll(" ", "-");

const files = rows.map((row) => [fileOf(row, true), fileOf(row, false)]);

/** A process plays one of so many parts of the table, as many processes beside each other as the machine has cores. */
const parts = 24;

const program = `
import { parseScenario } from "ringback";
import { exploreReport } from "ringback/explore";
import { missedCall, rows } from "./kinds.mjs";
const scenario = parseScenario(missedCall);
const part = Number(process.argv[2]);
const explored = async (file, { pair }, workers) => {
  const deviations = { atMost: 2, kinds: pair };
  const options = { scenario, with: file, workers, deviations, horizon: "PT5M", forged: false };
  const { complete, worlds, failures, neverHeld } = await exploreReport(options);
  const broken = failures.map(({ property, smallest }) => [property, ...smallest.deviations.map(({ is }) => is)]);
  return { isComplete: complete, worlds, broken, storesAgain: neverHeld.length === 0 };
};
const found = [];
for (const [index, [right, wrong]] of ${JSON.stringify(files)}.entries()) {
  if (index % ${parts} !== part) continue;
  const verdicts = [];
  for (const workers of [1, 2])
    verdicts.push([await explored(right, rows[index], workers), await explored(wrong, rows[index], workers)]);
  found.push([index, ...verdicts]);
}
console.log(JSON.stringify(found));
`;

interface Verdict {
  readonly isComplete: boolean;
  readonly worlds: number;
  /** What is broken, each with the kinds of its smallest world. */
  readonly broken: readonly (readonly string[])[];
  /** Whether a wrong app would store a call twice in some world. Only the right one tells. */
  readonly storesAgain: boolean;
}

/** The verdicts of a row's right app and of its wrong one. */
type Verdicts = readonly [right: Verdict, wrong: Verdict];

/** The verdicts of each row, by its index, with one thread and with two, beside a busy loop. */
async function verdictsOfRows(): Promise<Map<number, readonly [one: Verdicts, two: Verdicts]>> {
  const cwd = projectWith({
    "kinds.mjs": await builtKinds(),
    "run.mjs": program,
    ...Object.fromEntries(
      rows.flatMap((row) => [true, false].map((isRight) => [fileOf(row, isRight), moduleOf(row, isRight)])),
    ),
  });
  const loop = new Worker("for (;;);", { eval: true });
  onTestFinished(async () => void (await loop.terminate()));
  const env = { ...process.env, RINGBACK_RESULTS: "off", RINGBACK_SUMMARY: "off", ...threadsAtOnce };
  const options = { cwd, env, maxBuffer: 64 * 1024 ** 2 };
  const left = Array.from({ length: parts }, (_, part) => part);
  const found = new Map<number, readonly [Verdicts, Verdicts]>();
  const playParts = async () => {
    for (let part = left.shift(); part !== undefined; part = left.shift()) {
      const run = promisify(execFile)(process.execPath, ["run.mjs", String(part)], options);
      for (const [index, one, two] of JSON.parse((await run).stdout)) found.set(index, [one, two]);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, playParts));
  return found;
}

async function builtKinds(): Promise<string> {
  const { outputFiles } = await build({
    ...{ absWorkingDir: root, entryPoints: ["test/explore/verdicts/kinds.ts"] },
    ...{ bundle: true, write: false, format: "esm", platform: "node" },
  });
  return outputFiles[0]?.text ?? "";
}

// it takes minutes; `npm test` explores some rows in kinds.test.ts
test.runIf(isWhole)(
  "Each row of the table of two kinds has the right verdict beside a busy loop, with one thread and with two",
  async () => {
    const verdicts = await verdictsOfRows();
    expect(verdicts.size).toBe(rows.length);
    for (const [index, row] of rows.entries()) {
      const [one, two] = verdicts.get(index) ?? [];
      const [right, wrong] = one ?? [];
      const name = JSON.stringify(row);
      expect(two, name).toEqual(one);
      expect(right, name).toMatchObject({ isComplete: true, broken: [] });
      expect(wrong?.isComplete, name).toBe(true);
      const properties = new Set(wrong?.broken.map(([property]) => property));
      expect([...properties], name).toEqual(right?.storesAgain === true ? [property] : []);
    }
  },
  3_600_000,
);
