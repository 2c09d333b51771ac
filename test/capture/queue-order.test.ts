import { describe, expect, test } from "vitest";
import { importCapture } from "../../src/capture/index.ts";
import type { Scenario } from "../../src/core/scenario/scenario.ts";
import { parseScenario, runScenario } from "../../src/index.ts";
import { jsonl, received, twoQueues, withReceiver } from "./support.ts";

/** What an import says of a run about the order of a queue. */
async function judged(scenario: Scenario, queueOrder: "queue" | "call") {
  const { options, ...rest } = withReceiver(scenario);
  const { simulator } = runScenario({ ...rest, options: { ...options, assume: { queueOrder } } });
  const { verdict, rules, yaml } = await importCapture(jsonl(received(simulator)));
  const row = rules.find(({ rule }) => rule === "assumption queueOrder");
  return { verdict, row, assumed: /^assume: (.*)$/m.exec(yaml)?.[1] };
}

/** The scenario of two queues with one of its texts replaced. */
const changed = (from: string, to: string): Scenario => {
  expect(twoQueues).toContain(from);
  return parseScenario(twoQueues.replace(from, to));
};

describe("The order of a queue in a capture", () => {
  const scenario = parseScenario(twoQueues);

  test("confirms that a call which a team passes on queues behind those that wait for the next team", async () => {
    expect(await judged(scenario, "queue")).toMatchObject({
      verdict: "possible",
      assumed: undefined,
      row: { confirmed: 1, contradicted: 0 },
    });
  });

  test("contradicts it, and the scenario assumes that the call keeps its place", async () => {
    expect(await judged(scenario, "call")).toMatchObject({
      verdict: "possible",
      assumed: "{ queueOrder: call }",
      row: { confirmed: 0, contradicted: 1, instead: "call" },
    });
  });

  test.each([
    ["the second call joins after the first was passed on", changed("at: PT30S", "at: PT61S")],
    [
      "the second call gives up before anybody is free",
      changed("- { at: PT75S", "- { at: PT70S, hangup: { call: c2, by: caller } }\n  - { at: PT75S"),
    ],
    [
      "no ring shows when the first team passed the call on",
      changed(
        "- { at: PT30S",
        `- { at: PT20S, setAvailability: { user: bob, status: busy } }
  - { at: PT20S, setAvailability: { user: carol, status: busy } }
  - { at: PT21S, decline: { call: c1, by: lobby } }
  - { at: PT30S`,
      ),
    ],
  ])("says nothing about it where %s", async (_, other) => {
    for (const queueOrder of ["queue", "call"] as const)
      expect(await judged(other, queueOrder)).toMatchObject({
        assumed: undefined,
        row: { confirmed: 0, contradicted: 0 },
      });
  });
});
