import { serve as listen } from "@hono/node-server";
import { createSimulator, demoOrganisation, fromFetch, type Simulator, uniform } from "ringback";
import { serve } from "ringback/node";
import "ringback/vitest";
import { describe, expect, test } from "vitest";
import { type Crm, createCrm } from "./crm.ts";

const hook = "https://crm.test/hooks";
const alicesNumber = "+6495550100";
const stranger = "+6421555987";

/** An office with our phonebook, and the integration listening to it. */
function office(seed = 1): { sim: Simulator; crm: Crm } {
  const sim = createSimulator({
    seed,
    organisation: { ...demoOrganisation, phonebooks: [{ id: "customers", name: "Customers", contacts: [] }] },
  });
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
  return { sim, crm };
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

describe("under loss, duplicates and disorder", () => {
  const seeds = Array.from({ length: 8 }, (_, index) => index + 1);

  test.each(seeds)("the day ends as it was, from seed %i", async (seed) => {
    const { sim, crm } = office(seed);
    sim.network.conditions(hook, {
      latency: uniform("PT0.05S", "PT3S"),
      loss: 0.15,
      duplicate: 0.15,
      reorder: 0.3,
    });
    for (const caller of ["+6421555901", "+6421555902", "+6421555901"]) {
      const call = sim.calls.inbound({ from: caller, to: alicesNumber });
      await sim.advanceAsync("PT5S");
      call.answer("alice");
      await sim.advanceAsync("PT20S");
      call.hangup("caller");
      await sim.advanceAsync("PT1S");
    }
    await sim.runUntilIdleAsync();

    expect(sim).toBeIdle();
    expect([...crm.outcomes.values()]).toEqual(["answered", "answered", "answered"]);
    expect(crm.wallboard.get("alice")).toMatchObject({ status: "available" });
    const contacts = sim.phonebooks.get("customers").record.contacts.map(({ id }) => id);
    expect(contacts.toSorted()).toEqual(["caller-6421555901", "caller-6421555902"]);
  });
});

describe("over HTTP", () => {
  test("events arrive at a real port, and contacts are written back through another", async () => {
    const sim = createSimulator({
      allowLocal: true,
      organisation: {
        ...demoOrganisation,
        phonebooks: [{ id: "customers", name: "Customers", contacts: [] }],
      },
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
