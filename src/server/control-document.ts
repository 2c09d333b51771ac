import type * as v from "valibot";
import { commandDescriptions } from "../core/generated/commands.ts";
import type { CommandName } from "../core/platform/base/core-services.ts";
import { exampleOrganisation } from "../core/platform/organisation/example.ts";
import type { JsonSchemas } from "../core/rest/openapi/json-schema.ts";
import type { OpenApiDocument } from "../core/rest/openapi/types.ts";
import type { Simulator } from "../core/simulator/simulator.ts";
import { ServerClock } from "./clock.ts";
import {
  ANY_EVENT,
  commandAnswer,
  controlAnswers,
  controlComponents,
  controlError,
} from "./control-answers.ts";
import {
  answerControl,
  CONTROL_PREFIX,
  type ControlledWorlds,
  type ControlOperation,
  controlOperations,
} from "./control-plane.ts";
import { ServerSentStreams } from "./server-sent.ts";

/** The control plane's document: as that of the REST API, without webhooks. */
export type ControlDocument = Pick<OpenApiDocument, "openapi" | "info" | "servers" | "paths" | "components">;

const tags: Readonly<Record<ControlOperation["tag"], string>> = {
  Time: "Letting virtual time pass",
  Commands: "What happens: calls, messages, people, the network",
  Run: "What happened so far, and what is scheduled",
  Worlds: "Runs of their own, one for each test",
  Server: "The server itself",
};

/** The answers of refused requests: the name of the component, and when it occurs. */
const errors = {
  400: ["BadRequest", "Something is wrong with the request; `details` names each field"],
  401: ["Unauthorized", "The server has a token for its control plane, and the request does not"],
  403: [
    "Forbidden",
    "The request names another host, comes from a web page, or asks for more than the server allows",
  ],
  404: ["NotFound", "There is no such thing"],
  409: ["Conflict", "The state does not allow it, or what was waited for did not happen"],
  410: ["Gone", "The world is gone: it was deleted, or nobody asked it for anything for long"],
  413: ["PayloadTooLarge", "The body is over 6 MB"],
  415: ["UnsupportedMediaType", "The body is not JSON"],
  429: ["TooManyWorlds", "There are as many worlds as the server allows"],
  500: ["ServerError", "An event handler of the server's own process failed"],
} as const;
/** Those that only a request with a body gets. */
const bodyErrors = ["409", "413", "415"];
/** Those that only operations get that name them. */
const rareErrors = ["410", "429"];

interface OperationObject {
  readonly [part: string]: unknown;
  readonly operationId: string;
  parameters: { name: string; in: "path" | "query"; example?: unknown }[];
  requestBody?: {
    readonly required: boolean;
    content: { "application/json": { schema: unknown; example?: unknown } };
  };
  responses: Record<string, { content?: Record<string, { schema: unknown; example?: unknown }> }>;
}

/**
 * The OpenAPI 3.1 document of a server's control plane, with a path for each command. It is made of the operations that
 * requests are routed by, and of the commands' own schemas. Its examples are played.
 * @param simulator any one: the document says nothing of its run
 * @param url the server's URL
 */
export async function controlDocument(simulator: Simulator, url: string): Promise<ControlDocument> {
  const parts = await simulator.loadDocumentParts();
  const { commands, components, createSimulator, describe, makeJsonSchemas } = parts;
  // with a seed of its own, so that no secret of an example is that of a server with the default seed
  const newExample = () =>
    createSimulator({ ids: "counter", seed: "example", organisation: exampleOrganisation });
  const described = Object.entries(commandDescriptions).map(([name, description]) => ({
    ...description,
    name,
    body: commands[name as CommandName].schema as v.GenericSchema,
    answer: commandAnswer(name, description.result, parts.types),
  }));
  const events = Object.entries(parts.eventData).map(([type, data]) => ({
    ...{ type, name: eventName(type), schema: parts.eventSchema(type, data) },
  }));
  const namedSchemas = new Map<string, v.GenericSchema>([...components, ...controlComponents]);
  for (const { name, schema } of events) namedSchemas.set(name, schema);
  const isNamed = new Set(namedSchemas.values());
  for (const { name, body } of described) if (!isNamed.has(body)) namedSchemas.set(argumentsName(name), body);
  const operations: readonly ControlOperation[] = controlOperations;
  const bodies = operations.flatMap(({ body, query }) => [
    ...(body === undefined ? [] : [body]),
    ...Object.values(query?.entries ?? {}),
  ]);
  const answers = Object.values(controlAnswers).filter((answer) => typeof answer === "object");
  const schemas = makeJsonSchemas(
    [...bodies, ...answers, controlError, ...described.map(({ body }) => body)],
    namedSchemas,
  );
  for (const { body, fields } of [...described, ...operations])
    if (body !== undefined && fields !== undefined) describe(schemas.shared(body), fields, schemas);

  const paths: Record<string, Record<string, OperationObject>> = {};
  const add = (path: string, method: string, operation: OperationObject) => {
    paths[CONTROL_PREFIX + path] = { ...paths[CONTROL_PREFIX + path], [method]: operation };
  };
  const run = exampleRun(newExample());
  for (const operation of operations) {
    if (operation.path === "commands/{name}") continue;
    const answer = controlAnswers[operation.id as keyof typeof controlAnswers];
    const { summary, description, id, tag, method, path } = operation;
    const described = operationObject({ id, tag, summary, description }, schemas, operation, answer);
    await addExample(described, run.fork(), method, path, operation.example);
    add(path, method.toLowerCase(), described);
  }
  for (const { name, text, body, answer } of described) {
    const described = operationObject(
      { id: name, tag: "Commands", summary: text },
      schemas,
      { method: "POST", body, isBodyOptional: false },
      answer,
    );
    const sim = newExample();
    const args = commands[name as CommandName].example(sim);
    await addExample(described, sim, "POST", `commands/${name}`, { body: args });
    add(`commands/${name}`, "post", described);
  }
  const document = {
    openapi: "3.1.0",
    info: {
      title: "Control plane of ringback",
      version: "1",
      description: "Commands, virtual time and what happened, for tests in any language.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url }],
    // only a server that other machines can reach has a token
    security: [{}, { token: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      responses: Object.fromEntries(
        Object.values(errors).map(([name, description]) => [
          name,
          { description, content: { "application/json": { schema: schemas.of(controlError) } } },
        ]),
      ),
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: withEvents(schemas.components, events),
    },
  };
  return withoutUnused(document as ControlDocument);
}

const argumentsName = (command: string) => `${command.charAt(0).toUpperCase()}${command.slice(1)}Arguments`;

function operationObject(
  {
    id,
    tag,
    summary,
    description,
  }: Readonly<Record<"id" | "tag" | "summary", string>> & { description?: string | undefined },
  schemas: JsonSchemas,
  { method, path = "", query, body, isBodyOptional, refusals = [] }: Partial<ControlOperation>,
  answer: v.GenericSchema | string,
): OperationObject {
  const content =
    typeof answer === "string"
      ? { [answer]: { schema: { type: "string" } } }
      : { "application/json": { schema: schemas.of(answer) } };
  const refused = Object.entries(errors).filter(([status]) =>
    rareErrors.includes(status)
      ? refusals.some((each) => String(each) === status)
      : method === "POST" || !bodyErrors.includes(status),
  );
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    parameters: [...pathParametersOf(path), ...describeParameters(query, schemas)],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: isBodyOptional !== true,
            content: { "application/json": { schema: schemas.of(body) } },
          },
        }),
    responses: {
      200: { description: "OK", content },
      ...Object.fromEntries(
        refused.map(([status, [name]]) => [status, { $ref: `#/components/responses/${name}` }]),
      ),
    } as OperationObject["responses"],
  };
}

function pathParametersOf(path: string): OperationObject["parameters"] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return names.map((name) => ({
    ...{ name, in: "path", required: true, description: "The id." },
    schema: { type: "string" },
  }));
}

/** The parameters of a query, but for the token, which is a matter of security. */
function describeParameters(
  query: ControlOperation["query"],
  schemas: JsonSchemas,
): OperationObject["parameters"] {
  const entries = Object.entries(query?.entries ?? {}).filter(([name]) => name !== "token");
  return entries.map(([name, field]) => {
    const { description, ...schema } = schemas.of(field);
    return { name, in: "query", description, schema };
  });
}

async function addExample(
  described: OperationObject,
  simulator: Simulator,
  method: string,
  path: string,
  { query = {}, body }: NonNullable<ControlOperation["example"]> = {},
): Promise<void> {
  const url = new URL(`http://127.0.0.1${CONTROL_PREFIX}${path}`);
  for (const [name, value] of Object.entries(query)) {
    url.searchParams.set(name, String(value));
    const parameter = described.parameters.find((each) => each.name === name);
    if (parameter !== undefined) parameter.example = value;
  }
  if (body !== undefined && described.requestBody !== undefined)
    described.requestBody.content["application/json"].example = body;
  const [[type, content] = ["", undefined]] = Object.entries(described.responses["200"]?.content ?? {});
  if (content === undefined || type === "text/event-stream") return;
  const answered = await ask(simulator, url, method, body);
  content.example = type === "application/json" ? await answered.json() : await answered.text();
}

/** Answers a request as a server would. @throws if it is refused */
async function ask(simulator: Simulator, url: URL, method: string, body: unknown): Promise<Response> {
  const clock = new ServerClock(
    "virtual",
    () => simulator,
    (error) => {
      throw error;
    },
    () => {},
  );
  const headers = { "content-type": "application/json" };
  const request = new Request(
    url,
    method === "GET" ? { method } : { method, headers, body: JSON.stringify(body ?? {}) },
  );
  const answered = await answerControl(
    {
      simulator,
      clock,
      streams: new ServerSentStreams(),
      problem: null,
      load: exampleLoad,
      worlds: exampleWorlds,
      mustNotRaiseLimits: () => {},
      restart: async (options) => simulator.restart(options),
    },
    request,
  );
  if (answered.ok) return answered;
  throw new Error(`the example of ${method} ${url.pathname} is refused: ${await answered.text()}`);
}

/** The same at each run, so that the document is. */
const exampleLoad = {
  now: () => ({
    memory: { rss: 120_000_000, heapUsed: 40_000_000 },
    loopDelay: { p99: 2, max: 15 },
    largestAnswer: 4_096,
  }),
};

/** The worlds of the examples: a server makes one at its own address, with a token that nobody knows before. */
const exampleWorlds: ControlledWorlds = (() => {
  const [id, url] = ["1", "http://127.0.0.1:8080/w/1"];
  const world = { id, url, now: "2026-07-01T00:00:00.000Z" };
  return {
    create: async () => ({ id, url, token: "bXlfd29ybGQ" }),
    list: () => ({ worlds: [world], limit: 256 }),
    delete: async () => ({ deleted: id }),
  };
})();

/** A run with something of everything that lists show. */
function exampleRun(sim: Simulator): Simulator {
  sim.webhooks.create({ url: "https://crm.example.test/hooks", events: ["call.started"] });
  sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  sim.advance("PT31S");
  return sim;
}

/** `call.not_answered` as `CallNotAnsweredEvent`. */
function eventName(type: string): string {
  return `${type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;
}

/** Puts the events of all types in the place of any event, and says how readers tell them apart. */
function withEvents(
  schemas: JsonSchemas["components"],
  events: readonly { readonly type: string; readonly name: string }[],
): Record<string, unknown> {
  const refOf = (name: string) => `#/components/schemas/${name}`;
  const mapping = Object.fromEntries(events.map(({ type, name }) => [type, refOf(name)]));
  const event = {
    description: schemas[ANY_EVENT]?.description,
    oneOf: events.map(({ name }) => ({ $ref: refOf(name) })),
    discriminator: { propertyName: "type", mapping },
  };
  return { ...schemas, [ANY_EVENT]: event };
}

/** Leaves out the components that nothing refers to: those of the REST API alone. */
function withoutUnused(document: ControlDocument): ControlDocument {
  const all: Readonly<Record<string, unknown>> = { ...document.components.schemas };
  const used = new Set<string>();
  const visit = (part: unknown) => {
    for (const [, name = ""] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      visit(all[name]);
    }
  };
  visit([document.paths, document.components.responses]);
  const schemas = Object.fromEntries(
    Object.entries(all)
      .filter(([name]) => used.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  return { ...document, components: { ...document.components, schemas } };
}
