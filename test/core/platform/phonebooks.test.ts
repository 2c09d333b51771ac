import { describe, expect, test } from "vitest";
import { createSimulator, type OrganisationInput } from "../../../src/index.ts";
import { caller, dial, office } from "../../helpers.ts";

type Phonebook = NonNullable<OrganisationInput["phonebooks"]>[number];

const book = (id: string, name: string, number = caller): Phonebook => ({
  id,
  contacts: [{ id: "contact", name, phoneNumbers: ["+6400000000", number] }],
});

/** The caller's name in a call, as the called person sees it. */
function nameIn(phonebooks: Phonebook[], to: string = dial.alice): string | undefined {
  const sim = createSimulator({ organisation: { ...office, phonebooks } });
  return sim.calls.inbound({ from: caller, to }).record.parties[0]?.displayName;
}

describe("a caller's name", () => {
  test("is the number if no contact has it", () => {
    expect(nameIn([])).toBe(caller);
    expect(nameIn([book("customers", "Jane", "+6421555999")])).toBe(caller);
  });

  test("is the contact's in a shared phonebook", () => {
    expect(nameIn([book("customers", "Jane Smith")])).toBe("Jane Smith");
  });

  test("is the contact's in the personal phonebook of the user who is called", () => {
    expect(nameIn([book("alice@acme.test", "Mum")])).toBe("Mum");
  });

  test("is found in a personal phonebook whatever the case of its e-mail address", () => {
    expect(nameIn([book("Alice@ACME.test", "Mum")])).toBe("Mum");
  });

  test("is the personal contact's if both kinds match", () => {
    expect(nameIn([book("customers", "Jane Smith"), book("alice@acme.test", "Mum")])).toBe("Mum");
  });

  test("is from the first of two shared phonebooks", () => {
    expect(nameIn([book("customers", "Jane Smith"), book("leads", "J. Smith")])).toBe("Jane Smith");
  });

  test("is the first of two contacts of one phonebook", () => {
    const contacts = [
      { id: "a", name: "Jane", phoneNumbers: [caller] },
      { id: "b", name: "Joan", phoneNumbers: [caller] },
    ];
    expect(nameIn([{ id: "customers", contacts }])).toBe("Jane");
  });

  test("is not taken from another user's personal phonebook", () => {
    expect(nameIn([book("bob@acme.test", "Mum")])).toBe(caller);
    expect(nameIn([book("bob@acme.test", "Mum"), book("customers", "Jane Smith")])).toBe("Jane Smith");
  });

  test("is taken from shared phonebooks only for a device", () => {
    expect(nameIn([book("alice@acme.test", "Mum")], dial.lobby)).toBe(caller);
    expect(nameIn([book("alice@acme.test", "Mum"), book("customers", "Jane Smith")], dial.lobby)).toBe(
      "Jane Smith",
    );
  });

  test.each<[object, string]>([
    [{ name: "Jane S.", firstName: "Jane", lastName: "Smith" }, "Jane S."],
    [{ firstName: "Jane", lastName: "Smith" }, "Jane Smith"],
    [{ firstName: "Jane", lastName: null }, "Jane"],
    [{ lastName: "Smith" }, "Smith"],
    [{}, caller],
  ])("of the contact jane with %j is %s", (names, expected) => {
    expect(nameIn([{ id: "customers", contacts: [{ id: "jane", ...names, phoneNumbers: [caller] }] }])).toBe(
      expected,
    );
  });

  test("without one is the number that they call from, not always the contact's first", () => {
    const contacts = [{ id: "jane", phoneNumbers: ["+6421555998", caller] }];
    expect(nameIn([{ id: "customers", contacts }])).toBe(caller);
  });

  test("is in the call's summary and in notifications", () => {
    const sim = createSimulator({
      organisation: { ...office, phonebooks: [book("customers", "Jane Smith")] },
    });
    const call = sim.calls.inbound({ from: caller, to: dial.alice });
    sim.runUntilIdle();
    expect(call.record.summary).toMatchObject({
      header: "Inbound call from Jane Smith to Alice Ng",
      contactNumberDescription: `Jane Smith (${caller})`,
    });
    expect(sim.notifications[0]?.title).toBe(`Missed call from Jane Smith (${caller})`);
    expect(call.record.contactNumber).toBe(caller);
  });
});
