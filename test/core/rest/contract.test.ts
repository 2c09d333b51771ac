import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { exampleProblems } from "../../../docs/generate/examples.ts";
import { operations as declared } from "../../../src/core/platform/catalogue/operations.ts";
import { defaultDialect } from "../../../src/core/platform/declare/settings.ts";
import { inRoutingOrder } from "../../../src/core/rest/app.ts";
import { exampleSimulator } from "../../../src/core/rest/openapi/examples.ts";
import type { OpenApiDocument, OpenApiOperation } from "../../../src/core/rest/openapi/types.ts";
import { createSimulator, parseScenario, runScenario } from "../../../src/index.ts";
import { expectNone } from "../../lists.ts";
import { problemsBy } from "./schemas.ts";
import { ask, newSimulator } from "./support.ts";

/**
 * Holds the simulator to the document: each test sends a request as the document says, and checks the answer by the
 * document's schema.
 */

const sim = exampleSimulator(createSimulator, defaultDialect);
const document: OpenApiDocument = await sim.openapi();
const problemsOf = problemsBy(document);

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([method]) => method !== "servers")
    .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, method, path, operation] as const),
);
const apiOperations = operations.filter(([, , path]) => !/^\/(oauth|telephony)\//.test(path));

const contentOf = (body: { content?: OpenApiOperation["responses"][string]["content"] } | undefined) =>
  body?.content?.["application/json"];

/** A fork in which everything has happened that an operation's example needs. */
function forkFor({ operationId }: OpenApiOperation): typeof sim {
  const fork = sim.fork();
  declared.find(({ id }) => id === operationId)?.example.prepare?.(fork);
  return fork;
}

/** Sends the document's example. */
async function askByExample(
  method: string,
  path: string,
  { parameters = [], requestBody }: OpenApiOperation,
  fork: typeof sim,
) {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: where, example } of parameters) {
    if (example === undefined) continue;
    if (where === "path") filled = filled.replace(`{${name}}`, encodeURIComponent(String(example)));
    else query.set(name, String(example));
  }
  const body = contentOf(requestBody)?.example;
  return fork.fetch(`${filled}?${query}`, {
    method: method.toUpperCase(),
    headers: { authorization: `Bearer ${fork.token()}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** The endpoints that the specification lists; the deprecated singular paths are made of these. */
const endpoints = [
  "DELETE /call/{callId}/recordings/{recordingId}",
  "DELETE /contentAnalysis/{id}",
  "DELETE /locations/{locationId}/users/{userId}",
  "DELETE /phonebooks/{id}/contacts/{contactId}",
  "DELETE /teams/{teamId}/users/{userId}",
  "DELETE /transcripts/{transcriptId}",
  "DELETE /trunks/{trunkId}/trunkDevices/{id}",
  "DELETE /trunks/{trunkId}/trunkQueues/{id}",
  "DELETE /trunks/{trunkId}/trunkUsers/{id}",
  "DELETE /webhooks/{id}",
  "GET /call/{callId}/recordings/{recordingId}",
  "GET /calls",
  "GET /calls/{id}",
  "GET /calls/{id}/contentAnalysis",
  "GET /contentAnalysis",
  "GET /contentAnalysis/{id}",
  "GET /directory",
  "GET /directory/{entryId}",
  "GET /locations",
  "GET /locations/{locationId}",
  "GET /locations/{locationId}/users",
  "GET /phonebooks",
  "GET /phonebooks/{id}",
  "GET /phonebooks/{id}/contacts",
  "GET /phonebooks/{id}/contacts/{contactId}",
  "GET /teams",
  "GET /transcripts",
  "GET /transcripts/{transcriptId}",
  "GET /transcripts/{transcriptId}/segments",
  "GET /trunks",
  "GET /trunks/{trunkId}/trunkDevices",
  "GET /trunks/{trunkId}/trunkDevices/{id}",
  "GET /trunks/{trunkId}/trunkQueues",
  "GET /trunks/{trunkId}/trunkQueues/{id}",
  "GET /trunks/{trunkId}/trunkUsers",
  "GET /trunks/{trunkId}/trunkUsers/{id}",
  "GET /users",
  "GET /users/{id}",
  "GET /webhooks",
  "GET /webhooks/{id}",
  "POST /contentAnalysis",
  "POST /conversationMessages",
  "POST /messages",
  "POST /oauth/token",
  "POST /teamMessages",
  "POST /telephony/redirect",
  "POST /trunks/{trunkId}/trunkDevices",
  "POST /trunks/{trunkId}/trunkQueues",
  "POST /trunks/{trunkId}/trunkUsers",
  "POST /webhooks",
  "PUT /locations",
  "PUT /locations/{locationId}/users/{userId}",
  "PUT /phonebooks",
  "PUT /phonebooks/{id}",
  "PUT /phonebooks/{id}/contacts",
  "PUT /phonebooks/{id}/contacts/{contactId}",
  "PUT /teams/{teamId}/users/{userId}",
  "PUT /trunks/{trunkId}/trunkDevices/{id}",
  "PUT /trunks/{trunkId}/trunkQueues/{id}",
  "PUT /trunks/{trunkId}/trunkUsers/{id}",
  "PUT /webhooks/{id}",
];

/** An organisation with nothing optional, except one user who has everything that the examples' users lack. */
const bare = createSimulator({
  organisation: {
    id: "bare",
    features: { pbx: true },
    users: [
      { id: "u", email: "u@bare.test", displayName: "U", extension: "1" },
      { id: "m", email: "m@bare.test", displayName: "M", extension: "7", mobile: "+6421555070", ivrKey: "7" },
    ],
    teams: [{ id: "team", displayName: "T", extension: "2" }],
    devices: [{ id: "d", displayName: "D", extension: "3" }],
    locations: [{ id: "l", name: "L" }],
    phonebooks: [{ id: "p", contacts: [{ id: "c" }] }],
    trunks: [
      {
        id: "t",
        name: "T",
        devices: [{ id: "td", displayName: "TD", extension: "4" }],
        queues: [{ id: "tq", displayName: "TQ", extension: "5" }],
        users: [{ id: "tu", displayName: "TU", extension: "6" }],
      },
    ],
    webhooks: [{ url: "https://bare.test/hook", events: ["*"] }],
  },
});

/** The lists that it fills, and the names of their items. */
const bareLists: Readonly<Record<string, string>> = {
  "/directory": "entries",
  "/locations": "locations",
  "/phonebooks": "phonebooks",
  "/phonebooks/{id}/contacts": "contacts",
  "/teams": "teams",
  "/trunks": "trunks",
  "/trunks/{trunkId}/trunkDevices": "trunkDevices",
  "/trunks/{trunkId}/trunkQueues": "trunkQueues",
  "/trunks/{trunkId}/trunkUsers": "trunkUsers",
  "/users": "users",
  "/webhooks": "webhooks",
};

describe("Every operation", () => {
  test("of the list of endpoints exists", () => {
    const singular = endpoints
      .filter((each) => each.includes(" /phonebooks"))
      .map((each) => each.replace("/phonebooks", "/phonebook").replace("/contacts", "/contact"));
    const names: readonly string[] = operations.map(([name]) => name);
    expectNone(
      [...endpoints, ...singular].filter((each) => !names.includes(each)).map((each) => `${each} is missing`),
    );
  });

  test("with a word in its path comes before one with a parameter there, wherever it is declared", () => {
    const inOrder = (paths: readonly string[]) =>
      inRoutingOrder(paths.map((path) => ({ path }))).map(({ path }) => path);
    const expected = ["/calls/parked", "/calls/{id}", "/calls/{id}/notes"];
    expect(inOrder(expected.toReversed())).toEqual(expected);
    expect(inOrder(expected)).toEqual(expected);
    expect(inRoutingOrder(declared)).toHaveLength(declared.length);
  });

  test("has an example that is not refused, and so has every event", async () => {
    expectNone(await exampleProblems(declared));
  });

  test.each(apiOperations)(
    "answers its example according to its schema: %s",
    async (_, method, path, operation) => {
      const response = await askByExample(method, path, operation, forkFor(operation));
      const described = operation.responses[response.status];
      expect(response.status, await response.clone().text()).toBeLessThan(300);
      expect(described).toBeDefined();
      const answer = await response.json();
      expect(problemsOf(contentOf(described)?.schema, answer)).toEqual([]);
      expect(contentOf(described)?.example).toEqual(answer);
      if (method === "delete") expect([response.status, answer]).toEqual([200, {}]);
      expect(response.headers.has("deprecation")).toBe(operation.deprecated === true);
    },
  );

  test.each(Object.keys(bareLists))(
    "answers according to its schema for an organisation without optional fields: %s",
    async (path) => {
      const { status, body } = await ask(bare, "GET", path.replace("{trunkId}", "t").replace("{id}", "p"));
      const { schema } = contentOf(document.paths[path]?.get?.responses[200]) ?? {};
      expect(body[bareLists[path] ?? ""].length).toBeGreaterThan(0);
      expect([status, problemsOf(schema, body)]).toEqual([200, []]);
    },
  );

  test.each(apiOperations.filter(([, , , { requestBody }]) => requestBody !== undefined))(
    "has an example that its schema allows: %s",
    (_, __, ___, { requestBody }) => {
      const { schema, example } = contentOf(requestBody) ?? {};
      expect(example).toBeDefined();
      expect(problemsOf(schema, example)).toEqual([]);
    },
  );

  test.each(apiOperations)(
    "rejects a missing token according to the error schema: %s",
    async (_, method, path) => {
      const response = await sim.fetch(path.replaceAll(/[{}]/g, ""), { method: method.toUpperCase() });
      expect(response.status).toBe(401);
      expect(problemsOf({ $ref: "#/components/schemas/Error" }, await response.json())).toEqual([]);
    },
  );

  test.each(apiOperations)(
    "gives only the commands that it declares, and lists the events of its example: %s",
    async (_, method, path, operation) => {
      const { commands = [] } = declared.find(({ id }) => id === operation.operationId) ?? {};
      const fork = forkFor(operation);
      const [entries, events] = [fork.journal().entries.length, fork.events.length];
      await askByExample(method, path, operation, fork);
      const given = fork
        .journal()
        .entries.slice(entries)
        .flatMap((entry) => ("command" in entry ? [entry.command] : []));
      const changes = given.filter((name) => !["issueToken", "restAsked", "restServed"].includes(name));
      expect(changes.filter((name) => !(commands as readonly string[]).includes(name))).toEqual([]);
      expect(commands.length > 0).toBe(method !== "get");
      const types = [...fork.events].slice(events).map(({ type }) => type);
      expect(operation["x-events"]).toEqual(expect.arrayContaining(types));
    },
  );

  test.each(operations)(
    "says of each error whether to ask again, and shows one of its own where it has parameters or a body: %s",
    (_, __, ___, { parameters = [], requestBody, responses }) => {
      const shared = document.components.responses as Readonly<
        Record<string, OpenApiOperation["responses"][string]>
      >;
      const errors = Object.entries(responses).filter(([status]) => !status.startsWith("2"));
      const own = errors.filter(([, error]) => !("$ref" in error));
      const all = [...Object.values(shared), ...own.map(([, error]) => error)];
      for (const error of all)
        expect([
          "no",
          "with a new token",
          "once the state allows it",
          "after retry-after",
          "later",
        ]).toContain(error["x-ask-again"]);
      expect(Object.values(shared).filter((error) => contentOf(error)?.example === undefined)).toEqual([]);
      const shown = own.filter(([, error]) => contentOf(error)?.example !== undefined);
      // any text is a valid filter of a list that has no pages, and so is any new id of what a request creates
      const isPlain =
        requestBody === undefined &&
        !parameters.some(({ in: where, name }) => where === "path" || name === "limit");
      expect(shown.length > 0).toBe(!isPlain);
      for (const [, error] of shown) {
        const { schema, example } = contentOf(error) ?? {};
        expect(problemsOf(schema, example)).toEqual([]);
      }
    },
  );

  test("outside the API accepts its example as a form: tokens and redirected calls", async () => {
    for (const [path, type] of [
      ["/oauth/token", "application/json"],
      ["/telephony/redirect", "text/xml"],
    ] as const) {
      const { servers, post } = document.paths[path] as never as {
        servers: { url: string }[];
        post: OpenApiOperation;
      };
      const query = (post.parameters ?? []).flatMap(({ name, example }) =>
        example === undefined ? [] : [[name, String(example)]],
      );
      const form = post.requestBody?.content?.["application/x-www-form-urlencoded"];
      const response = await sim.fork().fetch(`${servers[0]?.url}${path}?${new URLSearchParams(query)}`, {
        method: "POST",
        body: new URLSearchParams(form?.example as Record<string, string>),
      });
      expect(response.status).toBe(200);
      const described = post.responses[200]?.content?.[type];
      const answer = type === "text/xml" ? await response.text() : await response.json();
      expect(answer).toEqual(described?.example);
      expect(problemsOf(described?.schema, answer)).toEqual([]);
      expect(problemsOf(form?.schema, form?.example)).toEqual([]);
    }
  });

  test("fails the check with a missing or an extra field", async () => {
    const schema = { $ref: "#/components/schemas/Contact" };
    const contact = sim.phonebooks.contact("customers", "jane");
    expect(problemsOf(schema, contact)).toEqual([]);
    expect(problemsOf(schema, { ...contact, more: 1 })).not.toEqual([]);
    expect(problemsOf(schema, { ...contact, name: undefined })).not.toEqual([]);
  });
});

describe("Every event", () => {
  let payloads: Map<string, unknown[]>;

  beforeAll(() => {
    const folder = new URL("../../../scenarios/", import.meta.url);
    const names = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
    const organisations = { acme: readFileSync(new URL("organisations/acme.yaml", folder), "utf8") };
    payloads = new Map();
    for (const name of names) {
      const scenario = parseScenario(readFileSync(new URL(name, folder), "utf8"), { organisations });
      for (const event of runScenario(scenario).events)
        payloads.set(event.type, [...(payloads.get(event.type) ?? []), JSON.parse(JSON.stringify(event))]);
    }
  });

  test("of every scenario fits the document's webhooks section", () => {
    expect(payloads.size).toBeGreaterThan(10);
    for (const [type, events] of payloads) {
      const { schema } = contentOf(document.webhooks[type]?.post.requestBody) ?? {};
      for (const event of events) expect(problemsOf(schema, event), type).toEqual([]);
    }
  });

  test.each(Object.entries(document.webhooks))("has an example that fits its schema: %s", (_, { post }) => {
    const { schema, example } = contentOf(post.requestBody) ?? {};
    expect(example).toBeDefined();
    expect(problemsOf(schema, example)).toEqual([]);
  });
});

describe("The document and the API agree on a message", () => {
  const text = (length: number) => "x".repeat(length);
  const toTeam = { companyAddress: "+6495550200", messageContent: { text: "Hello" } };
  const toContact = { ...toTeam, companyAddress: "+6495550100", contactAddresses: ["+6421555001"] };
  const plain = { from: "alice@acme.test", to: "+6421555001", body: "Hello" };
  const byUsers = { routingAction: "assign_users" };

  test.each([
    [
      "with a name of 100 characters",
      "/conversationMessages",
      { ...toContact, conversationName: text(100) },
      true,
    ],
    [
      "with a name of 101 characters",
      "/conversationMessages",
      { ...toContact, conversationName: text(101) },
      false,
    ],
    ["of 1,600 characters", "/messages", { ...plain, body: text(1_600) }, true],
    ["of 1,601 characters", "/messages", { ...plain, body: text(1_601) }, false],
    ["of a team to one contact", "/teamMessages", { ...toTeam, contactAddress: "+6421555001" }, true],
    [
      "of a team to contacts, with the channel",
      "/teamMessages",
      { ...toTeam, contactAddresses: ["+6421555001"], channel: "sms" },
      true,
    ],
    ["of a team to nobody", "/teamMessages", toTeam, false],
    [
      "assigned to users",
      "/conversationMessages",
      { ...toContact, ...byUsers, assignUsers: ["alice@acme.test"] },
      true,
    ],
    ["assigned to users who are not named", "/conversationMessages", { ...toContact, ...byUsers }, false],
  ])("%s", async (_, path, body, isAllowed) => {
    const schema = contentOf(document.paths[path]?.post?.requestBody)?.schema;
    const problems = problemsOf(schema, body);
    expect(problems.length === 0, JSON.stringify(problems)).toBe(isAllowed);
    const sent = { routingAction: "do_not_route", ...body };
    const { status } = await ask(newSimulator(), "POST", path, path === "/messages" ? body : sent);
    expect(status < 300 ? "taken" : status).toBe(isAllowed ? "taken" : 400);
  });
});

test("The document is equal for all simulators with the same dialect", async () => {
  expect(await newSimulator().openapi()).toEqual(document);
});
