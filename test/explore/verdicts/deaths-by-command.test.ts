import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import type { DeviationBound, ExploreBounds, ExploreReport } from "../../../src/explore/index.ts";
import { bundle } from "../../cli/bundle.ts";
import {
  folderWith,
  minuteAtEachLook,
  ringbackEnds,
  ringbackProcess,
  threadsAtOnce,
} from "../../cli/support.ts";
import { isWhole, someOf } from "../../counts.ts";
import { expectFailuresOf } from "./table.ts";

const url = "https://crm.acme.test/hooks";
const scenario = `scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.started, call.not_answered] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
`;

/** @param does what the app does when it hears of the missed call for the second time */
const app = (does: string, whenLoaded = "") => `
export function subject(sim) {
  let heard = 0;
  sim.network.route("${url}", async ({ body }) => {
    if (JSON.parse(body).type === "call.not_answered" && ++heard === 2) ${does};
    return 204;
  });
}
${whenLoaded};
`;

/** For what takes as long as it may, and for what ends by itself, however busy the machine is. */
const [brief, long] = [1_000, 60_000];

/** What an app is named for, how long it may take, ms, and its code. */
const deaths: readonly (readonly [name: string, patience: number, code: string])[] = [
  ["ends the process", long, app("process.exit(0)")],
  ["ends the process without asking anyone", long, app("process.reallyExit(0)")],
  ["takes all memory", long, app("{ const kept = []; for (;;) kept.push(new Array(1e5).fill(1.5)); }")],
  ["runs in a loop", brief, app("for (;;)")],
  ["runs in a loop after it waited", brief, app("{ await null; for (;;); }")],
  ["never answers", brief, app("await new Promise(() => {})")],
  ["schedules without end", long, app('{ const again = () => void sim.schedule("PT1S", again); again(); }')],
  [
    "schedules without end at one instant",
    long,
    app("{ const again = () => void sim.schedule(0, again); again(); }"),
  ],
  ["leaves a real interval running", long, app("setInterval(() => {}, 1_000)")],
  ["leaves a real timer running", long, app("setTimeout(() => {}, 60_000)")],
  ["throws from a timer", long, app('setTimeout(() => { throw new Error("too late"); }, 5)')],
  [
    "throws after it has answered",
    long,
    app('setImmediate(() => { throw new TypeError("it is undefined"); })'),
  ],
  ["leaves a rejected promise behind", long, app('void Promise.reject(new Error("nobody catches this"))')],
  ["answers with an impossible status", long, app("return { status: 99_999 }")],
  ["throws in a handler", long, app('throw new RangeError("out of range")')],
];

/** What a world waits for, or plays in its own time, is no failure. */
const leftBehind: readonly (readonly [what: string, code: string])[] = [
  ["an interval", app("setInterval(() => {}, 1_000)")],
  ["a timer", app("setTimeout(() => {}, 60_000)")],
  ["a request", app('void sim.fetch("/users")')],
];

function codeOf(name: string): string {
  return deaths.find(([each]) => each === name)?.[2] ?? "";
}

/** Explores a module with one thread, then with two, and prints both reports. */
const program = `
import { exploreReport } from ${JSON.stringify(pathToFileURL(join(dirname(bundle), "explore.mjs")).href)};
const [folder, options] = process.argv.slice(2);
${minuteAtEachLook}
for (const workers of [1, 2]) {
  const report = await exploreReport({
    ...{ scenario: \`\${folder}/missed.yaml\`, with: \`\${folder}/bad.mjs\`, workers },
    ...{ steps: 2_000, ...JSON.parse(options) },
  });
  console.log(JSON.stringify(report));
}
`;

/** The answer of one event is lost; there is no other world. */
const oneUnanswered: DeviationBound = { atMost: 1, kinds: ["unanswered"] };

/** The reports with one thread and with two. */
async function explored(
  code: string,
  options: Pick<ExploreBounds, "clock" | "deviations" | "patience">,
): Promise<ExploreReport[]> {
  const folder = folderWith({ "missed.yaml": scenario, "bad.mjs": code, "explore.mjs": program });
  const child = spawn(process.execPath, [
    join(folder, "explore.mjs"),
    folder,
    JSON.stringify({ deviations: oneUnanswered, ...options }),
  ]);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  expect(err).toBe("");
  return out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(withoutSizes(line)) as ExploreReport);
}

/** How much memory was taken when someone looked depends on the machine. */
function withoutSizes(line: string): string {
  return line.replaceAll(/took \d+ MB/g, "took more MB");
}

describe("An app", () => {
  test.each(someOf(deaths))(
    "that %s fails in the same way with one thread and with two, and the other worlds are run",
    async (name, patience, code) => {
      const clock = name.includes("real") ? "real" : "virtual";
      const [one, two] = await explored(code, { patience, clock });
      if (one === undefined) throw new Error("there is no report");
      expect(two).toEqual(one);
      expect(one.complete).toBe(true);
      await expectFailuresOf(name, one);
    },
  );

  test.each(someOf(leftBehind))(
    "that leaves %s behind is right in every world, with one thread and with two",
    async (_, code) => {
      const [one, two] = await explored(code, { patience: long });
      expect(two).toEqual(one);
      expect(one).toMatchObject({ complete: true, failures: [] });
    },
  );
});

test.runIf(isWhole)(
  "A thread that dies in a world goes on with the next one, whatever ran before",
  async () => {
    // the causes of worlds that break the property are looked for before the world that ends the thread
    const code = `
export function subject(sim) {
  const times = {};
  sim.network.route("${url}", ({ body }) => {
    const { type } = JSON.parse(body);
    times[type] = (times[type] ?? 0) + 1;
    if (times["call.started"] > 2) for (;;);
    return 204;
  });
  return times;
}
export const eventually = {
  "no event comes twice": (_, times) => Object.values(times).every((each) => each === 1),
};
`;
    const [one, two] = await explored(code, { patience: brief, deviations: { ...oneUnanswered, atMost: 2 } });
    expect(one?.failures.map(({ property }) => property)).toEqual([
      "no event comes twice",
      "the app does not return",
    ]);
    expect(two).toEqual(one);
  },
);

/** Counts what it hears of. @param more what its app has besides @param exported further exports */
const counting = (more: string, exported = "") => `
export function subject(sim) {
  const subject = { heard: 0 };
  sim.network.route("${url}", () => (subject.heard++, 204));
  ${more}
  return subject;
}
${exported}
export const eventually = { "hears of two": (_, { heard }) => heard === 2 };
`;
const looping: readonly (readonly [name: string, code: string, broken: readonly string[]])[] = [
  [
    "in microtasks after it has answered",
    app("{ const again = () => void Promise.resolve().then(again); again(); }"),
    ["the app does not return"],
  ],
  [
    "while it is disposed of",
    counting(
      'subject[Symbol.dispose ?? Symbol.for("Symbol.dispose")] = () => { while (subject.heard > 2); };',
    ),
    ["hears of two", "the app does not return"],
  ],
  ["while its state is shown", counting("", "export const show = () => { for (;;); };"), ["hears of two"]],
];
test.runIf(isWhole).each(looping)(
  "An app that loops %s fails alike in threads, and the exploration ends",
  async (_, code, broken) => {
    const reports = await explored(code, { patience: brief });
    const told = reports.map(({ complete, failures }) => ({
      complete,
      failures: failures.map(({ property, message, worlds, smallest }) => ({
        ...{ property, message, worlds, scenario: smallest.scenario, isMinimal: smallest.isMinimal },
      })),
    }));
    expect(told[0]?.failures.map(({ property }) => property)).toEqual(broken);
    expect(told[1]).toEqual(told[0]);
    expect(told[0]).toMatchObject({ complete: true, failures: broken.map(() => ({ isMinimal: true })) });
  },
);

describe("ringback explore", () => {
  const folderOf = (code: string) => folderWith({ "missed.yaml": scenario, "bad.mjs": code });
  const exploredIn = async (folder: string, ...flags: string[]) => {
    const files = [join(folder, "missed.yaml"), "--with", join(folder, "bad.mjs")];
    return ringbackProcess("explore", ...files, ...flags, threadsAtOnce);
  };
  const explored = (code: string, ...flags: string[]) => exploredIn(folderOf(code), ...flags);
  const exploredHere = (code: string, ...flags: string[]) => {
    const folder = folderOf(code);
    return ringbackEnds("explore", join(folder, "missed.yaml"), "--with", join(folder, "bad.mjs"), ...flags);
  };

  const whenLoaded = [
    [
      "ends the process",
      codeOf("ends the process"),
      /the app ends the process: process\.exit\(0\) at bad\.mjs:5 \(in/,
    ],
    [
      "runs in a loop when it is loaded",
      app("{}", "for (;;)"),
      /the app does not return\n +bad\.mjs:9 ran for/,
    ],
    [
      "ends the process when it is loaded",
      app("{}", "process.exit(0)"),
      /the app ends the process: process\.exit/,
    ],
  ] as const;

  test.each(someOf(whenLoaded))(
    "exits with 1 for an app that %s, and says the same with two threads",
    async (_, code, says) => {
      const folder = folderOf(code);
      const one = await exploredIn(folder, "--patience", "PT2S", "--workers", "1");
      expect(one.code, one.out).toBe(1);
      expect(one.out).toMatch(says);
      const two = await exploredIn(folder, "--patience", "PT2S", "--workers", "2");
      expect({ code: two.code, out: two.out }).toEqual({ code: one.code, out: one.out });
    },
  );

  const listener = 'process.on("exit", () => { process.exitCode = 0; })';
  const endings = [["process.reallyExit(0)"], ["process.exit(0)"], [`{ ${listener}; process.exit(); }`]];
  test.each(someOf(endings))(
    "exits with 70 when %s ends the process before the report is written",
    async (ends) => {
      // while the threads start, no world is run on the main thread
      const code = `
export function subject() {
  isInWorld = true;
  looks = 0;
  return { [Symbol.dispose ?? Symbol.for("Symbol.dispose")]: () => { isInWorld = false; } };
}
let isInWorld = true;
let looks = 0;
// timers of a module are virtual, those of a thread are not
const { Worker } = await import("node:worker_threads");
const clock = new Worker(
  'const { parentPort } = require("node:worker_threads"); setInterval(() => parentPort.postMessage(0), 10);',
  { eval: true },
);
clock.on("message", () => {
  if (!isInWorld && ++looks > 2) ${ends};
});
clock.unref();
`;
      const { code: exitCode, out, err } = await explored(code, "--workers", "2");
      expect({ exitCode, out }).toEqual({ exitCode: 70, out: "" });
      expect(err).toContain("ringback: the process ended before the exploration did\n");
    },
  );

  test("says as an error of its own which worlds no thread could run, as text, JSON and JUnit", async () => {
    const code = `
import { isMainThread } from "node:worker_threads";
if (!isMainThread) throw new Error("no database in a thread");
${app("{}")}`;
    const why = "a thread could not run them: no database in a thread";
    const { code: exitCode, out } = await explored(code, "--workers", "2", "--worlds", "1000");
    expect(exitCode).toBe(1);
    expect(out).toMatch(/: 1 world with .*, not all of them: at least \d+ planned worlds did not run/);
    expect(out).toContain(`ERROR: planned worlds did not run: ${why} (and 1 more)\n`);
    expect(out).not.toContain("holds in each of these worlds");
    const { out: json } = await explored(code, "--workers", "2", "--json");
    expect(JSON.parse(json)).toMatchObject({
      ok: false,
      complete: false,
      notRun: [why, expect.stringContaining("once more: no database")],
      failures: [{ cause: `planned worlds did not run: ${why}` }, {}],
    });
    const { out: xml } = await explored(code, "--workers", "2", "--format", "junit");
    expect(xml).toContain('<testsuites name="ringback explore" tests="1" failures="0" errors="1"');
    expect(xml).toContain(`<error message="${why}">`);
    const { code: alone, out: all } = await explored(code, "--workers", "1");
    expect(all).toContain("all of them");
    expect(alone).toBe(0);
  });

  test("takes --steps and --patience for the limits of a world", async () => {
    const noShrinking = ["--shrink-for", "PT0S"];
    const restless = await exploredHere(codeOf("schedules without end"), "--steps", "1500", ...noShrinking);
    expect(restless.out).toContain("the world took more than 1,500 steps, the limit of `steps`\n");
    const hanging = await exploredHere(codeOf("never answers"), "--patience", "PT0.7S", ...noShrinking);
    expect(hanging.out).toContain("nothing happened for 700 ms while the app was handling POST");
  });

  test("takes --shrink-for for the time of shrinking, and says what was not done", async () => {
    const { out } = await exploredHere(codeOf("throws in a handler"), "--shrink-for", "PT0S");
    expect(out).toMatch(/not smallest: stopped after \d+ runs?/);
    const { out: whole } = await exploredHere(codeOf("throws in a handler"));
    expect(whole).not.toContain("not smallest");
  });

  test("exits with its own code, though the app sets another and leaves a server open", async () => {
    const code = `
import { createServer } from "node:http";
process.on("exit", () => { process.exitCode = 0; });
createServer().listen(0);
${codeOf("throws in a handler")}`;
    const { code: exitCode, out, err } = await explored(code);
    expect(out).toContain("FAILS the app throws: ");
    expect(err).toContain("ringback: the app left TCPServerWrap open, so the process is ended\n");
    expect(exitCode).toBe(1);
  });

  test.each([["null"], ["Object.create(null)"]])(
    "exits with 1 for a module that throws %s",
    async (thrown) => {
      const { code, err } = await explored(`throw ${thrown};`);
      expect(code).toBe(1);
      expect(err).not.toContain("Cannot read");
    },
  );

  test("exits with 1 when a budget is spent before the first world, since nothing is proven", async () => {
    const { code, out } = await exploredHere(app("{}"), "--for", "PT0S");
    expect(out).toContain("no world was run, so nothing is proven\n");
    expect(out).not.toContain("holds in each of these worlds");
    expect(code).toBe(1);
    const { out: json } = await exploredHere(app("{}"), "--for", "PT0S", "--json");
    const causes = [{ cause: "no world was run, so nothing is proven" }];
    expect(JSON.parse(json)).toMatchObject({ ok: false, failures: causes });
  });

  test("exits with 0 when a budget is spent, and says that not all worlds were run", async () => {
    const { code, out } = await exploredHere(app("{}"), "--worlds", "3");
    expect(code).toBe(0);
    expect(out).toContain("not all of them: stopped after 3, as `worlds` says");
  });
});

describe("A program that explores", () => {
  const explorePath = join(dirname(bundle), "explore.mjs");
  const beginning = (specifier: string) => `
import { exploreReport } from ${JSON.stringify(specifier)};
const exploring = (handle, deviations = 0) =>
  exploreReport({
    ...{ deviations, patience: 500 },
    scenario(sim) {
      sim.webhooks.create({ url: "${url}", events: ["call.started"] });
      sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
    },
    subject: (sim) => void sim.network.route("${url}", handle),
    always: { "nothing breaks": () => {} },
  });
`;
  const ended = (code: string) =>
    runs(folderWith({ "program.mjs": beginning(pathToFileURL(explorePath).href) + code }));
  const runs = async (folder: string) => {
    const child = spawn(process.execPath, [join(folder, "program.mjs")]);
    const [out, err, [exitCode]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    return { out, err, exitCode };
  };

  // where the watchdog is still connected, Node waits for it and says so: about every fourth time
  test("may end the process at once without a warning of Node", async () => {
    const code = `
const until = Date.now() + 200;
await exploring(() => { while (Date.now() < until); return 204; });
process.exit(0);
`;
    const runs = await Promise.all(Array.from({ length: isWhole ? 8 : 4 }, () => ended(code)));
    expect(runs).toEqual(runs.map(() => ({ out: "", err: "", exitCode: 0 })));
  });

  test("gets a loop in the first step reported, also right after an exploration that was too short for the watchdog", async () => {
    const { out, err } = await ended(`
await exploring(() => 204);
const { failures } = await exploring(() => { for (;;); });
console.log(failures.map(({ property }) => property).join());
`);
    expect({ out, err }).toEqual({ out: "the app does not return\n", err: "" });
  });

  test("gets one warning and explores when it is bundled without the watchdog's file", async () => {
    const code = `
console.log((await exploring(() => 204, 1)).complete);
await new Promise((resolve) => setTimeout(resolve, 1_000));
`;
    const folder = folderWith({ "source.mjs": beginning(explorePath) + code });
    await build({
      ...{ entryPoints: [join(folder, "source.mjs")], outfile: join(folder, "program.mjs") },
      ...{ bundle: true, platform: "node", format: "esm", logLevel: "error" },
    });
    const { out, err } = await runs(folder);
    expect(out).toBe("true\n");
    expect(err.match(/RingbackWarning: .*/g)).toEqual([
      expect.stringMatching(
        /an app that does not return cannot be stopped: Cannot find module '.*watchdog-thread\.mjs'. If you bundle ringback\/explore, copy its dist\/watchdog-thread\.js there$/,
      ),
    ]);
  });
});
