import type { GenericSchema } from "valibot";
import type { Operation } from "../operation.ts";
import { errorSchema } from "../schemas.ts";
import type { JsonSchemas } from "./json-schema.ts";

/** The error answers of operations by status: the name of the component, and when it occurs. */
const errorComponents: Readonly<Record<string, readonly [name: string, description: string]>> = {
  400: ["BadRequest", "Something is wrong with the request; `details` names each field"],
  401: ["Unauthorized", "The access token is missing, unknown or expired"],
  403: [
    "Forbidden",
    "Plain http, a feature that the organisation does not have, or a change by a client that may only read",
  ],
  404: ["NotFound", "There is no such thing"],
  409: ["Conflict", "The state does not allow it"],
  413: ["PayloadTooLarge", "The body is over 6 MB"],
  415: ["UnsupportedMediaType", "The body is not JSON"],
  429: ["TooManyRequests", "Too many requests; `retry-after` says how many seconds to wait, if it is there"],
  "5XX": ["ServerError", "The service has a fault; ask again later. Nothing was changed"],
};

const successDescriptions: Readonly<Record<string, string>> = { 200: "OK", 201: "Created" };

/** The schemas that the operations read and answer. */
export function schemasOf(operations: readonly Operation[]): GenericSchema[] {
  const all = operations.flatMap(({ body, answers }) => [body, ...Object.values(answers)]);
  return [errorSchema, ...all.filter((schema) => schema !== undefined)];
}

/** Makes the document's `components.responses`. */
export function errorResponses(schemas: JsonSchemas): Record<string, ContentDescription> {
  const responses = Object.values(errorComponents).map(([name, description]) => [
    name,
    content(description, errorSchema, schemas),
  ]);
  return Object.fromEntries(responses);
}

/** Describes each operation, by path and method. */
export function pathsOf(
  operations: readonly Operation[],
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

function describeOperation(operation: Operation, schemas: JsonSchemas): object {
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
    responses: responsesOf(operation, schemas),
  };
}

function parametersOf({ params, query }: Operation): object[] {
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

function responsesOf({ method, body, answers }: Operation, schemas: JsonSchemas): object {
  const errors = Object.entries(errorComponents).filter(
    ([status]) =>
      (body !== undefined || !["413", "415"].includes(status)) && (method !== "get" || status !== "409"),
  );
  return Object.fromEntries([
    ...Object.entries(answers).map(([status, schema]) => {
      const description = successDescriptions[status] ?? "OK";
      return [status, content(description, schema, schemas)];
    }),
    ...errors.map(([status, [name]]) => [status, { $ref: `#/components/responses/${name}` }]),
  ]);
}

interface ContentDescription {
  readonly description: string;
  readonly content: Readonly<Record<string, { readonly schema: unknown }>>;
}

function content(description: string, schema: GenericSchema, schemas: JsonSchemas): ContentDescription {
  return { description, content: { "application/json": { schema: schemas.of(schema) } } };
}
