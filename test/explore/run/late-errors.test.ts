import { execFile } from "node:child_process";
import { expect, test } from "vitest";
import { projectWith, threadsAtOnce } from "../../cli/support.ts";
import { isWhole } from "../../counts.ts";

/** What an app does when something comes for which no world waits: a message of a port of its own. */
const ways: Readonly<Record<string, string>> = {
  "a listener throws": "port.once('message', () => { came(); throw new Error('late'); });",
  "a promise rejects":
    "void (async () => { await new Promise((go) => port.once('message', go)); came(); await null; throw new Error('late'); })();",
  "a timer that is set then throws":
    "port.once('message', () => { setTimeout(() => { throw new Error('late'); }, 5); came(); });",
  "an emitter has an error that nobody hears":
    "const emitter = new EventEmitter(); port.once('message', () => { came(); emitter.emit('error', new Error('late')); });",
};

/** An app of which every other world leaves something behind that comes in the next one, and each something that comes later. */
const appThat = (way: string) => `
const { EventEmitter } = require("node:events");
const { MessageChannel } = require("node:worker_threads");
const [inNext, afterAll] = [[], []];
let worlds = 0;
function leave(ports) {
  const { port1: port, port2 } = new MessageChannel();
  const isThere = new Promise((came) => { ${ways[way]} });
  ports.push(async () => { port2.postMessage("it comes"); await isThere; port2.close(); });
}
async function letCome(ports) { for (const come of ports.splice(0)) await come(); }
exports.later = () => letCome([...inNext, ...afterAll]);
exports.subject = (sim) => {
  const heard = [];
  const isNext = ++worlds % 2 === 0;
  const come = isNext ? letCome(inNext) : undefined;
  sim.network.route("https://crm.test/", ({ body }) => {
    heard.push(JSON.parse(body).type);
    if (heard.length > 1) return 204;
    if (!isNext) leave(inNext);
    leave(afterAll);
    return 204;
  });
  return { heard, idle: async () => { await come; } };
};
exports.eventually = { "is told of two": (_, { heard }) => heard.length >= 2 };
`;

const names = Object.keys(ways);
const apps = Object.fromEntries(names.map((way, index) => [`app-${index}.cjs`, appThat(way)]));
const indices = JSON.stringify(names.map((_, index) => index));
const scenario = `scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { url: "https://crm.test/", events: [call.started, call.not_answered] } }
  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550101" } }
`;

/** The app as options of an exploration. */
const appOf = "const appOf = (app) => { const { later: _, ...options } = require(app); return options; };";

/** What each exploration finds, and then all that comes later. @param given the app, as options */
const explorations = (given: string) => `
${appOf}
const found = [];
for (const index of ${indices}) {
  const app = "./app-" + index + ".cjs";
  const { failures } = await exploreReport({ scenario: "missed.yaml", ${given}, deviations: { kinds: ["lost", "unanswered"] } });
  // no smaller world is looked for; Node words the error of an emitter otherwise in Jest, whose errors are not its own
  found.push(failures.map(({ property, message, smallest }) => [property, message.includes("late"), message.split("\\n").at(-1), smallest.runs]));
}
for (const index of ${indices}) await require("./app-" + index + ".cjs").later();
await new Promise((later) => setTimeout(later, 50));
`;

const why = "when its world was over, so `explore` did not wait for it: return `idle()`";
const found = names.map((name) => {
  const rejects = "the app leaves a rejected promise behind";
  const property = name === "a promise rejects" ? rejects : "the app throws where nothing catches it";
  return [[property, true, why, 0]];
});
const inTest = `expect(found).toEqual(${JSON.stringify(found)});`;
const head = `
import { createRequire } from "node:module";
import { exploreReport } from "ringback/explore";
const require = createRequire(import.meta.url);
`;

interface Program {
  readonly args: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** Where apps are explored. Each begins with the same and ends with 0 if nothing more was thrown. */
const programs: Readonly<Record<string, Program>> = {
  "a program": {
    args: ["run.mjs"],
    files: { "run.mjs": `${head}${explorations("...appOf(app)")}console.log(JSON.stringify(found));` },
  },
  "a program with two threads": {
    args: ["run.mjs"],
    files: {
      "run.mjs": `${head}${explorations("with: app, workers: 2")}console.log(JSON.stringify(found));`,
    },
    env: threadsAtOnce,
  },
  "node:test": {
    args: ["--test", "late.test.mjs"],
    files: {
      "late.test.mjs": `${head}
        import assert from "node:assert/strict";
        import { test } from "node:test";
        test("finds", async () => { ${explorations("...appOf(app)")} assert.deepEqual(found, ${JSON.stringify(found)}); });
        test("and the next test runs", () => new Promise((later) => setTimeout(later, 20)));`,
    },
  },
  Vitest: {
    args: ["node_modules/.bin/vitest", "run", "late"],
    files: {
      "late.test.mjs": `${head}
        import { expect, test } from "vitest";
        test("finds", async () => { ${explorations("...appOf(app)")} ${inTest} }, 60_000);
        test("and the next test runs", () => new Promise((later) => setTimeout(later, 20)));`,
    },
  },
  Jest: {
    args: ["node_modules/jest/bin/jest.js"],
    files: {
      "package.json": '{ "jest": { "testMatch": ["**/*.test.cjs"] } }',
      "late.test.cjs": `
        const { exploreReport } = require("ringback/explore");
        test("finds", async () => { ${explorations("...appOf(app)")} ${inTest} }, 60_000);
        test("and the next test runs", () => new Promise((later) => setTimeout(later, 20)));`,
    },
  },
};

test.each(Object.entries(programs).filter(([name]) => isWhole || name !== "node:test"))(
  "In %s, what an app throws when its world is over is named, and reaches neither another world nor the process",
  async (_, { args, files, env = {} }) => {
    const { code, out, err } = await run({ ...files, ...apps, "missed.yaml": scenario }, args, env);
    expect(code, out + err).toBe(0);
    if (args[0] === "run.mjs") expect(JSON.parse(out)).toEqual(found);
    expect(err + out).toContain(
      "RingbackWarning: the app throws where nothing catches it, when the exploration is over: late",
    );
  },
);

test("What others throw beside an exploration and after it is theirs, what Node no longer waits for is too, and no hook goes on", async () => {
  const program = `${head}
    import { spawn } from "node:child_process";
    // a hook gives each promise a number
    const isHooked = () => Object.getOwnPropertySymbols(new Promise(() => {})).length > 0;
    const hooked = [isHooked()];
    await exploreReport({ scenario() {}, app: () => void hooked.push(isHooked()), deviations: 0 });
    hooked.push(isHooked());
    const heard = [];
    process.on("uncaughtException", ({ message }) => void heard.push(message));
    const scenario = (sim) => {
      sim.webhooks.create({ url: "https://crm.test/", events: ["call.not_answered"] });
      sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
    };
    let child;
    const idle = async () => {};
    const subject = (sim) => sim.network.route("https://crm.test/", () => {
      if (child !== undefined) return 204;
      child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1_000)"], { stdio: "ignore" });
      child.unref();
      child.on("exit", () => { throw new Error("of the app"); });
      return 204;
    }) ?? { idle };
    // explore looks every 50 ms whether more is open than before it, such as one more timer
    const open = setTimeout(() => {}, 1_000_000);
    const { failures } = await exploreReport({ scenario, subject, deviations: 0 });
    clearTimeout(open);
    setImmediate(() => { throw new Error("of the program"); });
    await new Promise((later) => setTimeout(later, 300));
    child.ref();
    const exits = new Promise((exit) => child.prependListener("exit", () => setTimeout(exit, 20)));
    child.kill();
    await exits;
    console.log(JSON.stringify([failures.length, heard, hooked.filter((is, index) => is !== hooked[index - 1])]));`;
  const { code, out } = await run({ "run.mjs": program }, ["run.mjs"], {});
  // hooks of later versions follow no promises
  const hooked = Number.parseInt(process.versions.node, 10) < 24 ? [false, true, false] : [false];
  expect(JSON.parse(out)).toEqual([0, ["of the program", "of the app"], hooked]);
  expect(code).toBe(0);
});

/** Runs Node in a project of its own. */
function run(
  files: Readonly<Record<string, string>>,
  args: readonly string[],
  more: Readonly<Record<string, string>>,
) {
  const cwd = projectWith(files);
  const own = { RINGBACK_RESULTS: "off", NODE_OPTIONS: "", NODE_TEST_CONTEXT: undefined };
  const env = { ...process.env, ...own, ...more };
  return new Promise<{ code: unknown; out: string; err: string }>((resolve) =>
    execFile(process.execPath, args, { cwd, env, timeout: 120_000 }, (error, out, err) =>
      resolve({ code: error === null ? 0 : error.code, out, err }),
    ),
  );
}
