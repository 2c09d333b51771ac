import { type PageData, scriptChunks } from "./data.ts";
import { html } from "./markup.ts";
import { CONNECT_MARK, DATA_MARK, TITLE_MARK } from "./placeholders.ts";
import { readTemplate } from "./template.ts";

/** Puts data into the page. Only a page from a server may send requests, and only to that server. */
export function fill(data: PageData): string {
  return fillTemplate(readTemplate(), data);
}

/** The same in chunks. */
export function fillChunks(data: PageData): Generator<string> {
  return filled(readTemplate(), data);
}

export function fillTemplate(template: string, data: PageData): string {
  return [...filled(template, data)].join("");
}

function* filled(template: string, data: PageData): Generator<string> {
  const partOf = (mark: string): Iterable<string> => {
    if (mark === DATA_MARK) return scriptChunks(data);
    if (mark === TITLE_MARK) return [html(`${data.title} · ringback`)];
    return [mark === CONNECT_MARK && data.live !== undefined ? "'self'" : "'none'"];
  };
  // each mark occurs once in the template; inserted text is not searched
  let from = 0;
  for (const { 0: mark, index } of template.matchAll(/ringback:(data|title|connect)/g)) {
    yield template.slice(from, index);
    yield* partOf(mark);
    from = index + mark.length;
  }
  yield template.slice(from);
}
