import { type Context, Hono } from "hono";
import { describeRoute, resolver } from "hono-openapi";
import * as v from "valibot";
import { readInput } from "../engine/input.ts";
import type { Platform } from "../platform/platform.ts";
import { fromWire, toWire, wireName } from "../platform/wire-names.ts";
import { readJson } from "./body.ts";
import { RestError, restErrorOf } from "./errors.ts";
import type { Operation } from "./operation.ts";
import { operations } from "./operations.ts";
import { errorSchema } from "./schemas/common.ts";

type Env = { Bindings: { readonly platform: Platform } };

/** The statuses that every operation may answer an error with; those with a body more. */
const errorDescriptions: Readonly<Record<number, string>> = {
  400: "Something is wrong with the request; `details` names each field",
  401: "The access token is missing, unknown or expired",
  403: "Plain http, or a feature that the organisation does not have",
  404: "There is no such thing",
  409: "The state does not allow it",
  413: "The body is over 6 MB",
  415: "The body is not JSON",
};

const successDescriptions: Readonly<Record<number, string>> = { 200: "OK", 201: "Created", 204: "Done" };

/** When the deprecated paths were, as RFC 9745 writes it: the date of the API's version. */
export const DEPRECATED_SINCE = "@1782864000";

/** Every operation on Hono. One for all simulators: which one it is comes with each request. */
export const app = new Hono<Env>({ strict: true });
for (const each of operations) route(each);
app.notFound((c) => errorAnswer(c.env.platform, unknownRoute(c.req.method, c.req.path)));
app.onError((error, c) => errorAnswer(c.env.platform, restErrorOf(error)));

/** An error as it is answered, in the simulator's dialect. */
export function errorAnswer(platform: Platform, error: RestError): Response {
  const { fieldNames } = platform.settings.dialect;
  const { details, ...body } = error.body;
  const named = details?.map(({ path, message }) => ({
    path: path.replaceAll(/[^.[\]]+/g, (name) => wireName(name, fieldNames)),
    message,
  }));
  const answer = toWire({ ...body, ...(named && { details: named }) }, fieldNames);
  return json(error.status, answer, error.more.headers);
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

function route(definition: Operation): void {
  const { method, path } = definition;
  const honoPath = path.replaceAll(/\{(\w+)\}/g, ":$1");
  app.on(method.toUpperCase(), honoPath, described(definition), (c) => serve(definition, c));
}

async function serve(definition: Operation, c: Context<Env>): Promise<Response> {
  const { platform } = c.env;
  const { fieldNames } = platform.settings.dialect;
  definition.guard?.(platform);
  const params = c.req.param() as Record<string, string>;
  const query = readQuery(definition, new URL(c.req.url).searchParams);
  const body = await readBody(definition, c.req.raw, fieldNames);
  const list = definition.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => JSON.stringify(params[name]));
  const answer = definition.handle({ platform, list, params, query, body } as never);
  const headers: Record<string, string> =
    definition.isDeprecated === true ? { deprecation: DEPRECATED_SINCE } : {};
  if (answer.body === undefined) return new Response(null, { status: answer.status, headers });
  return json(answer.status, toWire(answer.body, fieldNames), headers);
}

function readQuery({ query }: Operation, given: URLSearchParams): unknown {
  const schema = v.object(
    Object.fromEntries(Object.entries(query).map(([name, { schema }]) => [name, schema])),
  );
  const values = Object.keys(query).map((name) => {
    const all = given.getAll(name);
    return [name, all.length > 1 ? all : all[0]] as const;
  });
  return readInput(schema, Object.fromEntries(values.filter(([, value]) => value !== undefined)));
}

async function readBody(
  { body: schema, isBodyOptional, isReadByCommand }: Operation,
  request: Request,
  fieldNames: Readonly<Record<string, string>>,
): Promise<unknown> {
  if (schema === undefined) return undefined;
  const body = await readJson(request);
  if (body === undefined && isBodyOptional !== true)
    throw new RestError("bad_request", "expected a body of JSON, got none");
  const own = fromWire(body ?? {}, fieldNames);
  return isReadByCommand === true ? own : readInput(schema, own);
}

/** 405 for a known path, else 404. */
function unknownRoute(method: string, path: string): RestError {
  const segments = path.split("/");
  const methods = operations
    .filter((each) => {
      const pattern = each.path.split("/");
      return (
        pattern.length === segments.length &&
        pattern.every(
          (part, index) => part === segments[index] || (part.startsWith("{") && segments[index] !== ""),
        )
      );
    })
    .map((each) => each.method.toUpperCase());
  if (methods.length === 0) return new RestError("not_found", `there is nothing at ${path}`);
  const allow = [...new Set(methods.includes("GET") ? [...methods, "HEAD"] : methods)].join(", ");
  const message = `${path} does not take ${method}; it takes ${allow}`;
  return new RestError("method_not_allowed", message, { headers: { allow } });
}

/** What the document says of an operation. */
function described(definition: Operation) {
  const { params, query, body, answers, isBodyOptional } = definition;
  const errors = Object.entries(errorDescriptions).filter(
    ([status]) =>
      (body !== undefined || !["413", "415"].includes(status)) &&
      (definition.method !== "get" || status !== "409"),
  );
  const responses = [
    ...Object.entries(answers).map(([status, schema]) => [status, success(Number(status), schema ?? null)]),
    ...errors.map(([status, description]) => [status, content(description, errorSchema)]),
  ];
  const parameters = [
    ...Object.entries(params).map(([name, description]) => ({
      name,
      in: "path" as const,
      required: true,
      description,
      schema: { type: "string" as const },
    })),
    ...Object.entries(query).map(([name, { description, jsonSchema }]) => ({
      name,
      in: "query" as const,
      description,
      schema: jsonSchema,
    })),
  ];
  return describeRoute({
    operationId: definition.id,
    tags: [definition.tag],
    summary: definition.summary,
    ...(definition.description === undefined ? {} : { description: definition.description }),
    ...(definition.isDeprecated === true ? { deprecated: true } : {}),
    parameters,
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: isBodyOptional !== true,
            content: { "application/json": { schema: resolver(body) } },
          },
        }),
    responses: Object.fromEntries(responses),
  } as Parameters<typeof describeRoute>[0]);
}

function success(status: number, schema: v.GenericSchema | null) {
  const description = successDescriptions[status] ?? "OK";
  return schema === null ? { description } : content(description, schema);
}

function content(description: string, schema: v.GenericSchema) {
  return { description, content: { "application/json": { schema: resolver(schema) } } };
}
