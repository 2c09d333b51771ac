import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { proveMatrix, type Try } from "./matrix.ts";
import {
  bun,
  deno,
  everything,
  jestTypes,
  jsdom,
  jsdomWithGlobals,
  lockdown,
  matcherTypes,
  mswTypes,
  page,
  pollution,
  worker,
  workerConfig,
  workerMain,
} from "./programs.ts";
import { provePublic } from "./public.ts";
import { nodeBin, nodeNames, nodes, peers } from "./versions.ts";

/**
 * `npm run prove:runtimes`: the packed package in other runtimes, in other versions of Node and of test runners, and in polluted
 * and hardened worlds. Each is installed into a temporary folder; what cannot be installed here is skipped, and the table says
 * so. `npm run prove:runtimes -- bun jsdom` tries those whose name contains a word. Then come README's first tests in every
 * version of Node, Vitest, Jest and MSW; `npm run prove:runtimes -- matrix 26 jest` tries only these, or some of them. Last come programs as public ones are:
 * `npm run prove:runtimes -- public express` tries some. Needs a build.
 */

interface SetUp {
  readonly name: string;
  /** What is installed beside ringback. */
  readonly packages: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** The command, in the folder that they are in; several are run one after the other. */
  readonly commands: readonly (readonly string[])[];
  readonly env?: Readonly<Record<string, string>>;
}

const bin = (name: string) => `node_modules/.bin/${name}`;
const node = (version: number | string) => `node_modules/${nodeBin(String(version))}/node`;
const nodePackage = (version: number | string) => nodeNames(String(version));
const vitest = "node_modules/vitest/vitest.mjs";
const jest = "node_modules/jest/bin/jest.js";
const play = { "play.mjs": everything };
const tsc = [
  bin("tsc"),
  "--strict",
  "--noEmit",
  "--module",
  "nodenext",
  "--target",
  "es2022",
  "--types",
  "node",
  "m.ts",
];
const jestConfig = (testEnvironment: string) =>
  JSON.stringify({ testEnvironment, testMatch: ["**/a.test.cjs"] });

const setUps: readonly SetUp[] = [
  ...nodes.map((version) => ({
    ...{ name: `Node ${version}`, packages: [nodePackage(version)], files: play },
    commands: [[node(version), "play.mjs"]],
  })),
  {
    name: "Bun, Bun.serve",
    packages: ["bun"],
    files: { "bun.mjs": bun },
    commands: [[bin("bun"), "bun.mjs"]],
  },
  {
    ...{ name: "Deno, Deno.serve, caches", packages: ["deno"], files: { "deno.mjs": deno } },
    commands: [[bin("deno"), "run", "-A", "--node-modules-dir=manual", "deno.mjs"]],
  },
  {
    name: "workerd, caches, by Vitest's pool",
    packages: ["vitest@4", "@cloudflare/vitest-pool-workers", nodePackage(22)],
    files: { "w.test.mjs": worker, "worker.mjs": workerMain, "vitest.config.mjs": workerConfig },
    commands: [[node(22), vitest, "run"]],
  },
  ...["jsdom", "happy-dom"].map((environment) => ({
    name: `Vitest 4, ${environment}`,
    ...{ packages: ["vitest@4", environment, nodePackage(24)], files: { "a.test.mjs": page } },
    commands: [[node(24), vitest, "run", "--environment", environment]],
  })),
  {
    ...{ name: "Jest, jsdom", packages: ["jest", "jest-environment-jsdom"], files: { "a.test.cjs": jsdom } },
    commands: [[process.execPath, jest, "--config", jestConfig("jsdom")]],
  },
  {
    name: "Jest, jsdom with Node's globals",
    packages: ["jest", "jest-environment-jsdom"],
    files: { "a.test.cjs": jsdom, "environment.cjs": jsdomWithGlobals },
    commands: [[process.execPath, jest, "--config", jestConfig("./environment.cjs")]],
    env: { WITH: "globals" },
  },
  ...peers.vitest.map((major) => ({
    name: `Vitest ${major}, types without skipLibCheck`,
    packages: [`vitest@${major}`, "typescript@6", "@types/node@24"],
    ...{ files: { "m.ts": matcherTypes }, commands: [tsc] },
  })),
  ...peers.jest.map((major) => ({
    name: `Jest ${major}, types without skipLibCheck`,
    packages: [`jest@${major}`, `@jest/globals@${major}`, "typescript@6", "@types/node@24"],
    ...{ files: { "m.ts": jestTypes }, commands: [tsc] },
  })),
  ...peers.msw.map((major) => ({
    name: `MSW ${major}, types without skipLibCheck`,
    packages: [`msw@${major}`, "typescript@6", "@types/node@24"],
    ...{ files: { "m.ts": mswTypes }, commands: [tsc] },
  })),
  {
    ...{ name: "Node 24, --jitless", packages: [nodePackage(24)], files: play },
    commands: [[node(24), "--jitless", "play.mjs"]],
  },
  {
    ...{ name: "Node 24, --permission", packages: [nodePackage(24)], files: play },
    commands: [[node(24), "--permission", "--allow-fs-read=*", "--allow-worker", "play.mjs"]],
  },
  {
    ...{ name: "SES lockdown", packages: ["ses"], files: { ...play, "lockdown.mjs": lockdown } },
    commands: [[process.execPath, "--import", "./lockdown.mjs", "play.mjs"]],
  },
  {
    ...{ name: "enumerable properties on Object.prototype", packages: [] },
    files: { ...play, "pollution.mjs": pollution },
    commands: [[process.execPath, "--import", "./pollution.mjs", "play.mjs"]],
  },
];

const root = fileURLToPath(new URL("../..", import.meta.url));
const execute = promisify(execFile);

/** The output of a command. @throws {Error} whose message has it, if it fails */
async function run(command: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const [file = "", ...args] = command;
  try {
    const options = { cwd, maxBuffer: 64 << 20, timeout: 600_000, env: { ...process.env, ...env } };
    return (await execute(file, args, { ...options, shell: process.platform === "win32" })).stdout;
  } catch (error) {
    const { stdout = "", stderr = "", message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`${message}\n${stdout}${stderr}`);
  }
}

const tryIt: Try = async ([file = "", ...args], cwd, env) => {
  try {
    const options = { cwd, maxBuffer: 64 << 20, timeout: 600_000, env: { ...process.env, ...env } };
    const { stdout, stderr } = await execute(file, args, { ...options, shell: process.platform === "win32" });
    return { isGood: true, text: stdout + stderr };
  } catch (error) {
    const { stdout = "", stderr = "", message } = error as Error & { stdout?: string; stderr?: string };
    return { isGood: false, text: `${message}\n${stdout}${stderr}` };
  }
};

const work = await mkdtemp(join(tmpdir(), "ringback-runtimes-"));

/** Tries one set-up. @returns the result as the table has it */
async function prove(
  { packages, files, commands, env = {} }: SetUp,
  tarball: string,
  at: number,
): Promise<string> {
  const folder = join(work, String(at));
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  // a package that gets its program when it is installed needs its scripts
  const flags = ["--prefix", folder, "--prefer-offline", "--no-audit", "--no-fund", "--no-package-lock"];
  try {
    await run(["npm", "install", ...flags, tarball, ...packages], folder);
  } catch (error) {
    return `skipped: not installed here, ${(error as Error).message.split("\n").find((line) => line.includes("npm error")) ?? ""}`;
  }
  try {
    for (const command of commands) await run(command, folder, { RINGBACK_RESULTS: "off", ...env });
    return "passed";
  } catch (error) {
    process.stdout.write(`${(error as Error).message}\n`);
    return "FAILED";
  }
}

try {
  const [{ filename }] = JSON.parse(
    await run(["npm", "pack", "--ignore-scripts", "--json", "--pack-destination", work], root),
  ) as [{ filename: string }];
  const words = process.argv.slice(2).map((word) => word.toLowerCase());
  const [first, ...others] = words;
  const isAll = first === undefined;
  const chosen =
    first === "matrix" || first === "public"
      ? []
      : setUps.filter(
          ({ name }) => words.length === 0 || words.some((word) => name.toLowerCase().includes(word)),
        );
  const rows: string[] = [];
  for (const [at, setUp] of chosen.entries()) {
    const result = await prove(setUp, join(work, filename), at);
    rows.push(`${setUp.name.padEnd(44)} ${result}`);
    process.stdout.write(`${rows.at(-1)}\n`);
  }
  const paths = { root, work, tarball: join(work, filename) };
  const isMatrixGood = !(isAll || first === "matrix") || (await proveMatrix(paths, tryIt, others));
  const arePublicGood = !(isAll || first === "public") || (await provePublic(paths, tryIt, others));
  process.exitCode = isMatrixGood && arePublicGood && !rows.some((row) => row.endsWith("FAILED")) ? 0 : 1;
} finally {
  await rm(work, { recursive: true, force: true });
}
