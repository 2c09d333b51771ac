import { describe, expect, test } from "vitest";
import { createSimulator, replay } from "../../../src/index.ts";
import { ask, newSimulator, pbxOrganisation, playCalls } from "./support.ts";

type Sim = ReturnType<typeof newSimulator>;

/** The ids on every page, one list a page. `between` happens after each. */
async function pagesOf(sim: Sim, path: string, name: string, between: (page: number) => unknown = () => {}) {
  const pages: string[][] = [];
  let next = "";
  do {
    const url = `${path}${path.includes("?") ? "&" : "?"}next=${encodeURIComponent(next)}`;
    const { status, body } = await ask(sim, "GET", url);
    expect(status).toBe(200);
    pages.push(body[name].map(({ id }: { id: string }) => id));
    next = body.meta.next;
    await between(pages.length);
  } while (next !== "" && pages.length < 100);
  return pages;
}

const ids = (kind: string, from: number, to: number) =>
  Array.from(
    { length: Math.abs(to - from) + 1 },
    (_, index) => `${kind}-${from + Math.sign(to - from) * index}`,
  );

describe("The list of calls", () => {
  test("is sorted oldest first, in pages of the given limit", async () => {
    const sim = newSimulator();
    playCalls(sim, 5);
    expect(await pagesOf(sim, "/calls?limit=2", "calls")).toEqual([
      ["call-1", "call-2"],
      ["call-3", "call-4"],
      ["call-5"],
    ]);
  });

  test("has no empty page after a full last page", async () => {
    const sim = newSimulator();
    playCalls(sim, 4);
    expect(await pagesOf(sim, "/calls?limit=2", "calls")).toHaveLength(2);
  });

  test("has 100 calls per page by default, and at most 1000", async () => {
    const sim = newSimulator();
    playCalls(sim, 101);
    expect((await pagesOf(sim, "/calls", "calls")).map((page) => page.length)).toEqual([100, 1]);
    expect((await pagesOf(sim, "/calls?limit=1000", "calls")).map((page) => page.length)).toEqual([101]);
  });

  test.each(["asc", "desc", "ascending", "descending"])(
    "neither repeats nor skips a call while calls are added and changed: %s",
    async (order) => {
      const sim = newSimulator();
      playCalls(sim, 6);
      const pages = await pagesOf(sim, `/calls?limit=2&sortOrder=${order}`, "calls", (page) => {
        sim.calls.get(`call-${page}`).note("changed", { by: "alice" });
        if (page < 3) playCalls(sim, 1);
      });
      const seen = pages.flat();
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toEqual(order.startsWith("asc") ? ids("call", 1, 8) : ids("call", 6, 1));
    },
  );

  test("continues after retention has dropped listed calls", async () => {
    const sim = createSimulator({ ids: "counter", retain: { calls: 4 } });
    playCalls(sim, 4);
    const pages = await pagesOf(sim, "/calls?limit=2", "calls", (page) => page === 1 && playCalls(sim, 3));
    expect(pages.flat()).toEqual(["call-1", "call-2", ...ids("call", 4, 7)]);
  });

  test("omits live calls, whatever is asked", async () => {
    const sim = newSimulator();
    playCalls(sim, 1);
    sim.calls.inbound({ from: "+6421555001", to: "+6495550102" });
    expect((await pagesOf(sim, "/calls", "calls")).flat()).toEqual(["call-1"]);
    expect((await pagesOf(sim, "/calls?includeActive=true", "calls")).flat()).toEqual(["call-1"]);
    expect(sim.rest.requests.at(-1)?.ignored).toEqual(["includeActive"]);
    expect(sim.calls.list()).toHaveLength(2);
  });

  test("omits a live call that can be read by its id", async () => {
    const sim = newSimulator();
    const { id } = sim.calls.inbound({ from: "+6421555001", to: "+6495550102" });
    expect((await pagesOf(sim, "/calls", "calls")).flat()).toEqual([]);
    expect(await ask(sim, "GET", `/calls/${id}`)).toMatchObject({ status: 200, body: { id, endedAt: null } });
  });

  test("is filtered by start, with the earlier bound included and the later excluded", async () => {
    const sim = newSimulator();
    const start = sim.timestamp;
    playCalls(sim, 4);
    const since = start + 60_000;
    const before = start + 180_000;
    expect((await pagesOf(sim, `/calls?since=${since}&before=${before}`, "calls")).flat()).toEqual([
      "call-2",
      "call-3",
    ]);
  });

  test("lists a call again by modified when a note is added", async () => {
    const sim = newSimulator();
    playCalls(sim, 3);
    sim.advance("PT10M");
    const { timestamp } = sim;
    expect((await pagesOf(sim, `/calls?modified=${timestamp}`, "calls")).flat()).toEqual([]);
    sim.calls.get("call-2").note("late", { by: "alice" });
    expect((await pagesOf(sim, `/calls?modified=${timestamp}`, "calls")).flat()).toEqual(["call-2"]);
  });

  test("is filtered by the outside number", async () => {
    const sim = newSimulator();
    playCalls(sim, 1, "+6421555001");
    playCalls(sim, 1, "+6421555002");
    const number = encodeURIComponent("+6421555002");
    expect((await pagesOf(sim, `/calls?contactNumber=${number}`, "calls")).flat()).toEqual(["call-2"]);
    playCalls(sim, 1, "12345");
    sim.calls.internal({ from: "alice", to: "102" }).hangup("alice");
    expect((await pagesOf(sim, "/calls?contactNumber=12345", "calls")).flat()).toEqual(["call-3"]);
    expect((await pagesOf(sim, "/calls?contactNumber=102", "calls")).flat()).toEqual(["call-4"]);
  });

  test("with limit 0 is empty and links to the first page", async () => {
    const sim = newSimulator();
    playCalls(sim, 1);
    const { body } = await ask(sim, "GET", "/calls?limit=0");
    expect(body.calls).toEqual([]);
    expect(body.meta.next).not.toBe("");
    const next = await ask(sim, "GET", `/calls?next=${body.meta.next}`);
    expect(next.body.calls).toHaveLength(1);
  });
});

describe("A cursor", () => {
  async function cursorOf(sim: Sim, path = "/calls?limit=1"): Promise<string> {
    return (await ask(sim, "GET", path)).body.meta.next;
  }

  test.each([
    ["another list", "/phonebooks?limit=1"],
    ["another order", "/calls?limit=1&sortOrder=desc"],
  ])("is refused for %s", async (_, path) => {
    const sim = newSimulator();
    playCalls(sim, 3);
    const answer = await ask(sim, "GET", `${path}&next=${await cursorOf(sim)}`);
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: "next" }] } });
  });

  test.each(["nonsense", "AAAA", "%F0%9F%98%80", "bm9wZQ=="])(
    "that the simulator did not issue is rejected: %s",
    async (next) => {
      expect((await ask(newSimulator(), "GET", `/calls?next=${next}`)).status).toBe(400);
    },
  );

  test("of another seed is rejected, and one of a replay accepted", async () => {
    const sim = newSimulator();
    playCalls(sim, 3);
    const next = await cursorOf(sim);
    const other = createSimulator({ organisation: pbxOrganisation, seed: 2 });
    expect((await ask(other, "GET", `/calls?limit=1&next=${next}`)).status).toBe(400);
    expect((await ask(replay(sim.journal()), "GET", `/calls?limit=1&next=${next}`)).status).toBe(200);
  });

  test("works without the parameters that it was made with", async () => {
    const sim = newSimulator();
    playCalls(sim, 2, "+6421555002");
    playCalls(sim, 5);
    const next = await cursorOf(sim, "/calls?limit=2&sortOrder=descending&contactNumber=%2B6421555001");
    const second = await ask(sim, "GET", `/calls?next=${next}`);
    expect(second.body.calls.map(({ id }: { id: string }) => id)).toEqual(["call-5", "call-4"]);
    const third = await ask(sim, "GET", `/calls?next=${second.body.meta.next}`);
    expect(third.body).toMatchObject({ calls: [{ id: "call-3" }], meta: { next: "" } });
  });

  test.each(["limit=2", "sortOrder=ascending", "sortOrder=asc&limit=2&colour=red"])(
    "may be combined with equal parameters: %s",
    async (same) => {
      const sim = newSimulator();
      playCalls(sim, 3);
      const { body } = await ask(sim, "GET", `/calls?${same}&next=${await cursorOf(sim, "/calls?limit=2")}`);
      expect(body.calls).toHaveLength(1);
    },
  );

  test("continues with another limit, without repeating or leaving out an item", async () => {
    const sim = newSimulator();
    playCalls(sim, 6);
    const ids = (body: { calls: { id: string }[] }) => body.calls.map(({ id }) => id);
    const second = await ask(sim, "GET", `/calls?limit=3&next=${await cursorOf(sim, "/calls?limit=2")}`);
    expect(ids(second.body)).toEqual(["call-3", "call-4", "call-5"]);
    const none = await ask(sim, "GET", `/calls?limit=0&next=${second.body.meta.next}`);
    expect(ids(none.body)).toEqual([]);
    const last = await ask(sim, "GET", `/calls?next=${none.body.meta.next}`);
    expect(ids(last.body)).toEqual(["call-6"]);
    expect(last.body.meta.next).toBe("");
  });

  test.each(["limit=1001", "limit=-1", "limit=1.5"])(
    "is refused with a limit that is none: %s",
    async (limit) => {
      const sim = newSimulator();
      playCalls(sim, 3);
      expect((await ask(sim, "GET", `/calls?${limit}&next=${await cursorOf(sim)}`)).status).toBe(400);
    },
  );

  test("carries the page's limit", async () => {
    const sim = newSimulator();
    playCalls(sim, 6);
    const second = await ask(sim, "GET", `/calls?limit=2&next=${await cursorOf(sim)}`);
    const third = await ask(sim, "GET", `/calls?next=${second.body.meta.next}`);
    expect(third.body.calls).toHaveLength(2);
  });

  test.each(["sortOrder=desc", "since=0", "contactNumber=100"])(
    "is refused with a different parameter: %s",
    async (other) => {
      const sim = newSimulator();
      playCalls(sim, 3);
      const { status, body } = await ask(sim, "GET", `/calls?${other}&next=${await cursorOf(sim)}`);
      expect(status).toBe(400);
      expect(body.message).toContain(other.split("=")[0]);
    },
  );

  test.each([
    ["/phonebooks?limit=1", "/phonebook"],
    ["/phonebook?limit=1", "/phonebooks"],
    ["/phonebooks/customers/contacts?limit=1", "/phonebook/customers/contact"],
  ])("of %s is accepted at %s", async (path, twin) => {
    const sim = newSimulator();
    const { status, body } = await ask(sim, "GET", `${twin}?next=${await cursorOf(sim, path)}`);
    expect(status).toBe(200);
    expect([body.phonebooks ?? body.contacts].flat()).toHaveLength(1);
  });
});

describe("A list whose entries can be removed", () => {
  test("skips nothing if a page's last entry is removed and added again at the same instant", async () => {
    const sim = newSimulator();
    const { devices } = sim.trunks.get("pbx");
    const add = (id: string) => devices.add({ id, displayName: id, extension: `71${id}` });
    for (const id of ["1", "2", "3", "4"]) add(id);
    const pages = await pagesOf(sim, "/trunks/pbx/trunkDevices?limit=2", "trunkDevices", (page) => {
      if (page > 1) return;
      devices.remove("1");
      add("1");
    });
    expect(pages.flat()).toEqual(["gate", "1", "2", "3", "4", "1"]);
  });

  test("skips no webhook when a listed one is deleted", async () => {
    const sim = newSimulator();
    for (let index = 0; index < 4; index++) sim.webhooks.create({ url: "https://a.test/x", events: ["*"] });
    const pages = await pagesOf(sim, "/webhooks?limit=2", "webhooks", (page) => {
      if (page === 1) sim.webhooks.remove("webhook-2");
    });
    expect(pages.flat()).toEqual(ids("webhook", 1, 4));
  });

  test("skips no contact when the last one is replaced", async () => {
    const sim = newSimulator();
    const contact = (id: string) => ({ id, phoneNumbers: [] });
    sim.phonebooks.put("book", { contacts: ["a", "b"].map(contact) });
    const pages = await pagesOf(sim, "/phonebooks/book/contacts?limit=1", "contacts", (page) => {
      if (page !== 1) return;
      sim.phonebooks.removeContact("book", "b");
      sim.phonebooks.putContacts("book", [contact("c"), contact("d")]);
    });
    expect(pages.flat()).toEqual(["a", "c", "d"]);
  });
});

describe("A list that the specification does not name as paged", () => {
  test.each([
    ["/users", "users", 5],
    ["/directory", "entries", 8],
    ["/directory?includeSuspendedUsers=true&includeHiddenCallGroups=true", "entries", 9],
    ["/teams", "teams", 2],
    ["/locations", "locations", 2],
    ["/locations/auckland/users", "users", 3],
    ["/transcripts", "transcripts", 101],
    ["/contentAnalysis", "contentAnalysis", 101],
  ] as const)("comes whole, whatever limit is given: %s", async (path, name, count) => {
    const sim = newSimulator();
    if (count > 100) playCalls(sim, count);
    sim.runUntilIdle();
    const limited = `${path}${path.includes("?") ? "&" : "?"}limit=1&next=x`;
    for (const each of [path, limited]) {
      const { status, body } = await ask(sim, "GET", each);
      expect([status, body[name].length, body.meta]).toEqual([200, count, { next: "" }]);
    }
    expect(sim.rest.requests.map(({ ignored }) => ignored)).toEqual([[], ["limit", "next"]]);
  });
});

describe("The query parameter that `next` has replaced", () => {
  test.each(["/calls", "/phonebooks/customers/contacts", "/users", "/webhooks"])(
    "is refused with a 400 that names `next`: %s",
    async (path) => {
      const { status, body } = await ask(newSimulator(), "GET", `${path}?nextContact=x`);
      const message = expect.stringContaining("`next`");
      expect([status, body.details]).toEqual([400, [{ path: "nextContact", message }]]);
      expect((await ask(newSimulator(), "GET", `${path}?next=`)).status).toBe(200);
    },
  );
});
