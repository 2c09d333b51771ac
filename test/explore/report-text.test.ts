import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { CounterexampleError, callLog, explore, exploreReport, wallboard } from "../../src/explore/index.ts";
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
    expect(message.split("\n")[0]).toBe(
      "FAILS the call log has one row for each call that is over: call-1 is logged twice (in 3 worlds)",
    );
    expect(message).toMatch(/\n\nnext:\n {2}replay: .+\n {2}page: .+\n {2}keep: npx ringback keep .+\n$/);
  });

  test("says last how a property that returns false can say why", async () => {
    const { scenario, subject } = readme;
    const report = await exploreReport({
      ...{ scenario, subject },
      eventually: { "is logged once": (_, activities: readonly object[]) => activities.length === 1 },
    });
    const text = report.toText();
    expect(text).toMatch(
      /^FAILS is logged once: returned false \(in \d+ worlds\)\n {2}When .*the app ends with /,
    );
    expect(text).toMatch(/\n\nnext:\n {2}replay: .+\n {2}say why: throw in the property, or use `expect`\n$/);
    expect(message).not.toContain("say why");
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

describe("What is thrown", () => {
  const digits = (call: { contactNumber: string }) => call.contactNumber.replace("+", "00");
  const throwing = (sim: Simulator) => {
    sim.network.route("https://crm.test/", ({ body }) => {
      digits(JSON.parse(body).data.call);
      return 204;
    });
    return {};
  };
  const withheld = (sim: Simulator) => {
    sim.webhooks.create({ url: "https://crm.test/h", events: ["call.not_answered"] });
    sim.calls.inbound({ from: "anonymous", to: "+6495550104" });
  };

  test("stands with its class and the line of the user's code that threw it", async () => {
    const report = await exploreReport({ scenario: withheld, subject: throwing, deviations: 0 });
    const [failure] = report.failures;
    expect(failure?.thrown).toEqual({
      name: "TypeError",
      place: expect.stringMatching(/^report-text\.test\.ts:\d+$/),
      stack: expect.stringMatching(/^TypeError: Cannot read.*\n +at digits/),
    });
    expect(report.toText()).toContain(
      `: Cannot read properties of null (reading 'replace') (in 1 world)\n    TypeError at ${failure?.thrown?.place}\n`,
    );
  });

  test("by a property too, but not by a ready-made one", async () => {
    const mustHold = () => {
      throw new RangeError("far too many");
    };
    const subject = () => ({});
    const [own] = (
      await exploreReport({ scenario: withheld, subject, eventually: { mustHold }, deviations: 0 })
    ).failures;
    expect([own?.thrown?.name, own?.thrown?.place]).toEqual([
      "RangeError",
      expect.stringContaining("report-text.test.ts:"),
    ]);
    const board = wallboard({ live: () => ["call-9"] });
    const report = await exploreReport({ scenario: withheld, subject, ...board, deviations: 0 });
    expect(report.failures[0]?.thrown?.place).toBeUndefined();
    expect(report.toText()).not.toMatch(/Error at /);
  });
});
