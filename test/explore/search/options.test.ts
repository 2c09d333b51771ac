import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { explore, exploreReport, httpApp, httpSubject } from "../../../src/explore/index.ts";
import { createSimulator, parseScenario, type Simulator } from "../../../src/index.ts";

const scenario = (): void => {};
const app = (): object => ({});

/** Values that a program in JavaScript, or one with a wrong type, may pass. */
const exploring = (options: object) => explore(options as Parameters<typeof explore>[0]);

describe("The input of explore", () => {
  test.each([
    ["nothing at all", undefined, /^expected an object \{ app, scenario, \.\.\. \}, got nothing$/],
    ["no option", {}, /^app: missing\nscenario: missing$/],
    ["no app", { scenario }, /^app: missing$/],
    [
      "an app by both names",
      { scenario, app, subject: app },
      /^subject: expected `app` or `subject`, its old name, got both$/,
    ],
    ["an app that is no function", { scenario, app: {} }, /^app: expected a function, got \{\}$/],
    [
      "a misspelt group of properties",
      { scenario, app, eventualy: {} },
      /^eventualy: unknown key; did you mean "eventually"\?$/,
    ],
    [
      "a function for properties",
      { scenario, app, eventually: () => {} },
      /^eventually: expected functions by name, got a function$/,
    ],
    [
      "a property that is no function",
      { scenario, app, always: { counts: true } },
      /^always\.counts: expected a function, got true$/,
    ],
    [
      "a number in words",
      { scenario, app, deviations: "two" },
      /^deviations: expected a whole number from 0 on, or \{ atMost, kinds, on \}, got "two"$/,
    ],
    [
      "a misspelt key of a bound",
      { scenario, app, deviations: { atmost: 2 } },
      /^deviations\.atmost: unknown key; did you mean "atMost"\?$/,
    ],
    [
      "a misspelt kind",
      { scenario, app, deviations: { kinds: ["lots"] } },
      /^deviations\.kinds\[0\]: got "lots"; did you mean "lost"\? Expected one of lost, /,
    ],
    [
      "a part of none",
      { scenario, app, shard: { index: 3, count: 2 } },
      /^shard\.index: expected 1 to 2, got 3$/,
    ],
    [
      "a text for a file",
      { scenario: "scenario: x\nsteps: []\n", app },
      /^scenario: there is no file scenario: x…; for text use parseScenario\(text\)$/,
    ],
    [
      "properties beside a module",
      { scenario, with: "i.mjs", always: {} },
      /^always: expected nothing here: it comes from the module that `with` names$/,
    ],
  ])("is rejected if it is %s", async (_, options, message) => {
    await expect(exploring(options as object)).rejects.toMatchObject({
      name: "InputError",
      message: expect.stringMatching(message),
    });
  });
});

describe("A module that is explored", () => {
  const folder = mkdtempSync(join(tmpdir(), "ringback-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    [
      "a misspelt property",
      "export const app = () => {}; export const eventualy = {};",
      /exports `eventualy`; did you mean `eventually`\?$/,
    ],
    ["a misspelt app", "export const aap = () => {};", /exports `aap`; did you mean `app`\?$/],
    [
      "an app by both names",
      "export const app = () => {}; export const subject = app;",
      /exports `app` and `subject`, its old name: expected one of them$/,
    ],
    [
      "one in its default",
      "export default { app() {}, allways: {} };",
      /exports `allways`; did you mean `always`\?$/,
    ],
    [
      "properties that are no functions",
      "export const app = () => {}; export const always = { counts: 1 };",
      /: always\.counts: expected a function, got 1$/,
    ],
  ])("is rejected with %s", async (what, text, message) => {
    const file = join(folder, `${what.replaceAll(" ", "-")}.mjs`);
    writeFileSync(file, text);
    await expect(explore({ scenario, with: file })).rejects.toThrow(message);
  });

  test("may have an export whose name resembles another of its exports", async () => {
    const file = join(folder, "more.mjs");
    writeFileSync(file, "export const app = () => {}; export const apps = {};");
    await expect(explore({ scenario, with: file })).resolves.toMatchObject({ passed: true });
  });
});

describe("The app", () => {
  const folder = mkdtempSync(join(tmpdir(), "ringback-app-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const eventually = {
    "nobody is missed": (sim: Simulator) => sim.events.ofType("call.not_answered").length === 0,
  };
  const missed = (sim: Simulator): void => {
    sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
  };

  test("may be given as `subject`, its old name, which the command to replay has too", async () => {
    const file = join(folder, "missed.yaml");
    writeFileSync(
      file,
      'scenario: A call\nsteps:\n  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550103" } }\n',
    );
    const [now = "", old = ""] = await Promise.all(
      [{ app }, { subject: app }].map(async (named) =>
        (await exploreReport({ scenario: file, ...named, eventually })).toText(),
      ),
    );
    expect(now).toContain("deviations: 0, app, eventually");
    expect(old).toBe(now.replace("deviations: 0, app,", "deviations: 0, subject,"));
  });

  test.each([
    "export const app = () => ({});",
    "export const subject = () => ({});",
    "export default { app: () => ({}) };",
  ])("comes from a module: %s", async (text) => {
    const file = join(folder, `app-${text.length}.mjs`);
    writeFileSync(file, text);
    expect((await exploreReport({ scenario: missed, with: file })).passed).toBe(true);
  });

  test("that is a server has one function by two names", () => {
    const options = { url: "http://127.0.0.1:1", reset: "/reset" };
    expect(Object.keys(httpSubject(options))).toEqual(Object.keys(httpApp(options)));
    expect(() => httpApp({ ...options, url: [] })).toThrow("expected the address of at least one server");
  });
});

test("Without properties, a report says that only defects of the app were checked", async () => {
  const report = await explore({ scenario, app });
  expect(report.toText()).toContain(
    "no property was given: this only shows that the app does not throw, hang",
  );
});

describe("A report says that the app was not tested", () => {
  const missed = parseScenario(`
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "https://crm.test/hooks", events: [call.started] } }
  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550101" } }
`);

  test("when it neither received nor sent anything", async () => {
    const report = await explore({ scenario, app });
    expect(report.toText()).toContain("the app received and sent no request");
  });

  test("when its route is misspelt", async () => {
    const misspelt = (sim: Simulator) => sim.network.route("https://crm.tset/", () => 204);
    const report = await explore({ scenario: missed, app: misspelt });
    expect(report.toText()).toContain(
      "requests to https://crm.test/hooks had no route in the app, which never received them",
    );
  });

  test("but not when its route is right", async () => {
    const right = (sim: Simulator) => sim.network.route("https://crm.test/", () => 204);
    const text = (await explore({ scenario: missed, app: right })).toText();
    expect(text).not.toMatch(/no route|no request/);
  });
});

test("A report says how to play a failure again with the app", async () => {
  const eventually = { "is wrong": () => false };
  const report = await exploreReport({
    scenario: parseScenario(
      'scenario: T\nsteps:\n  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550101" } }\n',
    ),
    ...{ app, eventually },
  });
  expect(report.toText()).toContain(
    '  replay: save it as FILE, then explore({ scenario: "FILE", deviations: 0, app, eventually })\n',
  );
});

test("A report says how to play a failure again with the app of a module", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ringback-replay-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "wrong.mjs");
  const text = 'export const app = () => ({});\nexport const eventually = { "is wrong": () => false };\n';
  writeFileSync(file, text);
  const call = parseScenario(
    'scenario: T\nsteps:\n  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550101" } }\n',
  );
  const { failures } = await exploreReport({ scenario: call, with: file });
  const replay = failures[0]?.replay;
  expect(replay).toBe(
    `save it as FILE, then explore({ scenario: "FILE", deviations: 0, with: ${JSON.stringify(file)} })`,
  );
  const again = parseScenario(failures[0]?.smallest.scenario ?? "");
  expect((await exploreReport({ scenario: again, deviations: 0, with: file })).failures).toHaveLength(1);
});

describe("An option of a simulator", () => {
  test("that is misspelt gets an error with the likely name", () => {
    expect(() => createSimulator({ sed: 1 } as object)).toThrow('sed: unknown key; did you mean "seed"?');
    expect(() => createSimulator({ network: { unrouted: "eror" } } as object)).toThrow(
      'network.unrouted: got "eror"; did you mean "error"? Expected one of accept, refuse, error',
    );
  });

  test("that resembles no option gets an error with all names", () => {
    expect(() => createSimulator({ colour: 1 } as object)).toThrow(
      "colour: unknown key, expected one of: seed, start",
    );
  });
});
