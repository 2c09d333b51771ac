import type * as v from "valibot";
import type { Problem } from "../foundation/errors.ts";
import type { Services } from "../platform/catalogue/services.ts";
import type { ExampleSimulator } from "./openapi/example-simulator.ts";
import type { Page } from "./paging.ts";
import type { QueryOf, QueryParameter } from "./query.ts";

export type Method = "get" | "put" | "post" | "delete";

/** What an operation is given: everything read and checked. */
export interface OperationRequest<Query, Body> {
  readonly platform: Services;
  /** The path with its parameters in it: what a cursor is for. A deprecated path goes by what replaces it. */
  readonly list: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** Where the page before ended, as the cursor `next` says; undefined for the first page. */
  readonly after: string | undefined;
  readonly body: Body;
}

/** What an operation answers: without a body, 204. */
export interface OperationAnswer {
  readonly status: 200 | 201 | 204;
  readonly body?: unknown;
}

/** One operation of the REST API: routing, validation and the document are made from this. */
export interface Operation {
  readonly method: Method;
  /** As OpenAPI writes it: `/calls/{id}`. */
  readonly path: string;
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  /** The JSON Schema of what the body must be besides its schema, such as which keys go together. */
  readonly bodyRules?: Readonly<Record<string, unknown>>;
  /** The parameters of the path, in their order in it. */
  readonly params: Readonly<Record<string, PathParameter>>;
  readonly query: Readonly<Record<string, QueryParameter>>;
  readonly body?: v.GenericSchema;
  /** The body goes to a command as it came, which checks it by this schema and more. */
  readonly isReadByCommand?: boolean;
  /** Finds problems of the body that its schema cannot. */
  check?(platform: Services, wellFormed: unknown): readonly Problem[];
  /** The body may be left out. */
  readonly isBodyOptional?: boolean;
  /** What each success answers. */
  readonly answers: Readonly<Partial<Record<200 | 201 | 204, v.GenericSchema | null>>>;
  readonly isDeprecated?: boolean;
  /** The path that replaces a deprecated one and lists the same. */
  readonly replacedBy?: string;
  /** Refuses before anything of the request is looked at. */
  readonly guard?: (platform: Services) => void;
  /** A request that succeeds in the simulator of the examples. */
  readonly example: OperationExample;
  /** A method, so that an operation may say what its own schemas read. */
  handle(request: OperationRequest<unknown, unknown>): OperationAnswer;
}

/** What an operation is about. The document lists tags in the order in which operations have them. */
export interface Tag {
  readonly name: string;
  readonly description: string;
}

/** A parameter of a path: the id of something. */
export interface PathParameter {
  readonly description: string;
  /** The id of it in the simulator of the examples. */
  readonly example: string;
  /**
   * What it may be the id of in any simulator. Without it, that of the example.
   * @param chosen the parameters before it
   */
  readonly candidates?: (
    sim: ExampleSimulator,
    chosen: Readonly<Record<string, string>>,
  ) => readonly { readonly id: string }[];
}

/** What an operation is asked, and what happens before that. */
export interface OperationExample {
  /** What happens in the simulator of the examples before this request alone. */
  readonly before?: (sim: ExampleSimulator) => void;
  /** Where they are not the examples of the path's parameters. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
}

/** An operation whose type has its name and its body: the types of bodies for consumers are made from these. */
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

export const noContent: OperationAnswer = { status: 204 };

/** A page, its items under their name. */
export function okPage<Name extends string>(name: Name, { items, meta }: Page<unknown>): OperationAnswer {
  return ok({ [name]: items, meta });
}
