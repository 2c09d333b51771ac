import { createSimulator } from "../../../src/index.ts";
import { referenceName, type Schema, type SchemaPage } from "./schema-words.ts";

/** The parts of the OpenAPI document that the reference shows. */
export interface RestDocument {
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, RestOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: RestOperation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, RestContent>>;
  };
}

export interface RestOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly RestParameter[];
  readonly requestBody?: RestContent & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, RestContent>>;
  readonly "x-events"?: readonly string[];
}

export interface RestParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface RestContent {
  readonly $ref?: string;
  readonly description?: string;
  readonly "x-ask-again"?: string;
  readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
}

let made: Promise<RestDocument> | undefined;

/** The document of the default simulator, made once. */
export function restDocument(): Promise<RestDocument> {
  made ??= createSimulator().openapi() as unknown as Promise<RestDocument>;
  return made;
}

/** The page on which records are described. */
const RECORDS = "records.md";
/** The page of those records that only events have. */
const EVENT_RECORDS = "records-events.md";

/** A link to a record, from another page of the reference. */
export function recordLink(document: RestDocument, name: string): string {
  const file = recordNames(document).ofAnswers.includes(name) ? RECORDS : EVENT_RECORDS;
  return `[${name}](${file}#${name.toLowerCase()})`;
}

/** The names of components that are described as records, in alphabetical order. */
interface RecordNames {
  readonly ofAnswers: readonly string[];
  /** Those that only events have. */
  readonly ofEvents: readonly string[];
}

const namesByDocument = new WeakMap<RestDocument, RecordNames>();

/** What answers and events consist of. */
export function recordNames(document: RestDocument): RecordNames {
  const names = namesByDocument.get(document) ?? findRecordNames(document);
  namesByDocument.set(document, names);
  return names;
}

function findRecordNames({ paths, webhooks, components }: RestDocument): RecordNames {
  const reached = new Set<string>();
  const follow = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    const { $ref } = part as Schema;
    const name = $ref && referenceName($ref);
    if (name !== undefined && components.schemas[name] !== undefined && !reached.has(name)) {
      reached.add(name);
      follow(components.schemas[name]);
    }
    for (const [key, each] of Object.entries(part)) if (key !== "example") follow(each);
  };
  const sorted = () => [...reached].filter((name) => name !== "Nothing").sort();
  for (const item of Object.values(paths))
    for (const { responses } of Object.values(item)) follow(responses?.[200] ?? responses?.[201]);
  const ofAnswers = sorted();
  for (const { post } of Object.values(webhooks)) follow(post.requestBody);
  return { ofAnswers, ofEvents: sorted().filter((name) => !ofAnswers.includes(name)) };
}

/** Reads the document's references: records are links, bodies are described in place. */
export function documentPage(document: RestDocument): SchemaPage {
  const { ofAnswers, ofEvents } = recordNames(document);
  const records = new Set([...ofAnswers, ...ofEvents]);
  return {
    refersTo: (reference) => document.components.schemas[referenceName(reference)] ?? {},
    nameOf: (reference) => {
      const name = referenceName(reference);
      return records.has(name) ? recordLink(document, name) : undefined;
    },
  };
}
