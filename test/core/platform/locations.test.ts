import { describe, expect, test } from "vitest";
import { createSimulator, replay } from "../../../src/index.ts";
import { caller, dial, office, stateOf, thrownBy } from "../../helpers.ts";

const newSimulator = () => createSimulator({ organisation: office, ids: "counter" });

describe("locations", () => {
  test("are listed and fetched with their records, unknown fields null", () => {
    const sim = newSimulator();
    const auckland = { id: "auckland", name: "Auckland", address: null, countryIso: "NZ", timezone: null };
    expect(sim.locations.list().map(({ record }) => record)).toEqual([auckland]);
    expect(sim.locations.get("auckland").record).toEqual(auckland);
    expect(Object.isFrozen(sim.locations.get("auckland").record)).toBe(true);
  });

  test("are created with the given id, or with a new unique one", () => {
    const sim = newSimulator();
    sim.locations.create({ id: "location-1", name: "London", timezone: "Europe/London" });
    expect(sim.locations.create({ name: "Paris", countryIso: "FR" }).id).toBe("location-2");
    expect(sim.locations.list().map(({ record }) => record.name)).toEqual(["Auckland", "London", "Paris"]);
    expect(sim.locations.get("location-1").record.timezone).toBe("Europe/London");
  });

  test("have their assigned users; a user has at most one location", () => {
    const sim = newSimulator();
    const london = sim.locations.create({ id: "london", name: "London" });
    const idsAt = (location: string) => sim.locations.users(location).map(({ id }) => id);
    expect(idsAt("auckland")).toEqual(["alice"]);
    sim.locations.addUser("london", "bob@acme.test");
    sim.locations.addUser("london", "alice");
    expect([idsAt("auckland"), idsAt("london")]).toEqual([[], ["alice", "bob"]]);
    expect(sim.users.get("bob").record.location).toEqual(london.record);
    sim.locations.removeUser("london", "bob");
    expect(sim.users.get("bob").record.location).toBeNull();
    expect(idsAt("london")).toEqual(["alice"]);
  });

  test("appear at once in the calls of the user, and emit no event", () => {
    const sim = newSimulator();
    const before = sim.calls.inbound({ from: caller, to: dial.bob });
    const mark = sim.events.mark();
    sim.locations.addUser("auckland", "bob");
    expect(sim.events.since(mark)).toEqual([]);
    expect(before.record.parties[1]?.location?.name).toBe("Auckland");
    const after = sim.calls.inbound({ from: caller, to: dial.bob });
    expect(after.record.parties[1]?.location?.name).toBe("Auckland");
  });

  test("change everywhere in a call's record when a user moves while the call rings", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.bob });
    sim.locations.addUser("auckland", "bob");
    call.answer("bob");
    const [answered] = sim.events.ofType("call.answered");
    expect(answered?.data.call.parties[1]?.location?.id).toBe("auckland");
    expect(answered?.data.call.assignedUser?.location?.id).toBe("auckland");
    sim.locations.removeUser("auckland", "bob");
    expect(call.record.assignedUser?.location).toBeNull();
    expect(answered?.data.call.assignedUser?.location?.id).toBe("auckland");
    call.hangup("bob");
    expect(sim.events.ofType("call.hungup").map(({ data }) => data.call.parties[1]?.location)).toEqual([
      null,
      null,
    ]);
  });

  test("of a closed call change with its next event, not before", () => {
    const sim = newSimulator();
    const call = sim.calls.inbound({ from: caller, to: dial.bob });
    call.answer("bob");
    call.hangup("bob");
    sim.locations.addUser("auckland", "bob");
    expect(call.record.assignedUser?.location).toBeNull();
    call.note("moved", { by: "bob" });
    expect(call.record.assignedUser?.location?.id).toBe("auckland");
    expect(call.record.parties[1]?.location?.id).toBe("auckland");
  });

  test("are new in the next message of a conversation", () => {
    const numbers = [{ number: dial.bob, owner: "bob", sms: true }];
    const sim = createSimulator({ organisation: { ...office, numbers }, ids: "counter" });
    const write = () => sim.conversations.receive({ from: caller, to: dial.bob, text: "Hello" });
    write();
    sim.locations.addUser("auckland", "bob");
    write();
    const places = sim.events
      .ofType("conversation.message.created")
      .map(({ data }) =>
        data.conversation.participants.flatMap((each) => (each.type === "user" ? [each.location?.id] : [])),
      );
    expect(places).toEqual([[undefined], ["auckland"]]);
  });

  test("change in a conversation for the user who moves, and for nobody else", () => {
    const numbers = [{ number: dial.sales, owner: "sales", sms: true }];
    const sim = createSimulator({ organisation: { ...office, numbers }, ids: "counter" });
    sim.conversations.receive({ from: caller, to: dial.sales, text: "Hello" });
    sim.locations.addUser("auckland", "carol");
    const places = sim.conversations
      .list()
      .flatMap(({ participants }) => participants)
      .flatMap((each) => (each.type === "user" ? [[each.id, each.location?.id]] : []));
    expect(places).toContainEqual(["carol", "auckland"]);
    expect(places).toContainEqual(["dan", undefined]);
  });

  test.each<[string, (sim: ReturnType<typeof newSimulator>) => unknown, string, string]>([
    ["get", (sim) => sim.locations.get("x"), "not_found", 'no location is known as "x"; known: auckland'],
    ["users", (sim) => sim.locations.users("x"), "not_found", 'no location is known as "x"'],
    ["addUser", (sim) => sim.locations.addUser("x", "bob"), "not_found", 'no location is known as "x"'],
    ["addUser", (sim) => sim.locations.addUser("auckland", "zoe"), "not_found", 'no user is known as "zoe"'],
    [
      "removeUser",
      (sim) => sim.locations.removeUser("auckland", "bob"),
      "not_found",
      "bob is not at auckland: bob has no location",
    ],
    [
      "create",
      (sim) => sim.locations.create({ id: "auckland", name: "Auckland" }),
      "conflict",
      'there is a location with the id "auckland" already',
    ],
    [
      "create",
      (sim) => sim.locations.create({ name: "Moon", timezone: "Moon/Base" }),
      "invalid_argument",
      "timezone: expected an IANA time zone",
    ],
  ])("%s rejects wrong input and changes nothing (%#)", (_what, act, code, message) => {
    const sim = newSimulator();
    const before = stateOf(sim);
    const error = thrownBy(() => act(sim)) as Error;
    expect(error).toMatchObject({ code });
    expect(error.message).toContain(message);
    expect(stateOf(sim)).toEqual(before);
  });

  test("are replayed, and a fork has its own", () => {
    const sim = newSimulator();
    const fork = sim.fork();
    sim.locations.create({ name: "London" });
    sim.locations.addUser("location-1", "alice");
    expect(stateOf(replay(sim.journal()))).toEqual(stateOf(sim));
    expect(fork.locations.list()).toHaveLength(1);
    expect(fork.users.get("alice").record.location?.id).toBe("auckland");
  });
});
