import { describe, expect, test } from "vitest";
import { type CommandError, createSimulator, replay, type Simulator } from "../../../src/index.ts";
import { caller, dial, office, stateOf, stream, thrownBy } from "../../helpers.ts";

const newSimulator = () => createSimulator({ organisation: office, ids: "counter" });

const other = "+6421555002";

const extension = {
  alice: "101",
  bob: "102",
  carol: "103",
  dan: "104",
  erin: "105",
  lobby: "300",
  sales: "200",
};

/** Alice calls a colleague, a team or a device. */
const aliceCalls = (sim: Simulator, whom: keyof typeof extension) =>
  sim.calls.internal({ from: "alice", to: extension[whom] });

/** The code of a refused command, which must change nothing. */
function refusalOf(sim: Simulator, act: () => unknown): string {
  const before = stateOf(sim);
  const { code } = thrownBy(act) as CommandError;
  expect(stateOf(sim)).toEqual(before);
  return code;
}

/** The changes of availability, in order. */
const availabilities = (sim: Simulator) =>
  sim.events
    .ofType("user.availability.updated")
    .map(({ data }) => `${data.user.displayName} ${data.user.availability.status}`);

describe("the stream of an internal call", () => {
  test("that is answered: the callee's availability follows call.answered", () => {
    const sim = newSimulator();
    const call = aliceCalls(sim, "bob");
    sim.advance("PT4S");
    call.answer("bob", { endpoint: "desktop" });
    sim.advance("PT30S");
    call.hangup("bob");
    sim.runUntilIdle();
    expect(stream(sim)).toEqual([
      "0 call.started",
      "0 user.availability.updated",
      "4000 call.answered",
      "4000 user.availability.updated",
      "34000 call.hungup",
      "34000 user.availability.updated",
      "34000 call.hungup",
      "34000 user.availability.updated",
      "34000 call.ended",
    ]);
    expect(availabilities(sim)).toEqual([
      "Alice Ng busy",
      "Bob Tane busy",
      "Bob Tane available",
      "Alice Ng available",
    ]);
  });

  test("that nobody answers", () => {
    const sim = newSimulator();
    const call = sim.calls.internal({ from: "bob", to: extension.alice });
    sim.runUntilIdle();
    expect(stream(sim)).toEqual([
      "0 call.started",
      "0 user.availability.updated",
      "30000 call.not_answered",
      "30000 call.hungup",
      "30000 user.availability.updated",
      "30000 call.ended",
    ]);
    expect(call.record).toMatchObject({
      status: "unanswered",
      outcome: { status: "unanswered", reason: "timeout" },
    });
    expect(sim.events.ofType("call.not_answered")[0]?.data.call.status).toBe("unanswered");
    expect(availabilities(sim)).toEqual(["Bob Tane busy", "Bob Tane available"]);
  });

  test("that the callee declines", () => {
    const sim = newSimulator();
    const call = sim.calls.internal({ from: "bob", to: extension.alice });
    sim.advance("PT3S");
    call.decline("alice");
    expect(call.record.outcome).toEqual({ status: "unanswered", reason: "rejected" });
    expect(stream(sim).slice(2)).toEqual([
      "3000 call.not_answered",
      "3000 call.hungup",
      "3000 user.availability.updated",
      "3000 call.ended",
    ]);
  });

  test("that the caller cancels", () => {
    const sim = newSimulator();
    const call = aliceCalls(sim, "bob");
    call.hangup("alice");
    expect(call.record.outcome).toEqual({ status: "unanswered", reason: "cancelled" });
    expect(sim.pending()).toEqual([]);
  });

  test("to a colleague who is on a call and has no voicemail closes at once", () => {
    const sim = newSimulator();
    sim.calls.inbound({ from: caller, to: dial.alice }).answer("alice");
    const mark = sim.events.mark();
    const call = sim.calls.internal({ from: "bob", to: extension.alice });
    expect(sim.events.since(mark).map(({ type }) => type)).toEqual([
      "call.started",
      "user.availability.updated",
      "call.not_answered",
      "call.hungup",
      "user.availability.updated",
      "call.ended",
    ]);
    expect(call.record.outcome).toEqual({ status: "unanswered", reason: "busy" });
  });

  test("to a colleague with voicemail who does not answer", () => {
    const sim = newSimulator();
    const call = aliceCalls(sim, "bob");
    sim.advance("PT30S");
    call.leaveVoicemail({ duration: "PT20S" });
    sim.runUntilIdle();
    expect(stream(sim)).toEqual([
      "0 call.started",
      "0 user.availability.updated",
      "30000 call.not_answered",
      "55000 call.hungup",
      "55000 user.availability.updated",
      "55000 call.ended",
      "60000 call.recording.available",
    ]);
    expect(call.record.outcome).toEqual({ status: "unanswered", reason: "voicemail" });
    expect(call.record.status).toBe("unanswered");
    expect(call.record.summary.outcome).toBe("Not answered: a voicemail was left");
    expect(call.record.voicemail).toMatchObject({ duration: 20 });
  });

  test("whose voicemail takes a message has the colleague's name on it", () => {
    const organisation = { ...office, features: { transcription: true } };
    const sim = createSimulator({ organisation, ids: "counter" });
    const call = aliceCalls(sim, "bob");
    call.decline("bob");
    call.leaveVoicemail({ duration: "PT20S" });
    sim.runUntilIdle();
    expect(sim.transcripts.segments("transcript-1")).toMatchObject([{ speaker: "Alice Ng" }]);
  });

  test.each([
    ["timeout", (sim: Simulator) => sim.advance("PT30S")],
    ["declined", (sim: Simulator) => sim.calls.get("call-1").decline("bob")],
  ])(
    "to voicemail in which no message is left is unanswered, with the original reason %s",
    (reason, come) => {
      const sim = newSimulator();
      const call = aliceCalls(sim, "bob");
      come(sim);
      expect(call.record).toMatchObject({ status: "unanswered", outcome: null });
      call.hangup("alice");
      expect(call.record).toMatchObject({ status: "unanswered", outcome: { status: "unanswered", reason } });
    },
  );

  test("to a team, which offers it to its members in their order", () => {
    const sim = newSimulator();
    const call = aliceCalls(sim, "sales");
    expect(call.ringing()).toEqual([{ user: "carol", endpoint: "mobile" }]);
    sim.advance("PT20S");
    expect(call.ringing()).toEqual([{ user: "dan", endpoint: "mobile" }]);
    call.answer("dan");
    call.hangup("alice");
    expect(stream(sim)).toEqual([
      "0 call.started",
      "0 user.availability.updated",
      "20000 call.answered",
      "20000 user.availability.updated",
      "20000 team.availability.updated",
      "20000 call.hungup",
      "20000 user.availability.updated",
      "20000 call.hungup",
      "20000 user.availability.updated",
      "20000 team.availability.updated",
      "20000 call.ended",
    ]);
    expect(call.record.parties.flatMap(({ dials }) => dials.map(({ reason }) => reason))).toEqual([
      "teamOffer",
      "teamOffer",
    ]);
  });

  test("to a team of which nobody answers", () => {
    const sim = newSimulator();
    const call = aliceCalls(sim, "sales");
    sim.runUntilIdle();
    expect(stream(sim).slice(2)).toEqual([
      "60000 call.not_answered",
      "60000 call.hungup",
      "60000 user.availability.updated",
      "60000 call.ended",
    ]);
    expect(call.record.outcome).toEqual({ status: "unanswered", reason: "timeout" });
  });

  test("to a device, which emits no availability", () => {
    const sim = newSimulator();
    const call = aliceCalls(sim, "lobby");
    expect(call.ringing()).toEqual([{ device: "lobby", endpoint: "sip" }]);
    call.answer("lobby");
    call.hangup("lobby");
    expect(stream(sim)).toEqual([
      "0 call.started",
      "0 user.availability.updated",
      "0 call.answered",
      "0 call.hungup",
      "0 call.hungup",
      "0 user.availability.updated",
      "0 call.ended",
    ]);
  });
});

describe("the record of an internal call", () => {
  test("has extensions as numbers, and only parties of the organisation", () => {
    const sim = newSimulator();
    const call = aliceCalls(sim, "bob");
    call.answer("bob");
    call.hangup("alice");
    expect(call.record).toMatchObject({
      direction: "outbound",
      isInternal: true,
      contactNumber: extension.bob,
      companyNumber: extension.alice,
      initiator: extension.alice,
      recipient: extension.bob,
      status: "ended",
      outcome: { status: "answered", reason: null },
      assignedUser: { id: "bob" },
      parties: [
        { type: "user", isInternal: true, extension: extension.alice, dials: [] },
        {
          type: "user",
          isInternal: true,
          extension: extension.bob,
          dials: [
            { reason: "outbound", endpoint: "mobile", outcome: "answered" },
            { reason: "outbound", endpoint: "desktop", outcome: "answeredElsewhere" },
          ],
        },
      ],
    });
    expect(call.record).not.toHaveProperty("directoryTarget");
  });
});

describe("an internal call that someone outside joins", () => {
  test("has isInternal false once the outside person answers", () => {
    const sim = newSimulator();
    const call = aliceCalls(sim, "bob");
    call.answer("bob");
    call.add(caller, { by: "bob" });
    expect(call.record.isInternal).toBe(true);
    call.answer(caller);
    expect(call.record.isInternal).toBe(false);
    call.hangup(caller);
    expect(call.record.isInternal).toBe(false);
  });

  test("is not internal at call.answered if a team's external number answers", () => {
    const teams = office.teams.map((team) =>
      team.id === "sales" ? { ...team, unanswered: { external: caller } } : team,
    );
    const sim = createSimulator({ organisation: { ...office, teams }, ids: "counter" });
    const call = aliceCalls(sim, "sales");
    sim.advance("PT60S");
    call.answer(caller);
    expect(sim.events.ofType("call.answered")[0]?.data.call.isInternal).toBe(false);
  });

  test("has that number for its contact, and GET /calls?contactNumber= finds it", async () => {
    const sim = newSimulator();
    const call = aliceCalls(sim, "bob");
    call.answer("bob");
    call.add(caller, { by: "bob" });
    expect(call.record).toMatchObject({ contactNumber: "102", companyNumber: "101" });
    call.answer(caller);
    call.add(other, { by: "bob" });
    call.answer(other);
    expect(call.record).toMatchObject({ contactNumber: caller, companyNumber: "101", recipient: caller });
    expect(call.record.summary).toMatchObject({
      header: `Outbound call from Alice Ng to ${caller}`,
      contactNumberDescription: caller,
    });
    call.hangup("alice");
    call.hangup(caller);
    call.hangup(other);
    const headers = { authorization: `Bearer ${sim.token()}` };
    const url = `${sim.urls.api}/calls?contactNumber=${encodeURIComponent(caller)}`;
    const { calls } = (await (await sim.fetch(url, { headers })).json()) as { calls: { id: string }[] };
    expect(calls.map(({ id }) => id)).toEqual([call.id]);
  });

  test("has the contact's name in its summary as in its party", () => {
    const contacts = [{ id: "jane", name: "Jane Smith", phoneNumbers: [caller] }];
    const organisation = { ...office, phonebooks: [{ id: "customers", contacts }] };
    const sim = createSimulator({ organisation, ids: "counter" });
    const call = aliceCalls(sim, "bob");
    call.answer("bob");
    call.add(caller, { by: "bob" });
    call.answer(caller);
    expect(call.record.parties.at(-1)?.displayName).toBe("Jane Smith");
    expect(call.record.summary).toMatchObject({
      header: "Outbound call from Alice Ng to Jane Smith",
      contactNumberDescription: `Jane Smith (${caller})`,
    });
  });

  test("stays internal, given an outside number that rings and does not answer", () => {
    const sim = newSimulator();
    const call = aliceCalls(sim, "bob");
    call.answer("bob");
    call.add(caller, { by: "bob" });
    call.decline(caller);
    expect(call.record).toMatchObject({ isInternal: true, contactNumber: "102" });
  });

  test("can be given a contact, and is asked for cards of the call history", () => {
    const dataActions = { callInsights: "https://crm.test/insights" };
    const sim = createSimulator({ organisation: { ...office, dataActions }, ids: "counter" });
    const call = aliceCalls(sim, "bob");
    call.answer("bob");
    call.transfer(caller, { by: "bob" });
    call.answer(caller);
    call.hangup(caller);
    sim.runUntilIdle();
    const asked = sim.network.requests.map(({ to }) => new URL(to).searchParams);
    expect(asked.map((query) => [query.get("origin"), query.get("contactNumber")])).toEqual([
      ["service.callhistory", caller],
    ]);
    call.assignContact({ name: "Jane", phoneNumbers: [caller] }, { by: "alice" });
    expect(call.record.summary.contactNumberDescription).toBe(`Jane (${caller})`);
  });

  test("has no contact and no cards before that", () => {
    const dataActions = { callInsights: "https://crm.test/insights" };
    const sim = createSimulator({ organisation: { ...office, dataActions }, ids: "counter" });
    const call = aliceCalls(sim, "bob");
    call.answer("bob");
    const contact = { name: "Jane", phoneNumbers: [caller] };
    expect(refusalOf(sim, () => call.assignContact(contact, { by: "alice" }))).toBe("not_allowed");
    call.hangup("bob");
    expect(sim.network.requests).toEqual([]);
  });
});

describe("an internal call is refused", () => {
  test("to oneself", () => {
    const sim = newSimulator();
    expect(refusalOf(sim, () => aliceCalls(sim, "alice"))).toBe("not_allowed");
  });

  test("to an extension that nobody has", () => {
    const sim = newSimulator();
    expect(refusalOf(sim, () => sim.calls.internal({ from: "alice", to: "999" }))).toBe("not_found");
  });

  test("from someone on a call", () => {
    const sim = newSimulator();
    aliceCalls(sim, "bob");
    expect(refusalOf(sim, () => aliceCalls(sim, "dan"))).toBe("busy");
  });

  test("from someone suspended", () => {
    const sim = newSimulator();
    const act = () => sim.calls.internal({ from: "erin", to: extension.bob });
    expect(refusalOf(sim, act)).toBe("not_allowed");
  });
});

test("a suspended colleague without voicemail is not rung", () => {
  const sim = newSimulator();
  const call = aliceCalls(sim, "erin");
  expect(call.ringing()).toEqual([]);
  expect(call.record.outcome?.status).toBe("unanswered");
  expect(stream(sim).at(-1)).toBe("0 call.ended");
});

test("internal calls replay byte for byte", () => {
  const sim = newSimulator();
  const first = aliceCalls(sim, "bob");
  sim.advance("PT2S");
  first.answer("bob");
  first.hangup("alice");
  aliceCalls(sim, "sales");
  sim.runUntilIdle();
  expect(replay(sim.journal()).events.toJSONL()).toBe(sim.events.toJSONL());
});
