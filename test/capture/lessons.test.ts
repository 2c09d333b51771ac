import { describe, expect, test } from "vitest";
import { notImported } from "../../docs/generate/not-imported.ts";
import { importCapture } from "../../src/capture/index.ts";
import { parseScenario, runScenario } from "../../src/index.ts";
import { lessonName } from "../../src/inspector/lesson.ts";
import { sixthOf } from "../counts.ts";
import { differences } from "./same-stream.ts";
import { captured, edited, importable, jsonl, lessons } from "./support.ts";

const withEvents = importable();

describe("importCapture", () => {
  test.each(withEvents)("turns the requests of %s into a scenario that sends them again", async (name) => {
    const lines = captured(name);
    const result = await importCapture(jsonl(lines), { redact: false });
    expect(
      result,
      "write in src/capture/infer/ what explains the events, or the reason as `notImported` in its row of scenarios/lessons.json",
    ).toMatchObject({
      verdict: "possible",
      unexplained: [],
      explained: lines.length,
    });
    const { simulator } = runScenario(parseScenario(result.yaml));
    expect(differences(lines, simulator.events)).toEqual([]);
  });

  test("is listed with a reason as unable to explain a lesson only where it is", async () => {
    for (const name of lessons) {
      const reason = notImported[lessonName(name)];
      if (reason === undefined) continue;
      expect(reason).not.toBe("");
      const { verdict } = await importCapture(jsonl(captured(name)), { redact: false });
      expect([name, verdict]).not.toEqual([name, "possible"]);
    }
  });

  test.each(sixthOf(withEvents, 1))("explains %s with stand-ins for names and numbers", async (name) => {
    const lines = captured(name);
    const { yaml } = await importCapture(jsonl(lines));
    const { simulator } = played(yaml);
    const endMs = Math.max(...lines.map(({ body }) => JSON.parse(body).createdTimestamp));
    const moments = ({ type, createdTimestamp }: { type: string; createdTimestamp: number }) =>
      `${createdTimestamp} ${type}`;
    expect(simulator.events.filter((each) => each.createdTimestamp <= endMs).map(moments)).toEqual(
      uniqueBodies(lines).map(moments),
    );
  });

  test("compares what bodies say, not how they are written", async () => {
    const lines = captured("01-first-endpoint-wins");
    const spaced = await importCapture(jsonl(lines));
    const compact = await importCapture(jsonl(edited(lines, () => {})));
    expect(compact.verdict).toBe("possible");
    expect(compact.yaml).toBe(spaced.yaml);
    const judged = ({ rules }: typeof spaced) => {
      const row = rules.find(({ rule }) => rule === "assumption bodyText");
      return [row?.confirmed, row?.contradicted, row?.instead];
    };
    expect(judged(spaced)).toEqual([lines.length, 0, undefined]);
    expect(judged(compact)).toEqual([0, lines.length, "compact"]);
  });

  test("names a phone by its stand-in in every step, unless its id is its type", async () => {
    const { simulator } = runScenario(
      parseScenario(`
scenario: Bob's phones
seed: 1
steps:
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550102" } }
  - { at: PT1S, setEndpoint: { user: bob, endpoint: mobile, registered: false } }
  - { at: PT2S, answer: { call: c1, by: bob, endpoint: desk } }
  - { at: PT3S, move: { call: c1, by: bob, to: desktop } }
  - { at: PT4S, move: { call: c1, by: bob, to: desk } }
  - { at: PT5S, hangup: { call: c1, by: bob } }
`),
    );
    const { yaml } = await importCapture(simulator.events.toJSONL());
    expect(yaml).not.toContain("desk }");
    const again = runScenario(parseScenario(yaml)).simulator;
    const types = ({ events }: typeof simulator) => events.map(({ type }) => type);
    expect(types(again)).toEqual(types(simulator));
    const [, answered] = again.calls.list()[0]?.record.parties ?? [];
    expect(answered?.dials.map(({ endpoint, outcome }) => `${endpoint} ${outcome}`)).toEqual([
      "mobile failed",
      "desktop answeredElsewhere",
      expect.stringMatching(/^id-\d+ answered$/),
    ]);
  });

  test("returns no name, number or word of the capture unless redact is false", async () => {
    for (const name of sixthOf(withEvents, 4)) {
      const { yaml } = await importCapture(jsonl(captured(name)));
      expect(yaml).not.toMatch(/Alice|Ng\b|Bob|acme|\+6495550|\+6421555/);
    }
    const telling = edited(captured("01"), ({ data: { call } }) => {
      if (call !== undefined) call.status = "for Alice Ng";
    });
    const unreadable = "not JSON: Alice Ng, +6421555001, alice@acme.test\n";
    const { problems, drift } = await importCapture(jsonl(telling) + unreadable);
    expect([problems.length, drift.enums.length]).toEqual([1, 1]);
    expect(JSON.stringify([problems, drift])).not.toMatch(/Alice|acme|\+6421555/);
    const { yaml } = await importCapture(jsonl(captured("01")), { redact: false });
    expect(yaml).toContain("Alice Ng");
  });
});

/** Plays a scenario with stand-ins. Every step must use the stand-ins of the organisation. */
function played(yaml: string) {
  try {
    return runScenario(parseScenario(yaml));
  } catch (error) {
    return expect.fail(`src/capture/read/redact.ts, what a step names: ${error}`);
  }
}

function uniqueBodies(
  lines: readonly { body: string }[],
): { id: string; type: string; createdTimestamp: number }[] {
  const bodies = new Map(
    lines
      .map(({ body }) => JSON.parse(body))
      .map((each: { id: string; type: string; createdTimestamp: number }) => [each.id, each]),
  );
  return [...bodies.values()].sort(
    (a, b) => a.createdTimestamp - b.createdTimestamp || Number(a.id.slice(6)) - Number(b.id.slice(6)),
  );
}
