import { beforeAll, describe, expect, test } from "vitest";
import {
  createSimulator,
  type OrganisationInput,
  replay,
  type Simulator,
  type SimulatorOptions,
} from "../../../src/index.ts";
import { readPhoneNumber } from "../../../src/phone-numbers/index.ts";
import { problemsBy } from "./schemas.ts";
import { ask, pbxOrganisation, playCalls } from "./support.ts";

/** The REST API in the profile `observed`: the facts of docs/observed.md that requests and answers show. */

const observed = (
  organisation: OrganisationInput = pbxOrganisation,
  more: SimulatorOptions = {},
): Simulator => createSimulator({ organisation, ids: "counter", profile: "observed", ...more });

const caller = "+6421555001";
const mobile = { label: "mobile", numberRaw: caller, numberE164: caller, numberDisplay: "+64 2 155 5001" };

describe("In the profile observed, a contact", () => {
  const contact = {
    id: "crm-7",
    firstName: "Jo",
    lastName: "Park",
    companyName: "Park Ltd",
    phoneNumbers: [{ label: "mobile", value: "021 555 077" }],
    emails: ["jo@park.test"],
  };

  test("is put in a wrapper with labels and a country, by an id of the client (fact 1)", async () => {
    const sim = observed(pbxOrganisation, { phoneNumbers: readPhoneNumber });
    const path = "/phonebooks/customers/contacts";
    const put = await ask(sim, "PUT", path, { contact, countryIso: "NZ" });
    const written = {
      id: "crm-7",
      name: "Jo Park",
      firstName: "Jo",
      lastName: "Park",
      jobTitle: null,
      phonebookId: "customers",
      companyName: "Park Ltd",
      phoneNumbers: [
        {
          label: "mobile",
          numberRaw: "021 555 077",
          numberE164: "+6421555077",
          numberDisplay: "+64 2 155 5077",
        },
      ],
      emails: ["jo@park.test"],
    };
    expect(put).toMatchObject({ status: 200, body: { contacts: [written] } });
    expect((await ask(sim, "GET", `${path}/crm-7`)).body).toEqual(written);
    sim.calls.inbound({ from: "+6421555077", to: "+6495550100" });
    expect(sim.calls.list()[0]?.record.parties[0]?.displayName).toBe("Jo Park");
    const again = replay(sim.journal());
    expect((await ask(again, "GET", `${path}/crm-7`)).body).toEqual(written);
  });

  test("is taken back as it was answered, and by several in one body", async () => {
    const sim = observed();
    const path = "/phonebooks/customers/contacts";
    const numbered = { ...contact, phoneNumbers: [{ label: "mobile", value: caller }] };
    const put = await ask(sim, "PUT", `${path}/crm-7`, { contact: numbered });
    expect(put.status).toBe(201);
    expect(put.body.phoneNumbers).toEqual([mobile]);
    expect(await ask(sim, "PUT", `${path}/crm-7`, put.body)).toMatchObject({ status: 200, body: put.body });
    const { status, body } = await ask(sim, "PUT", path, { contacts: [put.body, { name: "Ann" }] });
    expect({ status, names: body.contacts.map(({ name }: { name: string }) => name) }).toEqual({
      status: 200,
      names: ["Jo Park", "Ann"],
    });
  });

  test("is refused with its path if a number is wrong or the id is another", async () => {
    const sim = observed();
    const path = "/phonebooks/customers/contacts";
    const wrong = await ask(sim, "PUT", path, { contact: { ...contact, phoneNumbers: [{ label: 1 }] } });
    expect(wrong.status).toBe(400);
    expect(JSON.stringify(wrong.body.details)).toContain("phoneNumbers[0]");
    expect((await ask(sim, "PUT", `${path}/other`, { contact })).status).toBe(400);
    expect((await ask(sim, "GET", `${path}/crm-7`)).status).toBe(404);
  });
});

describe("In the profile observed, a phonebook", () => {
  test("has a description, and is put without an id (fact 2)", async () => {
    const sim = observed();
    const put = () => ask(sim, "PUT", "/phonebooks", { name: "Suppliers", description: "Who sells to us" });
    const [first, second] = [await put(), await put()];
    expect(first.body.phonebooks).toMatchObject([{ id: "phonebook-1", description: "Who sells to us" }]);
    expect(second.body.phonebooks).toMatchObject([{ id: "phonebook-2" }]);
    const read = await ask(replay(sim.journal()), "GET", "/phonebooks/phonebook-2");
    expect(read.body).toMatchObject({ name: "Suppliers", description: "Who sells to us", contacts: [] });
    expect((await ask(sim, "GET", "/phonebooks/customers")).body).toHaveProperty("description", null);
    const plain = createSimulator();
    expect((await ask(plain, "PUT", "/phonebooks", { name: "Suppliers" })).status).toBe(400);
  });

  test("is found by three letters of a contact (fact 13)", async () => {
    const sim = observed();
    await ask(sim, "PUT", "/phonebooks/leads", { contacts: [{ name: "Ann Lee" }, { name: "Bo Park" }] });
    const search = async (text: string) => {
      const { status, body } = await ask(sim, "GET", `/phonebooks?search=${encodeURIComponent(text)}`);
      type Found = { id: string; contacts: { name: string }[] };
      return status === 200
        ? body.phonebooks.map(({ id, contacts }: Found) => [id, ...contacts.map(({ name }) => name)])
        : status;
    };
    expect(await search("par")).toEqual([["leads", "Bo Park"]]);
    expect(await search("nobody")).toEqual([]);
    expect(await search("pa")).toBe(400);
    expect(await search("215550")).toEqual([
      ["customers", "Jane Smith", "Kiwi Freight"],
      ["alice@acme.test", "Mum"],
    ]);
  });
});

describe("In the profile observed, the directory", () => {
  test("has numbers in three forms, other users and key codes (facts 3, 4, 5, 8)", async () => {
    const sim = observed();
    const { body: alice } = await ask(sim, "GET", "/users/alice");
    expect(alice).toMatchObject({
      extension: 101,
      mobile: null,
      teams: expect.any(Array),
      phoneNumbers: expect.arrayContaining([expect.objectContaining({ numberE164: "+6495550100" })]),
    });
    expect(typeof alice.location === "string" || alice.location === null).toBe(true);
    for (const name of alice.teams) expect(typeof name).toBe("string");
    const { body } = await ask(sim, "GET", "/teams");
    for (const team of body.teams) {
      expect(typeof team.extension).toBe("string");
      for (const member of team.teamMembers) expect(member).not.toHaveProperty("priority");
    }
    expect(
      (await ask(sim, "PUT", "/teams/sales/users/alice", { priority: 2 })).body.teamMembers.at(-1),
    ).toMatchObject({ id: "alice", extension: 101 });
  });

  test("has an availability that nobody who was invited has (fact 6)", async () => {
    const [first, ...others] = pbxOrganisation.users;
    const sim = observed({
      ...pbxOrganisation,
      users: [{ ...first, status: "invited" }, ...others],
    } as never);
    const { body } = await ask(sim, "GET", "/users");
    const [invited, active] = body.users;
    expect(invited).not.toHaveProperty("availability");
    expect(active.availability).toMatchObject({ timezone: active.timezone, endAt: null, endTimestamp: null });
  });

  test("is asked with several filters or none, as the documented one", async () => {
    const found = async (query: string) => (await ask(observed(), "GET", `/directory${query}`)).body.entries;
    expect(await found("?extension=6001")).toMatchObject([{ id: "gate" }]);
    expect(await found("?extension=200&ivrKey=4")).toEqual([]);
    expect((await found("")).length).toBeGreaterThan(5);
  });
});

describe("In the profile observed, calls and what follows", () => {
  test("have recordings that say where they are, unless asked not to (fact 13)", async () => {
    const sim = observed();
    playCalls(sim, 1);
    sim.runUntilIdle();
    const recordings = async (path: string) => {
      const { body } = await ask(sim, "GET", path);
      return (body.calls ?? [body]).flatMap(({ recordings }: { recordings: object[] }) => recordings);
    };
    const [recording] = await recordings("/calls");
    expect(recording.recordingUrl).toMatch(/\/call\/call-1\/recordings\/recording-1\.mp3$/);
    expect((await sim.fetch(recording.recordingUrl)).status).toBe(200);
    expect(await recordings("/calls/call-1")).toEqual([recording]);
    const [without] = await recordings("/calls?includeRecordingUrl=false");
    expect(without).not.toHaveProperty("recordingUrl");
    expect((await ask(sim, "GET", "/calls?includeRecordingUrl=maybe")).status).toBe(400);
    const { body } = await ask(sim, "GET", "/calls/call-1");
    expect(body).toMatchObject({ user: { userId: "alice" }, highlights: [], forms: [] });
  });

  test("have content analyses page by page, five unless asked otherwise, at most ten (fact 13)", async () => {
    const sim = observed();
    playCalls(sim, 1);
    sim.runUntilIdle();
    const [{ id }] = (await ask(sim, "GET", "/calls/call-1")).body.recordings;
    for (let count = 0; count < 11; count++)
      sim.analysis.create({
        analyzer: "summary",
        content: { recordings: [{ id }] },
      });
    sim.runUntilIdle();
    const page = async (query: string) =>
      (await ask(sim, "GET", `/calls/call-1/contentAnalysis${query}`)).body;
    const first = await page("");
    expect(first.contentAnalysis).toHaveLength(5);
    const second = await page(`?next=${first.meta.next}`);
    expect(second.contentAnalysis).toHaveLength(5);
    const ids = [...first.contentAnalysis, ...second.contentAnalysis].map((job: { id: string }) => job.id);
    expect(new Set(ids).size).toBe(10);
    expect((await page("?limit=10")).contentAnalysis).toHaveLength(10);
    expect((await ask(sim, "GET", "/calls/call-1/contentAnalysis?limit=11")).status).toBe(400);
    const [{ type }] = first.contentAnalysis[0].artifacts;
    const found = await page(`?artifact=${type}`);
    expect(found.contentAnalysis[0].artifacts.every((each: { type: string }) => each.type === type)).toBe(
      true,
    );
    expect((await page("?artifact=nothing")).contentAnalysis).toEqual([]);
  });

  test("have transcripts by time, recording and call (fact 13)", async () => {
    const sim = observed();
    playCalls(sim, 2);
    sim.runUntilIdle();
    const all = (await ask(sim, "GET", "/transcripts")).body.transcripts;
    expect(all).toHaveLength(2);
    const ids = async (query: string) =>
      (await ask(sim, "GET", `/transcripts?${query}`)).body.transcripts.map(({ id }: { id: string }) => id);
    const [first, second] = all;
    expect(await ids(`before=${second.createdTimestamp}`)).toEqual([first.id]);
    expect(await ids(`since=${second.createdTimestamp}`)).toEqual([second.id]);
    expect(await ids(`sourceId=${first.recordingId}`)).toEqual([first.id]);
    expect(await ids(`sourceContextId=${second.callId}`)).toEqual([second.id]);
  });

  test("send a message as a user, by e-mail address (fact 14)", async () => {
    const sim = observed();
    const message = {
      contactAddresses: [caller],
      messageContent: { text: "Hi" },
      routingAction: "assign_owner",
    };
    const send = (companyAddress: string) =>
      ask(sim, "POST", "/conversationMessages", { ...message, companyAddress });
    expect((await send("alice@acme.test")).status).toBe(201);
    expect(sim.conversations.list()[0]).toMatchObject({ companyNumber: "+6495550100" });
    expect((await send("+6495550100")).status).toBe(201);
    const plain = createSimulator();
    const refused = await ask(plain, "POST", "/conversationMessages", {
      ...message,
      companyAddress: "alice@acme.test",
    });
    expect(refused.status).toBe(400);
  });

  test("reach webhooks that have a mode, by tokens that name an audience (fact 16)", async () => {
    const sim = observed();
    const { clientId, clientSecret } = sim.credentials;
    const form = {
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: "client_credentials",
      audience: "https://api.acme.test",
    };
    const token = await sim.fetch(`${sim.urls.auth}/oauth/token`, {
      method: "POST",
      body: new URLSearchParams(form),
    });
    expect(token.status).toBe(200);
    const hook = { url: "https://a.test/hooks", events: ["call.ended"] };
    expect((await ask(sim, "POST", "/webhooks", hook)).body).toMatchObject({ mode: "production" });
    const { body } = await ask(sim, "POST", "/webhooks", { ...hook, mode: "test" });
    expect(body.mode).toBe("test");
    const changed = await ask(sim, "PUT", `/webhooks/${body.id}`, { mode: "production" });
    expect(changed.body.mode).toBe("production");
    const plain = createSimulator();
    expect((await ask(plain, "POST", "/webhooks", { ...hook, mode: "test" })).status).toBe(400);
    expect((await ask(plain, "POST", "/webhooks", hook)).body).not.toHaveProperty("mode");
  });
});

describe("The OpenAPI document of the profile observed", () => {
  // biome-ignore lint/suspicious/noExplicitAny: parts of a document
  let document: any;
  beforeAll(async () => {
    document = await observed().openapi();
  });

  test("has examples that fit its schemas: requests, answers and events", () => {
    const problemsOf = problemsBy(document);
    // biome-ignore lint/suspicious/noExplicitAny: parts of a document
    const contents = (each: any) => [each.requestBody, ...Object.values(each.responses ?? {})];
    const described = [...Object.entries(document.paths), ...Object.entries(document.webhooks)].flatMap(
      ([path, item]) =>
        Object.entries(item as object).flatMap(([method, each]) =>
          // biome-ignore lint/suspicious/noExplicitAny: parts of a document
          contents(each).flatMap((content: any) => {
            const { schema, example } = content?.content?.["application/json"] ?? {};
            const problems = example === undefined ? [] : problemsOf(schema, example);
            return problems.length === 0 ? [] : [{ place: `${method} ${path}`, problems }];
          }),
        ),
    );
    expect(described).toEqual([]);
  });

  test("describes every body that webhooks get", () => {
    const problemsOf = problemsBy(document);
    const sim = observed();
    sim.webhooks.create({ url: "https://a.test/hooks", events: ["*"] });
    playCalls(sim, 1);
    sim.calls.inbound({ from: "anonymous", to: "+6495550200" });
    sim.runUntilIdle();
    sim.calls.outbound({ from: "alice", to: caller }).answer(caller);
    sim.conversations.receive({ from: caller, to: "+6495550100", text: "Hi" });
    sim.runUntilIdle();
    const bodies = sim.network.requests.map(({ body }) => JSON.parse(body ?? ""));
    expect(new Set(bodies.map(({ type }) => type)).size).toBeGreaterThan(8);
    for (const body of bodies) {
      const { schema } = document.webhooks[body.type].post.requestBody.content["application/json"];
      expect(problemsOf(schema, body), JSON.stringify(body)).toEqual([]);
    }
  });

  test("names the filters and the types of events", () => {
    const text = JSON.stringify(document);
    for (const name of ["includeRecordingUrl", "sourceContextId", "search", "artifact", "call.form.started"])
      expect(text).toContain(`"${name}"`);
    const parameters = document.paths["/calls/{id}/contentAnalysis"].get.parameters;
    expect(parameters).toContainEqual(
      expect.objectContaining({
        name: "limit",
        schema: expect.objectContaining({ maximum: 10, default: 5 }),
      }),
    );
  });
});
