import { describe, expect, test } from "vitest";
import { createSimulator, replay } from "../../../src/index.ts";
import { dial, office, thrownBy } from "../../helpers.ts";
import { line, shop } from "./conversation-helpers.ts";

const newSimulator = (more = {}) => createSimulator({ organisation: { ...office, ...more }, ids: "counter" });
const newShop = () => createSimulator({ organisation: shop, ids: "counter" });

async function callsWith(sim: ReturnType<typeof createSimulator>, query: string) {
  const headers = { authorization: `Bearer ${sim.token()}` };
  const answer = await sim.fetch(`${sim.urls.api}/calls?${query}`, { headers });
  const body = (await answer.json()) as { calls: { id: string }[] };
  return { status: answer.status, ids: body.calls?.map(({ id }) => id) };
}

describe("a caller who withholds the number", () => {
  test("has no number and is named Anonymous, in the record, its summary and the notification", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: "anonymous", to: dial.bob });
    expect(call.record).toMatchObject({
      contactNumber: null,
      initiator: null,
      recipient: dial.bob,
      summary: { header: "Inbound call from Anonymous to Bob Tane", contactNumberDescription: "Anonymous" },
    });
    expect(call.record.parties[0]).toMatchObject({
      type: "external",
      phoneNumber: null,
      displayName: "Anonymous",
    });
    call.decline("bob");
    call.hangup("caller");
    expect(sim.notifications).toMatchObject([{ title: "Missed call from Anonymous", body: "Anonymous" }]);
  });

  test("talks, and is named in commands as the caller or as anonymous", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: "anonymous", to: dial.alice });
    call.answer("alice");
    call.hangup("anonymous");
    expect(call.record.outcome).toEqual({ status: "answered", reason: null });
    expect(sim.events.toTimeline()).toContain("Anonymous calls +6495550101");
    expect(sim.events.toTimeline()).toContain("Anonymous hangs up");
  });

  test("cannot be given a contact: there is no number to name", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: "anonymous", to: dial.alice });
    call.answer("alice");
    const contact = { name: "Jane", phoneNumbers: ["+6421555001"] };
    expect(thrownBy(() => call.assignContact(contact, { by: "alice" }))).toMatchObject({
      code: "not_allowed",
      message: expect.stringContaining("withheld"),
    });
  });

  test("is not sent to a data action", () => {
    const dataActions = { callInsights: "https://crm.test/insights", teamCall: "https://crm.test/team" };
    const sim = newSimulator({ dataActions });
    sim.calls.inbound({ from: "anonymous", to: dial.sales });
    sim.advance("PT1S");
    const [team, insights] = sim.network.requests;
    expect(JSON.parse(team?.body ?? "")).toMatchObject({ contactNumber: null });
    expect(new URL(insights?.to ?? "").searchParams.has("contactNumber")).toBe(false);
  });

  test("leaves a voicemail like anyone, and the run replays to the same bytes", () => {
    const sim = newSimulator({ features: { transcription: true, tariff: true } });
    const call = sim.calls.inbound({ from: "anonymous", to: dial.bob });
    call.decline("bob");
    call.leaveVoicemail({ duration: "PT10S", transcript: "Guess who" });
    sim.runUntilIdle();
    expect(sim.transcripts.segments("transcript-1")).toMatchObject([{ speaker: "Anonymous" }]);
    expect(replay(sim.journal()).events.toJSONL()).toBe(sim.events.toJSONL());
  });

  test.each([
    ["called", () => newSimulator().calls.outbound({ from: "alice", to: "anonymous" })],
    ["written to", () => send(newShop(), "anonymous")],
    ["heard from by message", () => receive(newShop(), "anonymous")],
    ["added to a call", () => addTo("anonymous")],
  ])("cannot be %s", (_what, act) => {
    expect(thrownBy(act)).toMatchObject({ name: "CommandError" });
  });
});

const send = (sim: ReturnType<typeof newShop>, to: string) =>
  sim.conversations.send({
    companyAddress: line.ann,
    contactAddresses: [to],
    messageContent: { text: "Hello" },
    routingAction: "assign_owner",
  });
const receive = (sim: ReturnType<typeof newShop>, from: string) =>
  sim.conversations.receive({ from, to: line.ann, text: "Hello" });
function addTo(target: string) {
  const call = newSimulator().calls.inbound({ from: "anonymous", to: dial.alice });
  call.answer("alice");
  call.add(target, { by: "alice" });
}

describe("a short code", () => {
  test.each(["123", "12345678"])("of three to eight digits may call: %s", async (from) => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from, to: dial.alice });
    expect(call.record.contactNumber).toBe(from);
    expect(call.record.parties[0]).toMatchObject({ phoneNumber: from, displayName: from });
    call.hangup("caller");
    expect(await callsWith(sim, `contactNumber=${from}`)).toEqual({ status: 200, ids: ["call-1"] });
  });

  test.each(["12", "123456789", "", "12a4", "Anonymous"])("cannot be %j", (from) => {
    expect(thrownBy(() => newSimulator().calls.inbound({ from, to: dial.alice }))).toMatchObject({
      code: "invalid_argument",
      message: expect.stringContaining("short code of 3 to 8 digits"),
    });
  });

  test("may write, and a reply to it is refused with 400", async () => {
    const sim = newShop();
    expect(receive(sim, "4711")).toMatchObject({ hasExistingConversation: false });
    expect(sim.conversations.list()).toMatchObject([
      { contactAddresses: ["4711"], participants: [{ displayName: "4711" }, { id: "ann" }] },
    ]);
    expect(thrownBy(() => send(sim, "4711"))).toMatchObject({
      code: "invalid_argument",
      details: [{ path: "contactAddresses[0]" }],
    });
  });

  test.each([
    ["called", () => newSimulator().calls.outbound({ from: "alice", to: "4711" })],
    ["dialled by a link", () => newSimulator().calls.dialLink({ user: "alice", contactNumber: "4711" })],
    ["added to a call", () => addTo("4711")],
  ])("cannot be %s", (_what, act) => {
    expect(thrownBy(act)).toMatchObject({ name: "CommandError" });
  });
});
