import { execFile } from "node:child_process";
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
const program = `
import { parseScenario } from "ringback";
import { exploreReport } from "ringback/explore";
import { missedCall, rows } from "./kinds.mjs";
const scenario = parseScenario(missedCall);
const explored = async (file, { pair }) => {
  const workers = Number(process.argv[2]);
  const deviations = { atMost: 2, kinds: pair };
  const options = { scenario, with: file, workers, deviations, horizon: "PT5M", forged: false };
  const { complete, worlds, failures, neverHeld } = await exploreReport(options);
  const broken = failures.map(({ property, smallest }) => [property, ...smallest.deviations.map(({ is }) => is)]);
  return { isComplete: complete, worlds, broken, storesAgain: neverHeld.length === 0 };
};
const found = [];
for (const [index, [right, wrong]] of ${JSON.stringify(files)}.entries())
  found.push([await explored(right, rows[index]), await explored(wrong, rows[index])]);
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

/** The verdicts of the right app and of the wrong one in each row, beside a busy loop. */
async function verdictsWith(
  threads: number,
): Promise<readonly (readonly [right: Verdict, wrong: Verdict])[]> {
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
  const run = promisify(execFile)(process.execPath, ["run.mjs", String(threads)], {
    ...{ cwd, env, maxBuffer: 64 * 1024 ** 2 },
  });
  return JSON.parse((await run).stdout);
}

async function builtKinds(): Promise<string> {
  const { outputFiles } = await build({
    ...{ absWorkingDir: root, entryPoints: ["test/explore/verdicts/kinds.ts"] },
    ...{ bundle: true, write: false, format: "esm", platform: "node" },
  });
  return outputFiles[0]?.text ?? "";
}

// each takes minutes; `npm test` explores some rows in kinds.test.ts
test.runIf(isWhole)(
  "Each row of the table of two kinds has the right verdict beside a busy loop, with one thread and with two",
  async () => {
    const [one, two] = [await verdictsWith(1), await verdictsWith(2)];
    expect(one).toHaveLength(rows.length);
    for (const [index, row] of rows.entries()) {
      const [right, wrong] = one[index] ?? [];
      const name = JSON.stringify(row);
      expect(two[index], name).toEqual(one[index]);
      expect(right, name).toMatchObject({ isComplete: true, broken: [] });
      expect(wrong?.isComplete, name).toBe(true);
      const properties = new Set(wrong?.broken.map(([property]) => property));
      expect([...properties], name).toEqual(right?.storesAgain === true ? [property] : []);
    }
  },
  3_600_000,
);
