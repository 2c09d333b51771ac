import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSimulator, parseScenario, runScenario } from "../../src/index.ts";
import { folderWith, impossible, ringback } from "./support.ts";

/** Four calls of Acme, which is in Auckland: 10:00 UTC is 22:00 there. */
const morning = `scenario: A morning at Acme
start: 2026-07-01T10:00:00Z
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "https://crm.acme.test/hooks", events: ["*"] } }
  - { at: PT0S, inbound: { as: a, from: "+6421555001", to: "+6495550200" } }
  - { at: PT12S, answer: { call: a, by: carol } }
  - { at: PT30S, inbound: { as: b, from: "+6421555002", to: "+6495550200" } }
  - { at: PT45S, fault: { url: "https://crm.acme.test/", status: 503, times: 1 } }
  - { at: PT75S, hangup: { call: a, by: carol } }
  - { at: PT180S, inbound: { as: d, from: "+6421555001", to: "+6495550200" } }
  - { at: PT240S, hangup: { call: d, by: caller } }
`;

const ask = (...args: string[]) => {
  const folder = folderWith({
    "morning.yaml": morning,
    "other.yaml": morning
      .replace("by: carol } }\n  - { at: PT30S", "by: bob } }\n  - { at: PT30S")
      .replace("PT75S, hangup: { call: a, by: carol", "PT75S, hangup: { call: a, by: bob"),
    "refused.yaml": impossible,
  });
  const paths = args.map((arg) => (arg.endsWith(".yaml") ? join(folder, arg) : arg));
  return ringback("ask", join(folder, "morning.yaml"), ...paths);
};

const json = (...args: string[]) => JSON.parse(ask(...args, "--json").out);

describe("ringback ask", () => {
  test("lists the calls of a run", () => {
    expect(ask("calls")).toEqual({
      code: 0,
      err: "",
      out: "A  0:00–1:15  Jane Smith → Sales  answered\nB  0:30–3:05  Kiwi Freight → Sales  missed, timeout\nC  3:00–4:00  Jane Smith → Sales  abandoned, callerHungUp\n",
    });
    expect(json("calls").calls[0]).toEqual({
      label: "A",
      id: "call-1",
      title: "Jane Smith → Sales",
      from: "2026-07-01T10:00:00.000Z",
      to: "2026-07-01T10:01:15.000Z",
      outcome: "answered",
    });
  });

  test("tells one call with its states and the attempts of its requests", () => {
    const { out } = ask("call", "A");
    expect(out).toMatch(
      /^Call A \(call-1\): Jane Smith → Sales, answered\noffered 0:00–0:12, talked 0:12–1:15\n/,
    );
    expect(out).toContain("0:12  call.answered by Carol Diaz, waited 12s · crm.acme.test 200\n");
    expect(out).toMatch(/1:15 {2}call\.hungup Carol Diaz · crm\.acme\.test 503, attempt 1 of 2\n/);
    expect(out).toContain("4:04  call.hungup attempt 2 after 503 · crm.acme.test 200, attempt 2 of 2");
    expect(ask("call", "call-1").out).toBe(out);
  });

  test.each(["22:03", "22:03:00", "10:03", "3:00", "+3:00", "PT3M", "2026-07-01T10:03:00Z"])(
    "says what everybody did at %s, by the organisation's clock, UTC, since the start, or ISO 8601",
    (at) => {
      expect(ask("at", at).out).toMatch(
        /^At 22:03:00 \(Pacific\/Auckland\), 10:03:00 UTC, 3:00 after the start\nFree: Alice Ng, Dave Okafor, Lobby\n/,
      );
    },
  );

  test("names what people do in words, and the live calls", () => {
    const { out } = ask("at", "0:40");
    expect(out).toContain(
      "Free: Alice Ng, Dave Okafor, Lobby\nAlice Ng: free\nBob Tane: rings, B\nCarol Diaz: on A\n",
    );
    expect(out).toContain("Call A: Jane Smith → Sales, answered\nCall B: Kiwi Freight → Sales, offered\n");
    const { people } = json("at", "0:40");
    expect(people[2]).toEqual({ id: "carol", name: "Carol Diaz", is: "on", does: "on A" });
  });

  test("says why something did not happen, as sim.why and the page do", () => {
    const simulator = runScenario(parseScenario(morning)).simulator;
    const { causes } = json("why", "Lobby rings for B", "--at", "0:40");
    const same = simulator.why({ who: "lobby", rings: "call-2", at: "PT40S" }).causes;
    expect(causes).toEqual(same.map(({ text }) => text));
    expect(ask("why", "carol rings", "--at", "0:20").out).toBe(
      'Why not "Carol Diaz rings"? At 22:00:20 (Pacific/Auckland), 10:00:20 UTC, 0:20 after the start\n- Carol Diaz was on call A, since 0:12.\n',
    );
    expect(ask("why", "Bob rings", "--at", "0:05").out).toContain(
      "- Bob Tane rang for call A, since 0:00.\n",
    );
    expect(ask("why", "Dave rings for call A", "--at", "PT5S").out).toContain(
      "- Call A was with Sales, of which Dave Okafor is no member.",
    );
  });

  test("says what would have been enough, and why an event did not come", () => {
    const { out } = ask("why", "call.answered for C");
    expect(out).toContain("- Somebody hung up. At 4:00. So call C was abandoned.\n");
    expect(out).toMatch(/Enough, each tried in a fork of the run: Bob Tane answers, at 3:00; /);
  });

  test("says where another run parts from this one", () => {
    const { out } = ask("diff", "other.yaml");
    expect(out).toMatch(
      /^They part at 0:12, after 4 equal steps: \d+ gone, \d+ new\n- 0:12 {2}Carol Diaz answers on mobile; .*\n/,
    );
    expect(out).toMatch(/\n\+ 0:12 {2}Bob Tane answers on mobile; /);
    expect(ask("diff", "morning.yaml").out).toMatch(/^The runs are the same: \d+ steps\.\n$/);
  });

  test("reads journals, and says when it knows no states of the app", () => {
    const sim = createSimulator();
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    sim.advance("PT10S");
    const folder = folderWith({ "run.json": JSON.stringify(sim.journal()) });
    const file = join(folder, "run.json");
    expect(ringback("ask", file, "calls").out).toMatch(
      /^A {2}0:00–0:10 {2}Jane Smith → Alice Ng {2}not over\n$/,
    );
    expect(ringback("ask", file, "app").out).toContain("The file has no states of the app");
  });

  test("shows what an app came to in the failure of an exploration", () => {
    const journal = createSimulator().journal();
    const received = [
      { at: 0, of: "call.started", state: "{ calls: 1 }" },
      { at: 5_000, of: "call.ended", state: "{ calls: 1 }" },
      { at: 6_500, of: "call.ended", state: "{ calls: 2 }" },
    ];
    const failures = [
      { property: "a call counts once", message: "counted twice", smallest: { journal, received } },
    ];
    const folder = folderWith({ "report.json": JSON.stringify({ failures }) });
    expect(ringback("ask", join(folder, "report.json"), "app").out).toBe(
      "a call counts once: counted twice\n0s  { calls: 1 }\n6s 500ms  { calls: 2 }\n",
    );
  });

  test("prints at most 4 KB, and says how much more there is", () => {
    const steps = Array.from(
      { length: 120 },
      (_, index) => `  - { at: PT${index}S, inbound: { from: "+64215550${index + 10}", to: "+6495550100" } }`,
    );
    const folder = folderWith({ "many.yaml": `scenario: Many\nsteps:\n${steps.join("\n")}\n` });
    const { out } = ringback("ask", join(folder, "many.yaml"), "calls");
    expect(Buffer.byteLength(out)).toBeLessThanOrEqual(4_096);
    const shown = out.trimEnd().split("\n").length - 1;
    expect(out).toMatch(new RegExp(`\n… and ${120 - shown} more lines; --json prints all\n$`));
  });

  test.each([
    [["cals"], 'after the file, got "cals"; did you mean "calls"?'],
    [["when"], 'expected calls, call, at, why, diff, app after the file, got "when"'],
    [["call"], "expected a call's letter or id, such as `call A`"],
    [["call", "Z"], 'no call "Z"; the run\'s: A (call-1), B (call-2), C (call-3)'],
    [["calls", "A"], '`calls` takes nothing after it, got "A"'],
    [["at", "23:30"], "at: expected an instant of the run: from 22:00:00 to 22:0"],
    [["at", "noon"], 'got "noon"'],
    [["why", "Bob rings"], 'expected --at, such as --at 0:20: "Bob rings" is about an instant'],
    [["why", "Bob sings", "--at", "0:20"], 'nothing is called "Bob sings"; then one can ask: "Bob Tane'],
    [["why", "Zoe rings", "--at", "0:20"], 'nothing is called "Zoe rings"'],
    [["calls", "--at", "0:20"], "--at: goes with why only"],
    [["diff", "missing.yaml"], "no such file"],
    [["diff", "refused.yaml"], "refused.yaml:3:5: step 1 (inbound)"],
  ])("refuses %j", (args, message) => {
    const { code, err, out } = ask(...args);
    expect(err).toContain(message);
    expect({ code, out }).toEqual({ code: 2, out: "" });
  });

  test("takes a lesson by its number", () => {
    expect(ringback("ask", "08", "at", "0:10").out).toContain("Alice Ng: on A\n");
  });
});
