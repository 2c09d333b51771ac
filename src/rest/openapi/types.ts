/** The parts of an OpenAPI 3.1 document that this one has. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly servers: readonly { readonly url: string }[];
  /** Operations by path, then by method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  /** The requests that deliver events, by event type. */
  readonly webhooks: Readonly<Record<string, { readonly post: OpenApiOperation }>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly [part: string]: unknown;
}

/** An operation, or the request that delivers an event. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: OpenApiBody & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, OpenApiBody>>;
  readonly [part: string]: unknown;
}

/** A parameter of an operation. */
export interface OpenApiParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly example?: unknown;
  readonly [part: string]: unknown;
}

/** The body of a request or an answer. */
export interface OpenApiBody {
  /** Schemas and examples by media type. */
  readonly content?: Readonly<Record<string, { readonly schema?: unknown; readonly example?: unknown }>>;
  readonly [part: string]: unknown;
}
