import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { assumptionWords } from "../../src/core/platform/declare/assumption-words.ts";
import { callLog, exploreReport } from "../../src/explore/index.ts";
import { parseScenario, runScenario, type Simulator } from "../../src/index.ts";

const url = "https://wallboard.test/hooks";
const steps = `
steps:
  - { at: PT0S, createWebhook: { as: wallboard, url: "${url}", events: [call.started, call.not_answered, call.answered] } }
  - { at: PT1S, inbound: { as: c1, from: "+6421555001", to: "+6495550200" } }
  - { at: PT70S, answer: { call: c1, by: dave } }
  - { at: PT90S, hangup: { call: c1, by: caller } }
`;
const scenario = parseScenario(`scenario: The second team answers${steps}`);

/** Keeps the calls that are missed, and never takes one back. */
function wallboard(sim: Simulator): Set<string> {
  const missed = new Set<string>();
  sim.network.route(url, ({ body }) => {
    const { type, data } = JSON.parse(body);
    if (type === "call.not_answered") missed.add(data.call.id);
    return 204;
  });
  return missed;
}
/** Keeps whether each call was answered, and never corrects it. */
function carelessLog(sim: Simulator): Map<string, boolean> {
  const log = new Map<string, boolean>();
  sim.network.route(url, ({ body }) => {
    const { type, data } = JSON.parse(body);
    const { id } = data.call;
    if (type !== "call.started" && !log.has(id)) log.set(id, type === "call.answered");
    return 204;
  });
  return log;
}
const eventually = {
  "no answered call is shown as missed": (_: Simulator, missed: Set<string>) =>
    expect([...missed]).toEqual([]),
};

type Kinds = readonly ("assumption" | "unspecified" | "lost" | "duplicated")[];
const explored = (kinds: Kinds, atMost = 1, more: object = {}) =>
  exploreReport({ scenario, subject: wallboard, eventually, deviations: { atMost, kinds }, ...more });

let known: ReturnType<typeof explored> | undefined;

/** The worlds in which one assumption has another value, explored once for all tests. */
function withEach(): ReturnType<typeof explored> {
  known ??= explored(["assumption"]);
  return known;
}

const others = (isUnspecified: boolean) =>
  assumptionWords
    .filter(({ name }) => (name === "unspecified") === isUnspecified)
    .flatMap((each) => each.others).length;

describe("Assumptions", () => {
  test("are explored with each other value, one world for each", async () => {
    const report = await withEach();
    expect(report.worlds).toBe(1 + others(false));
    expect(report.failures).toHaveLength(1);
    const [failure] = report.failures;
    expect(failure?.smallest.deviations).toEqual([
      { what: "assumption", at: 0, of: "notAnswered", nth: 1, is: "perTeam" },
    ]);
    expect(failure?.dependsOn).toEqual(["call.not_answered comes once, when no further offer will be made"]);
  });

  test("are explored with the kind `unspecified` where bodies may have more", async () => {
    const strict = (sim: Simulator) => {
      const wrong: string[] = [];
      sim.network.route(url, ({ body }) => {
        const { type } = JSON.parse(body);
        if (!["call.started", "call.not_answered", "call.answered"].includes(type)) wrong.push(type);
        return 204;
      });
      return wrong;
    };
    const report = await exploreReport({
      scenario,
      subject: strict,
      eventually: { "knows every event": (_, wrong) => wrong.length === 0 },
      deviations: { atMost: 1, kinds: ["unspecified"] },
    });
    expect(report.worlds).toBe(1 + others(true));
    expect(report.failures.map(({ smallest }) => smallest.deviations.map(({ is }) => is))).toEqual([
      ["unknownEvent"],
    ]);
  });

  test("are explored only where they are named", async () => {
    const report = await exploreReport({ scenario, subject: wallboard, eventually });
    expect(report.failures).toEqual([]);
  });

  test("are named as the cause of a failure only if they cause it", async () => {
    const report = await exploreReport({
      scenario,
      subject(sim) {
        const started: string[] = [];
        sim.network.route(url, ({ body }) => {
          const { type, data } = JSON.parse(body);
          if (type === "call.started") started.push(data.call.id);
          return 204;
        });
        return started;
      },
      eventually: { "a call starts once": (_, started) => started.length <= 1 },
      deviations: { atMost: 2, kinds: ["unspecified", "duplicated"] },
    });
    expect(
      report.failures.map(({ smallest, also }) => [smallest.deviations, ...also].flat().map(({ is }) => is)),
    ).toEqual([["duplicated"]]);
  });

  test("are explored with the default where the scenario assumes another value", async () => {
    const report = await exploreReport({
      scenario: parseScenario(`scenario: Per team\nassume: { notAnswered: perTeam }${steps}`),
      subject: wallboard,
      eventually: { "a team's miss is shown": (_, missed) => missed.size > 0 },
      deviations: { atMost: 1, kinds: ["assumption"] },
    });
    expect(report.failures.map(({ smallest }) => smallest.deviations.map(({ is }) => is))).toEqual([
      ["once"],
    ]);
  });

  test("are explored in worlds that are drawn from seeds", async () => {
    const report = await explored(["assumption"], 3, { seeds: 25 });
    expect(report.failures.flatMap(({ dependsOn }) => dependsOn)).toContain(
      "call.not_answered comes once, when no further offer will be made",
    );
  });

  test("are explored by shards, which together cover the whole", async () => {
    const parts = await Promise.all(
      [1, 2].map((index) => explored(["assumption"], 1, { shard: { index, count: 2 } })),
    );
    const whole = await withEach();
    expect(parts.reduce((sum, { worlds }) => sum + worlds, 0)).toBeGreaterThanOrEqual(whole.worlds);
    expect(parts.some(({ failures }) => failures.length > 0)).toBe(true);
  });
});

describe("The smallest scenario of a failure that depends on an assumption", () => {
  test("has the other value in its head, and fails by itself", async () => {
    const [failure] = (await withEach()).failures;
    const text = failure?.smallest.scenario ?? "";
    expect(text).toContain("assume:\n  notAnswered: perTeam");
    expect(text).not.toContain("deviations:");
    const { simulator } = runScenario(parseScenario(text, { allowLocal: true }));
    simulator.runUntilIdle();
    expect(simulator.options.assume.notAnswered).toBe("perTeam");
    const again = await exploreReport({
      scenario: parseScenario(text),
      subject: wallboard,
      eventually,
      deviations: 0,
    });
    expect(again.failures).toHaveLength(1);
  });

  test("is explained as docs/guides/depends-on-a-guess.md shows", async () => {
    const report = await exploreReport({
      scenario,
      subject: carelessLog,
      deviations: { atMost: 1, kinds: ["assumption"] },
      ...callLog({
        rows: (log: Map<string, boolean>) => [...log].map(([callId, answered]) => ({ callId, answered })),
      }),
    });
    const guide = readFileSync(new URL("../../docs/guides/depends-on-a-guess.md", import.meta.url), "utf8");
    const shown = /```text\n([\s\S]*?)```/.exec(guide)?.[1] ?? "nothing";
    for (const line of shown.trimEnd().split("\n")) expect(report.toText()).toContain(line);
    expect(report.toText()).toContain("depends on: call.not_answered comes once");
  });
});
