import { serve as listen } from "@hono/node-server";
import { createSimulator, demoOrganisation, fromFetch, type Simulator } from "ringback";
import { callLog, explore, wallboard } from "ringback/explore";
import { serve } from "ringback/node";
import "ringback/vitest";
import { describe, expect, test } from "vitest";
import { type Crm, createCrm } from "./crm.ts";

const hook = "https://crm.test/hooks";
const alicesNumber = "+6495550100";
const stranger = "+6421555987";

const organisation = {
  ...demoOrganisation,
  phonebooks: [{ id: "customers", name: "Customers", contacts: [] }],
};

/** The app, listening to a simulator. */
function listening(sim: Simulator): Crm {
  const { signingSecret } = sim.webhooks.create({
    url: hook,
    events: ["call.ended", "user.availability.updated"],
  });
  const crm = createCrm({
    secret: signingSecret,
    now: () => sim.timestamp,
    api: { url: sim.urls.api, token: () => sim.token(), fetch: sim.fetch },
  });
  sim.network.route("https://crm.test/", fromFetch(crm.fetch));
  return crm;
}

/** An office with our phonebook, and the app listening to it. */
function office(): { sim: Simulator; crm: Crm } {
  const sim = createSimulator({ organisation });
  return { sim, crm: listening(sim) };
}

describe("in a quiet network", () => {
  test("the wallboard shows who is on the phone", async () => {
    const { sim, crm } = office();
    const call = sim.calls.inbound({ from: stranger, to: alicesNumber });
    call.answer("alice");
    await sim.advanceAsync("PT1S");
    expect(crm.wallboard.get("alice")).toMatchObject({ name: "Alice Ng", status: "busy" });

    call.hangup("caller");
    await sim.advanceAsync("PT1S");
    expect(crm.wallboard.get("alice")).toMatchObject({ status: "available" });
    expect(crm.outcomes.get(call.id)).toBe("answered");
  });

  test("an unknown caller becomes a contact with a name on the next call", async () => {
    const { sim } = office();
    const first = sim.calls.inbound({ from: stranger, to: alicesNumber });
    first.answer("alice");
    first.hangup("caller");
    await sim.runUntilIdleAsync();
    expect(sim).toHaveDelivered(hook, "call.ended", { call: { id: first.id } });

    const second = sim.calls.inbound({ from: stranger, to: alicesNumber });
    expect(second.record.parties[0]?.displayName).toBe("New caller 5987");
  });

  test("rejects a request without our signature", async () => {
    const { crm } = office();
    const forged = new Request(hook, { method: "POST", body: '{"type":"call.ended"}' });
    expect((await crm.fetch(forged)).status).toBe(401);
  });

  test("rejects a recorded request that is sent again later", async () => {
    const { sim, crm } = office();
    sim.users.get("alice").setAvailability("busy");
    await sim.advanceAsync("PT1S");
    const [{ headers = {}, body = "" } = {}] = sim.network.requests;
    const again = () => crm.fetch(new Request(hook, { method: "POST", headers: { ...headers }, body }));

    expect((await again()).status).toBe(204);
    await sim.advanceAsync("PT5M");
    expect((await again()).status).toBe(401);
  });

  test("loses nothing in an outage", async () => {
    const { sim, crm } = office();
    sim.network.fault(hook, { status: 503, for: "PT10M" });
    const call = sim.calls.inbound({ from: stranger, to: alicesNumber });
    call.answer("alice");
    call.hangup("caller");
    await sim.advanceAsync("PT9M");
    expect(crm.outcomes.size).toBe(0);

    await sim.runUntilIdleAsync();
    expect(crm.outcomes.get(call.id)).toBe("answered");
    expect(crm.wallboard.get("alice")).toMatchObject({ status: "available" });
  });
});

const contactsOf = (sim: Simulator) => sim.phonebooks.get("customers").record.contacts.map(({ id }) => id);

test("logs each call, and shows people as they are, whatever the network does", async () => {
  const log = callLog({
    rows: ({ outcomes }: Crm) =>
      [...outcomes].map(([callId, status]) => ({ callId, answered: status === "answered" })),
  });
  const board = wallboard({
    people: (crm: Crm) => Object.fromEntries([...crm.wallboard].map(([id, { status }]) => [id, status])),
  });
  await explore({
    async scenario(sim) {
      const call = sim.calls.inbound({ from: stranger, to: alicesNumber });
      await sim.advanceAsync("PT5S");
      call.answer("alice");
      await sim.advanceAsync("PT20S");
      call.hangup("caller");
    },
    app: listening,
    eventually: {
      ...log.eventually,
      ...board.eventually,
      "the caller is one contact": (sim) =>
        contactsOf(sim).filter((id) => id === "caller-6421555987").length === 1,
    },
    sometimes: { ...log.sometimes, ...board.sometimes },
  });
});

describe("over HTTP", () => {
  test("events arrive at a real port, and contacts are written back through another", async () => {
    const sim = createSimulator({
      allowLocal: true,
      organisation,
    });
    const platform = await serve(sim);
    let crm: Crm | undefined;
    const app = (request: Request) => crm?.fetch(request) ?? new Response(null, { status: 503 });
    const { port, close } = await new Promise<{ port: number; close: () => void }>((ready) => {
      // the globals are shared with other tests
      const own = { overrideGlobalObjects: false };
      const server = listen({ ...own, fetch: app, hostname: "127.0.0.1", port: 0 }, (info) =>
        ready({ port: info.port, close: () => server.close() }),
      );
    });
    try {
      const { signingSecret: secret } = sim.webhooks.create({
        url: `http://127.0.0.1:${port}/hooks`,
        events: ["call.ended", "user.availability.updated"],
      });
      const api = { url: platform.url, token: () => sim.token(), fetch };
      crm = createCrm({ secret, now: () => sim.timestamp, api });
      const call = sim.calls.inbound({ from: stranger, to: alicesNumber });
      call.answer("alice");
      call.hangup("caller");
      await sim.advanceAsync("PT1S");
      expect(crm.outcomes.get(call.id)).toBe("answered");
      expect(sim.phonebooks.get("customers").record.contacts).toMatchObject([{ phoneNumbers: [stranger] }]);
    } finally {
      close();
      await platform.close();
    }
  });
});
