import { describe, expect, test } from "vitest";
import { type CallHandle, createSimulator, type OrganisationInput, replay } from "../../../src/index.ts";
import { caller, dial, office, startMs, stateOf, thrownBy } from "../../helpers.ts";

const other = "+6421555009";

/** Alice knows `other` by her own phonebook, everybody knows Jane. */
const organisation = {
  ...office,
  phonebooks: [
    { id: "customers", contacts: [{ id: "jane", name: "Jane Smith", phoneNumbers: ["+6421555008"] }] },
    { id: "alice@acme.test", contacts: [{ id: "mum", name: "Mum", phoneNumbers: [other] }] },
  ],
} satisfies OrganisationInput;

/** A call that Alice answered and that ended a minute ago. */
function over(from = caller) {
  const sim = createSimulator({ organisation, ids: "counter" });
  const call = sim.calls.inbound({ from, to: dial.alice });
  call.answer("alice");
  sim.advance("PT10S");
  call.hangup("caller");
  sim.advance("PT1M");
  return { sim, call, mark: sim.events.mark() };
}

const typesSince = ({ sim, mark }: ReturnType<typeof over>) => sim.events.since(mark).map(({ type }) => type);

const outsideParty = (call: CallHandle) => call.record.parties.find(({ type }) => type === "external");

describe("a note", () => {
  test("is in the record with its author and time, and advances lastModified", () => {
    const { call } = over();
    call.note("Wants a quote.", { by: "bob@acme.test" });
    expect(call.record.notes).toEqual([
      {
        id: "note-1",
        text: "Wants a quote.",
        author: { userId: "bob", email: "bob@acme.test", displayName: "Bob Tane" },
        createdAt: "2026-07-01T00:01:10.000Z",
        createdTimestamp: startMs + 70_000,
      },
    ]);
    expect(call.record.lastModifiedTimestamp).toBe(startMs + 70_000);
    expect(call.record.endedTimestamp).toBe(startMs + 10_000);
  });

  test("emits no event", () => {
    const run = over();
    run.call.note("Wants a quote.", { by: "alice" });
    expect(typesSince(run)).toEqual([]);
    expect(run.sim.pending()).toEqual([]);
  });

  test("can be written during the call and is in later events", () => {
    const sim = createSimulator({ organisation });
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    call.note("Rings long.", { by: "alice" });
    call.hangup("caller");
    expect(sim.events.at(-1)?.data).toMatchObject({ call: { notes: [{ text: "Rings long." }] } });
  });

  test("is appended to earlier notes without changing past events", () => {
    const { sim, call } = over();
    const first = call.record;
    for (const text of ["One.", "Two."]) call.note(text, { by: "alice" });
    sim.advance("P30D");
    call.note("Three.", { by: "bob" });
    expect(call.record.notes.map(({ text }) => text)).toEqual(["One.", "Two.", "Three."]);
    expect(first.notes).toEqual([]);
    expect(Object.isFrozen(call.record.notes[0]?.author)).toBe(true);
  });

  test.each([
    ["by an unknown user", { by: "zoe", text: "Hm." }, "not_found"],
    ["by a device", { by: "lobby", text: "Hm." }, "not_found"],
    ["by the caller", { by: "caller", text: "Hm." }, "not_found"],
    ["without text", { by: "alice", text: "" }, "invalid_argument"],
  ])("%s is refused and changes nothing", (_which, { by, text }, code) => {
    const { sim, call } = over();
    const before = stateOf(sim);
    expect(thrownBy(() => call.note(text, { by }))).toMatchObject({ name: "CommandError", code });
    expect(stateOf(sim)).toEqual(before);
  });

  test("on a call that retain.calls dropped is refused with not_found", () => {
    const sim = createSimulator({ organisation, retain: { calls: 0 } });
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    call.hangup("caller");
    expect(thrownBy(() => call.note("Hm.", { by: "alice" }))).toMatchObject({ code: "not_found" });
  });

  test("is replayed and is shown in the timeline", () => {
    const { sim, call } = over();
    call.note("Wants a quote.", { by: "bob" });
    expect(replay(sim.journal()).calls.get(call.id).record).toEqual(call.record);
    expect(sim.events.toTimeline()).toContain('Bob Tane notes "Wants a quote."');
  });
});

describe("assigning a contact", () => {
  test("emits contact.shared, then with_add for an unknown number", () => {
    const run = over();
    run.call.assignContact({ firstName: "Ann", lastName: "Lee", jobTitle: "Buyer" }, { by: "bob" });
    expect(typesSince(run)).toEqual(["contact.shared", "call.contact_assigned_with_add"]);
    const contact = {
      id: "contact-1",
      name: "Ann Lee",
      firstName: "Ann",
      lastName: "Lee",
      jobTitle: "Buyer",
      phoneNumbers: [caller],
      emailAddresses: [],
    };
    const [shared, assigned] = run.sim.events.since(run.mark);
    expect(shared?.data).toEqual({
      contact,
      participants: [
        { type: "external", phoneNumber: caller, displayName: "Ann Lee" },
        { type: "user", id: "alice", displayName: "Alice Ng", email: "alice@acme.test" },
      ],
      channel: "call",
    });
    expect(assigned?.data).toEqual({ contact, call: { ...run.call.record, organisationId: "acme" } });
  });

  test("gives the outside party and the summary the contact's name, and advances lastModified", () => {
    const { call } = over();
    call.assignContact({ name: "Ann Lee" }, { by: "alice" });
    expect(outsideParty(call)?.displayName).toBe("Ann Lee");
    expect(call.record.summary).toEqual({
      header: "Inbound call from Ann Lee to Alice Ng",
      contactNumberDescription: `Ann Lee (${caller})`,
      companyNumberDescription: `Alice Ng (${dial.alice})`,
      outcome: "Answered by Alice Ng",
    });
    expect(call.record.lastModifiedTimestamp).toBe(startMs + 70_000);
  });

  test.each([
    ["a shared phonebook", "+6421555008", "bob"],
    ["the phonebook of the user who assigns", other, "alice"],
  ])("emits with_update for a number in %s", (_where, from, by) => {
    const run = over(from);
    run.call.assignContact({ name: "Ann Lee" }, { by });
    expect(typesSince(run)).toEqual(["contact.shared", "call.contact_assigned_with_update"]);
  });

  test("emits with_update the second time on the same call, and with_add on another call", () => {
    const run = over();
    const later = run.sim.calls.inbound({ from: caller, to: dial.bob });
    const mark = run.sim.events.mark();
    run.call.assignContact({ name: "Ann Lee" }, { by: "alice" });
    run.call.assignContact({ name: "Anna Lee" }, { by: "bob" });
    later.assignContact({ name: "Anna Lee" }, { by: "bob" });
    expect(
      run.sim.events
        .since(mark)
        .map(({ type }) => type)
        .filter((type) => type !== "contact.shared"),
    ).toEqual([
      "call.contact_assigned_with_add",
      "call.contact_assigned_with_update",
      "call.contact_assigned_with_add",
    ]);
  });

  test("leaves phonebooks unchanged: the number's next call has no name", () => {
    const { sim, call } = over();
    call.assignContact({ name: "Ann Lee" }, { by: "alice" });
    const next = sim.calls.inbound({ from: caller, to: dial.alice });
    expect(outsideParty(next)?.displayName).toBe(caller);
  });

  test("accepts the id of a phonebook's contact", () => {
    const { sim, call } = over();
    call.assignContact("jane", { by: "bob" });
    expect(sim.events.ofType("contact.shared")[0]?.data.contact).toMatchObject({
      id: "jane",
      name: "Jane Smith",
      phoneNumbers: ["+6421555008"],
    });
    expect(outsideParty(call)?.displayName).toBe("Jane Smith");
  });

  test("names the outside party of an outbound call", () => {
    const sim = createSimulator({ organisation });
    const call = sim.calls.outbound({ from: "alice", to: caller });
    call.answer(caller);
    call.assignContact({ name: "Ann Lee" }, { by: "alice" });
    expect(outsideParty(call)?.displayName).toBe("Ann Lee");
    expect(call.record.summary.header).toBe("Outbound call from Alice Ng to Ann Lee");
    call.hangup("alice");
    expect(call.record.summary.contactNumberDescription).toBe(`Ann Lee (${caller})`);
  });

  test("does not rename other outside parties", () => {
    const { sim } = over();
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    call.answer("alice");
    call.add(other, { by: "alice" });
    call.answer(other);
    call.assignContact({ name: "Ann Lee" }, { by: "alice" });
    expect(call.record.parties.map(({ displayName }) => displayName)).toEqual(["Ann Lee", "Alice Ng", other]);
  });

  test("lists neither devices nor voicemail as participants", () => {
    const sim = createSimulator({ organisation });
    const call = sim.calls.inbound({ from: caller, to: dial.lobby });
    call.answer("lobby");
    call.assignContact({ name: "Ann Lee" }, { by: "alice" });
    expect(sim.events.ofType("contact.shared")[0]?.data.participants).toEqual([
      { type: "external", phoneNumber: caller, displayName: "Ann Lee" },
    ]);
  });

  test.each<[string, Parameters<CallHandle["assignContact"]>, string]>([
    ["a contact of another user's phonebook", ["mum", { by: "bob" }], "not_found"],
    ["a contact without a name", [{ phoneNumbers: [caller] }, { by: "alice" }], "invalid_argument"],
    ["an empty number", [{ name: "Ann", phoneNumbers: [""] }, { by: "alice" }], "invalid_argument"],
    ["someone who is no user", [{ name: "Ann" }, { by: "lobby" }], "not_found"],
  ])("rejects %s and changes nothing", (_what, [contact, options], code) => {
    const { sim, call } = over();
    const before = stateOf(sim);
    expect(thrownBy(() => call.assignContact(contact, options))).toMatchObject({ code });
    expect(stateOf(sim)).toEqual(before);
  });

  test("is refused on an internal call", () => {
    const sim = createSimulator({ organisation });
    const call = sim.calls.internal({ from: "alice", to: "102" });
    expect(thrownBy(() => call.assignContact({ name: "Ann" }, { by: "alice" }))).toMatchObject({
      code: "not_allowed",
      message: expect.stringContaining("no outside number"),
    });
  });

  test("replays byte for byte, ids included", () => {
    const { sim, call } = over();
    call.assignContact({ name: "Ann Lee", lastName: null }, { by: "alice" });
    expect(replay(JSON.stringify(sim.journal())).events.toJSONL()).toBe(sim.events.toJSONL());
    expect(sim.events.toTimeline()).toContain("Alice Ng assigns the contact Ann Lee");
  });
});
