import { type Context, Hono } from "hono";
import * as v from "valibot";
import { readInput, withoutUnknownKeys } from "../foundation/input-schemas.ts";
import { type AnyOperation, operations } from "../platform/catalogue/operations.ts";
import type { Services } from "../platform/catalogue/services.ts";
import type { OperationAnswer } from "../platform/declare/operation.ts";
import { withCursor } from "../platform/declare/paging.ts";
import type { ProfileName } from "../platform/declare/profile.ts";
import { RestError } from "../platform/declare/rest-errors.ts";
import { fromWire, toWire, wireName } from "../platform/declare/wire-names.ts";
import { readJson } from "./body.ts";
import { operationsOf } from "./observed/profile-operations.ts";
import { toRestError } from "./refusals.ts";
import { textAnswer } from "./text-answer.ts";

/**
 * What each request brings: its platform, and a list to which the names of the query parameters are added that the
 * operation does not know.
 */
type Env = { Bindings: { readonly platform: Services; readonly ignored: string[] } };

/** The `deprecation` header of RFC 9745 for deprecated paths: the date of the API's version. */
export const DEPRECATED_SINCE = "@1782864000";

/** Operations on Hono. All simulators of a profile share an app; each request brings its platform. */
function newApp(all: readonly AnyOperation[]): Hono<Env> {
  const app = new Hono<Env>({ strict: true });
  for (const each of inRoutingOrder(all)) route(app, each);
  app.notFound((c) => errorAnswer(c.env.platform, unknownRoute(c.req.method, c.req.path)));
  // an error that is not the request's fault rejects the caller's promise
  app.onError((error) => {
    throw error;
  });
  return app;
}

const usualApp = newApp(operations);
let observedApp: Hono<Env> | undefined;

/** Every operation of a profile. */
export function restApp(profile: ProfileName | undefined): Hono<Env> {
  if (profile === undefined) return usualApp;
  observedApp ??= newApp(operationsOf(profile));
  return observedApp;
}

/** Sorts literal paths before parameters, since Hono takes the first match. `{` sorts after all letters. */
export function inRoutingOrder<Each extends Pick<AnyOperation, "path">>(
  all: readonly Each[],
): readonly Each[] {
  return [...all].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Creates an error answer in the simulator's dialect. */
export function errorAnswer(
  platform: Services,
  error: RestError,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { fieldNames } = platform.settings.dialect;
  const { details, ...body } = error.body;
  const named = details?.map(({ path, message }) => ({
    path: path.replaceAll(/[^.[\]]+/g, (name) => wireName(name, fieldNames)),
    message,
  }));
  const answer = toWire({ ...body, ...(named && { details: named }) }, fieldNames);
  return json(error.status, answer, { ...headers, ...error.more.headers });
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return textAnswer(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

function route(app: Hono<Env>, definition: AnyOperation): void {
  const { method, path } = definition;
  const honoPath = path.replaceAll(/\{(\w+)\}/g, ":$1");
  const parameters = v.object(
    Object.fromEntries(Object.entries(definition.query).map(([name, { schema }]) => [name, schema])),
  );
  app.on(method.toUpperCase(), honoPath, (c) => serve({ definition, parameters }, c));
}

/** An operation, with the schema of its whole query. */
interface Route {
  readonly definition: AnyOperation;
  readonly parameters: v.GenericSchema<unknown, Readonly<Record<string, unknown>>>;
}

async function serve(way: Route, c: Context<Env>): Promise<Response> {
  const { definition } = way;
  const { platform } = c.env;
  const headers: Readonly<Record<string, string>> =
    definition.isDeprecated === true ? { deprecation: DEPRECATED_SINCE } : {};
  try {
    const { status, body } = await carryOut(way, c);
    return json(status, toWire(body, platform.settings.dialect.fieldNames), headers);
  } catch (error) {
    return errorAnswer(platform, toRestError(error), headers);
  }
}

/** Reads a request and runs its operation. */
async function carryOut({ definition, parameters }: Route, c: Context<Env>): Promise<OperationAnswer> {
  const { platform, ignored } = c.env;
  definition.guard?.(platform);
  const params = c.req.param() as Record<string, string>;
  const path = definition.replacedBy ?? definition.path;
  const list = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => JSON.stringify(params[name]));
  const search = c.req.url.indexOf("?");
  const given = new URLSearchParams(search < 0 ? "" : c.req.url.slice(search).split("#", 1)[0]);
  ignored.push(...unknownNames(definition, given));
  mustNotHaveOldNext(given);
  const read = readQuery(definition, parameters, given);
  const { query, cursor } = withCursor({ platform, list }, read, new Set(given.keys()));
  const body = await readBody(definition, platform, c.req.raw);
  return definition.handle({ platform, list, params, query, cursor, body });
}

/** The parameter that `next` has replaced. Clients who still send it would get the first page again and again. */
const OLD_NEXT = "nextContact";

/** @throws {RestError} `bad_request` */
function mustNotHaveOldNext(given: URLSearchParams): void {
  if (!given.has(OLD_NEXT)) return;
  const message = "`next` has replaced it: pass `meta.next` of the page before as `next`";
  const details = [{ path: OLD_NEXT, message }];
  throw new RestError("bad_request", `${OLD_NEXT}: ${message}`, { details });
}

/** The names of a query that an operation does not know, each once. */
function unknownNames({ query }: AnyOperation, given: URLSearchParams): string[] {
  const names = [...new Set(given.keys())];
  return names.filter((name) => name !== OLD_NEXT && !Object.hasOwn(query, name));
}

function readQuery(
  { query }: AnyOperation,
  parameters: Route["parameters"],
  given: URLSearchParams,
): Readonly<Record<string, unknown>> {
  const names = Object.keys(query);
  if (names.length === 0) return {};
  mustBeOnce(names, given);
  const values = names.filter((name) => given.has(name)).map((name) => [name, given.get(name)] as const);
  return readInput(parameters, Object.fromEntries(values));
}

/** @throws {RestError} `bad_request` for parameters that are given twice */
function mustBeOnce(names: readonly string[], given: URLSearchParams): void {
  const details = names.flatMap((path) => {
    const { length } = given.getAll(path);
    return length < 2 ? [] : { path, message: `given ${length === 2 ? "twice" : `${length} times`}` };
  });
  if (details.length === 0) return;
  const message = details.map((each) => `${each.path}: ${each.message}, expected one value`).join("\n");
  throw new RestError("bad_request", message, { details });
}

async function readBody(
  { body: schema, isBodyOptional, check }: AnyOperation,
  platform: Services,
  request: Request,
): Promise<unknown> {
  if (schema === undefined) return undefined;
  const body = await readJson(request);
  if (body === undefined && isBodyOptional !== true)
    throw new RestError("bad_request", "expected a body of JSON, got none");
  const { dialect, unknownKeys } = platform.settings;
  const given = fromWire(body === undefined ? {} : body, dialect.fieldNames);
  const own = unknownKeys === "ignore" ? withoutUnknownKeys(schema, given) : given;
  return readInput(schema, own, [], check && ((wellFormed) => check(platform, wellFormed)));
}

/** The operations at a path, of any method. */
function operationsAt(path: string): readonly AnyOperation[] {
  const segments = path.split("/");
  return operations.filter((each) => {
    const pattern = each.path.split("/");
    return (
      pattern.length === segments.length &&
      pattern.every(
        (part, index) => part === segments[index] || (part.startsWith("{") && segments[index] !== ""),
      )
    );
  });
}

/** Whether a path is that of a single record, not of a list. */
export function isOfRecord(path: string): boolean {
  return operationsAt(path).some((each) => each.method === "get" && each.path.endsWith("}"));
}

/** 405 for a known path, otherwise 404. */
function unknownRoute(method: string, path: string): RestError {
  const methods = operationsAt(path).map((each) => each.method.toUpperCase());
  if (methods.length === 0)
    return new RestError("not_found", `nothing is served at ${path}; the OpenAPI document lists the paths`);
  const allow = [...new Set(methods.includes("GET") ? [...methods, "HEAD"] : methods)].join(", ");
  const message = `${path} does not take ${method}; it takes ${allow}`;
  return new RestError("method_not_allowed", message, { headers: { allow } });
}
