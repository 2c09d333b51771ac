import { describe, expect, test } from "vitest";
import { createSimulator } from "../../../src/index.ts";
import { caller, dial, office, stream } from "../../helpers.ts";

const carrier = { from: caller, to: dial.alice, vendorCallId: "CA1" };
const newSimulator = () => createSimulator({ organisation: office, ids: "counter" });

describe("a call of the carrier that comes again", () => {
  test.each([
    [
      "as a redirect",
      (sim: ReturnType<typeof newSimulator>) => sim.calls.redirect({ extension: "102" }, carrier),
    ],
    ["as an inbound call", (sim) => sim.calls.inbound({ ...carrier, to: dial.bob })],
    [
      "as a connection to the application",
      (sim) => sim.calls.connectApplication({ extension: "102", accountId: "AC1" }, carrier),
    ],
  ] satisfies [string, (sim: ReturnType<typeof newSimulator>) => unknown][])(
    "%s leaves the first, which closes as if the caller had hung up",
    (_way, again) => {
      const sim = newSimulator();
      const first = sim.calls.redirect({ extension: "101", returnTo: "flow", returnToId: "F1" }, carrier);
      sim.advance("PT5S");
      again(sim);
      expect(first.record.outcome).toEqual({ status: "abandoned", reason: "callerHungUp" });
      expect(first.record.parties[1]?.dials.map(({ outcome }) => outcome)).toEqual([
        "withdrawn",
        "withdrawn",
      ]);
      expect(stream(sim)).toEqual(["0 call.started", "5000 call.not_answered", "5000 call.started"]);
      expect(sim.calls.live().map(({ id }) => id)).toEqual(["call-2"]);
      expect(sim.calls.returns).toEqual([]);
    },
  );

  test("by a take-back leaves the call as which it had come meanwhile", () => {
    const sim = newSimulator();
    const returned = sim.calls.redirect({ extension: "105", returnTo: "flow", returnToId: "F1" }, carrier);
    const meanwhile = sim.calls.inbound(carrier);
    meanwhile.answer("alice");
    sim.command("takeBackCall", { call: returned.id, redirect: { extension: "102" } });
    expect(meanwhile.status).toBe("ended");
    expect(sim.calls.live().map(({ id }) => id)).toEqual(["call-3"]);
  });

  test("hangs up on who answered the first, who may be rung by the second", () => {
    const sim = newSimulator();
    const first = sim.calls.inbound(carrier);
    first.answer("alice");
    sim.advance("PT10S");
    const second = sim.calls.redirect({ extension: "101" }, carrier);
    expect(first.status).toBe("ended");
    expect(second.ringing()).toHaveLength(2);
  });

  test("leaves a voicemail, whose message so far is kept", () => {
    const sim = newSimulator();
    const first = sim.calls.inbound({ ...carrier, to: dial.bob });
    first.decline("bob");
    first.leaveVoicemail({ duration: "PT1M" });
    sim.advance("PT15S");
    sim.calls.redirect({ extension: "101" }, carrier);
    expect(first.record.voicemail?.duration).toBe(10);
    expect(first.status).toBe("missed");
  });

  test("leaves a call of three, in which the others talk on", () => {
    const sim = newSimulator();
    const first = sim.calls.inbound(carrier);
    first.answer("alice");
    first.add("bob", { by: "alice" });
    first.answer("bob");
    sim.calls.redirect({ extension: "103" }, carrier);
    expect(first.status).toBe("accepted");
    sim.calls.redirect({ extension: "104" }, carrier);
    expect(first.status).toBe("accepted");
    expect(sim.calls.live().map(({ id }) => id)).toEqual(["call-1", "call-3"]);
  });

  test("does not concern other calls of the carrier", () => {
    const sim = newSimulator();
    const first = sim.calls.redirect({ extension: "101" }, carrier);
    sim.calls.redirect({ extension: "102" }, { ...carrier, vendorCallId: "CA2" });
    sim.calls.redirect({ extension: "103" }, { from: caller, to: dial.alice });
    expect(first.status).toBe("offered");
  });
});

describe("the same redirect repeated", () => {
  const parameters = { extension: "101", timeout: 20, "x-ticket": "7" } as const;

  test("while it rings changes nothing and returns the same call", () => {
    const sim = newSimulator();
    const first = sim.calls.redirect(parameters, carrier);
    sim.advance("PT5S");
    const again = { organisationId: "acme", "x-ticket": "7", timeout: "20", extension: "101" } as const;
    expect(sim.calls.redirect(again, carrier).id).toBe(first.id);
    expect(stream(sim)).toEqual(["0 call.started"]);
    sim.advance("PT15S");
    expect(first.status).toBe("missed");
  });

  test.each([
    ["another parameter", { ...parameters, timeout: 21 }],
    ["another passthrough parameter", { ...parameters, "x-ticket": "8" }],
  ])("with %s begins another call", (_what, other) => {
    const sim = newSimulator();
    const first = sim.calls.redirect(parameters, carrier);
    expect(sim.calls.redirect(other, carrier).id).not.toBe(first.id);
  });

  test.each([
    ["answered", (id: string, sim: ReturnType<typeof newSimulator>) => sim.calls.get(id).answer("alice")],
    ["over", (_id: string, sim: ReturnType<typeof newSimulator>) => sim.advance("PT20S")],
  ])("once the first is %s begins another call", (_what, act) => {
    const sim = newSimulator();
    const first = sim.calls.redirect(parameters, carrier);
    act(first.id, sim);
    expect(sim.calls.redirect(parameters, carrier).id).not.toBe(first.id);
  });
});

describe("a redirect's times", () => {
  test("hold for its own target, not for the team that the call is passed on to", () => {
    const teams = office.teams.map((team) =>
      team.id === "support" ? { ...team, unanswered: { team: "billing" } } : team,
    );
    const sim = createSimulator({ organisation: { ...office, teams }, ids: "counter" });
    const call = sim.calls.redirect({ extension: "201", timeout: 10, nextOfferTimeout: 5 }, carrier);
    sim.advance("PT9.999S");
    expect(call.record.assignedCallGroup).toBeUndefined();
    sim.advance("PT60S");
    expect(call.status).toBe("offered");
    sim.advance("PT0.001S");
    expect(call.record.assignedCallGroup?.id).toBe("billing");
    expect(call.status).toBe("missed");
  });

  test("leave priority and passthrough parameters with the call that is passed on", () => {
    const teams = office.teams.map((team) =>
      team.id === "support" ? { ...team, unanswered: { team: "billing" } } : team,
    );
    const numbers = [{ number: "+6495550203", owner: "billing" }];
    const sim = createSimulator({ organisation: { ...office, teams, numbers }, ids: "counter" });
    sim.users.get("carol").setAvailability("busy");
    const passedOn = sim.calls.redirect(
      { extension: "201", timeout: 10, priority: 1, "x-ticket": "7" },
      carrier,
    );
    const waiting = sim.calls.inbound({ from: "+6421555009", to: "+6495550203" });
    sim.advance("PT15S");
    sim.users.get("carol").setAvailability("available");
    expect([passedOn.ringing().length, waiting.ringing().length]).toEqual([1, 0]);
    expect(passedOn.record.passthroughParameters).toEqual({ "x-ticket": "7" });
  });

  test("hold for its own target, not for the number of its unanswered step", () => {
    const teams = office.teams.map((team) =>
      team.id === "support" ? { ...team, unanswered: { external: "+6495550999" } } : team,
    );
    const sim = createSimulator({ organisation: { ...office, teams }, ids: "counter" });
    const call = sim.calls.redirect({ extension: "201", timeout: 10 }, carrier);
    sim.advance("PT39.999S");
    expect(call.ringing()).toEqual([{ number: "+6495550999", endpoint: "phone" }]);
    sim.advance("PT0.001S");
    expect(call.ringing()).toEqual([]);
  });
});

describe("a caller without a number", () => {
  test.each([
    ["anonymous", null],
    ["+266696687", null],
    ["+7378742833", null],
    ["+2562533", null],
    ["+8656696", null],
    ["+86282452253", null],
    ["23789", "23789"],
  ])("may come by every way in: %s", (from, contactNumber) => {
    const sim = newSimulator();
    const calls = [
      sim.calls.inbound({ from, to: dial.alice }),
      sim.calls.redirect({ extension: "101" }, { from, to: dial.alice }),
      sim.calls.connectApplication({ extension: "101", accountId: "AC1" }, { from, to: dial.alice }),
    ];
    expect(calls.map(({ record }) => record.contactNumber)).toEqual([
      contactNumber,
      contactNumber,
      contactNumber,
    ]);
  });
});
