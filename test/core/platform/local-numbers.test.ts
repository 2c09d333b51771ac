import { describe, expect, test } from "vitest";
import {
  createSimulator,
  type PhoneNumberReader,
  parseScenario,
  replay,
  runScenario,
  type SimulatorOptions,
} from "../../../src/index.ts";
import { readPhoneNumber } from "../../../src/phone-numbers/index.ts";
import { caller, dial, office, stateOf, thrownBy } from "../../helpers.ts";

const local = "021 555 001";
const jane = { id: "jane", name: "Jane", phoneNumbers: [local] };

interface Countries {
  readonly ofPhonebook?: string;
  readonly ofOrganisation?: string;
}

function newSimulator({ ofPhonebook, ofOrganisation }: Countries, options: SimulatorOptions = {}) {
  return createSimulator({
    organisation: {
      ...office,
      ...(ofOrganisation === undefined ? {} : { countryIso: ofOrganisation }),
      phonebooks: [
        {
          id: "customers",
          contacts: [jane],
          ...(ofPhonebook === undefined ? {} : { countryIso: ofPhonebook }),
        },
      ],
    },
    ids: "counter",
    phoneNumbers: readPhoneNumber,
    ...options,
  });
}

const nameOf = (sim: ReturnType<typeof createSimulator>, from = caller) =>
  sim.calls.inbound({ from, to: dial.alice }).record.parties[0]?.displayName;

describe("a contact's local number", () => {
  test.each<[string, Countries, string]>([
    ["the phonebook's country", { ofPhonebook: "NZ" }, "Jane"],
    ["the organisation's country where the phonebook has none", { ofOrganisation: "nz" }, "Jane"],
    ["the phonebook's country first", { ofPhonebook: "NZ", ofOrganisation: "GB" }, "Jane"],
    ["no other country", { ofPhonebook: "GB", ofOrganisation: "NZ" }, caller],
    ["no country at all", {}, caller],
  ])("is read by %s", (_what, countries, expected) => {
    expect(nameOf(newSimulator(countries))).toBe(expected);
  });

  test("matches nobody without a reader", () => {
    const sim = createSimulator({
      organisation: {
        ...office,
        countryIso: "NZ",
        phonebooks: [{ id: "customers", countryIso: "NZ", contacts: [jane] }],
      },
    });
    expect(nameOf(sim)).toBe(caller);
    expect(sim.phonebooks.contact("customers", "jane").phoneNumbers).toEqual([local]);
  });

  test("is returned as it was written", () => {
    const sim = newSimulator({ ofPhonebook: "NZ" });
    expect(sim.phonebooks.contact("customers", "jane").phoneNumbers).toEqual([local]);
  });

  test.each(["call reception", "12", "021 55", "+64 0"])(
    "that cannot be read, such as %s, is kept as text",
    (number) => {
      const sim = newSimulator({ ofPhonebook: "NZ" });
      sim.phonebooks.putContacts("customers", { id: "jane", name: "Jane", phoneNumbers: [number] });
      expect(sim.phonebooks.contact("customers", "jane").phoneNumbers).toEqual([number]);
      expect(nameOf(sim)).toBe(caller);
    },
  );

  test("with a plus and spaces needs no country", () => {
    const sim = newSimulator({});
    sim.phonebooks.putContacts("customers", { id: "jane", name: "Jane", phoneNumbers: ["+64 21 555 001"] });
    expect(nameOf(sim)).toBe("Jane");
  });

  test("gives a contact without a name the number that calls", () => {
    const sim = newSimulator({ ofPhonebook: "NZ" });
    sim.phonebooks.putContacts("customers", { id: "jane", phoneNumbers: [local] });
    expect(sim.phonebooks.contact("customers", "jane").name).toBe(local);
    expect(nameOf(sim)).toBe(caller);
  });

  test("is read anew when the phonebook gets another country", () => {
    const sim = newSimulator({ ofPhonebook: "NZ" });
    sim.phonebooks.put("customers", { countryIso: "GB", contacts: [jane] });
    expect(nameOf(sim)).toBe(caller);
    sim.phonebooks.put("customers", { countryIso: "NZ", contacts: [jane] });
    expect(nameOf(sim)).toBe("Jane");
  });

  test("no longer finds a contact that has another number now, or is removed", () => {
    const sim = newSimulator({ ofPhonebook: "NZ" });
    sim.phonebooks.putContacts("customers", { ...jane, phoneNumbers: ["021 555 002"] });
    expect(nameOf(sim)).toBe(caller);
    expect(nameOf(sim, "+6421555002")).toBe("Jane");
    sim.phonebooks.removeContact("customers", "jane");
    expect(nameOf(sim, "+6421555002")).toBe("+6421555002");
  });

  test("that clients of the REST API put is read too", async () => {
    const sim = newSimulator({ ofPhonebook: "NZ" });
    const answer = await sim.fetch("/phonebooks/customers/contacts/joe", {
      method: "PUT",
      headers: { authorization: `Bearer ${sim.token()}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "Joe", phoneNumbers: ["021 555 009"] }),
    });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({ phoneNumbers: ["021 555 009"] });
    expect(nameOf(sim, "+6421555009")).toBe("Joe");
  });

  test("finds the participant of a group conversation that it is assigned to", () => {
    const sim = createSimulator({ phoneNumbers: readPhoneNumber, ids: "counter" });
    const { conversationId: id } = sim.conversations.receive({
      from: "+6421555001",
      others: ["+6421555009"],
      to: "+6495550100",
      text: "hi",
      channel: "sms",
    });
    const others = () => sim.conversations.get(id).participants.map(({ displayName }) => displayName);
    expect(() => sim.conversations.assignContact(id, { name: "Joe", phoneNumbers: ["021 555 009"] })).toThrow(
      "Joe has none of the numbers",
    );
    const local = { written: "021 555 009", e164: "+6421555009" };
    sim.conversations.assignContact(id, { name: "Joe", phoneNumbers: [local] });
    expect(others()).toContain("Joe");
  });
});

describe("a reader of numbers", () => {
  const reader: PhoneNumberReader = (number) => (number === "front desk" ? caller : undefined);

  test("may be any function", () => {
    const sim = newSimulator({}, { phoneNumbers: reader });
    sim.phonebooks.putContacts("customers", { id: "desk", name: "Desk", phoneNumbers: ["front desk"] });
    expect(nameOf(sim)).toBe("Desk");
  });

  test("gets each local number with its country, and no number in E.164", () => {
    const asked: unknown[] = [];
    const phoneNumbers: PhoneNumberReader = (...args) => void asked.push(args);
    const sim = newSimulator({ ofPhonebook: "NZ" }, { phoneNumbers });
    sim.phonebooks.putContacts("customers", { phoneNumbers: [caller, "021 1"] });
    expect(asked).toEqual([
      [local, "NZ"],
      ["021 1", "NZ"],
    ]);
  });

  test("that returns no E.164 is an error, and nothing changes", () => {
    const sim = newSimulator({}, { phoneNumbers: (number) => (number === local ? undefined : "0215") });
    const before = stateOf(sim);
    expect(
      thrownBy(() => sim.phonebooks.putContacts("customers", { phoneNumbers: ["021 5"] })),
    ).toMatchObject({
      name: "InputError",
      message:
        'phoneNumbers: expected a function that returns a number in E.164, such as "+6495550100", or undefined; for "021 5" it returned "0215"',
    });
    expect(stateOf(sim)).toEqual(before);
  });

  test("must be a function", () => {
    // @ts-expect-error
    expect(() => createSimulator({ phoneNumbers: "NZ" })).toThrow(
      'phoneNumbers: expected a function, such as readPhoneNumber of ringback/phone-numbers, got "NZ"',
    );
  });

  test("is not needed to replay: the journal holds what was read", () => {
    const sim = newSimulator({ ofPhonebook: "NZ" });
    sim.phonebooks.putContacts("customers", { id: "joe", name: "Joe", phoneNumbers: ["021 555 009"] });
    nameOf(sim);
    nameOf(sim, "+6421555009");
    const again = replay(JSON.stringify(sim.journal()));
    expect(again.events.toJSONL()).toBe(sim.events.toJSONL());
    expect(again.phonebooks.contacts("customers")).toEqual(sim.phonebooks.contacts("customers"));
  });

  test("reads new contacts after a replay if it is given again", () => {
    const journal = newSimulator({ ofPhonebook: "NZ" }).journal();
    const joe = { id: "joe", name: "Joe", phoneNumbers: ["021 555 009"] };
    for (const [options, expected] of [
      [{}, "+6421555009"],
      [{ phoneNumbers: readPhoneNumber }, "Joe"],
    ] as const) {
      const sim = replay(journal, options);
      sim.phonebooks.putContacts("customers", joe);
      expect(nameOf(sim, "+6421555009")).toBe(expected);
    }
  });

  test("stays with forks, with earlier instants and with a restart", () => {
    const sim = newSimulator({ ofPhonebook: "NZ" });
    sim.advance("PT1S");
    for (const each of [sim.fork(), sim.at(sim.startTimestamp), sim.restart()]) {
      each.phonebooks.putContacts("customers", { id: "joe", name: "Joe", phoneNumbers: ["021 555 009"] });
      expect(nameOf(each, "+6421555009")).toBe("Joe");
    }
  });

  test("is not shared between simulators of one organisation", () => {
    const organisation = { ...office, phonebooks: [{ id: "customers", countryIso: "NZ", contacts: [jane] }] };
    const names = [readPhoneNumber, undefined, reader, readPhoneNumber].map((phoneNumbers) =>
      nameOf(createSimulator({ organisation, ...(phoneNumbers === undefined ? {} : { phoneNumbers }) })),
    );
    expect(names).toEqual(["Jane", caller, caller, "Jane"]);
  });

  test("is an option of parseScenario", () => {
    const text = `
scenario: A caller with a local number
organisation:
  id: acme
  numbers: [{ number: "+6495550101", owner: alice }]
  users: [{ id: alice, email: alice@acme.test, displayName: Alice, extension: "101" }]
  phonebooks: [{ id: customers, countryIso: NZ, contacts: [{ id: jane, name: Jane, phoneNumbers: ["021 555 001"] }] }]
steps:
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
  - { at: PT0S, putContacts: { phonebook: customers, contacts: [{ id: joe, name: Joe, phoneNumbers: ["021 555 009"] }] } }
  - { at: PT1S, inbound: { as: c2, from: "+6421555009", to: "+6495550101" } }
`;
    const namesIn = (phoneNumbers?: PhoneNumberReader) =>
      runScenario(parseScenario(text, { phoneNumbers }))
        .simulator.calls.list()
        .map(({ record }) => record.parties[0]?.displayName);
    expect(namesIn()).toEqual(["+6421555001", "+6421555009"]);
    expect(namesIn(readPhoneNumber)).toEqual(["Jane", "Joe"]);
  });
});

describe("readPhoneNumber", () => {
  test.each<[string, string | undefined, string | undefined]>([
    ["021 555 001", "NZ", "+6421555001"],
    ["(021) 555-001", "NZ", "+6421555001"],
    ["00 64 21 555 001", "NZ", "+6421555001"],
    ["020 7946 0018", "GB", "+442079460018"],
    ["(212) 555-0100", "US", "+12125550100"],
    ["+64 21 555 001", undefined, "+6421555001"],
    ["021 555 001 ext. 5", "NZ", "+6421555001"],
    ["021 555 001", undefined, undefined],
    ["021 555 001", "ZZ", undefined],
    ["my number is 021 555 001", "NZ", undefined],
    ["021 555 001 002 003", "NZ", undefined],
    ["111", "NZ", undefined],
    ["", "NZ", undefined],
  ])("reads %j in %s as %s", (number, country, expected) => {
    expect(readPhoneNumber(number, country)).toBe(expected);
  });
});
