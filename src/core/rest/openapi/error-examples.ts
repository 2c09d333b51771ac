import type { AnyOperation } from "../../platform/catalogue/operations.ts";
import { demoOrganisation } from "../../platform/organisation/demo.ts";
import type { ExampleSimulator } from "./example-simulator.ts";

/** A request, relative to the API's address. */
interface Asked {
  readonly url: string;
  readonly init: RequestInit;
  /** What happens before it. */
  readonly prepare?: (sim: ExampleSimulator) => Promise<unknown> | unknown;
}

/** An id that nothing has. */
const NOBODY = "nobody";
/** A value that no parameter takes. */
const WRONG = "?";

/**
 * The answer to a request that is refused with this status, played in a fork. Undefined if it is answered otherwise:
 * not every runtime lets a program set every header.
 */
async function refused(
  sim: ExampleSimulator,
  status: number,
  { url, init, prepare }: Asked,
): Promise<unknown> {
  const fork = sim.fork();
  await prepare?.(fork);
  const answer = await fork.fetch(url, init);
  const text = await answer.text();
  return answer.status === status ? JSON.parse(text) : undefined;
}

/** The answers to requests that are refused, by the status that each is refused with. */
async function playAll(
  sim: ExampleSimulator,
  requests: readonly (readonly [status: string, asked: Asked])[],
): Promise<ReadonlyMap<string, unknown>> {
  const played = requests.map(async ([status, request]) => {
    const answer = await refused(sim, status === "5XX" ? 503 : Number(status), request);
    return [status, answer] as const;
  });
  return new Map((await Promise.all(played)).filter(([, answer]) => answer !== undefined));
}

/** A request with a token and a body, if there is one. */
function asked(sim: ExampleSimulator, method: string, url: string, body?: unknown): Asked {
  const headers = { authorization: `Bearer ${sim.token()}`, "content-type": "application/json" };
  return {
    url,
    init: { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) },
  };
}

/** An example of each error that all operations share, by status. */
export async function playSharedErrors(sim: ExampleSimulator): Promise<ReadonlyMap<string, unknown>> {
  const api = sim.urls.api;
  const read = asked(sim, "GET", `${api}/calls`);
  const write = asked(sim, "PUT", `${api}/locations`, { id: "office", name: "Wellington" });
  const withHeader = (name: string, value: string): Asked => ({
    ...write,
    init: { ...write.init, headers: { ...write.init.headers, [name]: value } },
  });
  const withFault = (status: number): Asked => ({ ...read, prepare: ({ rest }) => rest.fault({ status }) });
  return playAll(sim, [
    ["400", asked(sim, "GET", `${api}/calls?limit=${WRONG}`)],
    ["401", { ...read, init: {} }],
    ["403", { ...read, url: read.url.replace("https:", "http:") }],
    ["404", asked(sim, "GET", `${api}/calls/${NOBODY}`)],
    ["409", { ...write, prepare: (fork) => fork.fetch(write.url, write.init) }],
    ["413", withHeader("content-length", "7000000")],
    ["415", withHeader("content-type", "text/plain")],
    ["429", withFault(429)],
    ["5XX", withFault(503)],
  ]);
}

/** How an operation refuses a wrong request, and one about something that there is not, by status. */
export async function playRefusals(
  sim: ExampleSimulator,
  { method, path, params, query, body, example }: AnyOperation,
): Promise<ReadonlyMap<string, unknown>> {
  const names = Object.keys(params);
  const unknown = { ...example.params, ...Object.fromEntries(names.slice(-1).map((name) => [name, NOBODY])) };
  const at = (given: Readonly<Record<string, string>>) =>
    sim.urls.api + path.replaceAll(/\{(\w+)\}/g, (_, name) => given[name] ?? params[name]?.example ?? "");
  // a cursor is refused with a sentence of its own
  const parameter = "next" in query ? "next" : Object.keys(query)[0];
  const wrong = body === undefined && parameter !== undefined ? `?${parameter}=${WRONG}` : "";
  const verb = method.toUpperCase();
  const requests: (readonly [status: string, asked: Asked])[] = [];
  if (body !== undefined || wrong !== "") {
    const wrongBody = body && { [WRONG]: WRONG };
    requests.push(["400", asked(sim, verb, at(example.params ?? {}) + wrong, wrongBody)]);
  }
  if (names.length > 0) requests.push(["404", asked(sim, verb, at(unknown), example.body)]);
  return playAll(sim, requests);
}

/** How the token endpoint and the redirect handler refuse requests, by path, then by status. */
export async function playFormErrors(
  sim: ExampleSimulator,
): Promise<Readonly<Record<string, ReadonlyMap<string, unknown>>>> {
  const post = (url: string, form: Record<string, string>): Asked => ({
    url,
    init: { method: "POST", body: new URLSearchParams(form) },
  });
  const token = `${sim.urls.auth}/oauth/token`;
  const redirect = `${sim.urls.redirect}/telephony/redirect`;
  const { clientId, clientSecret } = sim.credentials;
  const client = { client_id: clientId, client_secret: clientSecret };
  const organisationId = demoOrganisation.id;
  const call = { from: "+6421555001", parentCallId: "CA2", to: "+6495550200" };
  const to = (query: string) => post(`${redirect}?${query}`, call);
  return {
    "/oauth/token": await playAll(sim, [
      ["400", post(token, client)],
      ["401", post(token, { ...client, client_secret: NOBODY, grant_type: "client_credentials" })],
    ]),
    "/telephony/redirect": await playAll(sim, [
      ["400", to("extension=200")],
      ["403", to(`organisationId=${organisationId}&extension=200`)],
      ["404", to(`extension=999&organisationId=${organisationId}`)],
    ]),
  };
}
