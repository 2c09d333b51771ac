import type * as v from "valibot";
import type { Problem } from "../foundation/errors.ts";
import type { CommandName } from "../platform/base/core-services.ts";
import type { Services } from "../platform/catalogue/services.ts";
import type { ExampleSimulator } from "./openapi/example-simulator.ts";
import type { Page } from "./paging.ts";
import type { QueryOf, QueryParameter } from "./query.ts";

export type Method = "get" | "put" | "post" | "delete";

/** A parsed request to an operation. */
export interface OperationRequest<Query, Body> {
  readonly platform: Services;
  /** The path with its parameters, which identifies a cursor's list. For a deprecated path, the one that replaces it. */
  readonly list: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** Where the page before ended, as the cursor `next` says; undefined for the first page. */
  readonly after: string | undefined;
  readonly body: Body;
}

/** The answer of an operation. */
export interface OperationAnswer {
  readonly status: 200 | 201;
  readonly body: unknown;
}

/** An operation of the REST API, from which routing, validation and the document are derived. */
export interface Operation {
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
  readonly params: Readonly<Record<string, PathParameter>>;
  readonly query: Readonly<Record<string, QueryParameter>>;
  readonly body?: v.GenericSchema;
  /** Finds problems of the body that its schema cannot express. */
  check?(platform: Services, wellFormed: unknown): readonly Problem[];
  /** The body may be left out. */
  readonly isBodyOptional?: boolean;
  /** The commands that it may give, whose events the document lists. Default: none, it only reads. */
  readonly commands?: readonly CommandName[];
  /** The schema of each success. */
  readonly answers: Readonly<Partial<Record<200 | 201, v.GenericSchema>>>;
  readonly isDeprecated?: boolean;
  /** The path that replaces a deprecated one and lists the same. */
  readonly replacedBy?: string;
  /** Refuses a request before it is read. */
  readonly guard?: (platform: Services) => void;
  /** A request that succeeds in the simulator of the examples. */
  readonly example: OperationExample;
  /** A method, so that an operation may narrow the types of query and body. */
  handle(request: OperationRequest<unknown, unknown>): OperationAnswer;
}

/** The subject of operations. The document lists tags in the order of their first use. */
export interface Tag {
  readonly name: string;
  readonly description: string;
}

/** A parameter of a path: the id of something. */
export interface PathParameter {
  readonly description: string;
  /** The id in the simulator of the examples. */
  readonly example: string;
  /**
   * Records of any simulator that it may identify. Default: the example.
   * @param chosen the parameters before it
   */
  readonly candidates?: (
    sim: ExampleSimulator,
    chosen: Readonly<Record<string, string>>,
  ) => readonly { readonly id: string }[];
}

/** An example request, and what happens before it. */
export interface OperationExample {
  /** Prepares the simulator of the examples for this request. */
  readonly before?: (sim: ExampleSimulator) => void;
  /** Default: the examples of the path's parameters. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
}

/** An operation whose type has its id and its body, from which consumers' types of bodies are generated. */
export interface DeclaredOperation<Id extends string, B extends v.GenericSchema> extends Operation {
  readonly id: Id;
  readonly body?: B;
}

type Definition<
  Id extends string,
  Q extends Record<string, QueryParameter>,
  B extends v.GenericSchema,
> = Omit<Operation, "id" | "params" | "query" | "body" | "check" | "handle" | "example"> & {
  readonly id: Id;
  readonly params?: Operation["params"];
  readonly query?: Q;
  readonly body?: B;
  readonly example?: OperationExample;
  check?(platform: Services, wellFormed: Partial<v.InferOutput<B>>): readonly Problem[];
  handle(request: OperationRequest<QueryOf<Q>, v.InferOutput<B>>): OperationAnswer;
};

/** Defines an operation, with the types of its query and its body inferred. */
export function operation<
  const Id extends string,
  const Q extends Record<string, QueryParameter> = Record<never, never>,
  B extends v.GenericSchema = v.GenericSchema<undefined, undefined>,
>(definition: Definition<Id, Q, B>): DeclaredOperation<Id, B> {
  return { params: {}, query: {}, example: {}, ...definition };
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
export function okPage<Name extends string>(name: Name, { items, meta }: Page<unknown>): OperationAnswer {
  return ok({ [name]: items, meta });
}
