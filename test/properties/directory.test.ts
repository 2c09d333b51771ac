import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSimulator, replay, type Simulator } from "../../src/index.ts";
import { options } from "./arbitraries.ts";
import { move } from "./moves/index.ts";
import { SetUserStatus } from "./moves/people.ts";
import { finish, Player } from "./play.ts";
import { checkEnd, checkState } from "./rules.ts";
import { always } from "./support.ts";

const ids = fc.constantFrom("a", "b", "c", "d");
const numbers = ["+6421555001", "+6421555002", "+6421555003"];
const phoneNumbers = fc.array(fc.constantFrom(...numbers), { maxLength: 3 });
const named = (id: string, hasName: boolean) => (hasName ? { id, name: `Name of ${id}` } : { id });
const contact = fc
  .tuple(ids, fc.boolean(), phoneNumbers)
  .map(([id, hasName, numbersOf]): Contact => ({ ...named(id, hasName), phoneNumbers: numbersOf }));
const contacts = fc.uniqueArray(contact, { selector: ({ id }) => id });
const book = fc.constantFrom("one", "two", "ann@shop.test");

type Contact = { readonly id: string; readonly name?: string; readonly phoneNumbers: string[] };
/** A model of phonebooks without an index: contacts in order. */
type Model = Map<string, Contact[]>;

const changes = fc.oneof(
  { weight: 2, arbitrary: fc.record({ put: book, contacts }) },
  { weight: 4, arbitrary: fc.record({ upsert: book, contacts }) },
  { weight: 3, arbitrary: fc.record({ removeFrom: book, id: ids }) },
  { weight: 1, arbitrary: fc.constant({ fork: true }) },
);
type Change = typeof changes extends fc.Arbitrary<infer T> ? T : never;

const shop = {
  id: "shop",
  numbers: [{ number: "+6495550101", owner: "ann" }],
  users: [{ id: "ann", email: "ann@shop.test", displayName: "Ann", extension: "1" }],
};

/** Makes a change in both. Returns the simulator to continue with. */
function change(sim: Simulator, model: Model, made: Change): Simulator {
  if ("fork" in made) return sim.fork();
  if ("put" in made) {
    sim.phonebooks.put(made.put, { contacts: made.contacts });
    model.set(made.put, [...made.contacts]);
  } else if ("upsert" in made) {
    const there = model.get(made.upsert);
    if (there === undefined) return sim;
    sim.phonebooks.putContacts(made.upsert, made.contacts);
    for (const each of made.contacts) {
      const at = there.findIndex(({ id }) => id === each.id);
      if (at < 0) there.push(each);
      else there[at] = each;
    }
  } else {
    const there = model.get(made.removeFrom);
    const at = there?.findIndex(({ id }) => id === made.id) ?? -1;
    if (at < 0) return sim;
    sim.phonebooks.removeContact(made.removeFrom, made.id);
    there?.splice(at, 1);
  }
  return sim;
}

const contactsOf = (sim: Simulator) =>
  sim.phonebooks
    .list()
    .map(({ id, record }) => [id, record.contacts.map((each) => [each.id, each.phoneNumbers])]);

/** The name that a call from each number shows. */
const namesIn = (sim: Simulator) =>
  numbers.map(
    (from) => sim.calls.inbound({ from, to: "+6495550101" }).record.parties[0]?.displayName ?? "nobody",
  );

describe("Phonebooks", () => {
  it("store contacts and name callers like a plain list, also in forks and replays", () => {
    always(100, fc.array(changes, { maxLength: 25, size: "max" }), (run) => {
      const model: Model = new Map();
      const sim = run.reduce(
        (each, made) => change(each, model, made),
        createSimulator({ organisation: shop }),
      );
      const expected = [...model].map(([id, list]) => [id, list.map((each) => [each.id, each.phoneNumbers])]);
      expect(contactsOf(sim)).toEqual(expected);
      const order = ["ann@shop.test", ...[...model.keys()].filter((id) => !id.includes("@"))];
      const all = order.flatMap((id) => model.get(id) ?? []);
      // a contact without a name is named by its number
      const names = numbers.map(
        (number) => all.find((each) => each.phoneNumbers.includes(number))?.name ?? number,
      );
      expect(contactsOf(replay(sim.journal()))).toEqual(expected);
      expect(namesIn(sim)).toEqual(names);
    });
  });
});

describe("A change of a user's status", () => {
  const status = SetUserStatus.drawn(fc.constant("possible"));

  it("keeps rings, timers and team totals consistent at any time", () => {
    const run = fc.array(fc.oneof({ weight: 3, arbitrary: move }, { weight: 1, arbitrary: status }), {
      maxLength: 50,
      size: "max",
    });
    always(100, fc.tuple(options, run), ([given, moves]) => {
      const { sim, play } = Player.on(createSimulator(given));
      for (const each of moves) {
        play(each);
        checkState(sim);
      }
      finish(sim);
      checkEnd(sim);
    });
  });
});
