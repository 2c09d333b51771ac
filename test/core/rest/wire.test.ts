import { describe, expect, test } from "vitest";
import { operations as declared } from "../../../src/core/platform/catalogue/operations.ts";
import { defaultDialect } from "../../../src/core/platform/declare/settings.ts";
import { exampleSimulator } from "../../../src/core/rest/openapi/examples.ts";
import { createSimulator, demoOrganisation } from "../../../src/index.ts";
import { expectListed, expectNone } from "../../lists.ts";
import { problemsBy } from "./schemas.ts";
import { ask, newSimulator, playCalls } from "./support.ts";

/**
 * What clients can send, parameter by parameter: what is taken, what is refused and what is ignored. Methods of the
 * simulator may take more, and none of that may be taken here.
 */

const sim = exampleSimulator(createSimulator, defaultDialect);
const document = await sim.openapi();
const problemsOf = problemsBy(document);

interface Row {
  readonly takes: readonly unknown[];
  readonly refuses: readonly unknown[];
  /** Taken as if it were not there, although the document does not allow it. */
  readonly ignores?: readonly unknown[];
  /** What is sent besides. */
  readonly beside?: object;
}

const nullableText: Row = { takes: ["x", null], refuses: ["", 1, ["x"]] };
const text: Row = { takes: ["x"], refuses: ["", 1, null, ["x"]] };
const flag: Row = { takes: [true, false], refuses: ["true", 0, null] };
const number: Row = { takes: ["+6421555001"], refuses: ["6421555001", "+0", "021 555 001", "1234", null] };
const country: Row = { takes: ["NZ", "nz", null], refuses: ["NZL", "New Zealand", 64] };
const passthrough: Row = {
  takes: [{ "x-ticket": "7" }, {}, { "x-ticket": 7, other: {} }],
  ignores: ["x-ticket=7", ["x-ticket=7"], 7, true, null],
  refuses: [],
};
const closeTimer: Row = {
  takes: ["PT600S", "P180D", "P6M", "PT10M"],
  refuses: ["PT599S", "P180DT1S", "P7M", "P1Y", 600, "10 minutes", null],
};
const users: Row = {
  takes: [["bob@acme.test"], ["Bob@acme.test", "carol@acme.test"]],
  refuses: [["bob"], ["nobody@acme.test"], "bob@acme.test", [null]],
};
const sendAsUser: readonly unknown[] = [
  { text: "x", sendAsUser: "bob" },
  { text: "x", sendAsUser: "lobby" },
  { text: "x", sendAsUser: "nobody@acme.test" },
];
const messageContent: Row = {
  takes: [{ text: "x" }, { media: ["https://a.test/1.jpg"] }, { text: "x", sendAsUser: "bob@acme.test" }],
  refuses: ["x", {}, { text: "" }, { text: "x", colour: "red" }, ...sendAsUser],
};
const conversation: Record<string, Row> = {
  assignUsers: users,
  claimRule: text,
  closeTimer,
  conversationName: { takes: ["x".repeat(100)], refuses: ["x".repeat(101), "", null] },
  messageContent,
  passthroughParameters: passthrough,
};
const contact: Record<string, Row> = {
  name: text,
  firstName: nullableText,
  lastName: nullableText,
  jobTitle: nullableText,
  phoneNumbers: { takes: [[], ["+6421555001", "021 555 001"]], refuses: ["+6421555001", [""], [7]] },
  emailAddresses: { takes: [[], ["a@b.test"]], refuses: ["a@b.test", ["a"]] },
};
const contacts: Row = {
  takes: [[], [{}], [{ id: "x", name: "X" }]],
  refuses: [{}, [null], [{ id: 1 }], [{ colour: "red" }], [{ id: "x" }, { id: "x" }]],
};
const readOnly: Row = { takes: ["x", 1, null, {}], refuses: [] };
const dates = (...names: string[]) =>
  Object.fromEntries(
    names.flatMap((name) => [
      [`${name}At`, readOnly],
      [`${name}Timestamp`, readOnly],
    ]),
  );
const phonebook: Record<string, Row> = {
  name: text,
  countryIso: country,
  contacts,
  ...dates("created", "lastModified"),
};
const webhook: Record<string, Row> = {
  url: { takes: ["https://a.test/x"], refuses: ["http://a.test/x", "https://localhost/x", "a.test", null] },
  events: { takes: [["*"], ["call.ended"]], refuses: [[], ["call.rung"], "*", null] },
  description: nullableText,
  enabled: flag,
};
const trunkEntry: Record<string, Row> = {
  displayName: text,
  extension: { takes: ["7001"], refuses: [7001, "x", "101", null] },
  ivrKey: { takes: ["7"], refuses: [7, "", null] },
  description: nullableText,
};
const trunkDevice = { ...trunkEntry, location: nullableText, model: nullableText, product: nullableText };
const serviceUser: Row = {
  takes: ["bob", "bob@acme.test", null],
  refuses: ["nobody", "sales", 7, { id: "bob", displayName: "Bob Tane", email: "bob@acme.test" }],
};
const trunkUser: Record<string, Row> = {
  ...trunkEntry,
  department: nullableText,
  jobTitle: nullableText,
  location: nullableText,
  manager: nullableText,
  user: serviceUser,
  phoneNumbers: { takes: [[], ["+6495550191"]], refuses: [["x"], "+6495550191", null] },
};
const ofTrunk = {
  id: readOnly,
  trunkId: readOnly,
  type: readOnly,
  vendorRedirectUrl: readOnly,
  ...dates("created", "lastModified"),
};
const newId: Row = { takes: ["fresh"], refuses: ["", 7, null] };

const bodies: Record<string, Record<string, Row>> = {
  createContentAnalysis: {
    analyzer: text,
    content: {
      takes: [
        { recordings: [{ id: "recording-1" }] },
        { agent: "alice", contentAnalysis: [{ id: "analysis-1" }] },
        { agent: "alice@acme.test", contentAnalysis: [{ id: "analysis-1" }] },
      ],
      refuses: [
        { recordings: [] },
        { recordings: [{ id: "none" }] },
        { agent: "alice", contentAnalysis: [] },
        { agent: "alice", contentAnalysis: [{ id: "none" }] },
        { agent: "bob", contentAnalysis: [{ id: "analysis-1" }] },
        { agent: "nobody", contentAnalysis: [{ id: "analysis-1" }] },
      ],
    },
    passthroughParameters: {
      ...passthrough,
      takes: [{ ticket: { deep: [1, null] } }, {}],
    },
  },
  createLocation: {
    id: { takes: ["fresh"], refuses: ["", "auckland", 7] },
    name: text,
    address: text,
    countryIso: text,
    timezone: { takes: ["Pacific/Auckland", "UTC"], refuses: ["Mars/Base", "", null] },
  },
  createTrunkDevice: { id: newId, ...trunkDevice },
  createTrunkQueue: { id: newId, ...trunkEntry },
  createTrunkUser: { id: newId, ...trunkUser },
  updateTrunkDevice: { ...ofTrunk, ...trunkDevice },
  updateTrunkQueue: { ...ofTrunk, ...trunkEntry },
  updateTrunkUser: {
    ...ofTrunk,
    ...trunkUser,
    user: {
      takes: [...serviceUser.takes, { id: "bob" }, { id: "bob", displayName: "Bob Tane", email: "x" }],
      refuses: ["nobody", "sales", 7, {}, { id: "bob@none.test" }, { id: "bob", colour: "red" }],
    },
  },
  createWebhook: webhook,
  updateWebhook: {
    ...webhook,
    id: readOnly,
    consecutiveFailures: readOnly,
    createdBy: readOnly,
    ...dates("created", "lastModified", "disabled"),
  },
  putContact: { id: { takes: ["jane"], refuses: ["john", 7] }, ...contact },
  putContacts: { contacts },
  putPhonebook: { id: { takes: ["bob@acme.test", "Bob@acme.test"], refuses: ["bob", 7] }, ...phonebook },
  putPhonebooks: { id: { takes: ["new", "bob@acme.test"], refuses: ["", "x@none.test", 7] }, ...phonebook },
  putTeamMember: { priority: { takes: [1, 100], refuses: [0, 101, 1.5, "1", null] } },
  sendConversationMessage: {
    ...conversation,
    contactAddresses: {
      takes: [["+6421555001"], ["+6421555001", "+6421555002"]],
      refuses: [[], "+6421555001", ["1234"], ["+6421555001", "+6421555001"], ["+6495550100"]],
    },
    companyAddress: {
      takes: ["+6495550100", "+6495550200"],
      refuses: [...number.refuses, "+6495550101", "alice"],
    },
    routingAction: {
      takes: ["do_not_route", "assign_owner"],
      refuses: ["assign_team", "assign_users", "x", null],
    },
    notificationMode: { takes: ["notify_unread", "silent_unread", "silent_read"], refuses: ["silent", null] },
  },
  sendMessage: {
    body: { takes: ["x".repeat(1600)], refuses: ["x".repeat(1601), "", null] },
    from: {
      takes: ["alice@acme.test", "Alice@ACME.test", "+6495550100"],
      refuses: ["alice", "bob@acme.test", "+6495550200", "+6495550102", "nobody@acme.test", null],
    },
    to: number,
    notifyUsers: flag,
    closeTimer,
    conversationName: conversation.conversationName as Row,
    passthroughParameters: passthrough,
  },
  sendTeamMessage: {
    ...conversation,
    companyAddress: { takes: ["+6495550200"], refuses: ["+6495550100", "sales", null] },
    contactAddress: number,
    contactAddresses: {
      takes: [["+6421555001"], ["+6421555001", "+6421555002"]],
      refuses: [[], ["1234"]],
      beside: { contactAddress: undefined, channel: "sms" },
    },
    channel: { takes: ["sms"], refuses: ["whatsApp", "", null] },
    routingAction: { takes: ["assign_team", "do_not_route"], refuses: ["assign_owner", "assign_users", "x"] },
    notifyUsers: flag,
  },
};

/** Keys that the methods of the simulator take, or that an operation of another method takes. */
const unknownKeys: readonly (readonly [operation: string, key: string, value: unknown])[] = [
  ["sendConversationMessage", "channel", "sms"],
  ["sendConversationMessage", "notifyUsers", false],
  ["sendMessage", "channel", "sms"],
  ["sendTeamMessage", "notificationMode", "silent_read"],
  ["createWebhook", "signingSecret", "x"],
  ["createWebhook", "createdBy", "alice"],
  ["createWebhook", "id", "x"],
  ["updateWebhook", "signingSecret", "x"],
  ["putPhonebook", "owner", "alice"],
  ["putContact", "createdAt", "x"],
  ["createTrunkDevice", "type", "trunkDevice"],
];

const alice = ["alice"];
const whole = (most: number): Row => ({
  takes: ["0", "1", String(most)],
  refuses: ["-1", `${most + 1}`, "1.5", "x", ""],
});
const instant: Row = {
  takes: ["0", "1782864000000", "-1"],
  refuses: ["today", "1.5", "2026-07-01T00:00:00Z", ""],
};
const next: Row = { takes: [""], refuses: ["x"] };
const queryFlag: Row = { takes: ["true", "false"], refuses: ["yes", "1", ""] };
const paging = { limit: whole(1000), next };
const queries: Record<string, Record<string, Row>> = {
  listCalls: {
    ...paging,
    before: instant,
    since: instant,
    modified: instant,
    sortOrder: { takes: ["asc", "desc", "ascending", "descending"], refuses: ["up", ""] },
    contactNumber: {
      takes: ["+6421555001", "1", "123", "12345678", "1234567890"],
      refuses: ["anonymous", "021 555", " 6421555001", "alice", "+1", ""],
    },
  },
  listContacts: paging,
  listDirectory: {
    extension: { takes: ["101", "x"], refuses: [] },
    ivrKey: { takes: ["1"], refuses: [] },
    phoneNumber: { takes: ["+6495550100"], refuses: ["6495550100", "alice"] },
    includeSuspendedUsers: queryFlag,
    includeHiddenCallGroups: queryFlag,
  },
  listPhonebooks: { ...paging, excludeEmpty: queryFlag },
  listTrunkDevices: paging,
  listTrunkQueues: paging,
  listTrunkUsers: paging,
  listTrunks: paging,
  listUsers: { email: { takes: ["alice@acme.test", "ALICE@acme.test", "x"], refuses: [] } },
  listWebhooks: paging,
};

const userId: Row = { takes: alice, refuses: ["alice@acme.test", "101", "lobby", "sales", "nobody"] };
const callId: Row = { takes: ["call-1"], refuses: ["CA1", "call-0"] };
const teamId: Row = { takes: ["sales"], refuses: ["200", "Sales", "+6495550200", "alice"] };
const locationId: Row = { takes: ["auckland"], refuses: ["Auckland", "x"] };
const phonebookId: Row = { takes: ["customers"], refuses: ["Customers", "alice", "x@none.test"] };
/** The parameters of paths with rows of their own. The others take the id of their example. */
const paths: Record<string, Row> = {
  "calls/{id}": callId,
  "call/{callId}": callId,
  "recordings/{recordingId}": { takes: ["recording-1"], refuses: ["transcript-1", "x"] },
  "contacts/{contactId}": { takes: ["jane"], refuses: ["Jane Smith", "+6421555001"] },
  "contentAnalysis/{id}": { takes: ["analysis-1"], refuses: ["call-1", "x"] },
  "directory/{entryId}": {
    takes: ["alice", "sales", "lobby"],
    refuses: ["alice@acme.test", "101", "+6495550100"],
  },
  "locations/{locationId}": locationId,
  "phonebooks/{id}": phonebookId,
  "teams/{teamId}": teamId,
  "transcripts/{transcriptId}": { takes: ["transcript-1"], refuses: ["recording-1", "x"] },
  "trunks/{trunkId}": { takes: ["warehouse-pbx"], refuses: ["Warehouse PBX", "x"] },
  "trunkDevices/{id}": { takes: ["device-1"], refuses: ["6001", "queue-1", "lobby"] },
  "trunkQueues/{id}": { takes: ["queue-1"], refuses: ["6002", "device-1", "sales"] },
  "trunkUsers/{id}": { takes: ["user-1"], refuses: ["6003", "dave", "dave@acme.test"] },
  "users/{id}": userId,
  "users/{userId}": userId,
  "webhooks/{id}": { takes: ["webhook-1"], refuses: ["https://crm.acme.test/all", "x"] },
};

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([method]) => method !== "servers" && !/^\/(oauth|telephony|phonebook\b)/.test(path))
    .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);
const named = (id: string) => {
  const found = operations.find(({ operation }) => operation.operationId === id);
  if (found === undefined) throw new Error(`no operation is named ${id}`);
  return found;
};

const contentOf = ({ operation }: (typeof operations)[number]) =>
  operation.requestBody?.content?.["application/json"];

/** The path of an operation's example. */
function examplePath({ path, operation }: (typeof operations)[number]): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const parameter = operation.parameters?.find((each) => each.in === "path" && each.name === name);
    return encodeURIComponent(String(parameter?.example));
  });
}

/** The fields of a body, of all its shapes. */
function fieldsOf(schema: unknown): string[] {
  const { $ref, anyOf, properties } = schema as {
    readonly $ref?: string;
    readonly anyOf?: readonly unknown[];
    readonly properties?: object;
  };
  const component = $ref && document.components.schemas?.[$ref.replace("#/components/schemas/", "")];
  if (component !== undefined) return fieldsOf(component);
  return anyOf === undefined ? Object.keys(properties ?? {}) : [...new Set(anyOf.flatMap(fieldsOf))];
}

async function statusOf(method: string, path: string, body?: unknown, fork = sim.fork()): Promise<number> {
  const response = await fork.fetch(path, {
    method,
    headers: { authorization: `Bearer ${fork.token()}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  JSON.parse(await response.text());
  return response.status;
}

const rowsOf = (table: Record<string, Record<string, Row>>) =>
  Object.entries(table).flatMap(([id, rows]) =>
    Object.entries(rows).map(([name, row]) => [`${id}: ${name}`, id, name, row] as const),
  );

describe("A body", () => {
  test("has a row here for each of its fields", () => {
    const described = operations.flatMap((each) => {
      const { schema } = contentOf(each) ?? {};
      return schema === undefined
        ? []
        : fieldsOf(schema).map((name) => `${each.operation.operationId}: ${name}`);
    });
    // one contact, or a phonebook among several, has the fields that it has elsewhere
    const elsewhere = [
      ...Object.keys({ id: 0, ...contact }).map((name) => `putContacts: ${name}`),
      "putPhonebooks: phonebooks",
    ];
    const listed = [...rowsOf(bodies).map(([name]) => name), ...elsewhere];
    expectListed("test/core/rest/wire.test.ts, `bodies`", listed, described);
  });

  test.each(rowsOf(bodies))("takes and refuses, as its row says: %s", async (_, id, name, row) => {
    const operation = named(id);
    const { schema, example } = contentOf(operation) ?? {};
    const { takes, refuses, ignores = [], beside = {} } = row;
    const problems: string[] = [];
    const send = async (value: unknown) => {
      const body = { ...(example as object), ...beside, [name]: value };
      return [body, await statusOf(operation.method, examplePath(operation), body)] as const;
    };
    for (const value of takes) {
      const [body, status] = await send(value);
      if (status >= 300) problems.push(`${JSON.stringify(value)} is refused with ${status}`);
      const differences = problemsOf(schema, JSON.parse(JSON.stringify(body)));
      if (differences.length > 0) problems.push(`the document does not allow ${JSON.stringify(value)}`);
    }
    for (const value of ignores) {
      const [, status] = await send(value);
      if (status >= 300) problems.push(`${JSON.stringify(value)} is refused with ${status}`);
    }
    for (const value of refuses) {
      const [, status] = await send(value);
      if (![400, 404, 409].includes(status)) problems.push(`${JSON.stringify(value)} is taken: ${status}`);
    }
    expectNone(problems);
  });

  test.each(unknownKeys)("of %s has no key %s", async (id, key, value) => {
    const operation = named(id);
    const body = { ...(contentOf(operation)?.example as object), [key]: value };
    expect(await statusOf(operation.method, examplePath(operation), body)).toBe(400);
  });
});

describe("A query", () => {
  test("has a row here for each of its parameters", () => {
    const described = operations.flatMap(({ operation }) =>
      (operation.parameters ?? [])
        .filter((each) => each.in === "query")
        .map(({ name }) => `${operation.operationId}: ${name}`),
    );
    expectListed(
      "test/core/rest/wire.test.ts, `queries`",
      rowsOf(queries).map(([name]) => name),
      described,
    );
  });

  test.each(rowsOf(queries))(
    "takes and refuses, as its row says: %s",
    async (_, id, name, { takes, refuses }) => {
      const operation = named(id);
      const ask = (value: unknown) =>
        statusOf("GET", `${examplePath(operation)}?${name}=${encodeURIComponent(String(value))}`);
      for (const value of takes) expect([value, await ask(value)]).toEqual([value, 200]);
      for (const value of refuses) expect([value, await ask(value)]).toEqual([value, 400]);
    },
  );
});

describe("A path", () => {
  const places = operations.flatMap(({ path, method, operation }) =>
    [...path.matchAll(/(\w+\/\{(\w+)\})/g)].map(([, place = "", name = ""]) => ({
      place,
      name,
      path,
      method,
      operation,
    })),
  );

  test("has a parameter for each row here", () => {
    const present = places.map(({ place }) => place);
    expect(Object.keys(paths).filter((each) => !present.includes(each))).toEqual([]);
  });

  test.each(places.map((each) => [`${each.method} ${each.path}, ${each.name}`, each] as const))(
    "refuses anything but an id: %s",
    async (_, { place, name, path, method, operation }) => {
      const { example } =
        operation.parameters?.find((each) => each.in === "path" && each.name === name) ?? {};
      const own = paths[place];
      const { takes, refuses } = own ?? { takes: [String(example)], refuses: ["x"] };
      const body = operation.requestBody?.content?.["application/json"]?.example;
      const statusWith = (value: unknown) => {
        const filled = path.replace(place, place.replace(/\{\w+\}/, encodeURIComponent(String(value))));
        const fork = sim.fork();
        if (own === undefined)
          declared.find(({ id }) => id === operation.operationId)?.example.prepare?.(fork);
        return statusOf(method, examplePath({ path: filled, method, operation }), body, fork);
      };
      // what is put at a phonebook's or a contact's path may be new
      const isNew =
        method === "PUT" && /(phonebooks\/\{id\}|\{contactId\})$/.test(path) && path.endsWith(place);
      const taken = isNew ? [200, 201] : method === "GET" ? [200] : [200, 201, 404];
      for (const value of takes) expect(taken).toContain(await statusWith(value));
      if (!isNew) for (const value of refuses) expect([value, await statusWith(value)]).toEqual([value, 404]);
    },
  );

  test("names a personal phonebook by its user's e-mail address", async () => {
    const own = newSimulator();
    expect((await ask(own, "PUT", "/phonebooks/bob@acme.test", { contacts: [{ id: "x" }] })).status).toBe(
      201,
    );
    for (const path of ["", "/contacts", "/contacts/x"])
      expect((await ask(own, "GET", `/phonebooks/Bob@acme.test${path}`)).status).toBe(200);
    expect((await ask(own, "GET", "/phonebooks/bob")).status).toBe(404);
  });

  test("of a membership names a user, although a team has devices too", async () => {
    const own = newSimulator();
    const lobby = "/teams/sales/users/lobby";
    expect((await ask(own, "PUT", lobby, { priority: 2 })).status).toBe(404);
    expect((await ask(own, "DELETE", lobby)).status).toBe(404);
    own.teams.get("sales").setMember("lobby", { priority: 2 });
    own.teams.get("sales").removeMember("lobby");
  });
});

describe("A record that GET has given", () => {
  test.each([
    ["/webhooks/webhook-1", "webhook"],
    ["/phonebooks/customers", "phonebook"],
    ["/phonebooks/customers/contacts/jane", "contact"],
    ["/trunks/warehouse-pbx/trunkDevices/device-1", "trunk device"],
    ["/trunks/warehouse-pbx/trunkQueues/queue-1", "trunk queue"],
    ["/trunks/warehouse-pbx/trunkUsers/user-1", "trunk user"],
  ])("is taken by PUT, and stays as it was: %s", async (path) => {
    const fork = sim.fork();
    const headers = { authorization: `Bearer ${fork.token()}`, "content-type": "application/json" };
    const got = await (await fork.fetch(path, { headers })).json();
    const put = await fork.fetch(path, { method: "PUT", headers, body: JSON.stringify(got) });
    expect([put.status, await put.json()]).toEqual([200, { ...got, ...modified(got, fork.timestamp) }]);
    const more = await fork.fetch(path, {
      method: "PUT",
      headers,
      body: JSON.stringify({ ...got, colour: 1 }),
    });
    expect(more.status).toBe(400);
  });

  test("is taken in a list of phonebooks and of contacts", async () => {
    const own = newSimulator();
    const { body: phonebook } = await ask(own, "GET", "/phonebooks/customers");
    expect((await ask(own, "PUT", "/phonebooks", { phonebooks: [phonebook] })).body.phonebooks[0]).toEqual(
      phonebook,
    );
    const { body: list } = await ask(own, "GET", "/phonebooks/customers/contacts");
    const { contacts } = list;
    expect((await ask(own, "PUT", "/phonebooks/customers/contacts", { contacts })).body.contacts).toEqual(
      contacts,
    );
  });

  /** What a change of a record changes besides. */
  function modified(record: object, timestamp: number): object {
    return "lastModifiedAt" in record
      ? { lastModifiedAt: new Date(timestamp).toISOString(), lastModifiedTimestamp: timestamp }
      : {};
  }
});

describe("A content analysis that aggregates scorecards", () => {
  test("takes those of whoever was on the call, and refuses another's, each by its place", async () => {
    const own = newSimulator();
    playCalls(own, 1);
    own.advance("PT5M");
    const aggregate = (agent: string, ...jobs: string[]) =>
      ask(own, "POST", "/contentAnalysis", {
        analyzer: "x",
        content: { agent, contentAnalysis: jobs.map((id) => ({ id })) },
      });
    const first = await aggregate("alice", "analysis-1");
    expect(first.status).toBe(201);
    expect((await aggregate("alice", "analysis-1", first.body.id)).status).toBe(201);
    const refused = await aggregate("bob@acme.test", "analysis-1", first.body.id);
    expect([refused.status, refused.body.details.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      ["content.contentAnalysis[0].id", "content.contentAnalysis[1].id"],
    ]);
    expect(refused.body.message).not.toContain("createAnalysis");
    expect(own.analysis.list()).toHaveLength(3);
  });
});

describe("Methods of the simulator", () => {
  test("go on taking ids or e-mail addresses, the channel, and text that is a query", () => {
    const own = createSimulator();
    own.conversations.send({
      companyAddress: "+6495550100",
      contactAddresses: ["+6421555001"],
      messageContent: { text: "x", sendAsUser: "bob" },
      channel: "whatsApp",
      routingAction: "assign_users",
      assignUsers: ["carol", "bob@acme.test"],
      passthroughParameters: "x-a=1" as never,
    });
    expect(own.conversations.list()[0]).toMatchObject({
      channel: "whatsApp",
      passthroughParameters: { "x-a": "1" },
      messages: [{ author: { id: "bob" } }],
    });
    expect(own.users.get("alice@acme.test").record.id).toBe("alice");
    own.teams.get("sales").setMember("alice@acme.test");
    expect(own.users.get("alice").record.teams.map(({ id }) => id)).toContain("sales");
  });
});

describe("An answer of a data action", () => {
  const rows: Record<string, Record<string, Row>> = {
    outboundCall: {
      action: { takes: ["allow", "block"], refuses: ["Allow", true, 1] },
      passthroughParameters: { takes: [{ "x-a": "1" }, {}], refuses: ["x-a=1", ["x-a=1"], 1] },
    },
    teamCall: {
      priority: { takes: [1, 9, 0, 10, 1.5], refuses: ["1", true, [1]] },
      displayName: { takes: ["VIP"], refuses: ["", 1, ["VIP"]] },
      passthroughParameters: { takes: [{ "x-a": "1" }, { "x-a": 1 }], refuses: ["x-a=1", ["x-a=1"], 1] },
    },
    inboundConversations: {
      claimRule: { takes: ["anyone"], refuses: ["", 1] },
      closeTimer: { takes: ["PT600S", "P180D", "P6M"], refuses: ["PT599S", "P181D", "P7M", 600] },
      passthroughParameters: { takes: [{ "x-a": "1" }], refuses: ["x-a=1", ["x-a=1"], 1] },
    },
    callInsights: {
      cards: { takes: [[], [{ title: "x" }, 1]], refuses: ["x", { title: "x" }] },
      preferences: {
        takes: [{}, { contextSource: "crm", cardOrder: ["x"] }],
        refuses: ["x", [], { cardOrder: "x" }],
      },
    },
  };
  const url = "https://crm.test/act";

  /** The request that asks the action, after it was answered. */
  function asked(action: string, body: object) {
    const own = createSimulator({ organisation: { ...demoOrganisation, dataActions: { [action]: url } } });
    own.network.route(url, { body });
    if (action === "outboundCall") own.calls.outbound({ from: "alice", to: "+6421555001" });
    else if (action === "inboundConversations")
      own.conversations.receive({ from: "+6421555001", to: "+6495550100", text: "x" });
    else
      own.calls.inbound({ from: "+6421555001", to: action === "teamCall" ? "+6495550200" : "+6495550100" });
    own.advance(0);
    const [request] = own.network.requests;
    if (request === undefined) throw new Error(`${action} was not asked`);
    return request;
  }

  test.each(rowsOf(rows))("takes and refuses, as its row says: %s", (_, action, name, { takes, refuses }) => {
    // an answer of which something can be taken, whatever the field is
    const rest = action === "callInsights" && name !== "cards" ? { cards: [] } : {};
    for (const value of [...takes, null]) {
      const isCardsOfNull = name === "cards" && value === null;
      const { problems, failure } = asked(action, { ...rest, [name]: value, unknown: 1 });
      expect([value, problems, failure === null]).toEqual([value, [], !isCardsOfNull]);
    }
    for (const value of refuses) {
      const { problems } = asked(action, { ...rest, [name]: value });
      expect([value, problems.map(({ path }) => path.split(".")[0])]).toEqual([value, [name]]);
    }
  });
});
