import { describe, expect, test } from "vitest";
import { explorationProgress } from "../../src/cli/exploration-progress.ts";
import { exploreAs } from "../../src/explore/explore.ts";
import { parseScenario } from "../../src/index.ts";

const scenario = parseScenario(`
scenario: A call
steps: [{ at: PT0S, createWebhook: { url: "https://crm.test/", events: [call.started] } }, { at: PT1S, inbound: { from: "+6421555001", to: "+6495550103" } }]
`);

/** The progress lines of an exploration. Each reading of the clock adds `stepMs`. */
async function saidOf(stepMs: number, isTerminal: boolean): Promise<string> {
  let [nowMs, said] = [0, ""];
  const err = (text: string) => {
    said += text;
  };
  const progress = explorationProgress({ isTerminal, out: () => {}, err }, () => {
    nowMs += stepMs;
    return nowMs;
  });
  const report = await exploreAs(
    {
      scenario,
      subject: (sim) => sim.network.route("https://crm.test/", 204),
      eventually: { "one call": (sim) => expect(sim.calls.list()).toHaveLength(1) },
    },
    progress,
  );
  expect(report.failures).toEqual([]);
  progress.end();
  return said;
}

describe("The progress of an exploration", () => {
  test("is not shown while it takes less than two seconds", async () => {
    expect(await saidOf(1, true)).toBe("");
    expect(await saidOf(1, false)).toBe("");
  });

  test("is a bar on a terminal, removed at the end", async () => {
    const said = await saidOf(500, true);
    expect(said).toContain("█");
    expect(said).toMatch(/\d+% {2}\d+ worlds, \d+\/s, 0 failing/);
    expect(said).not.toContain("ringback:");
    const widest = Math.max(...said.split("\r").map((line) => line.length));
    expect(widest).toBeLessThan(80);
    const clearsTheLine = "\r\u001b[K";
    expect(said.endsWith(clearsTheLine)).toBe(true);
  });

  test("is lines of text without a terminal", async () => {
    const said = await saidOf(500, false);
    expect(said).toMatch(/^ringback: \d+%, \d+ worlds, \d+\/s, 0 failing(, \S+ left)?\n/);
    expect(said).not.toContain("█");
    expect(said).not.toContain("\u001b");
  });
});
