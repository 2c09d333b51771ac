import { describe, expect, test } from "vitest";
import { createSimulator, replay, type Simulator, type SimulatorOptions } from "../../../src/index.ts";
import { caller, office, stream, thrownBy } from "../../helpers.ts";

const menu = "+6495559000";
const newSimulator = (more: SimulatorOptions = {}) =>
  createSimulator({ organisation: office, ids: "counter", ...more });

/** Hands a call for Alice over, which returns to the flow FW1 after ten seconds. */
const handOver = (sim: Simulator, more = {}) =>
  sim.calls.redirect(
    { extension: "101", timeout: 10, returnTo: "flow", returnToId: "FW1", "x-ticket": "7", ...more },
    { from: caller, to: menu, vendorCallId: "CA1" },
  );

describe("a flow that takes a call back", () => {
  test("redirects it to the next extension, whose voicemail takes it: one journey", () => {
    const sim = newSimulator();
    sim.flows.route("FW1", (call) => call.redirect({ extension: "102" }));
    handOver(sim);
    sim.runUntil("call.not_answered");
    sim.advance("PT31S");
    const next = sim.calls.get("call-2");
    next.leaveVoicemail({ duration: "PT10S" });
    sim.runUntilIdle();
    expect(stream(sim)).toEqual([
      "0 call.started",
      "10000 call.not_answered",
      "10000 call.started",
      "40000 call.not_answered",
      "55000 call.hungup",
      "55000 call.ended",
      "60000 call.recording.available",
    ]);
    expect(next.record).toMatchObject({
      vendorCallId: "CA1",
      contactNumber: caller,
      companyNumber: menu,
      passthroughParameters: { "x-ticket": "7" },
      outcome: { status: "missed", reason: "voicemail" },
    });
    expect(sim.calls.returns).toMatchObject([
      { callId: "call-1", returnToId: "FW1", takenBack: "redirect", nextCallId: "call-2" },
    ]);
  });

  test("is given as data too, by sim.flows.route and by the command takeBack", () => {
    const sim = newSimulator();
    sim.flows.route("FW1", { redirect: { extension: "102" } });
    handOver(sim);
    sim.advance("PT10S");
    expect(sim.calls.get("call-2").ringing()[0]).toMatchObject({ user: "bob" });
  });

  test("may hang up: there is no further call", () => {
    const sim = newSimulator();
    sim.flows.route("FW1", (call) => call.hangup());
    handOver(sim);
    sim.runUntilIdle();
    expect(sim.calls.list()).toHaveLength(1);
    expect(sim.calls.returns).toMatchObject([{ takenBack: "hangup", nextCallId: null }]);
  });

  test("keeps as many of the newest returns as retain.calls says", () => {
    const sim = newSimulator({ retain: { calls: 2 } });
    sim.flows.route("FW1", (call) => call.hangup());
    for (let index = 0; index < 4; index++) {
      handOver(sim);
      sim.runUntilIdle();
    }
    const kept = ["call-3", "call-4"].map((callId) => ({ callId, takenBack: "hangup" }));
    expect(sim.calls.returns).toMatchObject(kept);
    expect(sim.fork().calls.returns).toEqual(sim.calls.returns);
    expect(replay(sim.journal()).calls.returns).toEqual(sim.calls.returns);
  });

  test("may return nothing: the call is listed as returned, as without a flow", () => {
    const sim = newSimulator();
    sim.flows.route("FW1", () => undefined);
    handOver(sim);
    sim.runUntilIdle();
    expect(sim.calls.returns).toMatchObject([{ takenBack: null, nextCallId: null, returnReason: "timeout" }]);
  });

  test.each(["taskQueue", "application"])("may be a %s as well", (returnTo) => {
    const sim = newSimulator();
    sim.flows.route("FW1", { redirect: { extension: "102" } });
    handOver(sim, { returnTo });
    sim.advance("PT10S");
    expect(sim.calls.list()).toHaveLength(2);
  });

  test("knows the call and why it came back", () => {
    const sim = newSimulator();
    const seen: unknown[] = [];
    sim.flows.route("FW1", ({ record, returned }) => {
      seen.push([record.contactNumber, returned.returnReason]);
    });
    handOver(sim).decline("alice");
    sim.advance(0);
    expect(seen).toEqual([[caller, "declined"]]);
  });

  test("is not asked about a call that was answered", () => {
    const sim = newSimulator();
    sim.flows.route("FW1", { hangup: true });
    handOver(sim).answer("alice");
    sim.runUntilIdle({ within: "PT1H" });
    expect(sim.calls.returns).toEqual([]);
  });

  test("that always redirects back to nobody gives up after ten returns", () => {
    const sim = newSimulator();
    sim.flows.route("FW1", { redirect: { extension: "105", returnTo: "flow", returnToId: "FW1" } });
    handOver(sim);
    sim.runUntilIdle();
    expect(sim.calls.returns.map(({ takenBack }) => takenBack)).toEqual([
      ...Array.from({ length: 10 }, () => "redirect"),
      "hangup",
    ]);
  });

  test("replays to the same bytes without its function", () => {
    const sim = newSimulator();
    sim.flows.route("FW1", (call) => call.redirect({ extension: "102" }));
    handOver(sim);
    sim.runUntilIdle();
    const again = replay(sim.journal());
    expect(again.events.toJSONL()).toBe(sim.events.toJSONL());
    expect(again.calls.returns).toEqual(sim.calls.returns);
  });
});

describe("taking back is refused", () => {
  test("to an extension that nobody has", () => {
    const way = { redirect: { extension: "999" } };
    expect(thrownBy(() => newSimulator().flows.route("FW1", way))).toMatchObject({ code: "not_found" });
  });

  test("for a call that has not returned, or a second time", () => {
    const sim = newSimulator();
    const call = handOver(sim);
    const takeBack = () => sim.command("takeBackCall", { call: call.id, hangup: true });
    expect(thrownBy(takeBack)).toMatchObject({ code: "not_allowed" });
    sim.advance("PT10S");
    takeBack();
    expect(thrownBy(takeBack)).toMatchObject({ code: "not_allowed" });
  });

  test("with a redirect and a hang-up at once", () => {
    const both = { id: "FW1", redirect: { extension: "102" }, hangup: true } as const;
    expect(thrownBy(() => newSimulator().command("takeBack", both))).toMatchObject({
      code: "invalid_argument",
    });
  });
});
