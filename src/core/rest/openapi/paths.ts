import type { GenericSchema } from "valibot";
import type { CommandName } from "../../platform/base/core-services.ts";
import type { AnyOperation } from "../../platform/catalogue/operations.ts";
import { type EventType, eventTypes } from "../../platform/declare/events.ts";
import { errorSchema } from "../../platform/declare/wire-schemas.ts";
import { eventCauses } from "../../platform/reactions/event-causes.ts";
import type { JsonSchemas } from "./json-schema.ts";

/** Whether the same request may be sent again after an error, as `x-ask-again` says. */
export type AskAgain = "no" | "with a new token" | "once the state allows it" | "after retry-after" | "later";

/** An error answer, which all operations share. */
interface ErrorComponent {
  readonly name: string;
  /** When it occurs. */
  readonly when: string;
  readonly askAgain: AskAgain;
}

/** The error answers of operations, by status. */
export const errorComponents: Readonly<Record<string, ErrorComponent>> = {
  400: {
    name: "BadRequest",
    when: "Something is wrong with the request; `details` names each field",
    askAgain: "no",
  },
  401: {
    name: "Unauthorized",
    when: "The access token is missing, unknown or expired",
    askAgain: "with a new token",
  },
  403: {
    name: "Forbidden",
    when: "Plain http, a feature that the organisation does not have, or a change by a client that may only read",
    askAgain: "no",
  },
  404: { name: "NotFound", when: "There is no such thing", askAgain: "no" },
  409: { name: "Conflict", when: "The state does not allow it", askAgain: "once the state allows it" },
  413: { name: "PayloadTooLarge", when: "The body is over 6 MB", askAgain: "no" },
  415: { name: "UnsupportedMediaType", when: "The body is not JSON", askAgain: "no" },
  429: {
    name: "TooManyRequests",
    when: "Too many requests; `retry-after` says how many seconds to wait, if it is there",
    askAgain: "after retry-after",
  },
  "5XX": {
    name: "ServerError",
    when: "The service has a fault; ask again later. Nothing was changed",
    askAgain: "later",
  },
};

const successDescriptions: Readonly<Record<string, string>> = { 200: "OK", 201: "Created" };

/** The schemas that the operations read and answer. */
export function schemasOf(operations: readonly AnyOperation[]): GenericSchema[] {
  const all = operations.flatMap(({ body, answers }) => [body, ...Object.values(answers)]);
  return [errorSchema, ...all.filter((schema) => schema !== undefined)];
}

/** Makes the document's `components.responses`. */
export function errorResponses(schemas: JsonSchemas): Record<string, object> {
  return Object.fromEntries(
    Object.values(errorComponents).map((error) => [error.name, errorContent(error, schemas)]),
  );
}

/** Describes each operation, by path and method. */
export function makePaths(
  operations: readonly AnyOperation[],
  schemas: JsonSchemas,
): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    paths[operation.path] ??= {};
    Object.assign(paths[operation.path] as object, {
      [operation.method]: describeOperation(operation, schemas),
    });
  }
  return paths;
}

function describeOperation(operation: AnyOperation, schemas: JsonSchemas): object {
  const { body, isBodyOptional } = operation;
  return {
    operationId: operation.id,
    tags: [operation.tag.name],
    summary: operation.summary,
    description: operation.description,
    ...(operation.isDeprecated === true ? { deprecated: true } : {}),
    parameters: parametersOf(operation),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: isBodyOptional !== true,
            content: { "application/json": { schema: schemas.of(body) } },
          },
        }),
    responses: makeResponses(operation, schemas),
    "x-events": eventsByCommands(operation.commands ?? []),
  };
}

/** The events that commands can bring about, in the order of all events. */
export function eventsByCommands(names: readonly CommandName[]): EventType[] {
  return eventTypes.filter((type) => eventCauses[type].commands.some((name) => names.includes(name)));
}

function parametersOf({ params, query }: AnyOperation): object[] {
  return [
    ...Object.entries(params).map(([name, { description }]) => ({
      name,
      in: "path",
      required: true,
      description,
      schema: { type: "string" },
    })),
    ...Object.entries(query).map(([name, { description, jsonSchema }]) => ({
      name,
      in: "query",
      description,
      schema: jsonSchema,
    })),
  ];
}

function makeResponses(operation: AnyOperation, schemas: JsonSchemas): object {
  const { answers } = operation;
  const errors = Object.entries(errorComponents).filter(([status]) => canAnswer(operation, status));
  return Object.fromEntries([
    ...Object.entries(answers).map(([status, schema]) => {
      const description = successDescriptions[status] ?? "OK";
      return [status, content(description, schema, schemas)];
    }),
    ...errors.map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }]),
  ]);
}

/** Whether an operation's own code can answer with an error of this status. */
function canAnswer({ params, query, body, errors = [] }: AnyOperation, status: string): boolean {
  const hasParams = Object.keys(params).length > 0;
  switch (status) {
    case "400":
      return body !== undefined || hasParams || Object.keys(query).length > 0;
    case "404":
      return hasParams || errors.includes(404);
    case "409":
      return errors.includes(409);
    case "413":
    case "415":
      return body !== undefined;
    default:
      return true;
  }
}

interface ContentDescription {
  readonly description: string;
  readonly content: Readonly<Record<string, { readonly schema: unknown }>>;
}

/** An error answer, whose example is added later. */
function errorContent({ when, askAgain }: ErrorComponent, schemas: JsonSchemas): object {
  return { ...content(when, errorSchema, schemas), "x-ask-again": askAgain };
}

function content(description: string, schema: GenericSchema, schemas: JsonSchemas): ContentDescription {
  return { description, content: { "application/json": { schema: schemas.of(schema) } } };
}
