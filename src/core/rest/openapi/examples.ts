import type { EventDeclaration } from "../../platform/base/define-events.ts";
import { events as declaredEvents } from "../../platform/catalogue/events.ts";
import type { AnyOperation } from "../../platform/catalogue/operations.ts";
import type { EventType, PlatformEvent } from "../../platform/declare/events.ts";
import type { Dialect } from "../../platform/declare/settings.ts";
import { defaultUrls, type Urls } from "../../platform/declare/urls.ts";
import { toWire } from "../../platform/declare/wire-names.ts";
import { demoOrganisation } from "../../platform/organisation/demo.ts";
import type { OrganisationInput } from "../../platform/organisation/schema.ts";
import type { ExampleSimulator, MakeSimulator } from "./example-simulator.ts";

/** The demo organisation with all features. */
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

/** Creates the simulator of the examples, with a call, its recordings and a conversation. */
export function exampleSimulator<Sim extends ExampleSimulator>(
  make: MakeSimulator<Sim>,
  dialect: Dialect,
  urls: Urls = defaultUrls,
): Sim {
  // examples do not show the vendor's secret
  const withoutSecret = { ...dialect, vendorSecret: null };
  const sim = make({ ids: "counter", organisation, dialect: withoutSecret, urls });
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

/** An event of every type. */
export function exampleEvents(
  make: MakeSimulator,
  dialect: Dialect,
  urls: Urls,
): ReadonlyMap<EventType, PlatformEvent> {
  const sim = exampleSimulator(make, dialect, urls);
  for (const { example } of Object.values<EventDeclaration>(declaredEvents)) example?.(sim);
  const events = new Map<EventType, PlatformEvent>();
  for (const event of sim.events) if (!events.has(event.type)) events.set(event.type, event);
  return events;
}

/** The simulator in which examples run. */
export interface ExampleContext {
  readonly sim: ExampleSimulator;
  /** Whether it is a user's simulator: examples must not leak its future random values. */
  readonly isReal: boolean;
  /** Whether its client's secret may be shown. */
  readonly showsSecrets: boolean;
}

/** A request to the token endpoint or the redirect handler, and its answer. */
export interface FormExample {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly form: Readonly<Record<string, string>>;
  readonly answer: unknown;
}

/** Runs both in forks. A redirect handler that requires a signature has no example. */
export async function playForms({
  sim,
  isReal,
  showsSecrets,
}: ExampleContext): Promise<readonly FormExample[]> {
  const { credentials, options, urls } = sim;
  const { clientId, clientSecret } = credentials;
  const token = { client_id: clientId, client_secret: clientSecret, grant_type: "client_credentials" };
  const [entry] = sim.directory.list();
  const extension = sim.directory.list().find((each) => each.extension === "200") ?? entry;
  const query = {
    extension: extension?.extension ?? "200",
    organisationId: options.organisation.id,
    timeout: "30",
  };
  const call = { from: contact, parentCallId: "CA2", to: "+6495550200" };
  const post = async (url: string, form: Record<string, string>) => {
    const response = await sim.fork().fetch(url, { method: "POST", body: new URLSearchParams(form) });
    return { isTaken: response.ok, text: await response.text() };
  };
  const [tokenPath, redirectPath] = ["/oauth/token", "/telephony/redirect"];
  const issued = await post(`${urls.auth}${tokenPath}`, token);
  const redirected = await post(`${urls.redirect}${redirectPath}?${new URLSearchParams(query)}`, call);
  return [
    ...(showsSecrets
      ? [{ path: tokenPath, form: token, answer: parseWithoutSecrets(issued.text, isReal) }]
      : []),
    ...(redirected.isTaken ? [{ path: redirectPath, query, form: call, answer: redirected.text }] : []),
  ];
}

/** The example of an operation: the request, and this simulator's answer. */
export interface PlayedExample {
  readonly params: Readonly<Record<string, string>>;
  readonly status: number;
  /** On the wire; undefined without one. */
  readonly requestBody: unknown;
  readonly answer: unknown;
}

/**
 * Runs the example of an operation in a fork, as written or with ids of this simulator. Undefined if the simulator has
 * nothing that the operation applies to.
 */
export async function playExample(
  context: ExampleContext,
  operation: AnyOperation,
  dialect: Dialect,
): Promise<PlayedExample | undefined> {
  const written = await playAsWritten(context, operation, dialect);
  if (written.status < 300) return written;
  const fitting = await playWith(context, operation, fittingParams(context.sim, operation), dialect);
  return fitting.status < 300 ? fitting : undefined;
}

/** Runs the example as written, even if it is refused. */
export function playAsWritten(
  context: ExampleContext,
  operation: AnyOperation,
  dialect: Dialect,
): Promise<PlayedExample> {
  return playWith(context, operation, writtenParams(operation), dialect);
}

async function playWith(
  { sim, isReal }: ExampleContext,
  { method, path, example }: AnyOperation,
  params: Readonly<Record<string, string>>,
  dialect: Dialect,
): Promise<PlayedExample> {
  const fork = sim.fork();
  if (!isReal) example.prepare?.(fork);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ""));
  const url = new URL(`${sim.urls.api}${filled}`);
  for (const [name, value] of Object.entries(example.query ?? {})) url.searchParams.set(name, String(value));
  const requestBody = toWire(example.body, dialect.fieldNames);
  const response = await fork.fetch(url, {
    method: method.toUpperCase(),
    headers: { authorization: `Bearer ${fork.token()}`, "content-type": "application/json" },
    ...(requestBody === undefined ? {} : { body: JSON.stringify(requestBody) }),
  });
  const text = await response.text();
  const answer = text === "" ? undefined : parseWithoutSecrets(text, isReal);
  return { params, status: response.status, requestBody, answer };
}

/** Hides secrets of a user's simulator: a fork draws the same ones that the simulator will draw next. */
function parseWithoutSecrets(text: string, isReal: boolean): unknown {
  return JSON.parse(text, (key, value) => (isReal && secretFields.has(key) ? "0".repeat(64) : value));
}

const secretFields: ReadonlySet<string> = new Set(["access_token", "signingSecret"]);

/** The parameters of an operation's example. */
function writtenParams({ params, example }: AnyOperation): Record<string, string> {
  const defaults = Object.entries(params).map(([name, { example }]) => [name, example]);
  return { ...Object.fromEntries(defaults), ...example.params };
}

/** The parameters with ids of a simulator. */
function fittingParams(sim: ExampleSimulator, operation: AnyOperation): Record<string, string> {
  const params = writtenParams(operation);
  const chosen: Record<string, string> = {};
  for (const [name, { candidates }] of Object.entries(operation.params)) {
    const [found] = candidates?.(sim.services, chosen) ?? [];
    if (found === undefined) return params;
    params[name] = chosen[name] = found.id;
  }
  return params;
}
