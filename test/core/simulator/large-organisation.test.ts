import { describe, expect, test } from "vitest";
import { createSimulator, InputError, type JournalDocument, replay } from "../../../src/index.ts";
import { inspectHtml } from "../../../src/inspector/index.ts";
import { isWhole } from "../../counts.ts";

const COUNT = 2_000;

const organisation = {
  id: "acme",
  users: Array.from({ length: COUNT }, (_, index) => ({
    id: `user-${index}`,
    email: `user-${index}@acme.test`,
    displayName: `User ${index}`,
    extension: String(10_000 + index),
    ...(index === 0 ? {} : { manager: `user-${index % 25 === 0 ? 0 : index - (index % 25)}` }),
  })),
  teams: Array.from({ length: COUNT / 25 }, (_, index) => ({
    id: `team-${index}`,
    displayName: `Team ${index}`,
    extension: String(50_000 + index),
    members: Array.from({ length: 25 }, (_, at) => ({ user: `user-${index * 25 + at}` })),
  })),
  numbers: Array.from({ length: COUNT }, (_, index) => ({
    number: `+649${5_000_000 + index}`,
    owner: `user-${index}`,
  })),
};

/** A call to one of two thousand, which goes on to a colleague of another team. */
function played() {
  const sim = createSimulator({ organisation, ids: "counter" });
  const call = sim.calls.inbound({ from: "+6421555001", to: "+6495000777" });
  sim.advance("PT5S");
  call.answer("user-777");
  call.transfer("11333", { by: "user-777" });
  call.answer("user-1333@acme.test");
  sim.advance("PT1M");
  call.hangup("caller");
  sim.advance("PT1H");
  return sim;
}

/** The journal that a page holds. */
function journalIn(page: string): JournalDocument {
  const [, data] = /<script[^>]*application\/json[^>]*>(.*?)<\/script>/s.exec(page) ?? [];
  return JSON.parse(data ?? "").runs[0].journal;
}

describe("A large organisation", () => {
  test("has the manager, numbers and teams of each user", () => {
    const sim = createSimulator({ organisation });
    expect(sim.users.get("user-777").record).toMatchObject({
      manager: { id: "user-775", displayName: "User 775", email: "user-775@acme.test" },
      phoneNumbers: ["+6495000777"],
      teams: [{ id: "team-31" }],
    });
  });

  test("lists at most twenty candidates for a wrong reference", () => {
    const users = organisation.users.map((user, index) =>
      index === 5 ? { ...user, manager: "nobody" } : user,
    );
    const create = () => createSimulator({ organisation: { ...organisation, users } });
    expect(create).toThrow(InputError);
    expect(create).toThrow(/no user has the id "nobody"; known: .{1,300} and 1980 others/);
  });

  test("appears on a page only with the people who take part, their teams and managers", () => {
    const sim = played();
    const journal = journalIn(inspectHtml(sim));
    const ids = journal.options.organisation.users?.map(({ id }) => id) ?? [];
    expect(ids).toEqual(expect.arrayContaining(["user-777", "user-1333", "user-775", "user-0"]));
    expect(ids.length).toBeLessThan(100);
    expect(replay(journal).events).toEqual(sim.events);
  });

  test.runIf(isWhole)("is embedded whole in a page if the run involves every user", () => {
    const sim = createSimulator({ organisation, ids: "counter" });
    for (const { id } of organisation.users) sim.users.get(id).setAvailability("offline");
    expect(journalIn(inspectHtml(sim)).options.organisation.users).toHaveLength(COUNT);
  });

  test("appears whole on a page if it is small", () => {
    const sim = createSimulator({ ids: "counter" });
    expect(journalIn(inspectHtml(sim))).toEqual(JSON.parse(JSON.stringify(sim.journal())));
  });
});
