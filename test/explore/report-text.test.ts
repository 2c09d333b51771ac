import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { CounterexampleError, callLog, explore, exploreReport } from "../../src/explore/index.ts";
import type { Simulator } from "../../src/index.ts";

/** The second program of the README. */
const readme = {
  scenario(sim: Simulator) {
    sim.webhooks.create({ url: "https://crm.test/", events: ["call.ended"] });
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  },
  subject(sim: Simulator) {
    const activities: { callId: string }[] = [];
    sim.network.route("https://crm.test/", ({ body }) => {
      activities.push({ callId: JSON.parse(body).data.call.id });
      return 204;
    });
    return activities;
  },
  ...callLog({ rows: (activities: { callId: string }[]) => activities }),
};

/** The name of the README's test in files, and how its reader runs it: this test is called differently. */
const named = "lost.test-one-activity-a-call-whatever-the-network-does-1emyr9v";
const typed =
  "RINGBACK_WORLD=call-whatever-the-network-does-1emyr9v npx vitest run lost -t '^one activity a call, whatever the network does$'";

describe("The text of a failure", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ringback-text-"));
  vi.stubEnv("RINGBACK_RESULTS", folder);
  const error = await explore(readme).catch((thrown: unknown) => thrown);
  vi.unstubAllEnvs();
  const { message, report } = error as CounterexampleError;

  test("begins with what is wrong, and ends with what to do next", () => {
    expect(error).toBeInstanceOf(CounterexampleError);
    expect(message).toBe(report.toText());
    expect(message).toMatch(/^FAILS in 3 worlds: the call log has one row for each call that is over\n/);
    expect(message).toMatch(/\n\nnext:\n {2}replay: .+\n {2}page: .+\n {2}keep: npx ringback keep .+\n$/);
  });

  test("has at most 1.2 KB for the README's failure", () => {
    const own = report.failures[0]?.files?.name ?? "";
    expect(own).not.toBe("");
    const text = message
      .replaceAll(folder, "ringback-results")
      .replaceAll(own, named)
      .replace(/(?<=replay: ).*/, () => typed);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_200);
  });

  test("has the longest worlds, the machines and the mutants only if it is verbose", async () => {
    const report = await exploreReport({ ...readme, mutants: true });
    const text = report.toText();
    const words = ["longest worlds:", "machines:", "mutants:", "nearest passing world:", "what breaks"];
    const verbose = report.toText({ verbose: true });
    for (const word of words) {
      expect(text).not.toContain(word);
      expect(verbose).toContain(word);
    }
    const data = report.toJSON();
    expect(data.longest).not.toEqual([]);
    expect(data.mutants).toBeDefined();
  });
});
