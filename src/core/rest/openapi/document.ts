import type { JsonSchema } from "@valibot/to-json-schema";
import { getDescription } from "valibot";
import { copyValue } from "../../foundation/runtime-globals.ts";
import { bodyDescriptions } from "../../generated/descriptions.ts";
import type { EventType } from "../../generated/records.ts";
import { signatureHeader, timestampHeader } from "../../network/webhook-signature.ts";
import { eventData } from "../../platform/catalogue/events.ts";
import type { AnyOperation } from "../../platform/catalogue/operations.ts";
import type { PlatformEvent } from "../../platform/declare/events.ts";
import type { Tag } from "../../platform/declare/operation.ts";
import { type ProfileName, profileOf } from "../../platform/declare/profile.ts";
import type { Dialect } from "../../platform/declare/settings.ts";
import type { Urls } from "../../platform/declare/urls.ts";
import { toWire, wireName } from "../../platform/declare/wire-names.ts";
import { eventCauses, instantFieldText } from "../../platform/reactions/event-causes.ts";
import { DEPRECATED, eventSchema, isDeprecated } from "../../records/fields.ts";
import { shapeDocument, writeExample } from "../observed/document.ts";
import { operationsOf } from "../observed/profile-operations.ts";
import { describe } from "./describe.ts";
import { playFormErrors, playRefusals, playSharedErrors } from "./error-examples.ts";
import type { ExampleSimulator, MakeSimulator } from "./example-simulator.ts";
import { type ExampleContext, exampleEvents, exampleSimulator, playExample, playForms } from "./examples.ts";
import { makeJsonSchemas } from "./json-schema.ts";
import { otherPaths } from "./other-paths.ts";
import { errorComponents, errorResponses, makePaths, schemasOf } from "./paths.ts";
import type { OpenApiDocument } from "./types.ts";

/** The API's version. Rules: docs/fidelity/rest.md#versioning. */
const VERSION = "2026-07-01";

/** The tags of paths that no resource declares. */
export const otherPathTags: readonly Tag[] = [
  { name: "Authentication", description: "Access tokens" },
  { name: "Redirect", description: "Calls that another voice application hands over" },
];
const eventsTag: Tag = { name: "Events", description: "What webhooks deliver" };

/** The simulator and dialect that a document describes. */
export interface DocumentSource {
  /** The profile whose shapes it describes. Default: the documented ones. */
  readonly profile?: ProfileName | undefined;
  readonly dialect: Dialect;
  readonly urls: Urls;
  /** The simulator whose state the examples show, where it has any. Default: one made for the examples. */
  readonly simulator?: ExampleSimulator;
  /** Creates the default simulator. */
  readonly make: MakeSimulator;
  /** Whether the simulator's own secrets may appear in examples. Default true. */
  readonly showsSecrets?: boolean;
}

/** Creates the document of exactly what `fetch` serves. Its examples run in forks. */
export async function makeDocument(source: DocumentSource): Promise<OpenApiDocument> {
  const { profile, dialect, urls, simulator, showsSecrets = true } = source;
  const operations = operationsOf(profile);
  const make = makerFor(source);
  const events = Object.entries(eventData).map(([type, data]) => ({
    type: type as EventType,
    schema: eventSchema(type, data),
    sentence: (getDescription(data) ?? type).split(` ${DEPRECATED}`)[0] as string,
    isDeprecated: isDeprecated(data),
  }));
  const schemas = makeJsonSchemas([...schemasOf(operations), ...events.map(({ schema }) => schema)]);
  for (const { id, body, bodyRules } of operations) {
    const known = bodyDescriptions[id];
    if (known !== undefined && body !== undefined) describe(schemas.shared(body), known, schemas);
    if (bodyRules !== undefined && body !== undefined) Object.assign(schemas.shared(body), bodyRules);
  }
  for (const schema of Object.values(schemas.components)) addDeclaredEvents(schema, dialect);
  const document: MutableDocument = {
    openapi: "3.1.0",
    info: {
      title: "Business Phone Platform",
      version: VERSION,
      description: "The developer API of a cloud business-phone platform, as ringback simulates it.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: urls.api }],
    security: [{ clientCredentials: [] }],
    tags: [...new Set([...operations.map(({ tag }) => tag), ...otherPathTags, eventsTag])].map((tag) => ({
      ...tag,
    })),
    paths: makePaths(operations, schemas) as MutableDocument["paths"],
    components: {
      responses: errorResponses(schemas),
      securitySchemes: {
        clientCredentials: {
          type: "oauth2",
          flows: { clientCredentials: { tokenUrl: `${urls.auth}/oauth/token`, scopes: {} } },
        },
      },
      schemas: schemas.components,
    },
    webhooks: Object.fromEntries(
      events.map((event) => [
        event.type,
        { post: describeDelivery(event, schemas.of(event.schema), dialect) },
      ]),
    ),
  };
  const examples = exampleSimulator(make, dialect, urls);
  const sim = simulator ?? examples;
  const played = { sim, isReal: simulator !== undefined, showsSecrets };
  await addExamples(document, operations, dialect, played);
  addEventExamples(document, exampleEvents(make, dialect, urls), source);
  if (profile !== undefined) shapeDocument(document as OpenApiDocument);
  renameFields(document, dialect);
  // cloned, since the content is changed below
  Object.assign(document.paths, copyValue(otherPaths(dialect, urls)));
  await addFormExamples(document, played);
  await addErrorExamples(document, operations, examples);
  return document as OpenApiDocument;
}

/** Makes simulators of the document's profile. Events come at once, since examples end with the last one. */
function makerFor({ profile, make }: DocumentSource): MakeSimulator {
  if (profile === undefined) return make;
  return (options) => make({ ...options, profile, assume: { eventDelay: "none" } });
}

/** Adds a dialect's event types to those that a webhook may subscribe to. */
function addDeclaredEvents({ properties }: JsonSchema, { events = [] }: Dialect): void {
  const asked = (properties?.events as JsonSchema | undefined)?.items;
  if (typeof asked === "object" && "enum" in asked)
    asked.enum = [...new Set([...(asked.enum ?? []), ...events])];
}

/** An event as the document needs it. */
interface DescribedEvent {
  readonly type: EventType;
  /** What happened. */
  readonly sentence: string;
  readonly isDeprecated: boolean;
}

/** Which field has the instant at which an event happened. */
function tellWhen(type: EventType): string {
  const { instant } = eventCauses[type];
  const field = instant === undefined ? "createdAt" : `data.${instantFieldText(instant)}`;
  return `\`${field}\` says when. Each attempt of its delivery has the same \`id\`.`;
}

/** Describes an event as the request that a webhook receives. */
function describeDelivery(
  { type, sentence, isDeprecated }: DescribedEvent,
  schema: unknown,
  { serviceName }: Dialect,
): MutableOperation {
  const headers = [
    [timestampHeader(serviceName), "When this attempt was made, ms since the epoch"],
    [signatureHeader(serviceName), "`sha256=` and the HMAC of `<timestamp>.<body>`, in hex"],
  ] as const;
  return {
    operationId: `on ${type}`.replaceAll(/[ ._](\w)/g, (_, letter: string) => letter.toUpperCase()),
    summary: sentence.replace(/\.$/, ""),
    description: tellWhen(type),
    tags: ["Events"],
    ...(isDeprecated ? { deprecated: true } : {}),
    parameters: headers.map(([name, description]) => ({
      name,
      in: "header",
      description,
      schema: { type: "string" },
    })),
    requestBody: { required: true, content: { "application/json": { schema } } },
    responses: {
      "2XX": { description: "Taken. Anything else, or nothing within 5 s, is a failed attempt." },
      "4XX": { description: "Refused. Only 408 and 429 are attempted again." },
    },
  };
}

interface MutableContent {
  readonly [part: string]: unknown;
  description?: string;
  content?: Record<string, { schema?: unknown; example?: unknown }>;
}

interface MutableDocument {
  readonly [part: string]: unknown;
  paths: Record<string, Record<string, MutableOperation>>;
  webhooks?: Record<string, { post: MutableOperation }>;
  components: Record<string, unknown>;
}

interface MutableOperation {
  readonly [part: string]: unknown;
  parameters?: { name: string; in: string; schema?: { type?: string }; example?: unknown }[];
  requestBody?: MutableContent;
  responses: Record<string, MutableContent>;
}

async function addExamples(
  { paths }: MutableDocument,
  operations: readonly AnyOperation[],
  dialect: Dialect,
  context: ExampleContext,
): Promise<void> {
  for (const operation of operations) {
    const described = paths[operation.path]?.[operation.method];
    if (described === undefined) throw new Error(`${operation.method} ${operation.path} is not described`);
    const played = await playExample(context, operation, dialect);
    if (played === undefined) continue;
    const { query = {} } = operation.example;
    for (const parameter of described.parameters ?? []) {
      const example = (parameter.in === "path" ? played.params : query)[parameter.name];
      if (example !== undefined) parameter.example = example;
    }
    setExample(described.requestBody, played.requestBody);
    setExample(described.responses[played.status], played.answer);
  }
}

function addEventExamples(
  { webhooks = {} }: MutableDocument,
  events: ReturnType<typeof exampleEvents>,
  { profile, dialect }: DocumentSource,
): void {
  const written = (event: PlatformEvent) =>
    profile === undefined ? event : writeExample(event, profileOf(profile).assume);
  for (const [type, event] of events)
    setExample(webhooks[type]?.post.requestBody, toWire(written(event), dialect.fieldNames));
}

async function addFormExamples({ paths }: MutableDocument, context: ExampleContext): Promise<void> {
  for (const { path, query = {}, form, answer } of await playForms(context)) {
    const {
      parameters = [],
      requestBody,
      responses,
    } = (paths[path] as Record<string, MutableOperation>).post as MutableOperation;
    for (const parameter of parameters)
      if (query[parameter.name] !== undefined)
        parameter.example =
          parameter.schema?.type === "integer" ? Number(query[parameter.name]) : query[parameter.name];
    const [sent] = Object.values(requestBody?.content ?? {});
    const [answered] = Object.values(responses[200]?.content ?? {});
    if (sent !== undefined) sent.example = form;
    if (answered !== undefined) answered.example = answer;
  }
}

/** Adds an error of its own to each operation, and one to each answer that operations share. */
async function addErrorExamples(
  { paths, components }: MutableDocument,
  operations: readonly AnyOperation[],
  sim: ExampleSimulator,
): Promise<void> {
  const shared = components.responses as Record<string, MutableContent>;
  for (const [status, example] of await playSharedErrors(sim))
    setExample(shared[errorComponents[status]?.name ?? ""], example);
  for (const operation of operations) {
    const described = paths[operation.path]?.[operation.method];
    for (const [status, example] of await playRefusals(sim, operation)) {
      // a copy, since a reference has no room for an example of its own
      const answer = copyValue(shared[errorComponents[status]?.name ?? ""] as MutableContent);
      setExample(answer, example);
      if (status === "400" && "next" in operation.query)
        answer.description = `${answer.description}, or \`next\` is no cursor of this list`;
      if (described !== undefined) described.responses[status] = answer;
    }
  }
  for (const [path, errors] of Object.entries(await playFormErrors(sim)))
    for (const [status, example] of errors) setExample(paths[path]?.post?.responses[status], example);
}

function setExample(described: MutableContent | undefined, example: unknown): void {
  const json = described?.content?.["application/json"];
  if (json !== undefined && example !== undefined) json.example = example;
}

/** Renames the fields of every schema to their names on the wire. */
function renameFields(part: unknown, dialect: Dialect): void {
  if (typeof part !== "object" || part === null) return;
  const schema = part as { properties?: Record<string, unknown>; required?: unknown };
  const { fieldNames } = dialect;
  if (schema.properties !== undefined) {
    const entries = Object.entries(schema.properties);
    schema.properties = Object.fromEntries(entries.map(([name, each]) => [wireName(name, fieldNames), each]));
  }
  if (Array.isArray(schema.required))
    schema.required = schema.required.map((name: string) => wireName(name, fieldNames));
  for (const [key, each] of Object.entries(part)) if (key !== "example") renameFields(each, dialect);
}
