import type { EventType, PlatformEvent } from "../../platform/events.ts";
import { demoOrganisation } from "../../platform/organisation/demo.ts";
import type { OrganisationInput } from "../../platform/organisation/schema.ts";
import { type Dialect, urls } from "../../platform/settings.ts";
import { toWire } from "../../platform/wire-names.ts";
import { createSimulator, type Simulator } from "../../simulator.ts";
import type { Operation } from "../operation.ts";

/** The demo organisation with all that it can have. */
const organisation = {
  ...demoOrganisation,
  features: { recording: true, transcription: true, analysis: true, tariff: true, pbx: true },
  tariff: { currency: "NZD", routes: [{ prefix: "+64", perMinute: 0.05 }] },
  trunks: [
    {
      id: "warehouse-pbx",
      name: "Warehouse PBX",
      devices: [{ id: "device-1", displayName: "Gate phone", extension: "6001", model: "T31" }],
      queues: [{ id: "queue-1", displayName: "Returns", extension: "6002" }],
      users: [{ id: "user-1", displayName: "Hemi Rua", extension: "6003", user: "dave" }],
    },
  ],
  webhooks: [{ url: "https://crm.acme.test/all", events: ["*"] }],
} satisfies OrganisationInput;

const contact = "+6421555001";

/** What the examples of the document happen in: a call with all that comes of it, and a conversation. */
export function exampleSimulator(dialect: Dialect): Simulator {
  const sim = createSimulator({ ids: "counter", organisation, dialect });
  const call = sim.calls.inbound({
    from: contact,
    to: "+6495550100",
    vendorCallId: "CA1",
    passthroughParameters: { "x-order": "42" },
  });
  sim.advance("PT6S");
  call.answer("alice", { endpoint: "desktop" });
  sim.advance("PT1M");
  call.hangup("caller");
  call.note("Wants 40 of them by Friday.", { by: "alice" });
  sim.conversations.receive({ from: contact, to: "+6495550100", text: "Is my order on its way?" });
  sim.advance("PT2M");
  return sim;
}

/** An event of every type, as it happens after that. */
export function exampleEvents(dialect: Dialect): ReadonlyMap<EventType, PlatformEvent> {
  const sim = exampleSimulator(dialect);
  const call = sim.calls.get("call-1");
  call.assignContact("jane", { by: "alice" });
  call.assignContact({ name: "Jo Park", phoneNumbers: [contact] }, { by: "alice" });
  const unanswered = sim.calls.inbound({ from: "+6421555009", to: "+6495550103" });
  unanswered.decline("carol");
  sim.calls.inbound({ from: "+6421555009", to: "+6495550200" }).answer("bob");
  unanswered.assignContact({ name: "Ana Lee", phoneNumbers: ["+6421555009"] }, { by: "carol" });
  const { id } = sim.conversations.list()[0] ?? { id: "" };
  sim.conversations.assignContact(id, "jane");
  sim.advance("P2D");
  sim.conversations.close(id);
  const events = new Map<EventType, PlatformEvent>();
  for (const event of sim.events) if (!events.has(event.type)) events.set(event.type, event);
  return events;
}

/** One operation's own example: what is sent, and what this simulator answers. */
export interface PlayedExample {
  readonly status: number;
  /** On the wire; undefined without one. */
  readonly requestBody: unknown;
  readonly answer: unknown;
}

/** Plays the example of an operation in a fork, so that none disturbs another. */
export async function playExample(
  sim: Simulator,
  { method, path, example }: Operation,
  dialect: Dialect,
): Promise<PlayedExample> {
  const fork = sim.fork();
  const url = new URL(
    path.replaceAll(/\{(\w+)\}/g, (_, name) => example.params?.[name] ?? ""),
    urls.api,
  );
  for (const [name, value] of Object.entries(example.query ?? {})) url.searchParams.set(name, String(value));
  const requestBody = toWire(example.body, dialect.fieldNames);
  const response = await fork.fetch(url, {
    method: method.toUpperCase(),
    headers: { authorization: `Bearer ${fork.token()}`, "content-type": "application/json" },
    ...(requestBody === undefined ? {} : { body: JSON.stringify(requestBody) }),
  });
  const text = await response.text();
  return { status: response.status, requestBody, answer: text === "" ? undefined : JSON.parse(text) };
}
