import { describe, expect, test } from "vitest";
import { parseDocument } from "yaml";
import { createSimulator, parseScenario, runScenario, type ScenarioError } from "../../../src/index.ts";
import { thrownBy } from "../../helpers.ts";
import { example, expecting, janeCalls, withSteps } from "./support.ts";

const yamlOfOffice = `id: office
name: Office
numbers: [{ number: "+6495550300", owner: zoe }]
users: [{ id: zoe, email: zoe@office.test, displayName: Zoe, extension: "1", endpoints: [mobile] }]
`;

describe("parseScenario", () => {
  test("reads the documentation's example, which produces its expected stream", () => {
    expect(runScenario(parseScenario(example)).mismatches).toEqual([]);
  });

  test("returns the title on one line, and the description", () => {
    const scenario = parseScenario("scenario: >\n  A rule\n  of two lines\ndescription: Why.\nsteps: []\n");
    expect(scenario).toMatchObject({ title: "A rule of two lines", description: "Why." });
  });

  test("returns steps with their offsets, commands, arguments, names and positions", () => {
    const { steps } = parseScenario(example);
    expect(steps).toEqual([
      {
        atMs: 0,
        command: "inbound",
        as: "c1",
        args: { from: "+6421555001", to: "+6495550100" },
        position: { line: 6, column: 5, endLine: 6, endColumn: 79 },
      },
      {
        atMs: 6_000,
        command: "answer",
        as: undefined,
        args: { call: "c1", by: "alice@acme.test", endpoint: "desktop" },
        position: { line: 7, column: 5, endLine: 7, endColumn: 81 },
      },
      {
        atMs: 66_000,
        command: "hangup",
        as: undefined,
        args: { call: "c1", by: "caller" },
        position: { line: 8, column: 5, endLine: 8, endColumn: 53 },
      },
    ]);
  });

  test.each([
    [
      'receive: { as: m1, from: "+6421555001", to: "+6495550100", text: Hi }',
      'receiveMessage: { as: m1, from: "+6421555001", to: "+6495550100", text: Hi }',
    ],
    [
      'send: { as: m2, companyAddress: "+6495550100", contactAddresses: ["+6421555001"], messageContent: { text: Hi }, routingAction: assign_owner }',
      'sendConversationMessage: { as: m2, companyAddress: "+6495550100", contactAddresses: ["+6421555001"], messageContent: { text: Hi }, routingAction: assign_owner }',
    ],
    ["close: { conversation: c1 }", "closeConversation: { conversation: c1 }"],
    ["complete: { analysis: job }", "completeAnalysis: { analysis: job }"],
  ])("accepts the method's name for a step: %s", (byMethod, byCommand) => {
    const begins =
      '{ at: PT0S, receiveMessage: { as: c1, from: "+6421555002", to: "+6495550100", text: Hi } }';
    const written = (step: string) =>
      parseScenario(withSteps([begins, `{ at: PT1S, ${step} }`])).steps.map(({ position, ...each }) => each);
    expect(written(byMethod)).toEqual(written(byCommand));
  });

  test("accepts devices in teams and entries of trunks, also those added by steps", () => {
    const organisation = `  features: { pbx: true }
  trunks: [{ id: pbx, name: PBX, queues: [{ id: desk, displayName: Desk, extension: "402" }] }]
  devices: [{ id: lobby, displayName: Lobby, extension: "300" }]
  teams: [{ id: sales, displayName: Sales, extension: "200" }]
`;
    const redirect = (name: string, extension: string) =>
      `{ at: PT0S, redirect: { as: ${name}, extension: "${extension}", from: "+6421555001", to: "+6495550100" } }`;
    const text = withSteps(
      [
        "{ at: PT0S, setTeamMember: { team: sales, user: lobby } }",
        '{ at: PT0S, addTrunkEntry: { trunk: pbx, kind: device, id: till, displayName: Till, extension: "401" } }',
        redirect("c1", "401"),
        redirect("c2", "402"),
        "{ at: PT1S, answer: { call: c1, by: till } }",
        "{ at: PT1S, answer: { call: c2, by: desk } }",
      ],
      `until: PT5S\norganisation:\n  id: shop\n${organisation}`,
    );
    const { simulator } = runScenario(parseScenario(text));
    expect(simulator.calls.live().map(({ status }) => status)).toEqual(["accepted", "accepted"]);
    expect(simulator.teams.get("sales").record.teamMembers.map(({ id }) => id)).toEqual(["lobby"]);
  });

  test("returns expected events with their offsets, types, matches and positions", () => {
    expect(parseScenario(example).expect?.slice(1, 3)).toEqual([
      {
        atMs: 6_000,
        type: "call.answered",
        match: undefined,
        position: { line: 11, column: 5, endLine: 11, endColumn: 23 },
      },
      {
        atMs: 6_000,
        type: "user.availability.updated",
        match: { user: { availability: { status: "busy" } } },
        position: { line: 12, column: 5, endLine: 12, endColumn: 99 },
      },
    ]);
  });

  test("distinguishes no expected events from an empty list", () => {
    expect(parseScenario("scenario: A rule\nsteps: []\n").expect).toBeUndefined();
    expect(parseScenario("scenario: A rule\nsteps: []\nexpect: []\n").expect).toEqual([]);
  });

  test("reads JSON to the same scenario as YAML, except for positions", () => {
    const json = JSON.stringify(parseDocument(example).toJS(), null, 2);
    const withoutPlaces = (text: string) =>
      JSON.parse(JSON.stringify(parseScenario(text), (key, value) => (key === "position" ? null : value)));
    expect(withoutPlaces(json)).toEqual(withoutPlaces(example));
  });

  test("reads files with Windows line ends", () => {
    expect(parseScenario(example.replaceAll("\n", "\r\n"))).toEqual(parseScenario(example));
  });

  test("reads anchors and aliases", () => {
    const declines = "{ at: PT1S, decline: &who { call: c1, by: alice, endpoint: mobile } }";
    const { steps } = parseScenario(withSteps([janeCalls, declines, "{ at: PT2S, answer: *who }"]));
    expect(steps[2]?.args).toEqual({ call: "c1", by: "alice", endpoint: "mobile" });
  });
});

describe("the head of a scenario", () => {
  const optionsOf = (head: string) => parseScenario(`scenario: A rule\n${head}steps: []\n`).options;

  test("has counter ids by default, so that streams are readable", () => {
    expect(optionsOf("").ids).toBe("counter");
    expect(optionsOf("ids: uuid\n").ids).toBe("uuid");
  });

  test("has the seed 1 by default; a seed is a number or text", () => {
    expect(optionsOf("").seed).toBe(1);
    expect(optionsOf("seed: 42\n").seed).toBe(42);
    expect(optionsOf("seed: forty-two\n").seed).toBe("forty-two");
  });

  test("has the simulators' start by default", () => {
    expect(optionsOf("").start).toBe("2026-07-01T00:00:00.000Z");
    expect(optionsOf("start: 2026-02-03T04:05:06+13:00\n").start).toBe("2026-02-02T15:05:06.000Z");
  });

  test("overrides durations with timing", () => {
    const run = runScenario(
      parseScenario(
        withSteps([janeCalls.replace("+6495550100", "+6495550104")], "timing: { ringTimeout: PT7S }\n"),
      ),
    );
    expect(run.events.at(-1)).toMatchObject({
      type: "call.not_answered",
      createdAt: "2026-07-01T00:00:07.000Z",
    });
  });

  test("ends the run at until", () => {
    expect(parseScenario("scenario: A rule\nuntil: PT1H\nsteps: []\n").untilMs).toBe(3_600_000);
  });

  test("uses the demo organisation acme by default and by name", () => {
    const demo = createSimulator().journal().options.organisation;
    expect(optionsOf("organisation: acme\n").organisation).toEqual(demo);
    expect(optionsOf("").organisation).toEqual(demo);
  });

  test("names an organisation given as text", () => {
    const { options } = parseScenario("scenario: A rule\norganisation: office\nsteps: []\n", {
      organisations: { office: yamlOfOffice },
    });
    expect(options.organisation).toMatchObject({ id: "office", users: [{ id: "zoe" }] });
  });

  test("prefers an organisation acme given as text to the demo organisation", () => {
    const { options } = parseScenario("scenario: A rule\norganisation: acme\nsteps: []\n", {
      organisations: { acme: yamlOfOffice },
    });
    expect(options.organisation).toMatchObject({ id: "office" });
  });

  test("may contain a whole organisation", () => {
    const indented = yamlOfOffice.replaceAll(/^/gm, "  ");
    expect(optionsOf(`organisation:\n${indented}\n`).organisation).toMatchObject({ id: "office" });
  });
});

describe("a person in a step", () => {
  test.each([
    ["caller"],
    ["callee"],
    ["alice"],
    ["alice@acme.test"],
    ["Alice@ACME.test"],
    ["lobby"],
    ['"+6421555001"'],
  ])("may be %s", (by) => {
    const scenario = parseScenario(withSteps([janeCalls, `{ at: PT1S, hangup: { call: c1, by: ${by} } }`]));
    expect(scenario.steps).toHaveLength(2);
  });
});

describe("an expected line", () => {
  test("may have more than one space between its offset and its type", () => {
    expect(parseScenario(expecting('"PT1.5S   call.ended "')).expect?.[0]).toMatchObject({
      atMs: 1_500,
      type: "call.ended",
    });
  });

  test("may be written with keys and without a match", () => {
    expect(parseScenario(expecting("{ event: PT1M call.ended }")).expect?.[0]).toMatchObject({
      atMs: 60_000,
      match: undefined,
    });
  });
});

describe("ScenarioError", () => {
  test("has a message with line, column and the expected value", () => {
    const error = thrownBy(() => parseScenario("steps: []\n")) as ScenarioError;
    expect(error).toMatchObject({ name: "ScenarioError", line: 1, column: 1, problem: "scenario: missing" });
    expect(error.message).toBe("line 1, column 1: scenario: missing");
  });
});
