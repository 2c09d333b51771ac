/** Which examples the document of `sim.openapi()` has. */
export interface OpenApiOptions {
  /** `example` (default) shows an organisation that has everything; `here` shows what this simulator holds. */
  readonly examples?: "example" | "here";
  /** Whether the example of a token request may show the client's secret. Default true. */
  readonly secrets?: boolean;
}

/** The parts of an OpenAPI 3.1 document that this one has. */
export interface OpenApiDocument {
  /** The version of OpenAPI. */
  readonly openapi: string;
  /** The API's title and version. */
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  /** The base URLs of the API. */
  readonly servers: readonly { readonly url: string }[];
  /** Operations by path, then by method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  /** The requests that deliver events, by event type. */
  readonly webhooks: Readonly<Record<string, { readonly post: OpenApiOperation }>>;
  /** Schemas and answers that other parts refer to, by kind, then by name. */
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly [part: string]: unknown;
}

/** An operation, or the request that delivers an event. */
export interface OpenApiOperation {
  /** The operation's name, such as `listCalls`. */
  readonly operationId: string;
  /** Whether the operation will be removed. */
  readonly deprecated?: boolean;
  /** The parameters in the path, the query and the headers. */
  readonly parameters?: readonly OpenApiParameter[];
  /** The body of the request. */
  readonly requestBody?: OpenApiBody & { readonly required?: boolean };
  /** The answers, by status. */
  readonly responses: Readonly<Record<string, OpenApiBody>>;
  /** The types of the events that a success can bring about. */
  readonly "x-events"?: readonly string[];
  readonly [part: string]: unknown;
}

/** A parameter of an operation. */
export interface OpenApiParameter {
  /** The parameter's name. */
  readonly name: string;
  /** Where the parameter is. */
  readonly in: "path" | "query" | "header";
  /** A value that works. */
  readonly example?: unknown;
  readonly [part: string]: unknown;
}

/** The body of a request or an answer. */
export interface OpenApiBody {
  /** Schemas and examples by media type. */
  readonly content?: Readonly<Record<string, { readonly schema?: unknown; readonly example?: unknown }>>;
  /** For an error: `no`, or when the same request may be sent again, such as `after retry-after`. */
  readonly "x-ask-again"?: string;
  readonly [part: string]: unknown;
}
