import { banner } from "../banner.ts";
import { documentPage, type RestDocument, recordNames, restDocument } from "./document.ts";
import { fieldList } from "./fields.ts";
import { meaningOf, typeWords } from "./schema-words.ts";

/** `docs/reference/records.md`: the fields of what answers of the REST API consist of. */
export async function recordsPage(): Promise<string> {
  const document = await restDocument();
  return page(document, recordNames(document).ofAnswers, [
    "# Records",
    "What answers of the REST API consist of, field by field; bodies of webhooks have [a few more](records-events.md). A field that may be null says when.",
  ]);
}

/** `docs/reference/records-events.md`: those that only events have. */
export async function eventRecordsPage(): Promise<string> {
  const document = await restDocument();
  return page(document, recordNames(document).ofEvents, [
    "# Records of events",
    "What only bodies of webhooks have, field by field. [The other records](records.md) are in answers of the REST API too.",
  ]);
}

function page(document: RestDocument, names: readonly string[], head: readonly string[]): string {
  const words = { ...documentPage(document), isRead: true };
  const sections = names.map((name) => {
    const schema = document.components.schemas[name] ?? {};
    const isChoice = schema.properties === undefined;
    const body = isChoice ? `One of ${typeWords(schema, words)}.` : fieldList(schema, words);
    return [`## ${name}`, meaningOf(schema), body].filter(Boolean).join("\n\n");
  });
  return [banner("the schemas of records"), ...head, ...sections, ""].join("\n\n");
}
