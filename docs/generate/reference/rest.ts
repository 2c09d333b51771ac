import { banner } from "../banner.ts";
import { fenced, headingAnchor } from "../markdown.ts";
import type { Page } from "../pages.ts";
import {
  documentPage,
  type RestContent,
  type RestDocument,
  type RestOperation,
  type RestParameter,
  restDocument,
} from "./document.ts";
import { eventLink } from "./event-groups.ts";
import { factsOf, fieldList, innerList } from "./fields.ts";
import { restFiles } from "./rest-files.ts";
import { requestBlocks } from "./rest-requests.ts";
import {
  cell,
  fieldsOf,
  label,
  meaningOf,
  referenceName,
  type Schema,
  type SchemaPage,
  shapesOf,
  typeWords,
} from "./schema-words.ts";

/** An operation with its method and path. */
interface Listed {
  readonly method: string;
  readonly path: string;
  readonly operation: RestOperation;
}

/** A page for each resource, made by one function. */
export const restPages: readonly Page[] = Object.entries(restFiles).map(([tag, file]) => ({
  path: `docs/reference/rest-${file}.md`,
  content: async () => resourcePage(await restDocument(), tag),
}));

/** The operations of a tag in the order of the document, without deprecated names of the same path. */
function operationsOf({ paths }: RestDocument, tag: string): Listed[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      method !== "servers" && operation.tags.includes(tag)
        ? [{ method: method.toUpperCase(), path, operation }]
        : [],
    ),
  );
}

/** A row for each resource with its operations, for the first page of the reference. */
export function restRows(document: RestDocument): string[] {
  return Object.entries(restFiles).map(([tag, file]) => {
    const all = operationsOf(document, tag).filter(({ operation }) => !isOldName(operation.operationId));
    return `| [${tag}](rest-${file}.md) | ${all.map((each) => linkTo(each, file)).join("<br>")} |`;
  });
}

/** The links to operations by command, for other pages. */
export async function restLinks(): Promise<ReadonlyMap<string, string>> {
  const document = await restDocument();
  return new Map(
    Object.entries(restFiles).flatMap(([tag, file]) =>
      operationsOf(document, tag).map((each) => [each.operation.operationId, linkTo(each, file)]),
    ),
  );
}

function linkTo({ method, path, operation }: Listed, file: string): string {
  return `[\`${method} ${path}\`](rest-${file}.md#${headingAnchor(operation.summary)})`;
}

/** The name of the path in whose place a deprecated one stands: `/phonebooks` for `/phonebook`. */
function isOldName(id: string): boolean {
  return id.endsWith("Deprecated");
}

function resourcePage(document: RestDocument, tag: string): string {
  const all = operationsOf(document, tag);
  const shown = all.filter(({ operation }) => !isOldName(operation.operationId));
  const old = all.filter(({ operation }) => isOldName(operation.operationId));
  const about = document.tags.find(({ name }) => name === tag)?.description ?? "";
  const rows = shown.map(
    ({ method, path, operation }) =>
      `| \`${method} ${path}\` | [${operation.summary}](#${headingAnchor(operation.summary)})${operation.deprecated === true ? " (deprecated)" : ""} |`,
  );
  const oldNames = old.map(({ method, path }) => `\`${method} ${path}\``).join(", ");
  return [
    banner("the OpenAPI document"),
    `# ${tag}`,
    `${about}. Base URL \`${serverOf(document, shown[0]?.path ?? "")}\`; in a test, \`sim.fetch\` takes a path, and [axios](../rest.md#clients) 1.12 or later takes \`sim.fetch\`. [All resources](README.md#rest-api)`,
    ["| request | what it does |", "|---|---|", ...rows].join("\n"),
    ...(old.length === 0
      ? []
      : [`Old names still work, and answer with the header \`deprecation\`: ${oldNames}.`]),
    ...shown.map((each) => operationSection(document, each)),
    "",
  ].join("\n\n");
}

function serverOf({ servers, paths }: RestDocument, path: string): string {
  const item = paths[path] as unknown as
    | { readonly servers?: readonly { readonly url: string }[] }
    | undefined;
  return (item?.servers ?? servers)[0]?.url ?? "";
}

function operationSection(document: RestDocument, listed: Listed): string {
  const { method, path, operation } = listed;
  const page = documentPage(document);
  const { parameters = [] } = operation;
  const events = operation["x-events"] ?? [];
  return [
    '<div class="operation">\n<div>',
    `## ${operation.summary}`,
    `**${method}** \`${path}\``,
    `${operation.deprecated === true ? "**Deprecated.** " : ""}${operation.description}`,
    ...parametersIn("path", "In the path", parameters, page),
    ...parametersIn("query", "In the query", parameters, page),
    ...parametersIn("header", "In the header", parameters, page),
    ...bodyPart(operation, page),
    label("Answers"),
    answerWords(operation, page),
    label("Leads to"),
    events.length > 0
      ? `${events.map(eventLink).join(" · ")}`
      : method === "GET"
        ? "No event: it only reads."
        : "No event.",
    label("Errors"),
    errorTable(document, operation),
    '</div>\n<div class="examples">',
    ...examples(document, listed),
    "</div>\n</div>",
  ].join("\n\n");
}

function parametersIn(
  where: RestParameter["in"],
  title: string,
  parameters: readonly RestParameter[],
  page: SchemaPage,
): string[] {
  const here = parameters.filter((each) => each.in === where);
  if (here.length === 0) return [];
  const shown = here.map(
    ({ name, description, schema, required = false }) =>
      `### ${name}\n\n${factsOf(schema, page, required)}\n\n${/[.!?]$/.test(description) ? description : `${description}.`}`,
  );
  return [label(title), ...shown];
}

function bodyPart({ requestBody }: RestOperation, page: SchemaPage): string[] {
  if (requestBody === undefined) return [];
  const [type = "", { schema = {} } = {}] = Object.entries(requestBody.content ?? {})[0] ?? [];
  const { required = false, description } = requestBody;
  const title = `In the body${required ? "" : ", which may be left out"}`;
  const about = type === "application/json" ? [] : [`A form, \`${type}\`.`];
  const fields = topFields(schema, page);
  return [
    label(title),
    ...(description === undefined ? about : [...about, description]),
    ...(fields.length === 0 ? [`${typeWords(schema, page)}.`] : fields),
  ];
}

/** The fields of a body, each with a heading. */
function topFields(schema: Schema, page: SchemaPage): string[] {
  const objects = shapesOf(schema, page).map((shape) =>
    shape.items === undefined ? shape : (shapesOf(shape.items, page)[0] ?? {}),
  );
  return fieldsOf(objects).map(({ name, schema: field, isRequired }) =>
    [`### ${name}`, factsOf(field, page, isRequired), meaningOf(field), innerList(field, page)]
      .filter(Boolean)
      .join("\n\n"),
  );
}

function answerWords({ responses }: RestOperation, page: SchemaPage): string {
  const lines = Object.entries(responses).flatMap(([status, { content }]) => {
    if (!status.startsWith("2")) return [];
    const [type = "", { schema = {} } = {}] = Object.entries(content ?? {})[0] ?? [];
    if (type !== "application/json") return [`**${status}** \`${type}\``];
    const [name, items] = Object.entries(schema.properties ?? {})[0] ?? [];
    const isList = items?.type === "array" && schema.properties?.meta !== undefined;
    if (isList)
      return [
        `**${status}** \`${name}\`: ${typeWords(items, page)}, and \`meta.next\` where the next page is`,
      ];
    if (schema.$ref?.endsWith("/Nothing") === true) return [`**${status}** \`{}\``];
    if (schema.$ref !== undefined) return [`**${status}** ${typeWords(schema, page)}`];
    return [`**${status}** an object:\n\n${fieldList(schema, { ...page, isRead: true })}`];
  });
  return lines.join("\n\n");
}

function resolved({ components }: RestDocument, answer: RestContent): RestContent {
  return answer.$ref === undefined ? answer : (components.responses[referenceName(answer.$ref)] ?? answer);
}

function errorTable(document: RestDocument, { responses }: RestOperation): string {
  const rows = Object.entries(responses)
    .filter(([status]) => !status.startsWith("2"))
    .map(([status, answer]) => {
      const { description = "", "x-ask-again": again = "" } = resolved(document, answer);
      return `| ${status} | ${cell(description)} | ${again} |`;
    });
  return ["| status | when | ask again? |", "|---|---|---|", ...rows].join("\n");
}

/** The request in curl, with `sim.fetch` and with axios, the answer, and an error of its own. */
function examples(document: RestDocument, listed: Listed): string[] {
  const { operation } = listed;
  const answers = Object.entries(operation.responses).flatMap(([status, { content, description = "" }]) => {
    const [type = "", { example = undefined } = {}] = Object.entries(content ?? {})[0] ?? [];
    if (example === undefined) return [];
    const isJson = type === "application/json";
    const text = isJson ? JSON.stringify(example, null, 2) : String(example);
    const title = `**Answer ${status}**${status.startsWith("2") ? "" : ` ${description.split(/[;,]/)[0]?.toLowerCase()}`}`;
    return [title, fenced(isJson ? "json fold" : "xml", text)];
  });
  return [
    "**Request**",
    ...requestBlocks({ ...listed, server: serverOf(document, listed.path), api: serverOf(document, "") }),
    ...answers,
  ];
}
