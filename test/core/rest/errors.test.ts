import { describe, expect, test } from "vitest";
import { CommandError, createSimulator, replay, type Simulator } from "../../../src/index.ts";
import { isWhole } from "../../counts.ts";
import { stateOf, thrownBy } from "../../helpers.ts";
import { ask, newSimulator, pbxOrganisation, read } from "./support.ts";

describe("An error answer", () => {
  test.each([
    ["keys that are not known", Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, 1]))],
    [
      "items that are wrong",
      { url: "https://crm.acme.test", events: Array.from({ length: 5_000 }, () => "x") },
    ],
  ])("names the first 20 problems and their number, given thousands of %s", async (_name, body) => {
    const { code, message, details } = (await ask(newSimulator(), "POST", "/webhooks", body)).body;
    expect(code).toBe("bad_request");
    expect(details).toHaveLength(20);
    expect(message).toMatch(/\nand 49\d\d more problems$/);
  });

  test("shows the beginning of a key that is very long", async () => {
    const { details } = (await ask(newSimulator(), "POST", "/webhooks", { ["k".repeat(100_000)]: 1 })).body;
    expect(details.at(-1).path).toBe(`${"k".repeat(100)}…`);
  });

  test.each([
    ["an unknown path", "GET", "/nowhere", undefined, 404, "not_found"],
    ["a path with a slash at its end", "GET", "/calls/", undefined, 404, "not_found"],
    ["an unknown call", "GET", "/calls/none", undefined, 404, "not_found"],
    ["an unknown user", "GET", "/users/none", undefined, 404, "not_found"],
    ["a personal phonebook of nobody", "PUT", "/phonebooks/x@acme.test", {}, 404, "not_found"],
    ["malformed percent-encoding in the path", "GET", "/calls/%zz", undefined, 400, "bad_request"],
    ["malformed percent-encoding in the query", "GET", "/calls?next=%ff", undefined, 400, "bad_request"],
    ["a limit below 0", "GET", "/calls?limit=-1", undefined, 400, "bad_request"],
    ["a limit above 1000", "GET", "/calls?limit=1001", undefined, 400, "bad_request"],
    ["a limit that is no integer", "GET", "/calls?limit=1.5", undefined, 400, "bad_request"],
    ["a limit given twice", "GET", "/calls?limit=1&limit=2", undefined, 400, "bad_request"],
    ["a flag that is neither", "GET", "/phonebooks?excludeEmpty=yes", undefined, 400, "bad_request"],
    ["an unknown order", "GET", "/calls?sortOrder=up", undefined, 400, "bad_request"],
    ["an instant that is no integer", "GET", "/calls?since=today", undefined, 400, "bad_request"],
    ["JSON that is malformed", "POST", "/webhooks", "{", 400, "bad_request"],
    ["no body", "POST", "/webhooks", undefined, 400, "bad_request"],
    ["a body that is no object", "POST", "/webhooks", "[]", 400, "bad_request"],
    ["a body of null", "PUT", "/phonebooks/customers/contacts", "null", 400, "bad_request"],
    ["a body of null that may be left out", "PUT", "/teams/sales/users/bob", "null", 400, "bad_request"],
    [
      "JSON that is too deep",
      "POST",
      "/contentAnalysis",
      "[".repeat(1e5) + "]".repeat(1e5),
      400,
      "bad_request",
    ],
    [
      "an extension of another entry",
      "POST",
      "/trunks/pbx/trunkDevices",
      { displayName: "x", extension: "101" },
      409,
      "conflict",
    ],
  ])("for %s is JSON, and changes nothing", async (_, method, path, body, status, code) => {
    const sim = newSimulator();
    sim.token();
    const before = stateOf(sim);
    const answer = await ask(sim, method, path, body);
    expect(answer).toMatchObject({ status, body: { code, message: expect.any(String) } });
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(stateOf(sim)).toEqual(before);
  });

  const contacts = [{ id: "x" }, { id: "x" }];
  test.each([
    ["a body without its fields", "POST", "/conversationMessages", {}, "contactAddresses: missing"],
    ["a deprecated body", "POST", "/messages", { body: "x" }, "from: missing"],
    ["an id that comes twice", "PUT", "/phonebooks", { id: "x", contacts }, 'the id "x" comes twice'],
    ["contacts of one id", "PUT", "/phonebooks/customers/contacts", { contacts }, 'the id "x" comes twice'],
    ["an unknown contact", "GET", "/phonebooks/customers/contacts/x", undefined, "no contact"],
    ["an unknown user", "PUT", "/teams/sales/users/nobody", {}, "nobody"],
  ])("for %s uses the REST API's names, not the commands'", async (_, method, path, body, words) => {
    const sim = newSimulator();
    const { message } = (await ask(sim, method, path, body)).body;
    expect(message).toContain(words);
    for (const name of sim.commandNames) expect(message).not.toMatch(new RegExp(`\\b${name}: `));
    expect(message).not.toContain("sim.");
  });

  test.each([
    ["/calls", "GET, HEAD"],
    ["/teams/sales/users/bob", "PUT, DELETE"],
    ["/webhooks", "GET, POST, HEAD"],
  ])("for a method that %s does not support is a 405 that lists the supported ones", async (path, allow) => {
    const answer = await ask(newSimulator(), "PATCH", path);
    expect(answer).toMatchObject({ status: 405, body: { code: "method_not_allowed" } });
    expect(answer.headers.get("allow")).toBe(allow);
  });

  test.each([
    ["/calls", {}, 401],
    ["/calls/%ff", undefined, 400],
    ["/calls/none", undefined, 404],
    ["/messages", undefined, 405],
  ])("to HEAD %s has no body", async (path, headers, status) => {
    const sim = newSimulator();
    const authorization = `Bearer ${sim.token()}`;
    const answer = await sim.fetch(path, { method: "HEAD", headers: headers ?? { authorization } });
    expect([answer.status, await answer.text()]).toEqual([status, ""]);
  });

  test("for a body over 6 MB is a 413", async () => {
    const name = "x".repeat(6 * 1024 * 1024);
    const answer = await ask(newSimulator(), "PUT", "/phonebooks", { id: "big", name });
    expect(answer).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
  });

  test.each([
    ["objects", { contacts: Array(100_000).fill({}) }, "100,000 objects"],
    ["values", { phoneNumbers: Array(400_000).fill("") }, "400,000 values"],
    ["unknown keys", Object.fromEntries([...Array(400_000).keys()].map((key) => [`k${key}`, 1])), "values"],
  ])(
    "for a body of too many %s is a 400 at once, which says in one line how many there may be",
    async (...of) => {
      const [, given, limit] = of;
      const sim = newSimulator();
      const { status, body } = await ask(sim, "PUT", "/phonebooks/customers/contacts", given);
      expect({ status, details: body.details }).toEqual({ status: 400, details: undefined });
      expect(body.message).toMatch(/^expected JSON of at most [\d,]+ \w+: send it in parts$/);
      expect(body.message).toContain(limit);
    },
  );

  test("has a bounded length, however many problems the largest body has", async () => {
    const wrong = Array(isWhole ? 99_000 : 9_900).fill({ x: 1, y: 2 });
    const { status, body } = await ask(newSimulator(), "PUT", "/phonebooks/customers/contacts", wrong);
    expect(status).toBe(400);
    expect(body.details).toHaveLength(20);
    expect(body.message).toContain(`and ${2 * wrong.length - 20} more problems`);
    expect(JSON.stringify(body).length).toBeLessThan(20_000);
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", ""])(
    "for a body of type %j is a 415",
    async (type) => {
      const sim = newSimulator();
      const body = new TextEncoder().encode("{}");
      const headers = { authorization: `Bearer ${sim.token()}`, ...(type && { "content-type": type }) };
      const answer = await sim.fetch("/webhooks", { method: "POST", headers, body });
      expect(await read(answer)).toMatchObject({ status: 415, body: { code: "unsupported_media_type" } });
    },
  );

  test("for a body that is not UTF-8 is a 400", async () => {
    const sim = newSimulator();
    const headers = { authorization: `Bearer ${sim.token()}`, "content-type": "application/json" };
    const answer = await sim.fetch("/webhooks", {
      method: "POST",
      headers,
      body: new Uint8Array([0xff, 0xfe]),
    });
    expect(await read(answer)).toMatchObject({ status: 400, body: { code: "bad_request" } });
  });

  test("names every wrong field once", async () => {
    const { body } = await ask(newSimulator(), "POST", "/webhooks", { url: 1, events: ["x"], more: true });
    expect(body.details.map(({ path }: { path: string }) => path).sort()).toEqual([
      "events[0]",
      "more",
      "url",
    ]);
  });

  test.each([
    ["POST", "/webhooks", { events: ["x"] }],
    ["PUT", "/webhooks/webhook-1", { enabled: "yes" }],
  ])("names a webhook's URL among the other problems: %s %s", async (method, path, wrong) => {
    const sim = newSimulator();
    sim.webhooks.create({ url: "https://a.test/hook", events: ["*"] });
    for (const url of ["http://a.test/hook", "https://localhost/hook"]) {
      const { status, body } = await ask(sim, method, path, { ...wrong, url });
      const paths = body.details.map(({ path }: { path: string }) => path.replace(/\[.*/, ""));
      expect([status, paths.sort()]).toEqual([400, [...Object.keys(wrong), "url"].sort()]);
    }
  });

  test("names a field once even if it is wrong in more than one way", async () => {
    const { body } = await ask(newSimulator(), "PUT", "/teams/sales/users/bob", { priority: -1.5 });
    expect(body.details.map(({ path }: { path: string }) => path)).toEqual(["priority"]);
  });

  test("for a message lists problems of its shape and of its meaning together", async () => {
    const { status, body } = await ask(newSimulator(), "POST", "/conversationMessages", {
      contactAddresses: ["+6421555001", "+6421555001"],
      companyAddress: "12",
      messageContent: { text: "x" },
      routingAction: "assign_users",
      assignUsers: [],
      conversationName: "x".repeat(101),
    });
    expect(status).toBe(400);
    const paths = body.details.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(["companyAddress", "conversationName", "contactAddresses[1]", "assignUsers"]),
    );
    expect(new Set(paths).size).toBe(paths.length);
  });

  test("for everything about trunks is a 403 without PBX", async () => {
    const sim = newSimulator({ id: "plain" });
    for (const [method, path, body] of [
      ["GET", "/trunks"],
      ["GET", "/trunks/x/trunkUsers"],
      ["POST", "/trunks/x/trunkDevices", { wrong: true }],
      ["DELETE", "/trunks/x/trunkQueues/y"],
    ] as const)
      expect(await ask(sim, method, path, body)).toMatchObject({ status: 403, body: { code: "forbidden" } });
  });
});

describe("An unknown key in a body", () => {
  const send = async (sim: Simulator, method: string, path: string, body: unknown) =>
    read(
      await sim.fetch(path, {
        method,
        headers: { authorization: `Bearer ${sim.token()}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
  const bodies: [method: string, path: string, body: object][] = [
    ["POST", "/webhooks", { url: "https://crm.acme.test/", events: ["*"], retries: 3, colour: "red" }],
    [
      "PUT",
      "/phonebooks/customers",
      {
        name: "Customers",
        owner: "me",
        contacts: [{ firstName: "Mia", phoneNumbers: ["+6421555777"], vip: true }],
      },
    ],
    [
      "PUT",
      "/phonebooks/customers/contacts",
      [{ firstName: "Mia", phoneNumbers: ["+6421555777"], vip: true }],
    ],
    [
      "POST",
      "/conversationMessages",
      {
        contactAddresses: ["+6421555001"],
        companyAddress: "+6495550100",
        messageContent: { text: "Hello", emoji: false },
        routingAction: "assign_owner",
        urgency: "high",
        passthroughParameters: { "x-kept": "yes" },
      },
    ],
  ];

  test.each(bodies)("is rejected by %s %s, or ignored if the option is set", async (method, path, body) => {
    const before = createSimulator();
    const refused = await send(before, method, path, body);
    expect(refused).toMatchObject({ status: 400, body: { details: expect.any(Array) } });
    expect(JSON.stringify(refused.body)).toContain("unknown key");
    const sim = createSimulator({ rest: { unknownKeys: "ignore" } });
    const taken = await send(sim, method, path, body);
    expect(taken.status).toBeLessThan(300);
    expect(
      JSON.stringify(sim.journal().entries.filter(({ command }) => !/^rest(Asked|Served)$/.test(command))),
    ).not.toMatch(/retries|colour|"owner"|vip|emoji|urgency/);
    expect(replay(sim.journal()).events.toJSONL()).toBe(sim.events.toJSONL());
  });

  test("is ignored, but other problems are rejected", async () => {
    const sim = createSimulator({ rest: { unknownKeys: "ignore" } });
    const { status, body } = await send(sim, "POST", "/webhooks", {
      url: "crm",
      events: ["*"],
      colour: "red",
    });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining("expected an https URL")]);
    expect(JSON.stringify(body)).not.toContain("colour");
    expect(() => createSimulator({ rest: { unknownKeys: "drop" as never } })).toThrow(
      /rest\.unknownKeys: expected one of refuse, ignore/,
    );
  });
});

test("An error of an event handler rejects the request that caused it, but keeps the change", async () => {
  const sim = newSimulator();
  sim.on("conversation.message.created", () => {
    throw new Error("mine");
  });
  const body = { from: "alice@acme.test", to: "+6421555001", body: "Hello" };
  await expect(ask(sim, "POST", "/messages", body)).rejects.toThrow("mine");
  expect(sim.conversations.list()).toHaveLength(1);
});

test("A disposed simulator rejects every request", async () => {
  const sim = newSimulator();
  sim.dispose();
  await expect(sim.fetch("/calls")).rejects.toThrow(CommandError);
  expect(thrownBy(() => sim.token())).toBeInstanceOf(CommandError);
});

describe("The document promises an operation the errors that its own code can give:", () => {
  const paths = newSimulator().openapi();

  test("404 where it names something, and 409 where the state may refuse it", async () => {
    const document = await paths;
    const having = (status: string) =>
      Object.entries(document.paths).flatMap(([path, item]) =>
        Object.entries(item ?? {}).flatMap(([method, operation]) =>
          status in ((operation as { readonly responses?: object }).responses ?? {})
            ? [`${method} ${path}`]
            : [],
        ),
      );
    const named = having("404").filter((each) => !each.includes("{"));
    expect(named).toEqual([
      "put /phonebooks",
      "put /phonebook",
      "post /contentAnalysis",
      "post /telephony/redirect",
    ]);
    expect(having("404")).not.toContain("get /calls");
    expect(having("409")).toEqual([
      "put /locations",
      ...["trunkDevices", "trunkQueues", "trunkUsers"].flatMap((kind) => [
        `post /trunks/{trunkId}/${kind}`,
        `put /trunks/{trunkId}/${kind}/{id}`,
        `delete /trunks/{trunkId}/${kind}/{id}`,
      ]),
    ]);
    expect(having("400")).not.toContain("get /teams");
  });

  test("what they promise is answered", async () => {
    const sim = newSimulator();
    const trunk = pbxOrganisation.trunks?.[0]?.id ?? "";
    const entries = `/trunks/${trunk}/trunkDevices`;
    const desk = { id: "desk", displayName: "Desk", extension: "777" };
    const statusOf = async (method: string, path: string, body?: unknown) =>
      (await ask(sim, method, path, body)).status;
    const analysis = {
      analyzer: "agent-scorecard",
      content: { recordings: [{ id: "none", transcriptionModel: "default" }] },
    };
    expect(await statusOf("POST", "/contentAnalysis", analysis)).toBe(404);
    const phonebook = { id: "zoe@acme.test", name: "Zoe's", countryIso: null, contacts: [] };
    expect(await statusOf("PUT", "/phonebooks", phonebook)).toBe(404);
    expect(await statusOf("PUT", "/locations", { id: "auckland", name: "Auckland" })).toBe(409);
    expect(await statusOf("POST", entries, desk)).toBe(201);
    expect(await statusOf("POST", entries, { ...desk, id: "other" })).toBe(409);
    expect(await statusOf("PUT", `${entries}/desk`, { extension: "101" })).toBe(409);
    sim.command("redirect", { extension: "777", from: "+6421555001", to: "+6495550100" });
    expect(await statusOf("DELETE", `${entries}/desk`)).toBe(409);
  });

  test("a cursor that is none, in the 400 of every list with one", async () => {
    const document = await paths;
    const lists = Object.values(document.paths).flatMap((item) => {
      const get = item?.get;
      return get?.parameters?.some(({ name }) => name === "next") === true ? [get] : [];
    });
    expect(lists.length).toBeGreaterThan(5);
    for (const { responses } of lists)
      expect(JSON.stringify(responses["400"])).toContain("`next` is no cursor of this list");
  });
});
