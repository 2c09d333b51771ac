import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith, passing, ringback, ringbackEnds } from "./support.ts";

const refused = `scenario: Twice
steps:
  - { at: PT0S, inbound: { as: jane, from: "+6421555001", to: "+6495550100" } }
  - { at: PT6S, answer: { call: jane, by: alice } }
  - { at: PT8S, answer: { call: jane, by: alice } }
`;

describe("A scenario whose step is refused", () => {
  test("prints its timeline so far, and the error names the call as the file does", () => {
    const folder = folderWith({ "a.yaml": refused });
    const { code, out, err } = ringback("run", join(folder, "a.yaml"));
    expect(code).toBe(2);
    expect(out).toContain("0:06.000  Alice Ng answers on mobile");
    expect(out).toContain("3 events, refused, 8s of platform time");
    expect(err).toContain("alice cannot answer: call jane is accepted;");
    expect(err).not.toContain("call-1");
  });

  test("stands in the list of several, as one that cannot be read does", () => {
    const folder = folderWith({ "a.yaml": refused, "b.yaml": passing, "c.yaml": "scenario: 5\nsteps: []\n" });
    const { code, out } = ringback("run", folder);
    expect(code).toBe(2);
    expect(out.split("\n")).toEqual([
      `REFUSED ${folder}/a.yaml  Twice (3 events before it was refused)`,
      expect.stringMatching(/^ok .*b\.yaml/),
      `REFUSED ${folder}/c.yaml`,
      "",
      "1 passed, 2 failed",
      "",
    ]);
  });

  test("prints no part of a stream, which would look like a whole one", () => {
    expect(ringback("run", join(folderWith({ "a.yaml": refused }), "a.yaml"), "--format", "jsonl").out).toBe(
      "",
    );
  });
});

describe("ringback run --update", () => {
  test("says which files it wrote", () => {
    const folder = folderWith({ "a.yaml": passing });
    const { code, err } = ringback("run", join(folder, "a.yaml"), "--update");
    expect({ code, err }).toEqual({ code: 0, err: `wrote  ${folder}/a.golden.jsonl\n` });
    const { scenarios } = JSON.parse(ringback("run", folder, "--update", "--json").out);
    expect(scenarios[0].written).toEqual([`${folder}/a.golden.jsonl`]);
  });
});

describe("ringback run --write-expect", () => {
  const head = `# a comment that stays
scenario: A call
steps:
  - { at: PT0S, inbound: { from: "+6421555001", to: "+6495550104" } }
`;
  const written = (text: string) => {
    const file = join(folderWith({ "a.yaml": text }), "a.yaml");
    const { code, err } = ringback("run", file, "--write-expect");
    expect({ code, err }).toEqual({ code: 0, err: `wrote  ${file}\n` });
    expect(ringback("run", file, "--format", "jsonl").code).toBe(0);
    return readFileSync(file, "utf8");
  };
  const expected = "expect:\n  - PT0S call.started\n  - PT30S call.not_answered\n";

  test("adds what happens to a scenario that expects nothing", () => {
    expect(written(head)).toBe(head + expected);
    expect(written(head.trimEnd())).toBe(head + expected);
  });

  test("replaces what is wrong, and keeps matches that are right and what comes behind", () => {
    const match = "  - { event: PT30S call.not_answered, match: { call: { status: missed } } }\n";
    const wrong = `${head}expect:\n  - PT0S call.started\n  - PT10S call.ended\n${match}\ndescription: Why\n`;
    const right = expected.replace("  - PT30S call.not_answered\n", match);
    expect(written(wrong)).toBe(`${head}${right}\ndescription: Why\n`);
  });

  test("keeps expected attempts, and takes lists in one line", () => {
    const webhook = head.replace(
      "steps:\n",
      `steps:\n  - { at: PT0S, createWebhook: { as: crm, url: "https://crm.test/", events: [call.started] } }\n`,
    );
    const attempt = "  - { attempt: PT0S call.started, webhook: crm, status: 200 }\n";
    expect(written(`${webhook}expect:\n${attempt}`)).toBe(webhook + expected + attempt);
    expect(written(`${head}expect: [PT5S call.ended]\n`)).toBe(head + expected);
  });

  test("refuses a scenario in JSON", () => {
    const file = join(folderWith({ "a.json": '{ "scenario": "T", "steps": [] }\n' }), "a.json");
    expect(ringback("run", file, "--write-expect").err).toContain("expected YAML in lines");
  });
});

test("ringback run --twice is not for an app", async () => {
  const folder = folderWith({ "a.yaml": passing });
  const { err } = await ringbackEnds("run", folder, "--twice", "--server", "http://localhost:1");
  expect(err).toContain("--twice: cannot be used together with --with or --server");
});

describe("A scenario file", () => {
  const problem = (text: string) => ringback("check", join(folderWith({ "a.yaml": text }), "a.yaml")).err;
  const call = '{ as: c1, from: "+6421555001", to: "+6495550100" }';

  test("names a wrong indentation first", () => {
    const text = `scenario: T\nsteps:\n  - at: PT0S\n     inbound: ${call}\n`;
    expect(problem(text)).toMatch(/^ringback: .*a\.yaml:4:6: not well-formed YAML: wrong indentation/);
    expect(problem(`scenario: 5\nsteps:\n\t- { at: PT0S, inbound: ${call} }\n`)).toMatch(
      /^ringback: .*:3:1: not well-formed YAML: wrong indentation: there is a tab/,
    );
  });

  test("has a unit in every duration", () => {
    const text = `scenario: T
until: 5000
timing: { ringTimeout: 20 }
network: { latency: 50 }
webhooks: { schedule: [0, 60] }
organisation:
  id: acme
  users: [{ id: alice, email: alice@acme.test, displayName: Alice, extension: "101" }]
steps:
  - { at: 5, inbound: ${call} }
`;
    const said = problem(text);
    for (const path of ["until", "timing.ringTimeout", "webhooks.schedule[1]", "steps[0].at"])
      expect(said).toContain(`${path}: expected a duration with its unit, such as "PT5S", got `);
    expect(said).toContain("network.latency: expected a duration or a distribution");
    const zero = `scenario: T
steps:
  - { at: 0, inbound: ${call} }
`;
    expect(problem(zero)).toBe("");
  });

  test("is told how to write a night shift", () => {
    const text = `scenario: T
organisation:
  id: acme
  users: [{ id: alice, email: alice@acme.test, displayName: Alice, extension: "101", workingHours: { monday: [{ from: "22:00", to: "06:00" }] } }]
steps: []
`;
    expect(problem(text)).toContain(
      'Split a night shift at 24:00: { from: "22:00", to: "24:00" }, and on the next day { from: "00:00", to: "06:00" }',
    );
  });

  test("is told that a webhook's name is unknown", () => {
    const text = `scenario: T
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "https://crm.test/", events: [call.started] } }
  - { at: PT0S, inbound: ${call} }
deviations:
  - { attempt: PT0S call.started, webhook: cmr, number: 1, is: lost }
`;
    expect(problem(text)).toContain('unknown webhook "cmr"; named by `as`: crm');
  });
});
