import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSimulator } from "../../src/index.ts";

/**
 * The package as its consumers get it: packed, installed into an empty folder, and used from there. `npm run
 * test:package` builds first; packing does not build again.
 */

const root = fileURLToPath(new URL("../..", import.meta.url));
const tsc = join(root, "node_modules/typescript/bin/tsc");
const attw = join(root, "node_modules/@arethetypeswrong/cli/dist/index.js");

let work: string;
let consumer: string;
let tarball: string;
let packed: string[];

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), "ringback-package-"));
  const report = await run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", work], root);
  const [{ filename, files }] = JSON.parse(report) as [{ filename: string; files: { path: string }[] }];
  tarball = join(work, filename);
  packed = files.map(({ path }) => path).sort();
  consumer = join(work, "consumer");
  await mkdir(consumer);
  // `--prefix`, since under `npm run` the environment points npm at this repository
  await run(
    "npm",
    ["install", "--prefix", consumer, "--prefer-offline", "--ignore-scripts", tarball],
    consumer,
  );
});

afterAll(() => rm(work, { recursive: true, force: true }));

describe("the tarball", () => {
  const published = [
    /^dist\/[\w-]+\.(js|cjs|d\.ts|d\.cts)$/,
    /^scenarios\/([\w-]+\/)*[\w-]+(\.golden|\.schema)?\.(yaml|json|jsonl)$/,
    /^docs\/[\w-]+\.md$/,
    /^(README\.md|LICENSE|CHANGELOG\.md|package\.json)$/,
  ];

  test("holds what is built, the scenarios and the words, and nothing else", () => {
    expect(packed.filter((path) => !published.some((pattern) => pattern.test(path)))).toEqual([]);
  });

  test("holds every file that the manifest points to", async () => {
    const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    const { main, module, types, typesVersions, bin, exports } = manifest;
    const targets = stringsIn({ main, module, types, typesVersions, bin, exports });
    expect(targets.length).toBeGreaterThan(10);
    expect(targets.filter((target) => !packed.includes(target.replace(/^\.\//, "")))).toEqual([]);
  });

  test("has nothing that publint objects to or suggests", async () => {
    const bytes = await readFile(tarball);
    const { messages, pkg } = await publint({
      pack: { tarball: new Uint8Array(bytes).buffer },
      strict: true,
    });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test("has types that are right under every module resolution", async () => {
    const report = await run(process.execPath, [attw, tarball, "--profile", "strict", "--no-color"], work);
    expect(report).toContain("No problems found");
  });
});

describe("the installed package", () => {
  test("plays a call the same whether imported, required or run from the sources", async () => {
    const fromSources = playCall({ createSimulator });
    const imported = await runModule("play.mjs", `import * as ringback from "ringback";`, printCall);
    const required = await runModule("play.cjs", `const ringback = require("ringback");`, printCall);
    expect(fromSources).toMatch(/"call.started".*"call.answered".*"call.hungup".*"call.ended"/s);
    expect(imported).toBe(fromSources);
    expect(required).toBe(fromSources);
  });

  test("has the machines, whether imported or required", async () => {
    const imported = await runModule(
      "machines.mjs",
      `import * as machines from "ringback/machines"; import * as xstate from "xstate";`,
      printMachines,
    );
    const required = await runModule(
      "machines.cjs",
      `const machines = require("ringback/machines"); const xstate = require("xstate");`,
      printMachines,
    );
    expect(JSON.parse(imported)).toMatchObject({ callAfterAnswer: "accepted" });
    expect(JSON.parse(imported).names).toContain("ringMachine");
    expect(required).toBe(imported);
  });

  test("serves over HTTP, whether imported or required", async () => {
    const imported = await runModule(
      "serve.mjs",
      `import * as ringback from "ringback"; import * as node from "ringback/node";`,
      printServed,
    );
    const required = await runModule(
      "serve.cjs",
      `const ringback = require("ringback"); const node = require("ringback/node");`,
      printServed,
    );
    expect(JSON.parse(imported)).toEqual({
      began: 200,
      first: "call.started",
      refused: "not_ringing",
      calls: 200,
    });
    expect(required).toBe(imported);
  });

  test.each([
    ["node16", ["consumer.mts", "consumer.cts"]],
    ["nodenext", ["consumer.mts", "consumer.cts"]],
    ["bundler", ["consumer.ts"]],
  ])("type-checks in consumers that resolve modules as %s", async (resolution, files) => {
    for (const file of files) await writeFile(join(consumer, file), consumerSource);
    expect(await typeCheck(files, resolution)).toBe("");
  });

  test("declares as values exactly what it has when it runs", async () => {
    let source = "";
    for (const [index, name] of ["ringback", "ringback/machines", "ringback/node"].entries()) {
      const print = "process.stdout.write(JSON.stringify(Object.keys(all)))";
      const keys = JSON.parse(
        await runModule("keys.mjs", `import * as all from "${name}";`, print),
      ) as string[];
      const values = Object.fromEntries(keys.map((key) => [key, true]));
      source += `import * as all${index} from "${name}";
        export const values${index}: Record<keyof typeof all${index}, true> = ${JSON.stringify(values)};\n`;
    }
    const files = ["values.mts", "values.cts"];
    for (const file of files) await writeFile(join(consumer, file), source);
    expect(await typeCheck(files, "nodenext")).toBe("");
  });

  test("has a command that tells its help and its version", async () => {
    const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    const command = join(consumer, "node_modules/.bin/ringback");
    expect(await run(command, ["--help"], consumer)).toMatch(/^Usage: ringback/);
    expect(await run(command, ["--version"], consumer)).toBe(`${version}\n`);
  });

  test("has a command that plays the lessons that come with it", async () => {
    const command = join(consumer, "node_modules/.bin/ringback");
    expect(await run(command, ["run", "01"], consumer)).toContain("call.started");
  });
});

/** Also run as text, in processes that have only the package: it may use nothing but its parameter. */
function playCall({ createSimulator: create }: { createSimulator: typeof createSimulator }): string {
  const sim = create({ seed: "packed" });
  const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  sim.advance("PT6S");
  call.answer("alice@acme.test", { endpoint: "desktop" });
  sim.advance({ minutes: 1 });
  call.hangup("caller");
  sim.runUntilIdle();
  return sim.events.toJSONL();
}

const printCall = `process.stdout.write((${playCall})(ringback));`;

const printMachines = `
  const actor = xstate.createActor(machines.callMachine, { input: { caller: "caller" } }).start();
  actor.send({ type: "OFFER" });
  actor.send({ type: "ANSWER", party: "alice" });
  const callAfterAnswer = actor.getSnapshot().value;
  process.stdout.write(JSON.stringify({ callAfterAnswer, names: Object.keys(machines) }));`;

/** The refusal comes from a class of `ringback`, and is read by `ringback/node`. */
const printServed = `(async () => {
  const sim = ringback.createSimulator({ ids: "counter" });
  const server = await node.serve(sim);
  const post = (path, body) =>
    fetch(server.url + "/_sim/commands/" + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const began = await post("inbound", { from: "+6421555001", to: "+6495550100" });
  const first = (await began.json()).events[0].type;
  const refused = (await (await post("answer", { call: "call-1", by: "bob" })).json()).code;
  const headers = { authorization: "Bearer " + sim.token() };
  const calls = (await fetch(server.url + "/calls", { headers })).status;
  await server.close();
  process.stdout.write(JSON.stringify({ began: began.status, first, refused, calls }));
})();`;

/** The expected errors make sure that the types were found at all: with \`any\` there would be none. */
const consumerSource = `
  import { createSimulator, type PlatformEvent, type Simulator } from "ringback";
  import { type CallFact, callMachine, machines } from "ringback/machines";
  import { type Pace, type SimulatorServer, serve } from "ringback/node";

  const sim: Simulator = createSimulator({ seed: 1, timing: { ringTimeout: "PT20S" } });
  const answered: PlatformEvent<"call.answered"> = sim.runUntil("call.answered");
  export const who: string | undefined = answered.data.call.assignedUser?.displayName;
  export const zone: string | null = sim.now.plus({ minutes: 1 }).zoneName;
  sim.on("call.hungup", ({ data }) => data.party.displayName.toUpperCase());
  // @ts-expect-error no event has this name
  sim.runUntil("call.vanished");
  // @ts-expect-error records are read-only
  answered.data.call.status = "ended";

  const pace: Pace = "realtime";
  export const served: Promise<SimulatorServer> = serve(sim, { port: 0, pace });
  // @ts-expect-error no pace has this name
  serve(sim, { pace: "slow" });

  export const id: "call" | string = callMachine.id;
  export const ring = machines.ringMachine.id;
  // @ts-expect-error a call tells no such fact
  export const fact: CallFact = { type: "vanished" };
`;

/** With library checks, so that our declarations themselves are checked, and with nothing ambient. */
async function typeCheck(files: readonly string[], moduleResolution: string): Promise<string> {
  const module = moduleResolution === "bundler" ? "esnext" : moduleResolution;
  const options = { module, moduleResolution, target: "es2022", lib: "es2023,esnext.disposable,dom" };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const strict = ["--strict", "--noEmit", "--ignoreConfig"];
  return run(process.execPath, [tsc, ...flags, ...strict, ...files], consumer).catch(
    (error: Error) => error.message,
  );
}

/** Node loads CommonJS without its newer ability to require ES modules, which not every consumer's tools have. */
async function runModule(file: string, imports: string, body: string): Promise<string> {
  await writeFile(join(consumer, file), `${imports}\n${body}\n`);
  return run(process.execPath, ["--no-experimental-require-module", file], consumer);
}

/** @returns what it printed; a process that fails is an error with all its words */
async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { cwd, maxBuffer: 64 << 20 })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command} ${args.join(" ")} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Object.values(value ?? {}).flatMap(stringsIn);
}
