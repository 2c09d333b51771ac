import { describe, expect, test } from "vitest";
import { createSimulator, type Simulator } from "../../../src/index.ts";
import { caller, dial, office, startMs } from "../../helpers.ts";

const newSimulator = (transcription = false) =>
  createSimulator({ organisation: { ...office, features: { transcription } }, ids: "counter" });

/** When, what and to whom. */
const told = (sim: Simulator) =>
  sim.notifications.map(
    ({ createdTimestamp, kind, to }) => `${createdTimestamp - startMs} ${kind} ${to.userId}`,
  );

function leaveMessage(sim: Simulator): void {
  const call = sim.calls.inbound({ from: caller, to: dial.bob });
  call.decline("bob");
  call.leaveVoicemail({ duration: "PT1M5S", transcript: "Call me back" });
  sim.runUntilIdle();
}

describe("a missed-call notification", () => {
  test("comes with call.not_answered for a user who was not reached", () => {
    const sim = newSimulator();
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance("PT30S");
    expect(sim.notifications).toEqual([
      {
        id: "notification-1",
        kind: "missedCall",
        to: { userId: "alice", email: "alice@acme.test" },
        callId: "call-1",
        title: `Missed call from ${caller}`,
        body: caller,
        createdAt: "2026-07-01T00:00:30.000Z",
        createdTimestamp: startMs + 30_000,
      },
    ]);
  });

  test.each<[string, string, (sim: Simulator) => void]>([
    ["declines", dial.alice, (sim) => sim.calls.get("call-1").decline("alice")],
    ["is called by someone who gives up", dial.alice, (sim) => sim.calls.get("call-1").hangup("caller")],
    ["cannot be rung", dial.erin, () => {}],
    [
      "has voicemail, whose caller hangs up in the greeting",
      dial.bob,
      (sim) => {
        sim.calls.get("call-1").decline("bob");
        sim.calls.get("call-1").hangup("caller");
      },
    ],
  ])("comes exactly once to a user who %s", (_how, to, act) => {
    const sim = newSimulator();
    sim.calls.inbound({ from: caller, to });
    act(sim);
    sim.runUntilIdle();
    expect(told(sim)).toEqual([expect.stringMatching(/^0 missedCall (alice|erin|bob)$/)]);
  });

  test("is not sent for an answered call", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    call.answer("alice");
    call.hangup("caller");
    expect(sim.notifications).toEqual([]);
  });
});

describe("a voicemail", () => {
  test("is notified in the apps and by e-mail when the call ends, without transcription", () => {
    const sim = newSimulator();
    leaveMessage(sim);
    expect(told(sim)).toEqual(["0 missedCall bob", "70000 voicemail bob", "70000 voicemailEmail bob"]);
    const [, inApp, email] = sim.notifications;
    expect(inApp).toMatchObject({ title: `Voicemail from ${caller}`, body: "1m 5s" });
    expect(email).toMatchObject({
      to: { email: "bob@acme.test" },
      title: `Voicemail from ${caller}`,
      body: "1m 5s: https://api.ringback.test/call/call-1/recordings/recording-1.mp3",
    });
  });

  test("is e-mailed with its transcript once it exists, with transcription", () => {
    const sim = newSimulator(true);
    leaveMessage(sim);
    expect(told(sim)).toEqual(["0 missedCall bob", "70000 voicemail bob", "100000 voicemailEmail bob"]);
    expect(sim.notifications.at(-1)?.body).toBe(
      "Call me back\n1m 5s: https://api.ringback.test/call/call-1/recordings/recording-1.mp3",
    );
  });
});

test("notifications are frozen, and sim.notifications returns a copy of the list", () => {
  const sim = newSimulator();
  leaveMessage(sim);
  const list = sim.notifications as unknown[];
  expect(Object.isFrozen(list[0])).toBe(true);
  expect(Object.isFrozen(sim.notifications[0]?.to)).toBe(true);
  list.length = 0;
  expect(sim.notifications).toHaveLength(3);
});
