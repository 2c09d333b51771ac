import { describe, expect, test } from "vitest";
import { replay } from "../../../src/index.ts";
import { stateOf, stream } from "../../helpers.ts";
import { ask, newSimulator, playCalls } from "./support.ts";

describe("Phonebooks", () => {
  test("are all listed with limit 0, without their contacts", async () => {
    const { body } = await ask(newSimulator(), "GET", "/phonebooks?limit=0");
    expect(body.phonebooks.map(({ id }: { id: string }) => id)).toEqual(["customers", "alice@acme.test"]);
    for (const phonebook of body.phonebooks) expect(phonebook).not.toHaveProperty("contacts");
    expect(body.meta).toEqual({ next: "" });
  });

  test("without contacts are omitted with excludeEmpty", async () => {
    const sim = newSimulator();
    sim.phonebooks.put("empty");
    const idsOf = async (query: string) => {
      const { body } = await ask(sim, "GET", `/phonebooks${query}`);
      return body.phonebooks.map(({ id }: { id: string }) => id);
    };
    expect(await idsOf("")).toContain("empty");
    expect(await idsOf("?excludeEmpty=true")).not.toContain("empty");
    expect(await idsOf("?excludeEmpty=true&limit=0")).not.toContain("empty");
  });

  test("are created by PUT with 201, and replaced with 200", async () => {
    const sim = newSimulator();
    const contacts = [{ id: "a", firstName: "Ann", phoneNumbers: ["+6421555030"] }, { name: "B" }];
    const first = await ask(sim, "PUT", "/phonebooks/leads", { name: "Leads", countryIso: "NZ", contacts });
    expect(first).toMatchObject({ status: 201, body: { id: "leads", countryIso: "NZ", contacts } });
    const second = await ask(sim, "PUT", "/phonebooks/leads", { countryIso: null });
    expect(second).toMatchObject({ status: 200, body: { name: "leads", countryIso: null, contacts: [] } });
  });

  test("are uploaded together, all or none", async () => {
    const sim = newSimulator();
    const { status, body } = await ask(sim, "PUT", "/phonebooks", { phonebooks: [{ id: "a" }, { id: "b" }] });
    expect([status, body.phonebooks.length]).toEqual([200, 2]);
    const before = stateOf(sim);
    const wrong = { phonebooks: [{ id: "c" }, { id: "d", contacts: [{ phoneNumbers: [12] }] }] };
    const refused = await ask(sim, "PUT", "/phonebooks", wrong);
    expect(refused).toMatchObject({
      status: 400,
      body: { details: [{ path: "phonebooks[1].contacts[0].phoneNumbers[0]" }] },
    });
    expect(stateOf(sim)).toEqual(before);
  });

  test("with a user's e-mail address are personal and used in calls", async () => {
    const sim = newSimulator();
    const contact = { name: "My dentist", phoneNumbers: ["+6421555040"] };
    expect((await ask(sim, "PUT", "/phonebooks/bob@acme.test", { contacts: [contact] })).status).toBe(201);
    const call = sim.calls.inbound({ from: "+6421555040", to: "+6495550102" });
    expect(call.record.parties[0]?.displayName).toBe("My dentist");
  });

  test("that are personal ignore the case of the address, in path and body", async () => {
    const sim = newSimulator();
    const made = await ask(sim, "PUT", "/phonebooks/Bob@Acme.test", { id: "BOB@acme.test" });
    expect(made).toMatchObject({ status: 201, body: { id: "bob@acme.test" } });
    expect((await ask(sim, "PUT", "/phonebooks/bob@acme.test", { name: "Mine" })).status).toBe(200);
    expect((await ask(sim, "GET", "/phonebooks/BOB@ACME.TEST")).body.name).toBe("Mine");
  });

  test("reject a body with another id than the path", async () => {
    const answer = await ask(newSimulator(), "PUT", "/phonebooks/a", { id: "b" });
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: "id" }] } });
  });

  test.each([
    ["one contact", { id: "x", name: "X" }],
    ["a list", [{ id: "x", name: "X" }]],
    ["contacts under their name", { contacts: [{ id: "x", name: "X" }] }],
  ])("accept contacts as %s", async (_, body) => {
    const answer = await ask(newSimulator(), "PUT", "/phonebooks/customers/contacts", body);
    expect(answer).toMatchObject({ status: 200, body: { contacts: [{ id: "x", name: "X" }] } });
  });

  test("let each contact be added, replaced and deleted at its path", async () => {
    const sim = newSimulator();
    const path = "/phonebooks/customers/contacts/new";
    expect((await ask(sim, "GET", path)).status).toBe(404);
    expect((await ask(sim, "PUT", path, { name: "New" })).status).toBe(201);
    expect((await ask(sim, "PUT", path, { name: "Newer" })).status).toBe(200);
    expect((await ask(sim, "GET", path)).body).toMatchObject({ id: "new", name: "Newer" });
    expect(await ask(sim, "DELETE", path)).toMatchObject({ status: 200, body: {} });
    expect((await ask(sim, "DELETE", path)).status).toBe(404);
  });

  test("answer at the deprecated singular paths like at the plural ones", async () => {
    const sim = newSimulator();
    for (const path of ["/phonebooks", "/phonebooks/customers", "/phonebooks/customers/contacts/jane"]) {
      const plural = await ask(sim, "GET", path);
      const singular = await ask(sim, "GET", path.replace("books", "book").replace("contacts", "contact"));
      expect(singular.body).toEqual(plural.body);
      expect([plural.headers.has("deprecation"), singular.headers.get("deprecation")]).toEqual([
        false,
        "@1782864000",
      ]);
    }
  });
});

test("An error at a deprecated path says that it is deprecated too", async () => {
  const answer = await ask(newSimulator(), "GET", "/phonebook/none/contact");
  expect(answer.status).toBe(404);
  expect(answer.headers.has("deprecation")).toBe(true);
});

describe("The directory", () => {
  test("finds a user by e-mail address in any case", async () => {
    const sim = newSimulator();
    expect((await ask(sim, "GET", "/users?email=Alice@acme.test")).body.users).toHaveLength(1);
    expect((await ask(sim, "GET", "/users?email=x@acme.test")).body.users).toEqual([]);
    expect((await ask(sim, "GET", "/users")).body.users).toHaveLength(5);
  });

  test.each([
    ["extension=200", ["sales"]],
    [`phoneNumber=${encodeURIComponent("+6495550102")}`, ["bob"]],
    ["ivrKey=9", []],
    ["extension=105", []],
    ["extension=105&includeSuspendedUsers=true", ["erin"]],
    ["extension=6001", ["gate"]],
  ])("is filtered: %s", async (query, expected) => {
    const { body } = await ask(newSimulator(), "GET", `/directory?${query}`);
    expect(body.entries.map(({ id }: { id: string }) => id)).toEqual(expected);
  });

  test("has redirect addresses that the redirect handler accepts", async () => {
    const sim = newSimulator();
    const { body } = await ask(sim, "GET", "/directory/alice");
    const form = new URLSearchParams({ parentCallId: "CA1", from: "+6421555001", to: "+6495550100" });
    expect((await sim.fetch(body.vendorRedirectUrl, { method: "POST", body: form })).status).toBe(200);
    expect(sim.calls.live()).toHaveLength(1);
  });
});

describe("Teams, locations and trunks", () => {
  test("let users be added to a team with a priority, and removed", async () => {
    const sim = newSimulator();
    const path = "/teams/sales/users/alice";
    const { status, body } = await ask(sim, "PUT", path, { priority: 3 });
    expect(status).toBe(200);
    expect(body.teamMembers.at(-1)).toMatchObject({ id: "alice", priority: 3 });
    expect((await ask(sim, "PUT", path)).body.teamMembers.at(-1)).toMatchObject({ priority: 1 });
    expect(await ask(sim, "DELETE", path)).toMatchObject({ status: 200, body: {} });
    expect((await ask(sim, "DELETE", path)).status).toBe(404);
    expect(stream(sim)).toContain("0 team.availability.updated");
  });

  test("let a location be created, and users moved there", async () => {
    const sim = newSimulator();
    const made = await ask(sim, "PUT", "/locations", { name: "Wellington" });
    expect(made).toMatchObject({ status: 201, body: { name: "Wellington", address: null } });
    const users = `/locations/${made.body.id}/users`;
    expect((await ask(sim, "PUT", `${users}/bob`)).body.location).toEqual(made.body);
    expect((await ask(sim, "GET", users)).body.users).toHaveLength(1);
    expect(await ask(sim, "DELETE", `${users}/bob`)).toMatchObject({ status: 200, body: {} });
    expect((await ask(sim, "GET", users)).body.users).toEqual([]);
  });

  test("let trunk entries be added, changed and removed", async () => {
    const sim = newSimulator();
    const list = "/trunks/pbx/trunkUsers";
    const added = await ask(sim, "POST", list, { displayName: "Hemi", extension: "6100", user: "dave" });
    expect(added).toMatchObject({ status: 201, body: { user: { email: "dave@acme.test" } } });
    const path = `${list}/${added.body.id}`;
    expect((await ask(sim, "PUT", path, { department: "Yard" })).body).toMatchObject({
      displayName: "Hemi",
      department: "Yard",
    });
    expect((await ask(sim, "GET", "/directory?extension=6100")).body.entries).toHaveLength(1);
    expect(await ask(sim, "DELETE", path)).toMatchObject({ status: 200, body: {} });
    expect((await ask(sim, "GET", list)).body.trunkUsers).toEqual([]);
  });
});

describe("Recordings, transcripts and content analysis", () => {
  test("of a call are read and deleted", async () => {
    const sim = newSimulator();
    playCalls(sim, 1);
    sim.advance("PT5M");
    const call = (await ask(sim, "GET", "/calls/call-1")).body;
    const [recording] = call.recordings;
    const path = `/call/call-1/recordings/${recording.id}`;
    expect((await ask(sim, "GET", path)).body).toEqual(recording);
    const transcript = (await ask(sim, "GET", "/transcripts")).body.transcripts[0];
    expect(transcript.id).toBe(recording.transcript);
    const { body } = await ask(sim, "GET", `/transcripts/${transcript.id}/segments`);
    expect(body.segments.map(({ type }: { type: string }) => type)).toContain("JOIN");
    expect((await ask(sim, "GET", "/calls/call-1/contentAnalysis")).body.contentAnalysis).toHaveLength(1);
    expect(await ask(sim, "DELETE", path)).toMatchObject({ status: 200, body: {} });
    expect((await ask(sim, "GET", path)).status).toBe(404);
    expect(await ask(sim, "DELETE", `/transcripts/${transcript.id}`)).toMatchObject({
      status: 200,
      body: {},
    });
    expect((await ask(sim, "GET", "/transcripts")).body.transcripts).toEqual([]);
  });

  test("are analysed as submitted, and scorecards of an agent aggregated", async () => {
    const sim = newSimulator();
    playCalls(sim, 1);
    sim.advance("PT5M");
    const passthroughParameters = JSON.parse(`{"any":[1,{"deep":null}],"constructor":2,"__proto__":{"x":3}}`);
    const first = await ask(sim, "POST", "/contentAnalysis", {
      analyzer: "scorecard",
      content: { recordings: [{ id: "recording-1" }] },
      passthroughParameters,
    });
    expect(first).toMatchObject({ status: 201, body: { status: "pending" } });
    expect(JSON.stringify(first.body.passthroughParameters)).toBe(JSON.stringify(passthroughParameters));
    sim.advance("PT1M");
    const aggregated = await ask(sim, "POST", "/contentAnalysis", {
      analyzer: "aggregated-scorecards",
      content: { agent: "alice@acme.test", contentAnalysis: [{ id: first.body.id }] },
    });
    expect(aggregated.body.content.agent).toMatchObject({ id: "alice" });
    sim.advance("PT1M");
    const { body } = await ask(sim, "GET", `/contentAnalysis/${aggregated.body.id}`);
    expect(body.artifacts).toMatchObject([
      { type: "aggregatedAgentScorecard", content: "1 artifact of Alice Ng" },
    ]);
    expect(await ask(sim, "DELETE", `/contentAnalysis/${aggregated.body.id}`)).toMatchObject({
      status: 200,
      body: {},
    });
    expect((await ask(sim, "GET", "/contentAnalysis")).body.contentAnalysis).toHaveLength(2);
  });
});

describe("Messages", () => {
  const sent = { vendor: "vendor", hasExistingConversation: false };

  test("are sent to one contact at once, and to a new group a second later", async () => {
    const sim = newSimulator();
    const message = {
      companyAddress: "+6495550100",
      messageContent: { text: "Hello" },
      routingAction: "assign_owner",
    };
    const one = await ask(sim, "POST", "/conversationMessages", {
      ...message,
      contactAddresses: ["+6421555001"],
    });
    expect(one).toMatchObject({ status: 201, body: { ...sent, vendorMessageId: expect.any(String) } });
    const contactAddresses = ["+6421555001", "+6421555002"];
    const group = await ask(sim, "POST", "/conversationMessages", { ...message, contactAddresses });
    expect(group).toMatchObject({ status: 201, body: sent });
    expect(group.body).not.toHaveProperty("vendorMessageId");
    sim.advance("PT1S");
    expect(stream(sim)).toEqual(["0 conversation.message.created", "1000 conversation.message.created"]);
  });

  test("are sent by the deprecated paths, which are marked as deprecated", async () => {
    const sim = newSimulator();
    const legacy = { from: "alice@acme.test", to: "+6421555001", body: "Hello" };
    const one = await ask(sim, "POST", "/messages", legacy);
    expect(one).toMatchObject({ status: 201, body: { success: true } });
    const two = await ask(sim, "POST", "/teamMessages", {
      companyAddress: "+6495550200",
      contactAddress: "+6421555001",
      messageContent: { text: "Hello" },
      routingAction: "assign_team",
    });
    expect(two).toMatchObject({ status: 201, body: sent });
    for (const { headers } of [one, two]) expect(headers.has("deprecation")).toBe(true);
    expect(sim.conversations.list()).toHaveLength(2);
  });
});

test("A request takes no time, and a run with requests replays byte for byte", async () => {
  const sim = newSimulator();
  const { timestamp } = sim;
  await ask(sim, "POST", "/webhooks", { url: "https://a.test/hook", events: ["*"] });
  await ask(sim, "PUT", "/teams/sales/users/alice", { priority: 1 });
  await ask(sim, "PUT", "/phonebooks/leads", { contacts: [{ name: "A", phoneNumbers: ["+6421555001"] }] });
  await ask(sim, "POST", "/messages", { from: "alice@acme.test", to: "+6421555001", body: "Hello" });
  await ask(sim, "GET", "/calls");
  expect(sim.timestamp).toBe(timestamp);
  playCalls(sim, 1);
  const again = replay(JSON.stringify(sim.journal()));
  expect(stateOf(again)).toEqual(stateOf(sim));
  expect(again.network.requests.map(({ headers }) => headers)).toEqual(
    sim.network.requests.map(({ headers }) => headers),
  );
});
