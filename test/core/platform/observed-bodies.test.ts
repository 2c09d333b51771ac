import { describe, expect, test } from "vitest";
import { createSimulator, type Simulator, type SimulatorOptions } from "../../../src/index.ts";
import { caller, dial, office } from "../../helpers.ts";

/**
 * The bodies of webhooks in the profile `observed`: the facts of docs/observed.md that they show. What the content is,
 * and what comes when, other tests say.
 */

const hook = "https://app.test/hooks";
const features = { recording: true, transcription: true };

// biome-ignore lint/suspicious/noExplicitAny: bodies of another shape than our records
type Body = any;

function play(act: (sim: Simulator) => void, options: SimulatorOptions = {}): Body[] {
  const sim = createSimulator({
    organisation: { ...sales, features },
    ids: "counter",
    profile: "observed",
    ...options,
  });
  sim.webhooks.create({ url: hook, events: ["*"] });
  act(sim);
  sim.runUntilIdle();
  return sim.network.requests.filter(({ to }) => to === hook).map(({ body }) => JSON.parse(body ?? ""));
}

/** The office, where everyone in Sales rings at once. */
const sales = {
  ...office,
  teams: office.teams.map((team) =>
    team.id === "sales" ? { ...team, members: [{ user: "carol" }, { user: "dan" }, { user: "erin" }] } : team,
  ),
};

const answered = (to: string, by: string) => (sim: Simulator) => {
  const call = sim.calls.inbound({ from: caller, to });
  sim.advance("PT5S");
  call.answer(by);
  sim.advance("PT1M");
  call.hangup("caller");
};

/** Sales, in the first event that has it. */
const teamOf = (bodies: readonly Body[]) => bodies.find(({ data }) => data.team?.id === "sales")?.data.team;
const firstOf = (bodies: readonly Body[], type: string) => bodies.find((each) => each.type === type);

describe("A body of the profile observed", () => {
  const bodies = play(answered(dial.alice, "alice"));

  test("has another wrapper, written compactly", () => {
    const [body] = bodies;
    expect(Object.keys(body)).toEqual([
      "id",
      "type",
      "created",
      "timestamp",
      "version",
      "organisationId",
      "data",
    ]);
    expect(body).toMatchObject({ type: "call.started", version: 1 });
    expect(Date.parse(body.created)).toBe(body.timestamp);
  });

  test("has parties named by their entries, with their connections, and dials without an end", () => {
    const { call, party } = firstOf(bodies, "call.hungup").data;
    const [outside, alice] = call.parties;
    expect(outside).toMatchObject({ id: caller, type: "phone", displayValue: caller });
    expect(alice).toMatchObject({ id: "alice", type: "user", displayValue: "Alice Ng" });
    expect(alice.connections).toHaveLength(1);
    expect(call).not.toHaveProperty("connections");
    expect(alice).not.toHaveProperty("displayName");
    expect(Object.keys(alice.dials[0])).toEqual([
      "reason",
      "endpoint",
      "dialAt",
      "dialTimestamp",
      "vendorCallIds",
    ]);
    expect(alice.dials[0].reason).toBe("directDial");
    expect([outside, alice]).toContainEqual(party);
  });

  test("has a user beside the assigned one, named by userId (fact 9)", () => {
    const { call } = firstOf(bodies, "call.answered").data;
    expect(call.status).toBe("started");
    expect(call.user).toEqual(call.assignedUser);
    expect(call.user).toMatchObject({ userId: "alice", email: "alice@acme.test" });
    for (const key of ["id", "displayName"]) expect(call.user).not.toHaveProperty(key);
  });

  test("names whoever dialled by id, and the number that was dialled (fact 9)", () => {
    const [{ data }] = play((sim) => sim.calls.outbound({ from: "alice", to: caller }));
    expect(data.call).toMatchObject({ direction: "outbound", initiator: "alice", recipient: caller });
    const [inbound] = bodies;
    expect(inbound.data.call).toMatchObject({ initiator: caller, recipient: dial.alice });
  });

  test("lacks what a live call does not have yet (fact 10)", () => {
    const [started] = bodies;
    const missing = ["endedAt", "answeredAt", "outcome", "duration", "waitTimeText", "voicemail", "tariff"];
    for (const key of missing) expect(started.data.call).not.toHaveProperty(key);
    expect(started.data.call.parties[0]).not.toHaveProperty("tariff");
    const { call } = firstOf(bodies, "call.ended").data;
    expect(call).toMatchObject({ outcome: { status: "answered" }, voicemail: null, tariff: null });
    expect(call.parties[0]).toHaveProperty("tariff", null);
  });

  test("has highlights, forms, a contact, and the vendor's id of each connection (fact 11)", () => {
    const { call } = firstOf(bodies, "call.ended").data;
    expect(call).toMatchObject({ highlights: [], forms: [], assignedContact: null });
    const ids = call.parties.flatMap(({ connections }: Body) =>
      connections.map(({ vendorCallId }: Body) => vendorCallId),
    );
    expect(ids).toEqual([call.vendorCallId, call.parties[1].dials[0].vendorCallIds[0]]);
    const [known] = play((sim) => {
      sim.phonebooks.put("customers", { contacts: [{ name: "Jo Park", phoneNumbers: [caller] }] });
      sim.calls.inbound({ from: caller, to: dial.alice });
    });
    expect(known.data.call.assignedContact).toEqual({
      name: "Jo Park",
      phoneNumbers: [{ label: null, numberRaw: caller, numberE164: caller, numberDisplay: "+64 2 155 5001" }],
    });
  });

  test("has numbers in three forms (fact 3), extensions as numbers and texts (fact 4), other users (fact 5)", () => {
    const { user } = firstOf(bodies, "user.availability.updated").data;
    expect(user).toMatchObject({
      extension: 101,
      location: "Auckland",
      teams: [],
      phoneNumbers: [{ numberE164: dial.alice, numberLocal: "095550101", numberDisplay: "+64 9 555 0101" }],
    });
    const team = teamOf(play(answered(dial.sales, "carol")));
    const members = team.teamMembers.map(({ extension }: Body) => typeof extension);
    expect(new Set([typeof team.extension, ...members])).toEqual(new Set(["string", "number"]));
    const [first] = team.phoneNumbers;
    expect(first ?? user.phoneNumbers[0]).toHaveProperty("numberLocal");
    for (const member of team.teamMembers.filter(({ email }: Body) => email !== undefined))
      expect(member.mobile).toBe(null);
  });

  test("has an availability with a time zone and an end, all of one instant in a team (fact 6)", () => {
    const { user } = firstOf(bodies, "user.availability.updated").data;
    expect(user.availability).toMatchObject({ timezone: user.timezone, endAt: null, endTimestamp: null });
    const team = teamOf(play(answered(dial.sales, "carol")));
    const instants = team.teamMembers.flatMap(({ availability }: Body) => availability?.statusAt ?? []);
    expect(instants.length).toBeGreaterThan(1);
    expect(new Set(instants).size).toBe(1);
  });

  test("says when somebody out of hours is back, and of who was invited nothing (fact 6)", () => {
    const day = [{ from: "09:00", to: "17:00" }];
    const hours = { monday: day, tuesday: day, wednesday: day, thursday: day, friday: day };
    const users = office.users.map((user) =>
      user.id === "alice"
        ? { ...user, workingHours: hours }
        : user.id === "carol"
          ? { ...user, status: "invited" as const }
          : user,
    );
    const changed = play((sim) => sim.advance("P1D"), { organisation: { ...office, users } });
    const ended = changed
      .filter(({ type }) => type === "user.availability.updated")
      .map(({ data }) => data.user.availability)
      .find(({ notAvailableRule }) => notAvailableRule === "outOfHours");
    expect(ended).toMatchObject({ availabilitySummary: "Offline", endTimestamp: Date.parse(ended.endAt) });
    expect(ended.endTimestamp).toBeGreaterThan(ended.statusTimestamp);
    const busy = play((sim) => sim.users.get("dan").setAvailability("busy"), {
      organisation: { ...office, users },
    });
    const invited = teamOf(busy).teamMembers.find(({ id }: Body) => id === "carol");
    expect(invited).toMatchObject({ status: "invited" });
    expect(invited).not.toHaveProperty("availability");
  });

  test("has other words (fact 7)", () => {
    const { user } = firstOf(bodies, "user.availability.updated").data;
    expect(user.availability.availabilitySummary).toBe("Alice Ng is on another call");
    expect(firstOf(bodies, "call.ended").data.call).toMatchObject({
      waitTimeText: "a few seconds",
      durationText: "a minute",
    });
    const team = teamOf(play(answered(dial.sales, "carol")));
    expect(team.availability.availabilitySummary).toMatch(/^\d of \d people available$/);
  });

  test("has key codes, and members without priority, endpoints and hasVoicemail (fact 8)", () => {
    const withKeys = {
      ...office,
      users: office.users.map((user) => ({ ...user, ...(user.id === "carol" && { ivrKey: "4" }) })),
    };
    const team = teamOf(play(answered(dial.sales, "carol"), { organisation: withKeys }));
    expect(team.teamMembers.find(({ id }: Body) => id === "carol")).toMatchObject({ ivrKeyCode: 4 });
    for (const member of team.teamMembers)
      for (const key of ["priority", "endpoints", "hasVoicemail", "ivrKey"])
        expect(member).not.toHaveProperty(key);
  });

  test("has a voicemail's URL for 6 hours, and how sure its transcription is (fact 12)", () => {
    const left = play((sim) => {
      const call = sim.calls.inbound({ from: caller, to: dial.bob });
      sim.advance("PT40S");
      call.leaveVoicemail({ duration: "PT10S", transcript: "Call me." });
    });
    const { call } = left.findLast(({ data }) => data.call !== undefined).data;
    expect(call.voicemail).toMatchObject({
      durationText: "a few seconds",
      transcription: "Call me.",
      transcriptionConfidence: 1,
    });
    const { recordingUrlExpiresTimestamp } = call.voicemail;
    expect(recordingUrlExpiresTimestamp - call.endedTimestamp).toBe(6 * 3_600_000);
  });

  test("says ANONYMOUS or null for a number that is withheld (fact 16)", () => {
    const [started] = play((sim) => sim.calls.inbound({ from: "anonymous", to: dial.alice }));
    const { call } = started.data;
    expect(call).toMatchObject({ contactNumber: "ANONYMOUS", initiator: "ANONYMOUS" });
    expect(call.parties[0].phoneNumber).toBe(null);
  });

  test("has contacts with labels, three forms of numbers, their company and their phonebook (fact 1)", () => {
    const shared = play((sim) => {
      sim.phonebooks.put("customers");
      sim.phonebooks.putContacts("customers", {
        id: "jo",
        name: "Jo Park",
        companyName: "Park Ltd",
        phoneNumbers: [{ written: "021 555 001", e164: caller, label: "mobile" }, "021 1"],
        emailAddresses: ["jo@park.test"],
      });
      const call = sim.calls.inbound({ from: caller, to: dial.alice });
      call.answer("alice");
      call.assignContact("jo", { by: "alice" });
    });
    expect(firstOf(shared, "contact.shared").data.contact).toEqual({
      id: "jo",
      name: "Jo Park",
      firstName: null,
      lastName: null,
      jobTitle: null,
      phonebookId: "customers",
      companyName: "Park Ltd",
      phoneNumbers: [
        {
          label: "mobile",
          numberRaw: "021 555 001",
          numberE164: caller,
          numberDisplay: "+64 2 155 5001",
        },
        { label: null, numberRaw: "021 1", numberE164: null, numberDisplay: "021 1" },
      ],
      emails: ["jo@park.test"],
    });
  });

  test("has the names of a dialect that is given", () => {
    const [body] = play(answered(dial.alice, "alice"), {
      dialect: { fieldNames: { contactNumber: "customerNumber" } },
    });
    expect(body).toMatchObject({ version: 1, data: { call: { customerNumber: caller } } });
    const [own] = play(answered(dial.alice, "alice"), { dialect: { write: ({ type }) => ({ type }) } });
    expect(own).toEqual({ type: "call.started" });
  });

  test("is the same in a replay of the journal, a fork, and each attempt", () => {
    const sim = createSimulator({ organisation: office, profile: "observed" });
    sim.webhooks.create({ url: hook, events: ["*"] });
    sim.network.route(hook, () => 503);
    answered(dial.alice, "alice")(sim);
    const texts = (of: Simulator) => of.network.requests.map(({ body }) => body);
    expect(texts(createSimulator({ organisation: office, profile: "observed" }))).toEqual([]);
    const fork = sim.fork();
    fork.network.route(hook, () => 503);
    sim.advance("PT1H");
    fork.advance("PT1H");
    expect(texts(fork)).toEqual(texts(sim));
    const byEvent = new Map<string, Set<string | null>>();
    for (const text of texts(sim)) {
      const { id } = JSON.parse(text ?? "");
      byEvent.set(id, (byEvent.get(id) ?? new Set()).add(text));
    }
    expect([...byEvent.values()].every((same) => same.size === 1)).toBe(true);
    expect(texts(sim).length).toBeGreaterThan(byEvent.size);
  });
});
