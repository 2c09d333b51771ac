import { describe, expect, test } from "vitest";
import {
  type CallHandle,
  createSimulator,
  type OrganisationInput,
  type Simulator,
  type SimulatorOptions,
} from "../../../src/index.ts";
import { caller } from "../../helpers.ts";

/** Ann has voicemail. Sales (Bob) passes calls on to Support (Ann), which closes them. */
const organisation = {
  id: "o",
  name: "O",
  numbers: [
    { number: "+6495550200", owner: "sales" },
    { number: "+6495550101", owner: "ann" },
    { number: "+6495550102", owner: "bob" },
    { number: "+6495550103", owner: "cat" },
  ],
  users: [
    { id: "ann", email: "ann@o.test", displayName: "Ann", extension: "101", endpoints: ["mobile"] },
    {
      id: "bob",
      email: "bob@o.test",
      displayName: "Bob",
      extension: "102",
      endpoints: ["mobile"],
      voicemail: false,
    },
    {
      id: "cat",
      email: "cat@o.test",
      displayName: "Cat",
      extension: "103",
      endpoints: ["mobile"],
      voicemail: false,
    },
  ],
  teams: [
    {
      id: "sales",
      displayName: "Sales",
      extension: "200",
      members: [{ user: "bob" }],
      unanswered: { team: "support" },
    },
    {
      id: "support",
      displayName: "Support",
      extension: "201",
      members: [{ user: "ann" }, { user: "cat" }],
    },
  ],
} satisfies OrganisationInput;

const newSimulator = (assume: SimulatorOptions["assume"] = {}) =>
  createSimulator({ organisation, ids: "counter", assume });

const to = { sales: "+6495550200", ann: "+6495550101", bob: "+6495550102", cat: "+6495550103" };

/** Who was notified of the missed call, in order. */
const notified = (sim: Simulator) =>
  sim.notifications.filter(({ kind }) => kind === "missedCall").map((each) => each.to.userId);

/** Bob talks to a caller. */
function answeredByBob(sim: Simulator): CallHandle {
  const call = sim.calls.inbound({ from: caller, to: to.bob });
  call.answer("bob");
  sim.advance("PT1M");
  return call;
}

describe("a missed call is notified", () => {
  test.each<[string, string[], (sim: Simulator) => void]>([
    [
      "to the target of a blind transfer that nobody answers",
      ["cat"],
      (sim) => void answeredByBob(sim).transfer("cat", { by: "bob" }),
    ],
    [
      "to the target of a blind transfer whose caller gives up",
      ["ann"],
      (sim) => {
        const call = answeredByBob(sim);
        call.transfer("ann", { by: "bob" });
        call.hangup("caller");
      },
    ],
    [
      "to the target of a warm transfer who does not answer, when the call ends",
      ["cat"],
      (sim) => {
        const call = answeredByBob(sim);
        call.transfer("cat", { by: "bob", warm: true });
        sim.advance("PT100S");
        expect(notified(sim)).toEqual([]);
        call.hangup("caller");
      },
    ],
    [
      "to whoever was added and did not answer",
      ["cat"],
      (sim) => {
        const call = answeredByBob(sim);
        call.add("cat", { by: "bob" });
        sim.advance("PT100S");
        call.hangup("caller");
      },
    ],
    [
      "to the target of a transfer who was busy and never rang",
      ["cat"],
      (sim) => {
        sim.users.get("cat").setAvailability("busy");
        answeredByBob(sim).transfer("cat", { by: "bob" });
      },
    ],
    [
      "to the members of each team that it was queued for, once each",
      ["bob", "ann", "cat"],
      (sim) => void sim.calls.inbound({ from: caller, to: to.sales }),
    ],
    [
      "to the members of both teams when the caller gives up in the second",
      ["bob", "ann", "cat"],
      (sim) => {
        const call = sim.calls.inbound({ from: caller, to: to.sales });
        sim.advance("PT70S");
        call.hangup("caller");
      },
    ],
    [
      "only to the first team's members when the caller gives up there",
      ["bob"],
      (sim) => sim.calls.inbound({ from: caller, to: to.sales }).hangup("caller"),
    ],
    [
      "to a user whose voicemail took it, and once only if it was sent to them twice",
      ["cat", "ann"],
      (sim) => {
        const call = answeredByBob(sim);
        call.add("cat", { by: "bob" });
        call.decline("cat");
        call.add("cat", { by: "bob" });
        call.decline("cat");
        call.transfer("ann", { by: "bob" });
        call.decline("ann");
      },
    ],
    [
      "to a redirect's target without ringing, with sendToVoicemail",
      ["ann"],
      (sim) =>
        void sim.calls.redirect({ extension: "101", sendToVoicemail: true }, { from: caller, to: to.ann }),
    ],
    [
      "to a colleague who declines",
      ["cat"],
      (sim) => sim.calls.internal({ from: "ann", to: "103" }).decline("cat"),
    ],
  ])("%s", (_what, expected, act) => {
    const sim = newSimulator();
    act(sim);
    sim.runUntilIdle();
    expect(notified(sim)).toEqual(expected);
  });
});

describe("a missed call is not notified", () => {
  test("to members of a team of which one took it", () => {
    const sim = newSimulator();
    const call = answeredByBob(sim);
    call.transfer("201", { by: "bob" });
    call.answer("cat");
    call.hangup("caller");
    expect(notified(sim)).toEqual([]);
  });

  test("to whoever transferred it to the team that missed it", () => {
    const sim = newSimulator();
    const call = answeredByBob(sim);
    call.transfer("200", { by: "bob" });
    sim.runUntilIdle();
    expect(notified(sim)).toEqual(["ann", "cat"]);
  });

  test("to a user who took it later", () => {
    const sim = newSimulator();
    const call = answeredByBob(sim);
    call.add("cat", { by: "bob" });
    call.decline("cat");
    call.transfer("cat", { by: "bob" });
    call.answer("cat");
    call.hangup("caller");
    expect(notified(sim)).toEqual([]);
  });

  test.each([
    ["once", []],
    ["perTeam", ["bob"]],
  ] as const)(
    "with notAnswered %s, to members of a team that passed it on to one that took it: %j",
    (notAnswered, expected) => {
      const sim = newSimulator({ notAnswered });
      const call = sim.calls.inbound({ from: caller, to: to.sales });
      sim.advance("PT70S");
      call.answer("ann");
      call.hangup("caller");
      expect(notified(sim)).toEqual(expected);
    },
  );
});

describe("the summary of a call", () => {
  test.each<[string, string, (sim: Simulator) => void]>([
    [
      "Missed: the target was busy",
      to.cat,
      (sim) => sim.calls.outbound({ from: "cat", to: "+6421555009" }).answer("callee"),
    ],
    ["Missed: the target was busy", to.cat, (sim) => sim.users.get("cat").setAvailability("busy")],
    ["Missed: the target was logged out", to.cat, (sim) => sim.users.get("cat").setAvailability("offline")],
    [
      "Missed: the target was out of hours",
      to.cat,
      (sim) => sim.users.get("cat").setAvailability("offline", { rule: "outOfHours" }),
    ],
    ["Missed: the target was suspended", to.cat, (sim) => sim.users.get("cat").setStatus("suspended")],
  ])("says %j", (outcome, number, before) => {
    const sim = newSimulator();
    before(sim);
    const call = sim.calls.inbound({ from: caller, to: number });
    expect(call.record.summary.outcome).toBe(outcome);
  });

  test("says that an outside number was busy, or declined", () => {
    const sim = newSimulator();
    const call = sim.calls.outbound({ from: "ann", to: "+6421555009" });
    call.decline("callee", { busy: true });
    expect(call.record.summary.outcome).toBe("Not answered: the target was busy");
    const next = sim.calls.outbound({ from: "ann", to: "+6421555009" });
    next.decline("callee");
    expect(next.record.summary.outcome).toBe("Not answered: declined");
  });

  test("says that the caller inside hung up", () => {
    const sim = newSimulator();
    const call = sim.calls.outbound({ from: "ann", to: "+6421555009" });
    call.hangup("ann");
    expect(call.record.summary.outcome).toBe("Not answered: the caller hung up");
  });

  test.each([
    ["103", "Cat"],
    ["200", "Sales"],
  ])("names whom the extension %s belongs to", (extension, name) => {
    const sim = newSimulator();
    const { summary } = sim.calls.internal({ from: "ann", to: extension }).record;
    expect(summary.header).toBe(`Outbound call from Ann to ${name}`);
    expect(summary.contactNumberDescription).toBe(`${name} (${extension})`);
  });
});
