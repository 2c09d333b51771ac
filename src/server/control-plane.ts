import * as v from "valibot";
import {
  anyObject,
  duration,
  flag,
  instant,
  object,
  oneOf,
  readInput,
  wholeNumber,
} from "../core/foundation/input-schemas.ts";
import { iso } from "../core/foundation/instants.ts";
import type { Descriptions } from "../core/generated/descriptions.ts";
import { timelineLines } from "../core/narration/timeline.ts";
import type { CommandInput, CommandName } from "../core/platform/base/core-services.ts";
import { eventTypes } from "../core/platform/declare/events.ts";
import { readJson } from "../core/rest/body.ts";
import type { Simulator } from "../core/simulator/simulator.ts";
import { InterruptedError, type ServerClock } from "./clock.ts";
import { answerForError, ControlError } from "./errors.ts";
import type { Load } from "./load.ts";
import { firstKept, type ServerSentStreams, totalOf } from "./server-sent.ts";
import { jsonStream, textStream } from "./streams.ts";
import { worldSchema } from "./world-input.ts";

/** The start of all paths of the control plane. */
export const CONTROL_PREFIX = "/_sim/";
/** Where a server has the OpenAPI document of the control plane. It needs no token. */
export const CONTROL_DOCUMENT = `${CONTROL_PREFIX}openapi.json`;
/** How far one request may move time: years of working hours take long to run. */
const MAX_ADVANCE_MS = 3_660 * 86_400_000;
/** How many scheduled items the state lists. */
const NEXT_PENDING = 20;
/** How many items of a list one answer has, by default and at most. */
const [PAGE, MAX_PAGE] = [1_000, 10_000];

/** The worlds that the control plane makes: runs of their own, below the server's URL. */
export interface ControlledWorlds {
  /** @throws {InputError} naming what is wrong; {ControlError} if there are too many, or what it begins with is gone */
  create(input: unknown): Promise<{ readonly id: string; readonly url: string; readonly token: string }>;
  list(): unknown;
  /** @throws {ControlError} if it is gone */
  delete(id: string): Promise<unknown>;
}

/** The server that the control plane controls. */
export interface ControlledServer {
  readonly simulator: Simulator;
  readonly clock: ServerClock;
  readonly streams: ServerSentStreams;
  /** The last error of a run that no request waited for. */
  readonly problem: string | null;
  /** Refuses options that would allow more than whoever started the server allowed. */
  mustNotRaiseLimits(options: Readonly<Record<string, unknown>>): void;
  /** Begins a new run. @returns its simulator, which another reset may have replaced meanwhile */
  restart(options: Readonly<Record<string, unknown>>): Promise<Simulator>;
  /** The load of the process, and what the server has under way. */
  readonly load: Pick<Load, "now">;
  /** Undefined for a world, which makes none. */
  readonly worlds?: ControlledWorlds | undefined;
}

interface ControlRequest {
  readonly server: ControlledServer;
  readonly request: Request;
  readonly query: URLSearchParams;
  /** The text that matched `*` in the route. */
  readonly name: string;
}

type Handler = (request: ControlRequest) => unknown;

const optional = v.optional;
const index = wholeNumber(0);
const eventType = oneOf(eventTypes);
const boundedDuration = v.pipe(duration(), v.maxValue(MAX_ADVANCE_MS, "expected at most 10 years"));

const since = optional(v.pipe(index, v.description("The index of the first; default: 0.")));
const limit = optional(
  v.pipe(wholeNumber(1, MAX_PAGE), v.description(`How many at most; default: ${PAGE}.`)),
);
const type = optional(v.pipe(v.array(eventType), v.description("Only events of these types.")));
// for a browser's `EventSource`, which cannot send a header; `Access` has checked it
const token = optional(v.string());
const pageQuery = object({ since, limit, token });
const streamQuery = object({ since, type, token });
const eventsQuery = object({ ...pageQuery.entries, type });
const resetSchema = anyObject("expected an object of createSimulator's options");

const advanceSchema = v.pipe(
  object({
    duration: optional(boundedDuration),
    to: optional(instant()),
    until: optional(eventType),
    untilIdle: optional(v.literal(true, "expected true")),
    within: optional(boundedDuration),
    events: optional(flag()),
  }),
  v.check(
    ({ within, events, ...ways }) => Object.values(ways).filter((way) => way !== undefined).length === 1,
    "expected one of duration, to, until and untilIdle",
  ),
  v.check(
    ({ within, until, untilIdle }) => within === undefined || until !== undefined || untilIdle !== undefined,
    "within: expected only beside until or untilIdle",
  ),
);

/** One request of the control plane. Routing and the OpenAPI document are made of these. */
export interface ControlOperation {
  readonly id: string;
  readonly tag: "Time" | "Commands" | "Run" | "Worlds" | "Server";
  readonly method: "GET" | "POST" | "DELETE";
  /** After `/_sim/`, as OpenAPI writes it. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly query?: { readonly entries: Readonly<Record<string, v.GenericSchema>> };
  readonly body?: v.GenericSchema;
  /** What the fields of the body are. */
  readonly fields?: Descriptions;
  /** Whether the body may be left out. */
  readonly isBodyOptional?: boolean;
  /** The statuses of refusals that no other operation has. */
  readonly refusals?: readonly (410 | 429)[];
  readonly handle: Handler;
  /** A request that succeeds in the run of the document's examples. */
  readonly example?: { readonly query?: Readonly<Record<string, string | number>>; readonly body?: unknown };
}

/** All of them. What each answers is in `control-answers.ts`. */
export const controlOperations = [
  {
    id: "getState",
    tag: "Server",
    method: "GET",
    path: "state",
    summary: "The state of the run and of the server",
    handle: ({ server }) => describeState(server, server.simulator),
  },
  {
    id: "advance",
    tag: "Time",
    method: "POST",
    path: "advance",
    summary: "Let time pass",
    description:
      "The body has one of `duration`, `to`, `until` and `untilIdle`; `within` may stand beside the last two. At most 10 years at once.",
    body: advanceSchema,
    fields: {
      duration: ["For this long; 0 runs what is due now."],
      to: ["Up to this instant."],
      until: ["Until the first event of this type."],
      untilIdle: ["Until nothing is scheduled but what goes on for ever, such as working hours."],
      within: ["How long `until` (default: P7D) or `untilIdle` (default: P400D) may take."],
      events: ["Whether the answer also lists the events; default: false."],
    },
    isBodyOptional: false,
    example: { body: { duration: "PT30S", events: true } },
    handle: advance,
  },
  {
    id: "interrupt",
    tag: "Time",
    method: "POST",
    path: "interrupt",
    summary: "Stop the advance that is running, between two steps",
    description: "An endpoint that is asked meanwhile counts as timed out.",
    handle: interrupt,
  },
  {
    id: "listCommands",
    tag: "Commands",
    method: "GET",
    path: "commands",
    summary: "The names of all commands",
    handle: ({ server }) => ({ commands: server.simulator.commandNames }),
  },
  {
    id: "runCommand",
    tag: "Commands",
    method: "POST",
    path: "commands/{name}",
    summary: "Run a command",
    handle: runCommand,
  },
  {
    id: "listEvents",
    tag: "Run",
    method: "GET",
    path: "events",
    summary: "List events",
    description: "With `Accept: text/event-stream` the same as `/_sim/events/stream`.",
    query: eventsQuery,
    example: { query: { since: 0, limit: 2 } },
    handle: listOrStreamEvents,
  },
  {
    id: "streamEvents",
    tag: "Run",
    method: "GET",
    path: "events/stream",
    summary: "Every event so far, then each new one, as server-sent events",
    description: "`id` is the event's index, `event` its type, `data` the event.",
    query: streamQuery,
    handle: streamEvents,
  },
  {
    id: "getTimeline",
    tag: "Run",
    method: "GET",
    path: "timeline",
    summary: "The run as text",
    handle: ({ server }) => textStream(timelineLines(server.simulator.narration())),
  },
  {
    id: "getJournal",
    tag: "Run",
    method: "GET",
    path: "journal",
    summary: "The journal, for `ringback run`",
    handle: ({ server }) => jsonStream(server.simulator.journal()),
  },
  {
    id: "getScenario",
    tag: "Run",
    method: "GET",
    path: "scenario",
    summary: "The run as a scenario file, which plays the same",
    description: "Answers of endpoints are left out.",
    handle: async ({ server: { simulator } }) => {
      // loaded here, because few servers need it
      const { toScenarioText } = await import("../inspector/model/to-scenario.ts");
      const text = toScenarioText(simulator.journal(), "Saved from a server");
      return new Response(text, { headers: { "content-type": "text/plain; charset=utf-8" } });
    },
  },
  {
    id: "getDesk",
    tag: "Run",
    method: "GET",
    path: "desk",
    summary: "What each person is doing, and what they can do now",
    description: "Each button is a command with its arguments.",
    handle: async ({ server }) => {
      const { makeDesk: deskOf } = await import("../inspector/desk/desk.ts");
      return deskOf(server.simulator);
    },
  },
  {
    id: "listPending",
    tag: "Run",
    method: "GET",
    path: "pending",
    summary: "Everything that is scheduled",
    handle: ({ server }) => ({ pending: server.simulator.pending() }),
  },
  {
    id: "listRequests",
    tag: "Run",
    method: "GET",
    path: "requests",
    summary: "List the requests that the platform sent, with their answers",
    query: pageQuery,
    example: { query: { limit: 1 } },
    handle: (request) => page(request, "requests", request.server.simulator.network.requests),
  },
  {
    id: "listRestRequests",
    tag: "Run",
    method: "GET",
    path: "rest/requests",
    summary: "List the requests to the REST API, with their answers",
    query: pageQuery,
    handle: (request) => page(request, "requests", request.server.simulator.rest.requests),
  },
  {
    id: "listNotifications",
    tag: "Run",
    method: "GET",
    path: "notifications",
    summary: "List what people would have been shown",
    query: pageQuery,
    handle: (request) => page(request, "notifications", request.server.simulator.notifications),
  },
  {
    id: "createWorld",
    tag: "Worlds",
    method: "POST",
    path: "worlds",
    summary: "Make a world: a run of its own below `/w/<id>`",
    description:
      "A world answers below its `url` what the server answers at `/`: the REST API, the token endpoint, this control plane, the page. Its token is an access token of its REST API, and opens its control plane. It ends when it is deleted, or when nobody asks it for anything for ten minutes of real time. Then requests to it get 410.",
    body: worldSchema,
    fields: {
      scenario: [
        "A scenario, as text or as an object, which is played as `ringback run` plays it. Default: a run at its start.",
      ],
      seed: ["The seed of its randomness. Default: the server's, or the scenario's."],
      from: ['What it copies: the id of a world, "server" for the server\'s own run, or a journal.'],
      at: [
        "An instant to which it goes back. Default: none. Without `from` and `scenario`: of the server's own run.",
      ],
    },
    isBodyOptional: true,
    refusals: [410, 429],
    example: { body: { seed: 2 } },
    handle: async ({ server, request }) => mustHaveWorlds(server).create(await readBody(request)),
  },
  {
    id: "listWorlds",
    tag: "Worlds",
    method: "GET",
    path: "worlds",
    summary: "List the worlds",
    handle: ({ server }) => mustHaveWorlds(server).list(),
  },
  {
    id: "deleteWorld",
    tag: "Worlds",
    method: "DELETE",
    path: "worlds/{id}",
    summary: "End a world",
    refusals: [410],
    handle: ({ server, name }) => mustHaveWorlds(server).delete(decodeName(name)),
  },
  {
    id: "reset",
    tag: "Server",
    method: "POST",
    path: "reset",
    summary: "Begin again",
    description:
      'With the same options, but for those in the body: options of `createSimulator`, such as `{ "seed": 2 }`. The server\'s own limits cannot be raised.',
    body: resetSchema,
    isBodyOptional: true,
    example: { body: { seed: 2 } },
    handle: reset,
  },
] as const satisfies readonly ControlOperation[];

/** The operation of each path, by method. `*` stands for a name. */
const routes: Record<string, Record<string, Handler>> = {};
for (const { path, method, handle } of controlOperations) {
  const route = path.replace(/\{\w+\}/, "*");
  routes[route] = { ...routes[route], [method]: handle };
}

/**
 * Answers a request under `/_sim/`, by which a test in another process controls the simulator. It needs no access
 * token of the API. Errors are answered as `{ code, message, details? }`.
 */
export async function answerControl(server: ControlledServer, request: Request): Promise<Response> {
  try {
    const { pathname, searchParams: query } = new URL(request.url);
    const path = pathname.slice(CONTROL_PREFIX.length);
    const [key, name] = routeOf(path);
    const handler = handlerFor(key, request.method, pathname);
    const answer = await handler({ server, request, query, name });
    const response = answer instanceof Response ? answer : Response.json(answer);
    if (request.method !== "HEAD") return response;
    await response.body?.cancel(); // nobody would read a stream of events
    return new Response(null, response);
  } catch (error) {
    return answerForError(error);
  }
}

function routeOf(path: string): [key: string, name: string] {
  const [, folder, name] = /^(commands|worlds)\/([^/]+)$/.exec(path) ?? [];
  return name === undefined ? [path, ""] : [`${folder}/*`, name];
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

function describeState({ clock, problem, load, streams }: ControlledServer, simulator: Simulator) {
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
      restRequests: simulator.rest.requests.length,
      notifications: simulator.notifications.length,
      pending: pending.length,
    },
    next: pending.slice(0, NEXT_PENDING),
    running: describeRunning(simulator, clock),
    routes: network.routes,
    credentials,
    publicUrls: urls,
    problem,
    ...load.now(),
    streams: streams.count,
  };
}

/** The progress of the run that someone waits for; null if there is none. */
function describeRunning({ timestamp }: Simulator, { running }: ServerClock) {
  if (running === undefined) return null;
  const { fromMs, toMs } = running;
  const done = toMs === null || toMs === fromMs ? null : (timestamp - fromMs) / (toMs - fromMs);
  return { from: iso(fromMs), to: toMs === null ? null : iso(toMs), done };
}

async function advance({ server, request }: ControlRequest) {
  const read = readInput(advanceSchema, await readBody(request));
  const { duration: durationMs, to, until, within, events: wantsEvents = false } = read;
  const { simulator, clock } = server;
  const limits = within === undefined ? {} : { within };
  const toMs = (running: Simulator) =>
    to ?? (durationMs === undefined ? null : running.timestamp + durationMs);
  let before = totalOf(simulator);
  const counts: Record<string, number> = {};
  const count = (type: string) => {
    counts[type] = (counts[type] ?? 0) + 1;
  };
  let event: unknown;
  try {
    const isInterrupted = await clock.runLong(toMs, request.signal, async (running) => {
      if (running !== simulator) throw new InterruptedError("the run was reset");
      // after waiting, since another run may have gone first
      before = totalOf(simulator);
      simulator.on("*", count);
      if (durationMs !== undefined) await running.advanceAsync(durationMs);
      else if (to !== undefined) {
        if (to - running.timestamp > MAX_ADVANCE_MS)
          throw new ControlError(400, "invalid_argument", "to: expected at most 10 years from now");
        await running.advanceToAsync(to);
      } else if (until !== undefined) event = await running.runUntilAsync(until, limits);
      else await running.runUntilIdleAsync(limits);
    });
    const next = totalOf(simulator);
    return {
      now: simulator.now.toISO(),
      timestamp: simulator.timestamp,
      ...(isInterrupted ? { interrupted: true } : {}),
      counts: { events: next - before, byType: counts },
      ...(wantsEvents ? { events: eventsSince(simulator, before) } : {}),
      next: wantsEvents ? Math.min(next, before + MAX_PAGE) : next,
      total: next,
      ...(event === undefined ? {} : { event }),
    };
  } finally {
    simulator.off("*", count);
  }
}

function interrupt({ server: { clock, simulator } }: ControlRequest) {
  const interrupted = clock.interrupt();
  return { interrupted, now: simulator.now.toISO(), timestamp: simulator.timestamp };
}

async function runCommand({ server, request, name }: ControlRequest) {
  const args = await readBody(request);
  const { simulator } = server;
  const before = totalOf(simulator);
  const decoded = decodeName(name);
  const result = simulator.command(decoded as CommandName, args as CommandInput<CommandName>);
  await server.clock.settle();
  return {
    result: result ?? null,
    ...showSecret(simulator, decoded, result),
    ...eventsSinceCommand(simulator, before),
  };
}

/** A webhook's secret, which is shown when it is created, as the REST API does. */
function showSecret(simulator: Simulator, name: string, result: unknown) {
  return name === "createWebhook" ? { signingSecret: simulator.webhooks.signingSecret(String(result)) } : {};
}

function decodeName(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw new ControlError(400, "bad_request", "the percent-encoding of the URL is malformed");
  }
}

/** What happened since a request began. */
function eventsSinceCommand(simulator: Simulator, before: number) {
  const events = eventsSince(simulator, before);
  const next = Math.min(totalOf(simulator), before + MAX_PAGE);
  return { now: simulator.now.toISO(), timestamp: simulator.timestamp, events, next };
}

/** The events from an index on, as far as they are kept and fit into one answer. */
function eventsSince(simulator: Simulator, before: number) {
  const first = firstKept(simulator);
  return simulator.events.slice(Math.max(0, before - first), Math.max(0, before + MAX_PAGE - first));
}

function listEvents({ server: { simulator }, query }: ControlRequest) {
  const { since = 0, limit = PAGE, type } = readQuery(eventsQuery, query);
  const first = firstKept(simulator);
  let next = Math.max(since, first);
  const total = totalOf(simulator);
  const events = [];
  for (; next < total && events.length < limit; next++) {
    const event = simulator.events[next - first];
    if (event !== undefined && (type === undefined || type.includes(event.type))) events.push(event);
  }
  return { events, next, total };
}

/** The events as a stream or as a list. An `EventSource` accepts only a stream. */
function listOrStreamEvents(asked: ControlRequest) {
  return asked.request.headers.get("accept") === "text/event-stream"
    ? streamEvents(asked)
    : listEvents(asked);
}

function streamEvents({ server, request, query }: ControlRequest): Response {
  const { since, type } = readQuery(streamQuery, query);
  const last = request.headers.get("last-event-id") ?? "";
  const total = totalOf(server.simulator);
  // an id of another run: there was a reset meanwhile
  const isOfThisRun = /^\d{1,15}$/.test(last) && Number(last) < total;
  const start = isOfThisRun ? Number(last) + 1 : last === "" ? Math.min(since ?? 0, total) : 0;
  return server.streams.open(server.simulator, start, type && new Set(type));
}

/** A page of a list that only grows, from an index on. */
function page({ query }: ControlRequest, what: string, all: readonly unknown[]) {
  const { since = 0, limit = PAGE } = readQuery(pageQuery, query);
  const next = Math.max(since, Math.min(all.length, since + limit));
  return { [what]: all.slice(since, next), next, total: all.length };
}

function mustHaveWorlds({ worlds }: ControlledServer): ControlledWorlds {
  if (worlds !== undefined) return worlds;
  throw new ControlError(404, "not_found", "a world makes no worlds: ask the server itself, at /_sim/worlds");
}

async function reset({ server, request }: ControlRequest) {
  const options = readInput(resetSchema, await readBody(request));
  server.mustNotRaiseLimits(options);
  return describeState(server, await server.restart(options));
}

/** The JSON of a body; an empty object if there is none. */
async function readBody(request: Request): Promise<unknown> {
  const body = await readJson(request);
  return body === undefined ? {} : body;
}

/** Reads a query: whole numbers as numbers, and `type` as `type=a,b` or `type=a&type=b`. */
function readQuery<const S extends v.GenericSchema>(schema: S, query: URLSearchParams): v.InferOutput<S> {
  const given = [...new Set(query.keys())].map((name) => {
    const all = query.getAll(name);
    if (name === "type") return [name, all.flatMap((types) => types.split(","))];
    const [value = "", ...more] = all;
    if (more.length > 0) return [name, all];
    return [name, name !== "token" && /^\d{1,15}$/.test(value) ? Number(value) : value];
  });
  return readInput(schema, Object.fromEntries(given));
}
