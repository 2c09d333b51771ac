import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, inject, test } from "vitest";
import { minuteAtEachLook } from "../cli/support.ts";
import { isWhole, someOf } from "../counts.ts";
import { type verdicts, ways } from "../explore/late-work/ways.ts";

/** Each test runner explores the ways to work later with the installed package, from a folder of its own. */

const root = fileURLToPath(new URL("../..", import.meta.url));
const { consumer } = inject("installed");

/** An app that works in one of the ways, rightly or wrongly. */
interface Case {
  readonly name: string;
  readonly kind: keyof typeof verdicts;
}

const casesOf = (names: readonly string[]): Case[] =>
  names.flatMap((name) => [{ name, kind: "right" } as const, { name, kind: "wrong" } as const]);

/**
 * The cases of one of the runners: all in the whole proof, else every ninth way, other ones in each runner, together a third.
 * `test/explore/late-work.test.ts` plays all in Vitest with the sources.
 */
const casesIn = (runner: number): Case[] =>
  casesOf(Object.keys(ways).filter((_, index) => isWhole || index % 9 === 3 * runner));
/** Each starts two threads, which takes longer than the worlds. */
const inThreads = someOf(casesOf(Object.keys(ways)));

/** A module of an app, which notes the thread that loads it. */
const moduleOf = ({ name, kind }: Case) => `
import { appendFileSync } from "node:fs";
import { threadId } from "node:worker_threads";
import { appThat, eventually, ways } from "../ways.mjs";
appendFileSync(new URL("../threads.txt", import.meta.url), threadId + "\\n");
export { eventually };
export const subject = appThat(ways[${JSON.stringify(name)}], ${kind === "right"});
export const show = ({ stored }) => stored;
`;

/** The body of a runner's test file, which has `assert`, `test` and the ways already. */
const testsIn = (runner: number) => `
const verdictIs = async (explored, kind) =>
  assert.equal(JSON.stringify(await verdictOf(explored)), JSON.stringify(verdicts[kind]));
for (const { name, kind } of ${JSON.stringify(casesIn(runner))})
  test("with one thread: an app that " + name + ", " + kind, () =>
    verdictIs({ subject: appThat(ways[name], kind === "right") }, kind));
for (const [index, { name, kind }] of ${JSON.stringify(inThreads)}.entries())
  test("with two threads: an app that " + name + ", " + kind, () =>
    verdictIs({ with: "apps/" + index + ".mjs", workers: 2 }, kind));
`;

const modules = `
import assert from "node:assert/strict";
import { appThat, verdictOf, verdicts, ways } from "./ways.mjs";
`;

const runners = {
  Vitest: {
    files: {
      "app.test.mjs": `import { test } from "vitest"; ${modules} ${testsIn(0)}`,
      "vitest.config.mjs": "export default { test: { testTimeout: 180_000 } };",
    },
    args: [join(root, "node_modules/vitest/vitest.mjs"), "run"],
    options: "",
    passed: /Tests {2}(\d+) passed \((\d+)\)/,
  },
  Jest: {
    files: {
      "app.test.cjs": `
        const assert = require("node:assert/strict");
        const { appThat, verdictOf, verdicts, ways } = require("./ways.cjs");
        ${testsIn(1)}`,
      "package.json": '{ "jest": { "testMatch": ["**/*.test.cjs"], "testTimeout": 180000 } }',
    },
    args: [join(root, "node_modules/jest/bin/jest.js")],
    // Jest loads modules only with it
    options: "--experimental-vm-modules",
    passed: /Tests: +(\d+) passed, (\d+) total/,
  },
  "node:test": {
    files: { "app.test.mjs": `import { test } from "node:test"; ${modules} ${testsIn(2)}` },
    args: ["--test", "app.test.mjs"],
    options: "",
    passed: /# tests (\d+)\n[\s\S]*# pass (\d+)\n/,
  },
};

test.each(Object.entries(runners).map(([name, runner], index) => ({ name, index, ...runner })))(
  "In $name, an app has one verdict in whichever way it works later, with one thread and with two",
  async ({ index, files, args, options, passed }) => {
    const cwd = await folderWith({
      ...files,
      ...Object.fromEntries(inThreads.map((each, number) => [`apps/${number}.mjs`, moduleOf(each)])),
      "threads.txt": "",
      "ways.mjs": await builtWays("esm"),
      "ways.cjs": await builtWays("cjs"),
    });
    const said = await run(cwd, args, options);
    const count = String(casesIn(index).length + inThreads.length);
    expect(passed.exec(said)?.slice(1), said).toEqual([count, count]);
    const threads = (await readFile(join(cwd, "threads.txt"), "utf8")).trim().split("\n");
    expect(threads.filter((each) => each === "0")).toHaveLength(inThreads.length);
    expect(new Set(threads).size).toBe(1 + 2 * inThreads.length);
  },
);

/** A folder of the consumer with these files. */
async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(consumer, "late-work-"));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

/** The ways as a module that imports the package. */
async function builtWays(format: "esm" | "cjs"): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ["test/explore/late-work/ways.ts"],
    ...{ bundle: true, write: false, platform: "node", external: ["ringback", "ringback/*"], format },
  });
  return outputFiles[0]?.text ?? "";
}

/** Runs Node in a project where each exploration starts the threads that it may. @returns everything that it says */
function run(cwd: string, args: readonly string[], options: string): Promise<string> {
  const env = {
    ...process.env,
    RINGBACK_RESULTS: "off",
    RINGBACK_MANIFEST: join(root, "package.json"),
    NODE_OPTIONS: `--import=data:text/javascript,${minuteAtEachLook} ${options}`,
    NODE_TEST_CONTEXT: undefined,
    NO_COLOR: "1",
    VITEST: undefined,
  };
  return new Promise((resolve) =>
    execFile(process.execPath, args, { cwd, env, maxBuffer: 64 << 20 }, (_, out, err) => resolve(out + err)),
  );
}
