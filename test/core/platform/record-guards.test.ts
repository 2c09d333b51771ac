import { describe, expect, it } from "vitest";
import { createSimulator, demoOrganisation } from "../../../src/index.ts";
import { caller, dial, office, thrownBy } from "../../helpers.ts";

const textable = {
  ...office,
  numbers: office.numbers.map((each) => ({ ...each, sms: true })),
  devices: office.devices.map((each) => ({ ...each, outboundAllowed: false })),
};

describe("A refusal by the state of a record lists what the state allows", () => {
  const sim = createSimulator({ organisation: textable, ids: "counter" });
  const { conversationId } = sim.conversations.receive({ from: caller, to: dial.alice, text: "Hello" });
  sim.conversations.close(conversationId);

  it.each([
    ["closed again", () => sim.conversations.close(conversationId)],
    [
      "assigned a contact",
      () =>
        sim.command("assignConversationContact", { conversation: conversationId, contact: { name: "Jane" } }),
    ],
  ])("a conversation that is closed cannot be %s", (what, act) => {
    expect(thrownBy(act)).toMatchObject({
      code: "conversation_closed",
      message: `conversation conversation-1 is closed and cannot be ${what}: the next message begins another; allowed: readConversation and shareContact`,
    });
  });

  it("a job that is completed can only be removed", () => {
    const organisation = { ...demoOrganisation, features: { recording: true } };
    const sim = createSimulator({ organisation, ids: "counter" });
    const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    call.answer("alice");
    call.hangup("caller");
    const { data } = sim.runUntil("call.recording.available");
    const recordings = [{ id: data.recording.id }];
    const { id } = sim.analysis.create({ analyzer: "sentiment", content: { recordings } });
    sim.analysis.complete(id);
    expect(thrownBy(() => sim.analysis.complete(id))).toMatchObject({
      code: "not_allowed",
      message: "analysis analysis-1 is completed already: create another; allowed: removeAnalysis",
    });
    sim.analysis.remove(id);
    expect(sim.analysis.list()).toEqual([]);
  });

  it("a call without an outside number may have a note, and no contact", () => {
    const internal = sim.calls.internal({ from: "carol", to: "102" });
    const assign = () => internal.assignContact({ name: "Jane" }, { by: "carol" });
    expect(thrownBy(assign)).toMatchObject({
      code: "not_allowed",
      message: `call ${internal.id} is internal: it has no outside number to name; allowed: note`,
    });
    internal.note("Rang Bob", { by: "carol" });
    internal.hangup("carol");
    expect(thrownBy(assign)).toMatchObject({ message: expect.stringMatching(/; allowed: note$/) });
  });

  it("a device that may not dial out may call inside", () => {
    const from = "lobby";
    expect(thrownBy(() => sim.calls.outbound({ from, to: caller }))).toMatchObject({
      code: "not_allowed",
      message:
        "lobby may not dial outside numbers: set its outboundAllowed to true in the organisation; allowed: internal",
    });
    sim.calls.internal({ from, to: "101" }).hangup("lobby");
  });

  it("a record that is not there is named before its state", () => {
    expect(thrownBy(() => sim.conversations.close("nothing"))).toMatchObject({ code: "not_found" });
  });

  it("an endpoint on which nobody talks is unregistered, and one in use is not", () => {
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    call.answer("alice", { endpoint: "mobile" });
    const set = (endpoint: string, registered: boolean) =>
      sim.command("setEndpoint", { user: "alice", endpoint, registered });
    set("desktop", false);
    expect(thrownBy(() => set("mobile", false))).toMatchObject({
      code: "busy",
      message: `alice is on call ${call.id} at mobile: move the call or hang up before unregistering it`,
    });
    set("mobile", true);
  });
});
