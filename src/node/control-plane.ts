import * as v from "valibot";
import { anyObject, duration, instant, object, oneOf, readInput, wholeNumber } from "../engine/input.ts";
import { eventTypes } from "../platform/events.ts";
import { readJson } from "../rest/body.ts";
import type { Simulator } from "../simulator.ts";
import type { Clock } from "./clock.ts";
import { ControlError, errorAnswer } from "./errors.ts";
import { firstKept, type ServerSentStreams, totalOf } from "./server-sent.ts";

/** Paths of the control plane begin so. */
export const CONTROL_PREFIX = "/_sim/";
/** How far one request may let time pass: years of working hours are work. */
const MAX_ADVANCE_MS = 3_660 * 86_400_000;
/** How much of what is scheduled the state tells. */
const NEXT_PENDING = 20;

/** What the control plane steers. */
export interface Controlled {
  readonly simulator: Simulator;
  readonly clock: Clock;
  readonly streams: ServerSentStreams;
  /** What went wrong last in a run that nobody waited for. */
  readonly problem: string | null;
  restart(options: Readonly<Record<string, unknown>>): Promise<void>;
}

interface ControlRequest {
  readonly server: Controlled;
  readonly request: Request;
  readonly query: URLSearchParams;
  /** What stands for `*` in the route. */
  readonly name: string;
}

type Handler = (request: ControlRequest) => unknown;

const { optional } = v;
const index = wholeNumber(0, Number.MAX_SAFE_INTEGER);
const eventType = oneOf(eventTypes);
const boundedDuration = v.pipe(duration(), v.maxValue(MAX_ADVANCE_MS, "expected at most 10 years"));

const pageQuery = object({ since: optional(index) });
const streamQuery = object({ ...pageQuery.entries, type: optional(v.array(eventType)) });
const eventsQuery = object({
  ...streamQuery.entries,
  limit: optional(wholeNumber(1, Number.MAX_SAFE_INTEGER)),
});
const resetSchema = anyObject("expected an object of createSimulator's options");

const advanceSchema = v.pipe(
  object({
    duration: optional(boundedDuration),
    to: optional(instant()),
    until: optional(eventType),
    untilIdle: optional(v.literal(true, "expected true")),
    within: optional(boundedDuration),
  }),
  v.check(
    ({ within, ...ways }) => Object.values(ways).filter((way) => way !== undefined).length === 1,
    "expected one of duration, to, until and untilIdle",
  ),
  v.check(
    ({ within, until, untilIdle }) => within === undefined || until !== undefined || untilIdle !== undefined,
    "within: expected only beside until or untilIdle",
  ),
);

const routes: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  state: { GET: ({ server }) => stateOf(server) },
  advance: { POST: advance },
  commands: { GET: ({ server }) => ({ commands: server.simulator.commandNames }) },
  "commands/*": { POST: command },
  events: { GET: eventsAsAccepted },
  "events/stream": { GET: streamEvents },
  timeline: { GET: ({ server }) => text(server.simulator.events.toTimeline()) },
  journal: { GET: ({ server }) => server.simulator.journal() },
  pending: { GET: ({ server }) => ({ pending: server.simulator.pending() }) },
  requests: { GET: (request) => page(request, "requests", request.server.simulator.network.requests) },
  notifications: { GET: (request) => page(request, "notifications", request.server.simulator.notifications) },
  reset: { POST: reset },
};

/**
 * Answers a request under `/_sim/`: what a test that is not in this process steers the simulator with. Needs no token.
 * Whatever is wrong with a request is in the answer, as `{ code, message, details? }`.
 */
export async function answerControl(server: Controlled, request: Request): Promise<Response> {
  try {
    const { pathname, searchParams: query } = new URL(request.url);
    const path = pathname.slice(CONTROL_PREFIX.length);
    const [key, name] = routeOf(path);
    const handler = handlerFor(key, request.method, pathname);
    const answer = await handler({ server, request, query, name });
    const response = answer instanceof Response ? answer : Response.json(answer);
    if (request.method !== "HEAD") return response;
    await response.body?.cancel(); // a stream of events would be told to nobody
    return new Response(null, response);
  } catch (error) {
    return errorAnswer(error);
  }
}

function routeOf(path: string): [key: string, name: string] {
  const [, name] = /^commands\/([^/]+)$/.exec(path) ?? [];
  return name === undefined ? [path, ""] : ["commands/*", name];
}

function handlerFor(key: string, method: string, pathname: string): Handler {
  const methods = Object.hasOwn(routes, key) ? routes[key] : undefined;
  if (methods === undefined) {
    const known = Object.keys(routes).map((each) => CONTROL_PREFIX + each);
    throw new ControlError(
      404,
      "not_found",
      `there is nothing at ${pathname}; there are: ${known.join(", ")}`,
    );
  }
  const asked = method === "HEAD" ? "GET" : method;
  const handler = Object.hasOwn(methods, asked) ? methods[asked] : undefined;
  if (handler !== undefined) return handler;
  const allow = Object.keys(methods).join(", ");
  const message = `${pathname} does not take ${method}; it takes ${allow}`;
  throw new ControlError(405, "method_not_allowed", message, { allow });
}

function stateOf({ simulator, clock, problem }: Controlled) {
  const { options, now, timestamp, urls, credentials, network } = simulator;
  const { seed, organisation } = options;
  const pending = simulator.pending();
  return {
    now: now.toISO(),
    timestamp,
    pace: clock.pace,
    seed,
    organisationId: organisation.id,
    counts: {
      events: totalOf(simulator),
      calls: simulator.calls.list().length,
      liveCalls: simulator.calls.live().length,
      conversations: simulator.conversations.list().length,
      webhooks: simulator.webhooks.list().length,
      requests: network.requests.length,
      notifications: simulator.notifications.length,
      pending: pending.length,
    },
    next: pending.slice(0, NEXT_PENDING),
    routes: network.routes,
    credentials,
    publicUrls: urls,
    problem,
  };
}

async function advance({ server, request }: ControlRequest) {
  const { duration: durationMs, to, until, within } = readInput(advanceSchema, await bodyOf(request));
  const limits = within === undefined ? {} : { within };
  return server.clock.run(async (simulator) => {
    const before = totalOf(simulator);
    let event: unknown;
    if (durationMs !== undefined) await simulator.advanceAsync(durationMs);
    else if (to !== undefined) {
      if (to - simulator.timestamp > MAX_ADVANCE_MS)
        throw new ControlError(400, "invalid_argument", "to: expected at most 10 years from now");
      await simulator.advanceToAsync(to);
    } else if (until !== undefined) event = await simulator.runUntilAsync(until, limits);
    else await simulator.runUntilIdleAsync(limits);
    return { ...passed(simulator, before), ...(event === undefined ? {} : { event }) };
  });
}

async function command({ server, request, name }: ControlRequest) {
  const args = await bodyOf(request);
  const { simulator } = server;
  const before = totalOf(simulator);
  const result = simulator.command(nameIn(name) as never, args as never) as unknown;
  await server.clock.settle();
  return { result: result ?? null, ...passed(simulator, before) };
}

function nameIn(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw new ControlError(400, "bad_request", "the percent-encoding of the URL is malformed");
  }
}

/** What a request led to. */
function passed(simulator: Simulator, before: number) {
  const first = firstKept(simulator);
  const events = simulator.events.slice(Math.max(0, before - first));
  return { now: simulator.now.toISO(), timestamp: simulator.timestamp, events, next: totalOf(simulator) };
}

function listEvents({ server: { simulator }, query }: ControlRequest) {
  const { since = 0, limit = Number.POSITIVE_INFINITY, type } = readQuery(eventsQuery, query);
  const first = firstKept(simulator);
  let next = Math.max(since, first);
  const total = totalOf(simulator);
  const events = [];
  for (; next < total && events.length < limit; next++) {
    const event = simulator.events[next - first];
    if (event !== undefined && (type === undefined || type.includes(event.type))) events.push(event);
  }
  return { events, next };
}

/** An `EventSource` accepts nothing but a stream. */
function eventsAsAccepted(asked: ControlRequest) {
  return asked.request.headers.get("accept") === "text/event-stream"
    ? streamEvents(asked)
    : listEvents(asked);
}

function streamEvents({ server, request, query }: ControlRequest): Response {
  const { since, type } = readQuery(streamQuery, query);
  const last = request.headers.get("last-event-id") ?? "";
  const total = totalOf(server.simulator);
  // an id that is not of this run: it was reset meanwhile
  const isOfThisRun = /^\d{1,15}$/.test(last) && Number(last) < total;
  const start = isOfThisRun ? Number(last) + 1 : last === "" ? Math.min(since ?? 0, total) : 0;
  return server.streams.open(server.simulator, start, type && new Set(type));
}

/** A list that only grows, from an index on. */
function page({ query }: ControlRequest, what: string, all: readonly unknown[]) {
  const { since = 0 } = readQuery(pageQuery, query);
  return { [what]: all.slice(since), next: Math.max(since, all.length) };
}

async function reset({ server, request }: ControlRequest) {
  const options = readInput(resetSchema, await bodyOf(request));
  await server.restart(options);
  return stateOf(server);
}

/** The JSON of a body; without one, an object without keys. */
async function bodyOf(request: Request): Promise<unknown> {
  const body = await readJson(request);
  return body === undefined ? {} : body;
}

function text(words: string): Response {
  return new Response(words, { headers: { "content-type": "text/plain; charset=utf-8" } });
}

/** Reads a query: whole numbers as numbers, and `type` as `type=a,b` or `type=a&type=b`. */
function readQuery<const S extends v.GenericSchema>(schema: S, query: URLSearchParams): v.InferOutput<S> {
  const given = [...new Set(query.keys())].map((name) => {
    const all = query.getAll(name);
    if (name === "type") return [name, all.flatMap((types) => types.split(","))];
    const [value = "", ...more] = all;
    if (more.length > 0) return [name, all];
    return [name, /^\d{1,15}$/.test(value) ? Number(value) : value];
  });
  return readInput(schema, Object.fromEntries(given));
}
