import { describe, expect, test } from "vitest";
import { CommandError, createSimulator, replay, type Simulator } from "../../../src/index.ts";
import { isWhole } from "../../counts.ts";
import { caller, dial, office, startMs, stateOf, thrownBy } from "../../helpers.ts";

const newSimulator = () =>
  createSimulator({
    organisation: {
      ...office,
      phonebooks: [
        { id: "customers", contacts: [{ id: "jane", name: "Jane", phoneNumbers: [caller] }] },
        { id: "leads", name: "Leads", countryIso: "NZ" },
      ],
    },
    ids: "counter",
  });

const nameOfCaller = (sim: Simulator, to: string = dial.alice) =>
  sim.calls.inbound({ from: caller, to }).record.parties[0]?.displayName;
const idsIn = (sim: Simulator, phonebook: string) => sim.phonebooks.contacts(phonebook).map(({ id }) => id);

describe("phonebooks.get", () => {
  test("returns a handle with the current, deeply frozen record", () => {
    const sim = newSimulator();
    const handle = sim.phonebooks.get("customers");
    const before = handle.record;
    expect(before).toEqual({
      id: "customers",
      name: "customers",
      countryIso: null,
      createdAt: "2026-07-01T00:00:00.000Z",
      createdTimestamp: startMs,
      lastModifiedAt: "2026-07-01T00:00:00.000Z",
      lastModifiedTimestamp: startMs,
      contacts: [
        {
          id: "jane",
          name: "Jane",
          firstName: null,
          lastName: null,
          jobTitle: null,
          phoneNumbers: [caller],
          emailAddresses: [],
        },
      ],
    });
    expect(handle.record).toBe(before);
    for (const part of [before, before.contacts, before.contacts[0], before.contacts[0]?.phoneNumbers])
      expect(Object.isFrozen(part)).toBe(true);
    sim.advance("PT1S");
    sim.phonebooks.putContacts("customers", { id: "joe" });
    expect(handle.record.contacts).toHaveLength(2);
    expect(handle.record.lastModifiedTimestamp).toBe(startMs + 1_000);
    expect(handle.record.createdTimestamp).toBe(startMs);
    expect(before.contacts).toHaveLength(1);
  });

  test("finds a personal phonebook by its user's e-mail address in whatever case", () => {
    const sim = newSimulator();
    sim.phonebooks.put("Alice@ACME.test", { name: "Mine" });
    expect(sim.phonebooks.get("ALICE@acme.test").record).toMatchObject({
      id: "alice@acme.test",
      name: "Mine",
    });
  });

  test.each([
    ["an unknown phonebook", "friends", 'no phonebook is known as "friends"; known: customers, leads'],
    ["the e-mail address of no user", "zoe@acme.test", 'no user is known as "zoe@acme.test"'],
    ["a user without one", "bob@acme.test", "bob@acme.test has no personal phonebook yet"],
  ])("throws not_found for %s", (_what, id, message) => {
    const error = thrownBy(() => newSimulator().phonebooks.get(id));
    expect(error).toBeInstanceOf(CommandError);
    expect(error).toMatchObject({ code: "not_found" });
    expect((error as CommandError).message).toContain(message);
  });
});

describe("phonebooks.list", () => {
  test("lists all in order of creation", () => {
    const sim = newSimulator();
    sim.phonebooks.put("archive");
    expect(sim.phonebooks.list().map(({ id }) => id)).toEqual(["customers", "leads", "archive"]);
  });

  test("omits empty phonebooks with excludeEmpty", () => {
    const sim = newSimulator();
    expect(sim.phonebooks.list({ excludeEmpty: true }).map(({ id }) => id)).toEqual(["customers"]);
    sim.phonebooks.removeContact("customers", "jane");
    expect(sim.phonebooks.list({ excludeEmpty: true })).toEqual([]);
  });
});

describe("phonebooks.put", () => {
  test("replaces the whole phonebook: omitted fields get their defaults", () => {
    const sim = newSimulator();
    sim.advance("PT1S");
    sim.phonebooks.put("leads", { contacts: [{ id: "ana" }] });
    expect(sim.phonebooks.get("leads").record).toMatchObject({
      name: "leads",
      countryIso: null,
      createdTimestamp: startMs,
      lastModifiedTimestamp: startMs + 1_000,
      contacts: [{ id: "ana", name: "ana" }],
    });
    sim.phonebooks.put("customers");
    expect(idsIn(sim, "customers")).toEqual([]);
    expect(nameOfCaller(sim)).toBe(caller);
  });

  test("gives contacts without an id a unique one", () => {
    const sim = newSimulator();
    sim.phonebooks.put("leads", { contacts: [{ id: "contact-2" }, { name: "A" }, { name: "B" }] });
    expect(idsIn(sim, "leads")).toEqual(["contact-2", "contact-1", "contact-3"]);
  });

  test("leaves past calls unchanged; later calls show the new name", () => {
    const sim = newSimulator();
    const before = sim.calls.inbound({ from: caller, to: dial.alice });
    sim.phonebooks.put("customers", { contacts: [{ id: "jane", name: "Jane S.", phoneNumbers: [caller] }] });
    expect(before.record.parties[0]?.displayName).toBe("Jane");
    expect(nameOfCaller(sim, dial.bob)).toBe("Jane S.");
  });

  test("makes a personal phonebook that names only its user's callers", () => {
    const sim = newSimulator();
    sim.phonebooks.put("bob@acme.test", { contacts: [{ name: "Mum", phoneNumbers: [caller] }] });
    expect(nameOfCaller(sim, dial.bob)).toBe("Mum");
    expect(nameOfCaller(sim, dial.carol)).toBe("Jane");
  });

  test("copies its input", () => {
    const sim = newSimulator();
    const contact = { id: "ana", phoneNumbers: ["+6421555009"] };
    sim.phonebooks.put("leads", { contacts: [contact] });
    contact.phoneNumbers.push(caller);
    expect(sim.phonebooks.contact("leads", "ana").phoneNumbers).toEqual(["+6421555009"]);
    expect(sim.journal().entries[0]?.args).toMatchObject({
      phonebooks: [{ contacts: [{ phoneNumbers: ["+6421555009"] }] }],
    });
  });
});

describe("phonebooks.replace", () => {
  test("stores several and returns them in the given order", () => {
    const sim = newSimulator();
    const put = sim.phonebooks.replace([{ id: "vip", contacts: [{ id: "ana" }] }, { id: "leads" }]);
    expect(put.map(({ record }) => [record.id, record.contacts.length])).toEqual([
      ["vip", 1],
      ["leads", 0],
    ]);
  });

  test.each<[string, Parameters<Simulator["phonebooks"]["replace"]>[0], string, string]>([
    ["an unknown user", [{ id: "vip" }, { id: "zoe@acme.test" }], "not_found", "zoe@acme.test"],
    ["a phonebook twice", [{ id: "vip" }, { id: "vip" }], "invalid_argument", 'the id "vip" comes twice'],
    [
      "a user's twice, in other case",
      [{ id: "bob@acme.test" }, { id: "BOB@acme.test" }],
      "invalid_argument",
      'the id "bob@acme.test" comes twice',
    ],
    [
      "a contact twice",
      [
        { id: "vip", contacts: [{ name: "A" }] },
        { id: "x", contacts: [{ id: "a" }, { id: "a" }] },
      ],
      "invalid_argument",
      'the id "a" comes twice',
    ],
    [
      "a number that is empty",
      [{ id: "vip" }, { id: "x", contacts: [{ phoneNumbers: [""] }] }],
      "invalid_argument",
      "phonebooks[1].contacts[0].phoneNumbers[0]: expected text that is not empty",
    ],
  ])("changes nothing for %s", (_what, phonebooks, code, message) => {
    const sim = newSimulator();
    const before = stateOf(sim);
    const error = thrownBy(() => sim.phonebooks.replace(phonebooks));
    expect(error).toMatchObject({ code });
    expect((error as CommandError).message).toContain(message);
    expect(stateOf(sim)).toEqual(before);
    // no id was taken either
    expect(sim.phonebooks.putContacts("leads", { name: "A" })[0]?.id).toBe("contact-1");
  });
});

describe("phonebooks.putContacts", () => {
  test("appends new contacts and replaces existing ones in place", () => {
    const sim = newSimulator();
    sim.phonebooks.putContacts("leads", [{ id: "a" }, { id: "b", jobTitle: "Buyer" }, { id: "c" }]);
    const put = sim.phonebooks.putContacts("leads", [{ id: "d" }, { id: "b", firstName: "Ben" }]);
    expect(put.map(({ id, name }) => [id, name])).toEqual([
      ["d", "d"],
      ["b", "Ben"],
    ]);
    expect(idsIn(sim, "leads")).toEqual(["a", "b", "c", "d"]);
    expect(sim.phonebooks.contact("leads", "b").jobTitle).toBeNull();
  });

  test("removes the former numbers of a contact", () => {
    const sim = newSimulator();
    sim.phonebooks.putContacts("customers", { id: "jane", name: "Jane", phoneNumbers: ["+6421555009"] });
    expect(nameOfCaller(sim)).toBe(caller);
  });

  test("finds the contact that was added first if two have the same number", () => {
    const sim = newSimulator();
    sim.phonebooks.put("customers", {
      contacts: [
        { id: "a", name: "Ana" },
        { id: "b", name: "Ben", phoneNumbers: [caller, caller] },
      ],
    });
    sim.phonebooks.putContacts("customers", { id: "c", name: "Cas", phoneNumbers: [caller] });
    expect(nameOfCaller(sim)).toBe("Ben");
    sim.phonebooks.putContacts("customers", { id: "a", name: "Ana", phoneNumbers: [caller] });
    expect(nameOfCaller(sim, dial.bob)).toBe("Ana");
    sim.phonebooks.removeContact("customers", "a");
    sim.phonebooks.removeContact("customers", "b");
    expect(nameOfCaller(sim, dial.carol)).toBe("Cas");
  });

  test("throws not_found for an unknown phonebook and does not create it", () => {
    const sim = newSimulator();
    expect(thrownBy(() => sim.phonebooks.putContacts("vip", { id: "a" }))).toMatchObject({
      code: "not_found",
    });
    expect(sim.phonebooks.list()).toHaveLength(2);
  });

  test.runIf(isWhole)("adds twenty thousand contacts one by one, with a call after every hundredth", () => {
    const sim = createSimulator({ organisation: office, retain: { journal: false } });
    sim.phonebooks.put("customers");
    for (let index = 0; index < 20_000; index++) {
      const number = `+64${300_000_000 + index}`;
      sim.phonebooks.putContacts("customers", {
        id: `c${index}`,
        name: `C ${index}`,
        phoneNumbers: [number],
      });
      if (index % 100 > 0) continue;
      const call = sim.calls.inbound({ from: number, to: dial.alice });
      expect(call.record.parties[0]?.displayName).toBe(`C ${index}`);
      call.hangup("caller");
    }
    expect(sim.phonebooks.contacts("customers")).toHaveLength(20_000);
  });
});

describe("phonebooks.removeContact", () => {
  test("removes a contact; added again under the same id, it comes last", () => {
    const sim = newSimulator();
    sim.phonebooks.put("leads", { contacts: [{ id: "a" }, { id: "b" }] });
    sim.phonebooks.removeContact("leads", "a");
    expect(idsIn(sim, "leads")).toEqual(["b"]);
    sim.phonebooks.putContacts("leads", { id: "a" });
    expect(idsIn(sim, "leads")).toEqual(["b", "a"]);
  });

  test("throws not_found for a contact of another phonebook", () => {
    const error = thrownBy(() => newSimulator().phonebooks.removeContact("leads", "jane"));
    expect(error).toMatchObject({
      code: "not_found",
      message: expect.stringMatching(/^no contact of phonebook leads is known as "jane"; known: /),
    });
  });
});

describe("a run whose phonebooks change", () => {
  const change = (sim: Simulator) => {
    sim.phonebooks.put("vip", { contacts: [{ name: "Very", phoneNumbers: ["+6421555009"] }] });
    sim.phonebooks.putContacts("customers", [
      { name: "New" },
      { id: "jane", name: "J.", phoneNumbers: [caller] },
    ]);
    sim.phonebooks.removeContact("vip", sim.phonebooks.contacts("vip")[0]?.id ?? "");
    nameOfCaller(sim);
  };

  test("is equal in a replay", () => {
    const sim = newSimulator();
    change(sim);
    expect(stateOf(replay(JSON.stringify(sim.journal())))).toEqual(stateOf(sim));
  });

  test("continues independently in a fork", () => {
    const sim = newSimulator();
    sim.phonebooks.putContacts("customers", { name: "Old" });
    const [before, fork] = [stateOf(sim), sim.fork()];
    change(fork);
    expect(stateOf(sim)).toEqual(before);
    expect(nameOfCaller(sim.fork())).toBe("Jane");
    const after = stateOf(fork);
    change(sim);
    expect(stateOf(fork)).toEqual(after);
    expect(stateOf(sim)).toEqual(after);
  });
});
