import { execFile } from "node:child_process";
import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { isWhole, someOf } from "../counts.ts";
import { listening } from "../server/support.ts";
import { projectWith } from "./support.ts";

/**
 * What a failure of an exploration leaves in `ringback-results/`, and that the command that it names, and the test that
 * it leaves, fail as long as the app is wrong, whichever way that was given.
 */

const url = "https://crm.acme.test/hooks";
const steps = `steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.started] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
`;
const scenario = `scenario: A missed call\n${steps}`;

/** An app that counts calls. */
const counter = (isCareful: boolean) => `
export function subject(sim) {
  const seen = [];
  sim.network.route("${url}", ({ body }) => {
    const { id } = JSON.parse(body);
    if (!(${isCareful} && seen.includes(id))) seen.push(id);
    return 204;
  });
  return seen;
}
export const eventually = { "each call is counted once": (sim, { length }) => {
  if (length > sim.calls.list().length) throw new Error("counted " + length);
} };
`;
const exploring = 'explore({ scenario: "missed.yaml", subject, eventually })';

/** A file with a test, for each runner. */
const testFor = (runner: string, explored = exploring) => `
import { explore } from "ringback/explore";
import { test${runner === "node:test" ? "" : ", describe"} } from "${runner}";
import { eventually, subject } from "./crm.mjs";
test("passes", () => {});
test("counts (each) call's start", () => ${explored});
`;

/** Lets Jest load modules of the ES kind. */
const asModules = "NODE_OPTIONS=--experimental-vm-modules";
const jest = { "jest.config.json": "{}", "package.json": '{ "type": "module" }' };
const script = `import { explore } from "ringback/explore";
import { eventually, subject } from "./crm.mjs";
await ${exploring};
`;

interface Way {
  /** The file with the app, right or wrong. */
  readonly file: string;
  readonly text: (isCareful: boolean) => string;
  readonly more?: Readonly<Record<string, string>>;
  /** The command that explores. */
  readonly command: string;
  /** The command that the failure names. */
  readonly replay: RegExp;
}

/** The first and the last start no test runner that takes seconds: they are the ones that `npm test` tries. */
const ways: Readonly<Record<string, Way>> = {
  "a module on the command line": {
    ...{ file: "my crm.mjs", text: counter },
    command: "npx ringback explore missed.yaml --with 'my crm.mjs'",
    replay:
      /^npx ringback run ringback-results\/corpus\/each-call-is-counted-once.yaml --with '.\/my crm.mjs'$/,
  },
  "a module in a test of Vitest": {
    ...{ file: "crm.mjs", text: counter },
    more: {
      "it.test.mjs": testFor("vitest", 'explore({ scenario: "missed.yaml", with: "crm.mjs" })'),
    },
    command: "npx vitest run it.test.mjs",
    replay: /^npx ringback run ringback-results\/corpus\/it.test-counts-.*.yaml --with .\/crm.mjs$/,
  },
  "a function in a test of Jest": {
    ...{ file: "crm.mjs", text: counter, more: { ...jest, "it.test.js": testFor("@jest/globals") } },
    command: `${asModules} npx jest it.test.js`,
    // who pastes it may have set the variable for one command only
    replay: /^RINGBACK_WORLD=\S+ NODE_OPTIONS=--experimental-vm-modules npx jest it.test.js -t '/,
  },
  "a function in a program": {
    ...{ file: "crm.mjs", text: counter, more: { "program.mjs": script } },
    command: "node program.mjs",
    replay: /^RINGBACK_WORLD=\S+ node program.mjs$/,
  },
  "a function in a test of Vitest": {
    ...{ file: "crm.mjs", text: counter },
    more: {
      "it.test.mjs": testFor("vitest"),
      "own.config.mjs": 'export default { test: { name: "own" } };',
    },
    command: "npx vitest run --config own.config.mjs",
    replay: /^RINGBACK_WORLD=\S+ npx vitest run --config own.config.mjs it.test.mjs -t '/,
  },
  "a function in a test of Node": {
    ...{ file: "crm.mjs", text: counter, more: { "it.test.mjs": testFor("node:test") } },
    command: "node --no-warnings --test it.test.mjs",
    // node:test does not tell the test's name: the property stands for it
    replay: /^RINGBACK_WORLD=it.test-each-call-is-counted-once node --no-warnings --test it.test.mjs$/,
  },
};

/** Runs a command of a shell as a user would, outside of this test runner. */
function shell(command: string, cwd: string): Promise<{ readonly code: unknown; readonly text: string }> {
  const { VITEST: _, VITEST_POOL_ID: __, VITEST_WORKER_ID: ___, NODE_ENV: ____, ...inherited } = process.env;
  const bin = join(cwd, "node_modules/.bin");
  if (!isWhole) writeShortNpx(bin);
  const env = {
    ...inherited,
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    ...{ RINGBACK_RESULTS: "", NO_COLOR: "1", NODE_NO_WARNINGS: "1" },
  };
  return new Promise((resolve) => {
    execFile("sh", ["-c", command], { cwd, env }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, text: out + err }),
    );
  });
}

/** npm takes half a second to find an installed command: what does the same here, except in the whole proof. */
function writeShortNpx(folder: string): void {
  const path = join(folder, "npx");
  writeFileSync(path, '#!/bin/sh\nname="$1"; shift\nexec "$(dirname "$0")/$name" "$@"\n');
  chmodSync(path, 0o755);
}

/** The words behind `replay:` or `keep:`. */
function said(text: string, what: string): string {
  return new RegExp(`^.*  ${what}: (.+)$`, "m").exec(text)?.[1] ?? `there is no ${what} in:\n${text}`;
}

test.each(someOf(Object.entries(ways)))(
  "%s fails again by the named command, and by the test",
  async (_, way) => {
    const { file, text, more, command, replay } = way;
    const folder = projectWith({ "missed.yaml": scenario, [file]: text(false), ...more });
    const failed = await shell(command, folder);
    expect(failed.code, failed.text).not.toBe(0);
    expect(failed.text).toContain("each call is counted once");
    const again = said(failed.text, "replay");
    expect(again).toMatch(replay);
    expect(again.length).toBeLessThanOrEqual(command.length + 120);
    const keep = said(failed.text, "keep");
    const saved = await shell(keep, folder);
    expect(saved.code, saved.text).toBe(0);
    const kept = saved.text.trim().split("\n").at(-1) as string;
    const filesIn = () => readdirSync(join(folder, "ringback-results/corpus"));
    const left = filesIn();
    for (const each of [again, kept]) {
      const { code, text: printed } = await shell(each, folder);
      expect(code, printed).not.toBe(0);
      expect(printed).toContain("counted 2");
      expect(printed).not.toContain("save it as FILE");
    }
    // or each run would leave further tests to run
    expect(filesIn()).toEqual(left);
    writeFileSync(join(folder, file), text(true));
    const mended = await shell(kept, folder);
    expect(mended.code, mended.text).toBe(0);
  },
);

test("A server fails again by the named command, and by the test", async () => {
  let counts: string[] = [];
  let isCareful = false;
  const { url: server } = await listening(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    if (request.url === "/reset") counts = [];
    if (request.url === "/hooks" && !(isCareful && counts.includes(body))) counts.push(body);
    const isRight = request.url !== "/count" || counts.length <= JSON.parse(body).totals.calls;
    response.writeHead(isRight ? 200 : 500).end(isRight ? "" : `counted ${counts.length}`);
  });
  const folder = projectWith({ "missed.yaml": scenario, "package.json": "{}" });
  const failed = await shell(
    `npx ringback explore missed.yaml --server ${server} --reset /reset --eventually /count --no-forged`,
    folder,
  );
  expect(failed.code, failed.text).toBe(1);
  const again = said(failed.text, "replay");
  expect(again).toContain(`--server ${server} --reset /reset --eventually /count`);
  const saved = await shell(said(failed.text, "keep"), folder);
  const kept = saved.text.trim().split("\n").at(-1) as string;
  for (const each of [again, kept]) {
    const { code, text } = await shell(each, folder);
    expect(code, text).toBe(1);
    expect(text).toContain("counted 2");
  }
  expect(readdirSync(join(folder, "ringback-results/corpus"))).toHaveLength(2);
  isCareful = true;
  for (const each of [again, kept]) expect(await shell(each, folder)).toMatchObject({ code: 0 });
});

/** Believes whatever is signed, and looks at a copy of the headers. @param header that of the signature */
const believer = (header: string) => `
export function subject(sim) {
  const calls = [];
  sim.network.route("${url}", ({ headers, body }) => {
    if (!new Map(Object.entries(headers)).has("${header}")) return 401;
    calls.push(JSON.parse(body).data.call.id);
    return 204;
  });
  return calls;
}
export const eventually = { "a call is known": (sim, calls) => calls.length > 0 };
`;
const exploringForged = `import { explore } from "ringback/explore";
await explore({
  ...{ scenario: "missed.yaml", with: "crm.mjs", deviations: 0, forged: true },
  dialect: { serviceName: "acme" },
});
`;

test.each<readonly [way: string, command: string, header: string, replay: RegExp]>([
  [
    "a module on the command line",
    "npx ringback explore missed.yaml --with crm.mjs --deviations 0 --forged",
    "x-service-signature",
    /^npx ringback explore ringback-results\S+ --with .\/crm.mjs --deviations 0 --forged$/,
  ],
  [
    "a module in a program with a dialect, which no flag can name",
    "node program.mjs",
    "x-acme-signature",
    /^RINGBACK_WORLD=\S+ node program.mjs$/,
  ],
])("A forged request is sent again by the named command, and by the test, to %s", async (...row) => {
  const [, command, header, replay] = row;
  const files = { "crm.mjs": believer(header), "program.mjs": exploringForged, "package.json": "{}" };
  const folder = projectWith({ "missed.yaml": scenario, ...files });
  const failed = await shell(command, folder);
  const again = said(failed.text, "replay");
  expect(again, failed.text).toMatch(replay);
  const saved = await shell(said(failed.text, "keep"), folder);
  const kept = saved.text.trim().split("\n").at(-1) as string;
  for (const each of [again, kept]) {
    const { code, text } = await shell(each, folder);
    expect(code, text).toBe(1);
    expect(text).toContain("the app believes what the platform did not send");
  }
});

test("A failure leaves its journal and its scenario, and RINGBACK_RESULTS=off leaves nothing", async () => {
  const folder = projectWith({ "missed.yaml": scenario, "crm.mjs": counter(false) });
  const command = "npx ringback explore missed.yaml --with crm.mjs";
  const off = await shell(`RINGBACK_RESULTS=off ${command}`, folder);
  expect(said(off.text, "replay")).toBe("save it as FILE, then npx ringback run FILE --with ./crm.mjs");
  expect(readdirSync(folder)).not.toContain("ringback-results");
  await shell(command, folder);
  const name = "each-call-is-counted-once";
  const left = readdirSync(join(folder, "ringback-results"), { recursive: true }).map(String).sort();
  expect(left).toEqual(
    expect.arrayContaining([`${name}.journal.jsonl`, `corpus/${name}.keep.jsonl`, `corpus/${name}.yaml`]),
  );
  const { code, text } = await shell(`npx ringback run ringback-results/${name}.journal.jsonl`, folder);
  expect(code, text).toBe(0);
  expect(text).toContain("answer lost");
  // the run is as it was: that something failed in it is beside the result
  expect(text.trimEnd().split("\n").at(-1)).toMatch(
    /^failed: each call is counted once: each call .*: counted 2$/,
  );
  const json = await shell(`npx ringback run ringback-results/${name}.journal.jsonl --json`, folder);
  expect(json.code).toBe(0);
  expect(JSON.parse(json.text)).toMatchObject({
    ...{ ok: true, failures: [] },
    failed: {
      test: "each call is counted once",
      file: null,
      line: null,
      message: expect.stringContaining("counted 2"),
    },
  });
});

test("A later exploration keeps the counterexample of another, whose command still plays it", async () => {
  const never = 'export const eventually = { "a call is logged": () => { throw new Error("none"); } };';
  const missed =
    'scenario: Missed\nsteps: [{ at: PT0S, inbound: { from: "+6421555001", to: "+6495550104" } }]\n';
  const files = { "crm.mjs": `export const app = () => ({});\n${never}\n`, "calls.yaml": missed };
  const folder = projectWith({ "missed.yaml": scenario, ...files });
  const explored = async (file: string) => {
    const { text } = await shell(`npx ringback explore ${file} --with crm.mjs --deviations 0`, folder);
    return /run (ringback-results\/corpus\/\S+)/.exec(said(text, "replay"))?.[1] ?? text;
  };
  const [first, other] = [await explored("missed.yaml"), await explored("calls.yaml")];
  expect([first, other].map((each) => each.split("/").at(-1))).toEqual([
    "a-call-is-logged.yaml",
    "a-call-is-logged-2.yaml",
  ]);
  // the same one again takes its own name again
  expect(await explored("missed.yaml")).toBe(first);
});

test("A named world that does not exist is a usage error", async () => {
  const folder = projectWith({ "missed.yaml": scenario, "program.mjs": script, "crm.mjs": counter(true) });
  const { text } = await shell("RINGBACK_WORLD=nowhere.yaml node program.mjs", folder);
  expect(text).toContain("scenario: there is no file nowhere.yaml, which RINGBACK_WORLD names");
});
