import type * as v from "valibot";
import type { Problem } from "../../foundation/errors.ts";
import type { CommandInputs } from "../../generated/inputs.ts";
import type { ExampleSetup } from "./example-setup.ts";
import type { ResultPage } from "./paging.ts";
import type { QueryOf, QueryParameter } from "./query.ts";

export type Method = "get" | "put" | "post" | "delete";

/** A parsed request to an operation. */
export interface OperationRequest<Needs, Query, Body> {
  readonly platform: Needs;
  /** The path with its parameters, which identifies a cursor's list. For a deprecated path, the one that replaces it. */
  readonly list: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** Where the page before ended, as the cursor `next` says; undefined for the first page. */
  readonly cursor: string | undefined;
  readonly body: Body;
}

/** The answer of an operation. */
export interface OperationAnswer {
  readonly status: 200 | 201;
  readonly body: unknown;
}

/**
 * An operation of the REST API, from which routing, validation and the document are derived. `Needs` are the services that
 * it asks, and the core services.
 */
export interface Operation<Needs> {
  readonly method: Method;
  /** As OpenAPI writes it: `/calls/{id}`. */
  readonly path: string;
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  /** JSON Schema for rules that the body's schema cannot express, such as which keys go together. */
  readonly bodyRules?: Readonly<Record<string, unknown>>;
  /** The parameters of the path, in their order in it. */
  readonly params: Readonly<Record<string, PathParameter<Needs>>>;
  readonly query: Readonly<Record<string, QueryParameter>>;
  readonly body?: v.GenericSchema;
  /** Finds problems of the body that its schema cannot express. */
  check?(platform: Needs, wellFormed: unknown): readonly Problem[];
  /** The body may be left out. */
  readonly isBodyOptional?: boolean;
  /** The commands that it may give, whose events the document lists. Default: none, it only reads. */
  readonly commands?: readonly (keyof CommandInputs)[];
  /** The schema of each success. */
  readonly answers: Readonly<Partial<Record<200 | 201, v.GenericSchema>>>;
  /** Errors that its state or its body can lead to, beside those that follow from parameters and body. Default: none. */
  readonly errors?: readonly (404 | 409)[];
  readonly isDeprecated?: boolean;
  /** The path that replaces a deprecated one and lists the same. */
  readonly replacedBy?: string;
  /** Refuses a request before it is read. */
  guard?(platform: Needs): void;
  /** A request that succeeds in the simulator of the examples. */
  readonly example: OperationExample;
  /** A method, so that an operation may narrow the types of query and body. */
  handle(request: OperationRequest<Needs, unknown, unknown>): OperationAnswer;
}

/** What operations are about. The document lists tags in the order of their first use. */
export interface Tag {
  readonly name: string;
  readonly description: string;
}

/** A parameter of a path: the id of something. */
export interface PathParameter<Needs> {
  readonly description: string;
  /** The id in the simulator of the examples. */
  readonly example: string;
  /**
   * Records that it may identify. Default: the example.
   * @param chosen the parameters before it
   */
  candidates?(platform: Needs, chosen: Readonly<Record<string, string>>): Iterable<{ readonly id: string }>;
}

/** An example request, and what happens before it. */
export interface OperationExample {
  /** Prepares the simulator of the examples for this request. */
  readonly prepare?: (sim: ExampleSetup) => void;
  /** Default: the examples of the path's parameters. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
}

/** An operation whose type has its id and its body, from which consumers' types of bodies are generated. */
export interface DeclaredOperation<Needs, Id extends string, B extends v.GenericSchema>
  extends Operation<Needs> {
  readonly id: Id;
  readonly body?: B;
}

type Definition<
  Needs,
  Id extends string,
  Q extends Record<string, QueryParameter>,
  B extends v.GenericSchema,
> = Omit<Operation<Needs>, "id" | "params" | "query" | "body" | "check" | "handle" | "example"> & {
  readonly id: Id;
  readonly params?: Operation<Needs>["params"];
  readonly query?: Q;
  readonly body?: B;
  readonly example?: OperationExample;
  check?(platform: Needs, wellFormed: Partial<v.InferOutput<B>>): readonly Problem[];
  handle(request: OperationRequest<Needs, QueryOf<Q>, v.InferOutput<B>>): OperationAnswer;
};

/**
 * Gives a function that declares operations with these needs. The types of query and body are inferred from each
 * declaration.
 */
export function operationsWith<Needs>() {
  return function operation<
    const Id extends string,
    const Q extends Record<string, QueryParameter> = Record<never, never>,
    B extends v.GenericSchema = v.GenericSchema<undefined, undefined>,
  >(definition: Definition<Needs, Id, Q, B>): DeclaredOperation<Needs, Id, B> {
    return { params: {}, query: {}, example: {}, ...definition };
  };
}

export function ok(body: unknown): OperationAnswer {
  return { status: 200, body };
}

export function created(body: unknown): OperationAnswer {
  return { status: 201, body };
}

/** The answer of what has nothing to say: every body is JSON. */
export const done: OperationAnswer = ok({});

/** A page, its items under their name. */
export function okPage<Name extends string>(
  name: Name,
  { items, meta }: ResultPage<unknown>,
): OperationAnswer {
  return ok({ [name]: items, meta });
}
