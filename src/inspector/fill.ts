import { type PageData, scriptChunks } from "./data.ts";
import { escapeHtml } from "./markup.ts";
import {
  CONNECT_MARK,
  DATA_MARK,
  EDITOR_MARK,
  IMPORTER_MARK,
  LESSONS_MARK,
  TITLE_MARK,
} from "./placeholders.ts";
import { readEditor, readImporter, readLessons, readTemplate } from "./template.ts";

/** Puts data into the page. Only a page from a server may send requests, and only to that server. */
export function fill(data: PageData): string {
  return fillTemplate(readTemplate(), data);
}

/** The same in chunks. */
export function fillChunks(data: PageData): Generator<string> {
  return fillTemplateChunks(readTemplate(), data);
}

/** What only playgrounds have: the scripts that import captures and edit. */
interface PlaygroundParts {
  readonly importer: string;
  readonly editor: string;
}

/** @param parts what a playground has besides; default: what was built */
export function fillTemplate(template: string, data: PageData, parts?: PlaygroundParts): string {
  return [...fillTemplateChunks(template, data, parts)].join("");
}

function* fillTemplateChunks(template: string, data: PageData, parts?: PlaygroundParts): Generator<string> {
  const isPlayground = data.mode === "play";
  const readPart = (mark: string): Iterable<string> => {
    if (mark === DATA_MARK) return scriptChunks(data);
    if (mark === IMPORTER_MARK) return isPlayground ? [parts?.importer ?? readImporter()] : [];
    if (mark === EDITOR_MARK) return isPlayground ? [parts?.editor ?? readEditor()] : [];
    if (mark === LESSONS_MARK) return [isPlayground ? readLessons() : "[]"];
    if (mark === TITLE_MARK) return [escapeHtml(`${data.title} · ringback`)];
    return [mark === CONNECT_MARK && (data.live ?? data.app) !== undefined ? "'self'" : "'none'"];
  };
  // each mark occurs once in the template; inserted text is not searched
  let from = 0;
  for (const { 0: mark, index } of template.matchAll(
    /ringback:(data|title|connect|importer|editor|lessons)/g,
  )) {
    yield template.slice(from, index);
    yield* readPart(mark);
    from = index + mark.length;
  }
  yield template.slice(from);
}
