import { describe, expect, test } from "vitest";
import { createSimulator } from "../../../src/index.ts";
import { ask, pbxOrganisation, playCalls } from "./support.ts";

/**
 * The requests that public clients of such a platform are known to send: a vendor's own, a command-line client, a wallboard, a
 * serverless directory, an old client of phonebooks. With them, requests of the other endpoints. Both profiles take all.
 */

const hour = 3_600_000;
const start = Date.parse("2026-07-01T00:00:00Z");

/** Method, path and body. */
const requests: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ["GET", "/directory"],
  ["GET", "/directory?limit=1000"],
  ["GET", "/directory?limit=2&next=abc"],
  ["GET", "/directory?includeHiddenCallGroups=true"],
  ["GET", "/directory?includeHiddenCallGroups=true&limit=100"],
  ["GET", "/directory?includeSuspendedUsers=true&includeHiddenCallGroups=true"],
  ["GET", "/directory?extension=200"],
  ["GET", "/directory?extension=200&ivrKey=4&limit=1"],
  ["GET", "/directory?phoneNumber=%2B6495550100"],
  ["GET", "/directory/sales"],
  ["GET", "/users"],
  ["GET", "/users?limit=1"],
  ["GET", "/users?email=alice%40acme.test"],
  ["GET", "/users/alice"],
  ["GET", "/teams"],
  ["GET", "/teams?limit=100"],
  ["GET", "/calls"],
  ["GET", "/calls?limit=200&includeRecordingUrl=true"],
  ["GET", `/calls?includeActive=true&since=${start}&before=${start + hour}&sortOrder=ascending&limit=100`],
  ["GET", `/calls?modified=${start}&includeRecordingUrl=false`],
  ["GET", "/calls?contactNumber=%2B6421555001&sortOrder=descending"],
  ["GET", "/calls/call-1?includeRecordingUrl=true"],
  ["GET", "/calls/call-1/contentAnalysis?limit=5"],
  ["GET", "/contentAnalysis"],
  ["GET", "/phonebooks?limit=100"],
  ["GET", "/phonebooks?limit=0&excludeEmpty=true"],
  ["GET", "/phonebooks?search=smi"],
  ["GET", "/phonebooks/customers"],
  ["GET", "/phonebooks/customers/contacts?limit=100"],
  ["GET", "/phonebooks/customers/contacts/jane"],
  ["GET", "/phonebook"],
  ["GET", "/phonebook/customers/contact"],
  ["PUT", "/phonebooks", { id: "leads", name: "Leads", countryIso: "NZ" }],
  ["PUT", "/phonebooks/customers/contacts/jo", { id: "jo", name: "Jo", phoneNumbers: ["+6421555030"] }],
  ["PUT", "/phonebooks/alice%40acme.test", { name: "Alice", contacts: [{ id: "jo", name: "Jo" }] }],
  ["DELETE", "/phonebooks/customers/contacts/jane"],
  ["GET", `/transcripts?since=${start}&before=${start + hour}`],
  ["GET", "/transcripts?sourceId=call-1&sourceContextId=call-1"],
  ["PUT", "/teams/sales/users/dave", { priority: 2 }],
  ["DELETE", "/teams/sales/users/bob"],
  ["GET", "/locations"],
  ["PUT", "/locations", { name: "Dunedin" }],
  ["GET", "/trunks"],
  ["GET", "/trunks/pbx/trunkDevices?limit=1"],
  ["POST", "/messages", { from: "alice@acme.test", to: "+6421555001", body: "Hello" }],
  [
    "POST",
    "/conversationMessages",
    {
      companyAddress: "+6495550200",
      contactAddresses: ["+6421555001"],
      messageContent: { text: "Hello" },
      routingAction: "do_not_route",
    },
  ],
  ["POST", "/webhooks", { url: "https://crm.test/hooks", events: ["call.started", "call.ended"] }],
  ["POST", "/webhooks", { url: "https://crm.test/all", events: ["*"], description: "CRM", enabled: true }],
  ["GET", "/webhooks"],
  ["GET", "/webhooks/webhook-1"],
  ["PUT", "/webhooks/webhook-1", { enabled: false }],
  ["DELETE", "/webhooks/webhook-1"],
];

describe.each(["documented", "observed"] as const)("Of public clients, the profile %s", (profile) => {
  const cases = requests.map(([method, path, body]) => ({ method, path, body }));
  test.each(cases)("takes $method $path", async ({ method, path, body }) => {
    const observed = profile === "observed" ? { profile } : {};
    const sim = createSimulator({ organisation: pbxOrganisation, ids: "counter", ...observed });
    sim.webhooks.create({ url: "https://crm.test/first", events: ["call.ended"] });
    playCalls(sim, 1);
    const { status, body: answer } = await ask(sim, method, path, body);
    expect({ status, answer: status < 300 ? undefined : answer }).toEqual({
      status: expect.toSatisfy((each: unknown) => Number(each) >= 200 && Number(each) < 300),
      answer: undefined,
    });
  });
});
