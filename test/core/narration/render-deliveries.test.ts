import { describe, expect, test } from "vitest";
import { createSimulator, type SimulatorOptions } from "../../../src/index.ts";
import { Recording } from "../../../src/inspector/model/recording.ts";

const url = "https://crm.acme.test/hooks";

/** A webhook for `call.started`, and a call that nobody answers. */
function called(options: SimulatorOptions = {}, fault?: 400 | 503 | "timeout") {
  const sim = createSimulator({ ids: "counter", ...options });
  sim.network.route(url, () => 200);
  const hook = sim.webhooks.create({ url, events: ["call.started"] });
  if (fault !== undefined) sim.network.fault(url, { status: fault, times: 1 });
  sim.calls.inbound({ from: "+6421555009", to: "+6495550103" });
  return { sim, hook };
}

/** The lines of a timeline that speak of the webhook or of attempts. */
const linesOf = (timeline: string) =>
  timeline.split("\n").filter((line) => /webhook|attempt/.test(line) && !line.includes("asks for"));

describe("The timeline of deliveries", () => {
  test("has one line for a delivery that is accepted at once", () => {
    const { sim } = called();
    sim.runUntilIdle();
    expect(linesOf(sim.events.toTimeline())).toEqual([
      "            | crm.acme.test (webhook): call.started - 200",
    ]);
  });

  test("says that a 200 came from the network without a route", () => {
    const sim = createSimulator();
    sim.webhooks.create({ url, events: ["call.started"] });
    sim.calls.inbound({ from: "+6421555009", to: "+6495550103" });
    sim.runUntilIdle();
    expect(linesOf(sim.events.toTimeline())).toEqual([
      "            | crm.acme.test (webhook): call.started - 200 (no route: accepted)",
    ]);
  });

  test("shows the number and the result of each attempt", () => {
    const { sim } = called({}, 503);
    sim.runUntilIdle();
    expect(linesOf(sim.events.toTimeline()).slice(1)).toEqual([
      "            | crm.acme.test (webhook): call.started - 503",
      "  2:49.080  time for another attempt",
      "            | crm.acme.test (webhook): call.started, attempt 2 - 200",
    ]);
  });

  test("shows a late answer at its own time", () => {
    const { sim } = called({}, "timeout");
    sim.network.route(url, { after: "PT2S" });
    sim.runUntilIdle();
    const lines = linesOf(sim.events.toTimeline());
    expect(lines).toContain("  0:05.000  crm.acme.test (webhook) does not answer call.started (timeout)");
    expect(lines).toContain("  2:51.080  crm.acme.test (webhook) answers 200 to call.started, attempt 2");
  });

  test("shows why a delivery failed, and that the webhook is disabled", () => {
    const { sim } = called({ webhooks: { failureLimit: 0 } }, 400);
    sim.advance(0);
    expect(linesOf(sim.events.toTimeline()).slice(1)).toEqual([
      "            | crm.acme.test (webhook): call.started - 400",
      "            | crm.acme.test (webhook): call.started is given up (rejected)",
      "            | crm.acme.test (webhook): is disabled after 1 failure in a row",
    ]);
  });

  test("shows dropped deliveries when the webhook is disabled by command, and that it is enabled again", () => {
    const { sim, hook } = called();
    sim.network.route(url, { after: "PT3S" });
    sim.advance("PT1S");
    sim.webhooks.update(hook.id, { enabled: false });
    sim.webhooks.update(hook.id, { enabled: true, url: "https://new.acme.test/" });
    sim.advance("PT9S");
    expect(linesOf(sim.events.toTimeline()).slice(1)).toEqual([
      "  0:01.000  crm.acme.test (webhook) is disabled",
      "            | crm.acme.test (webhook): call.started is dropped (disabled)",
      "            crm.acme.test (webhook) moves to https://new.acme.test/, is enabled",
      "  0:03.000  crm.acme.test (webhook) answers 200 to call.started",
    ]);
  });

  test("does not show an answer below another command of that instant", () => {
    const { sim } = called();
    sim.calls.inbound({ from: "+6421555008", to: "+6495550104" });
    sim.advance(0);
    expect(sim.events.toTimeline()).toMatchInlineSnapshot(`
      "Acme   2026-07-01 00:00:00Z - seed 1

        0:00.000  crm.acme.test (webhook) asks for call.started
                  +6421555009 calls +6495550103 (Carol Diaz, 103)
                  * call.started                   inbound from +6421555009
                  | Carol Diaz: rings on mobile
                  +6421555008 calls +6495550104 (Dave Okafor, 104)
                  * call.started                   inbound from +6421555008
                  | Dave Okafor: rings on desktop, mobile
                  crm.acme.test (webhook) answers 200 to call.started
                  crm.acme.test (webhook) answers 200 to call.started

      2 events, 0s of platform time
      "
    `);
  });

  test("does not show an answer below a command that the handler gives", () => {
    const sim = createSimulator({ ids: "counter" });
    sim.webhooks.create({ url, events: ["call.started"] });
    const call = sim.calls.inbound({ from: "+6421555009", to: "+6495550103" });
    sim.network.route(url, () => {
      call.hangup("caller");
      return 400;
    });
    sim.advance("PT10M");
    expect(sim.events.toTimeline()).toMatchInlineSnapshot(`
      "Acme   2026-07-01 00:00:00Z - seed 1

        0:00.000  crm.acme.test (webhook) asks for call.started
                  +6421555009 calls +6495550103 (Carol Diaz, 103)
                  * call.started                   inbound from +6421555009
                  | Carol Diaz: rings on mobile
                  +6421555009 hangs up
                  | Carol Diaz: mobile stops (withdrawn)
                  * call.not_answered              abandoned - callerHungUp, 0s
                  crm.acme.test (webhook) answers 400 to call.started
                  | crm.acme.test (webhook): call.started is given up (rejected)

      2 events, 10m of platform time
      "
    `);
  });

  test("marks the second arrival of a request", () => {
    const { sim } = called();
    sim.network.conditions(url, { duplicate: 1 });
    sim.advance(0);
    sim.calls.inbound({ from: "+6421555008", to: "+6495550104" });
    sim.advance(0);
    expect(linesOf(sim.events.toTimeline()).slice(-2)).toEqual([
      "            | crm.acme.test (webhook): call.started - 200",
      "            | crm.acme.test (webhook): call.started, a second time - 200",
    ]);
  });
});

describe("The diagram of deliveries", () => {
  test("draws the webhook as its own lifeline, right of the people, with an arrow per attempt", () => {
    const { sim } = called({}, 503);
    sim.runUntilIdle();
    const diagram = sim.events.toMermaid().split("\n");
    expect(diagram.filter((line) => /^ {2}(actor|participant)/.test(line))).toEqual([
      "  actor P1 as +6421555009",
      "  participant P2 as Acme",
      "  actor P3 as Carol Diaz",
      "  participant P4 as crm.acme.test (webhook)",
      "  participant E as events",
    ]);
    expect(diagram.filter((line) => line.startsWith("  P2-->>P4"))).toEqual([
      "  P2-->>P4: call.started - 503",
      "  P2-->>P4: call.started, attempt 2 - 200",
    ]);
  });
});

describe("The page of deliveries", () => {
  test("tells a request that is lost from one that its endpoint does not answer", () => {
    const sim = createSimulator({ ids: "counter" });
    for (const host of ["a", "b", "c"])
      sim.webhooks.create({ url: `https://${host}.acme.test/`, events: ["call.started"] });
    for (const host of ["a", "b"]) sim.network.fault(`https://${host}.acme.test/`, { status: "timeout" });
    sim.network.conditions("https://c.acme.test/", { loss: 1 });
    sim.calls.inbound({ from: "+6421555009", to: "+6495550103" });
    sim.advance("PT5S");
    const lost = Recording.from(sim.journal()).rows.filter(({ kind }) => kind === "lost");
    const said = lost.map(({ subject, verb, detail, deliveries }) => [
      `${subject} ${verb}, ${detail}`,
      deliveries.map(({ outcome }) => outcome.text),
    ]);
    expect(said).toEqual([
      ["call.started lost, no answer in 5s", ["lost"]],
      ["2 deliveries not answered, in 5s", ["no answer", "no answer"]],
    ]);
  });
});
