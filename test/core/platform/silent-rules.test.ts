import { describe, expect, test } from "vitest";
import { createSimulator, type OrganisationInput, verifySignature } from "../../../src/index.ts";
import { caller, dial, office, thrownBy } from "../../helpers.ts";
import { ask } from "../rest/support.ts";
import { jane, line, shop } from "./conversation-helpers.ts";

/** What the specification does not say, and nothing else shows: a row of docs/fidelity.md each. */

const day = 86_400_000;
const newShop = (more: Partial<OrganisationInput> = {}) =>
  createSimulator({ organisation: { ...shop, ...more }, ids: "counter" });
type Shop = ReturnType<typeof newShop>;

function send(sim: Shop, more: object = {}) {
  const body = { companyAddress: line.ann, contactAddresses: [jane], messageContent: { text: "Hi" } };
  return sim.conversations.send({ ...body, routingAction: "assign_owner", ...more });
}
const first = (sim: Shop) => sim.conversations.list()[0];

describe("A message", () => {
  test("has at most 1,600 characters and a name 100, counted by code point", () => {
    const sim = newShop();
    const text = (body: string) => sim.conversations.sendMessage({ body, from: line.ann, to: jane });
    text("😀".repeat(1_600));
    expect(first(sim)?.messages[0]?.content).toHaveLength(3_200);
    expect(thrownBy(() => text("😀".repeat(1_601)))).toMatchObject({ details: [{ path: "body" }] });
    const named = newShop();
    send(named, { conversationName: "😀".repeat(100) });
    expect(first(named)?.name).toHaveLength(200);
    const refused = thrownBy(() => send(newShop(), { conversationName: "😀".repeat(101) }));
    expect(refused).toMatchObject({ details: [{ path: "conversationName" }] });
  });

  test("of STOP is one like any other: what is sent afterwards goes out", () => {
    const sim = newShop();
    send(sim);
    sim.conversations.receive({ from: jane, to: line.ann, text: "STOP" });
    expect(send(sim)).toMatchObject({ hasExistingConversation: true });
    expect(first(sim)?.messages.map(({ content }) => content)).toEqual(["Hi", "STOP", "Hi"]);
  });

  test("with an empty conversationName is refused", () => {
    const refused = thrownBy(() => send(newShop(), { conversationName: "" }));
    expect(refused).toMatchObject({ code: "invalid_argument", details: [{ path: "conversationName" }] });
  });

  test("may be assigned to a suspended user, who takes part and is notified", () => {
    const sim = newShop();
    sim.users.get("ben").setStatus("suspended");
    send(sim, { routingAction: "assign_users", assignUsers: ["ben@shop.test"] });
    expect(first(sim)?.participants).toMatchObject([{ type: "external" }, { id: "ben", unreadCount: 1 }]);
    expect(sim.notifications.map(({ to }) => to.userId)).toEqual(["ben"]);
  });
});

describe("A duration", () => {
  test("of months and years counts 30 and 365 days", () => {
    const sim = newShop();
    const startMs = sim.timestamp;
    sim.advance("P1Y1M");
    expect(sim.timestamp - startMs).toBe(395 * day);
    const closing = newShop();
    send(closing, { closeTimer: "P6M" });
    const dueMs = closing.pending().map(({ dueTimestamp }) => dueTimestamp - closing.timestamp);
    expect(dueMs).toContain(180 * day);
    expect(thrownBy(() => send(newShop(), { closeTimer: "P7M" }))).toMatchObject({
      details: [{ path: "closeTimer" }],
    });
  });
});

describe("The app behind a webhook", () => {
  const url = "https://crm.office.test/hooks";

  test("cannot put a retry off: retry-after is ignored", () => {
    const attemptsWith = (headers: Record<string, string>) => {
      const sim = createSimulator({ organisation: office });
      const at: number[] = [];
      sim.network.route(url, () => {
        at.push(sim.timestamp);
        return { status: 503, headers };
      });
      sim.webhooks.create({ url, events: ["call.started"] });
      sim.calls.inbound({ from: caller, to: dial.alice });
      sim.advance("PT1H");
      return at;
    };
    const usual = attemptsWith({});
    expect(usual.length).toBeGreaterThan(3);
    expect(attemptsWith({ "retry-after": "7200" })).toEqual(usual);
  });

  test("that is behind finds a timestamp in the future valid, however far", () => {
    const sim = createSimulator({ organisation: office });
    const { signingSecret: secret } = sim.webhooks.create({ url, events: ["call.started"] });
    sim.network.route(url, ({ headers, body }) => {
      const now = sim.timestamp - 365 * day;
      return verifySignature({ headers, body, secret, now }).valid ? 204 : 401;
    });
    sim.calls.inbound({ from: caller, to: dial.alice });
    sim.advance("PT1S");
    expect(sim.network.requests.map(({ answer }) => answer?.status)).toEqual([204]);
  });
});

describe("The directory", () => {
  test("takes any two letters as a country, and a reader that does not know it leaves the number as text", () => {
    const asked: unknown[] = [];
    const sim = createSimulator({
      organisation: {
        ...office,
        countryIso: "zz",
        phonebooks: [
          { id: "leads", name: "Leads", contacts: [{ id: "jo", name: "Jo", phoneNumbers: ["021 555"] }] },
        ],
      },
      phoneNumbers: (number, countryIso) => {
        asked.push([number, countryIso]);
        return undefined;
      },
    });
    expect(asked).toContainEqual(["021 555", "ZZ"]);
    expect(sim.phonebooks.contacts("leads")).toMatchObject([{ phoneNumbers: ["021 555"] }]);
  });

  test("lists hidden teams among the teams, and a team of nobody is busy", async () => {
    const hidden = { id: "nobody", displayName: "Nobody", extension: "900", hidden: true, members: [] };
    const sim = newShop({ teams: [...shop.teams, hidden] });
    const { body } = await ask(sim, "GET", "/teams");
    const { teams } = body as { teams: { id: string; availability: object }[] };
    expect(teams.find(({ id }) => id === "nobody")).toMatchObject({
      isHidden: true,
      availability: { status: "busy", totalMembers: 0, totalAvailable: 0 },
    });
    expect(sim.directory.list().map(({ id }) => id)).not.toContain("nobody");
  });

  test("has a team as busy whose members are all logged out, though each of them is offline", () => {
    const sim = newShop();
    for (const { id, record } of sim.users.list())
      for (const endpoint of record.endpoints)
        sim.users.get(id).setEndpoint(endpoint.id, { registered: false });
    expect(sim.users.get("user-1").record.availability.status).toBe("offline");
    expect(sim.teams.get("crowd").record.availability).toMatchObject({ status: "busy", totalAvailable: 0 });
  });
});

describe("A call", () => {
  test.each(["111", "112", "911", "999"])(
    "to the emergency number %s is refused, like any short code",
    (to) => {
      const sim = createSimulator({ organisation: office });
      expect(thrownBy(() => sim.calls.outbound({ from: "alice", to }))).toMatchObject({
        code: "invalid_argument",
      });
      expect(sim.events.length).toBe(0);
    },
  );

  test("that is transferred outside does not ask Outbound Call", () => {
    const asks = (transfer: boolean) => {
      const sim = createSimulator({
        organisation: { ...office, dataActions: { outboundCall: "https://crm.office.test/outbound" } },
      });
      sim.network.route("https://crm.office.test/", () => ({ body: { action: "allow" } }));
      if (transfer) {
        const call = sim.calls.inbound({ from: caller, to: dial.alice });
        call.answer("alice");
        call.transfer("+6421555009", { by: "alice" });
      } else sim.calls.outbound({ from: "alice", to: "+6421555009" });
      sim.advance("PT1S");
      return sim.network.requests.map(({ why }) => why);
    };
    expect(asks(false)).toEqual(["outboundCall"]);
    expect(asks(true)).toEqual([]);
  });
});

describe("A redirect", () => {
  test.each([
    ["x-B=1&x-a=2", 200],
    ["x-a=2&x-B=1", 403],
  ])("sorts its parameters by code unit, capitals first: %s", async (passthrough, status) => {
    const sim = createSimulator();
    const url = `${sim.urls.redirect}/telephony/redirect?extension=101&organisationId=acme&${passthrough}`;
    const body = new URLSearchParams({ parentCallId: "CA1", from: caller, to: "+6495550100" });
    expect((await sim.fetch(url, { method: "POST", body })).status).toBe(status);
  });

  test("that goes back to a postEndpoint does not send its passthrough parameters, which the call keeps", () => {
    const sim = createSimulator({ organisation: office });
    const bodies: string[] = [];
    sim.network.route("https://vendor.test/", ({ body }) => {
      bodies.push(body);
      return 204;
    });
    const call = sim.calls.redirect(
      { extension: "101", returnTo: "postEndpoint", returnToId: "https://vendor.test/back", "x-ticket": "7" },
      { vendorCallId: "CA1", from: caller, to: dial.alice },
    );
    sim.runUntilIdle();
    expect([...new URLSearchParams(bodies[0]).keys()]).toEqual([
      "from",
      "parentCallId",
      "returnReason",
      "to",
    ]);
    expect(call.record.passthroughParameters).toEqual({ "x-ticket": "7" });
  });
});
