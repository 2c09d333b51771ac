import { expect, test } from "vitest";
import { createSimulator } from "../../../src/index.ts";
import { caller, dial, office } from "../../helpers.ts";

const outside = "+6421555777";

/** Ten seconds into a call that Alice answered at once. */
function aliceTalks() {
  const sim = createSimulator({ organisation: office, ids: "counter" });
  const call = sim.calls.inbound({ from: caller, to: dial.alice });
  call.answer("alice");
  sim.advance("PT10S");
  return { sim, call };
}

test("two on the bridge and a third who only rings are no conference", () => {
  const { call } = aliceTalks();
  call.add("bob", { by: "alice" });
  expect(call.record.isConference).toBe(false);
});

test("three on the bridge at the same time are a conference, and stay one after one has left", () => {
  const { sim, call } = aliceTalks();
  call.add("bob", { by: "alice" });
  call.answer("bob");
  expect(call.record.isConference).toBe(true);
  call.hangup("alice");
  expect(call.record.isConference).toBe(true);
  call.hangup("bob");
  expect(sim.events.ofType("call.ended")[0]?.data.call.isConference).toBe(true);
});

test("a warm transfer is a conference while all three talk", () => {
  const { call } = aliceTalks();
  call.transfer("bob", { by: "alice", warm: true });
  call.answer("bob");
  expect(call.record.isConference).toBe(true);
});

test("a blind transfer alone makes no conference, however often the call is handed on", () => {
  const { call } = aliceTalks();
  call.transfer("bob", { by: "alice" });
  call.answer("bob");
  call.transfer("dan", { by: "bob" });
  call.answer("dan");
  expect(new Set(call.record.connections.map(({ partyId }) => partyId)).size).toBe(4);
  expect(call.record.isConference).toBe(false);
});

test("a voicemail does not count among the three", () => {
  const { sim, call } = aliceTalks();
  call.transfer("bob", { by: "alice" });
  sim.advance("PT30S");
  expect(call.record.parties.at(-1)?.type).toBe("voicemail");
  expect(call.record.isConference).toBe(false);
});

test("an endpoint that a user moves to is not another party", () => {
  const { call } = aliceTalks();
  call.move("alice", { to: "desktop" });
  expect(call.record.isConference).toBe(false);
});

test("a third who joins after a blind transfer makes a conference of those who are there", () => {
  const { call } = aliceTalks();
  call.transfer("bob", { by: "alice" });
  call.answer("bob");
  call.add(outside, { by: "bob" });
  expect(call.record.isConference).toBe(false);
  call.answer(outside);
  expect(call.record.isConference).toBe(true);
});
