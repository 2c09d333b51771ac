import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { explore, exploreReport } from "../../../src/explore/index.ts";
import { createSimulator, parseScenario, type Simulator } from "../../../src/index.ts";

const scenario = (): void => {};
const subject = (): object => ({});

/** Values that a program in JavaScript, or one with a wrong type, may pass. */
const exploring = (options: object) => explore(options as Parameters<typeof explore>[0]);

describe("The input of explore", () => {
  test.each([
    ["nothing at all", undefined, /^expected an object \{ subject, scenario, \.\.\. \}, got nothing$/],
    ["no option", {}, /^subject: missing\nscenario: missing$/],
    ["no subject", { scenario }, /^subject: missing$/],
    ["a subject that is no function", { scenario, subject: {} }, /^subject: expected a function, got \{\}$/],
    [
      "a misspelt group of properties",
      { scenario, subject, eventualy: {} },
      /^eventualy: unknown key; did you mean "eventually"\?$/,
    ],
    [
      "a function for properties",
      { scenario, subject, eventually: () => {} },
      /^eventually: expected functions by name, got a function$/,
    ],
    [
      "a property that is no function",
      { scenario, subject, always: { counts: true } },
      /^always\.counts: expected a function, got true$/,
    ],
    [
      "a number in words",
      { scenario, subject, deviations: "two" },
      /^deviations: expected a whole number from 0 on, or \{ atMost, kinds, on \}, got "two"$/,
    ],
    [
      "a misspelt key of a bound",
      { scenario, subject, deviations: { atmost: 2 } },
      /^deviations\.atmost: unknown key; did you mean "atMost"\?$/,
    ],
    [
      "a misspelt kind",
      { scenario, subject, deviations: { kinds: ["lots"] } },
      /^deviations\.kinds\[0\]: got "lots"; did you mean "lost"\? Expected one of lost, /,
    ],
    [
      "a part of none",
      { scenario, subject, shard: { index: 3, count: 2 } },
      /^shard\.index: expected 1 to 2, got 3$/,
    ],
    [
      "a text for a file",
      { scenario: "scenario: x\nsteps: []\n", subject },
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
      "export const subject = () => {}; export const eventualy = {};",
      /exports `eventualy`; did you mean `eventually`\?$/,
    ],
    ["a misspelt subject", "export const subjct = () => {};", /exports `subjct`; did you mean `subject`\?$/],
    [
      "one in its default",
      "export default { subject() {}, allways: {} };",
      /exports `allways`; did you mean `always`\?$/,
    ],
    [
      "properties that are no functions",
      "export const subject = () => {}; export const always = { counts: 1 };",
      /: always\.counts: expected a function, got 1$/,
    ],
  ])("is rejected with %s", async (what, text, message) => {
    const file = join(folder, `${what.replaceAll(" ", "-")}.mjs`);
    writeFileSync(file, text);
    await expect(explore({ scenario, with: file })).rejects.toThrow(message);
  });

  test("may have an export whose name resembles another of its exports", async () => {
    const file = join(folder, "more.mjs");
    writeFileSync(file, "export const subject = () => {}; export const subjects = {};");
    await expect(explore({ scenario, with: file })).resolves.toMatchObject({ passed: true });
  });
});

test("Without properties, a report says that only defects of the subject were checked", async () => {
  const report = await explore({ scenario, subject });
  expect(report.toText()).toContain(
    "no property was given: this only shows that the integration does not throw, hang",
  );
});

describe("A report says that the integration was not tested", () => {
  const missed = parseScenario(`
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "https://crm.test/hooks", events: [call.started] } }
  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550101" } }
`);

  test("when it neither received nor sent anything", async () => {
    const report = await explore({ scenario, subject });
    expect(report.toText()).toContain("the integration received and sent no request");
  });

  test("when its route is misspelt", async () => {
    const misspelt = (sim: Simulator) => sim.network.route("https://crm.tset/", () => 204);
    const report = await explore({ scenario: missed, subject: misspelt });
    expect(report.toText()).toContain(
      "requests to https://crm.test/hooks had no route in the integration, which never received them",
    );
  });

  test("but not when its route is right", async () => {
    const right = (sim: Simulator) => sim.network.route("https://crm.test/", () => 204);
    const text = (await explore({ scenario: missed, subject: right })).toText();
    expect(text).not.toMatch(/no route|no request/);
  });
});

test("A report says how to play a failure again with the integration", async () => {
  const eventually = { "is wrong": () => false };
  const report = await exploreReport({
    scenario: parseScenario(
      'scenario: T\nsteps:\n  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550101" } }\n',
    ),
    ...{ subject, eventually },
  });
  expect(report.toText()).toContain(
    '  replay: save it as FILE, then explore({ scenario: "FILE", deviations: 0, subject, eventually })\n',
  );
});

test("A report says how to play a failure again with the integration of a module", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ringback-replay-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "wrong.mjs");
  const text = 'export const subject = () => ({});\nexport const eventually = { "is wrong": () => false };\n';
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
