import { type PageData, toScriptText } from "./data.ts";
import { CONNECT_MARK, DATA_MARK, TITLE_MARK } from "./marks.ts";
import { html } from "./markup.ts";
import { readTemplate } from "./template.ts";

/** The page with its data in it. Only a page that a server sends may ask that server; from a file it asks for nothing. */
export function fill(data: PageData): string {
  return fillTemplate(readTemplate(), data);
}

export function fillTemplate(template: string, data: PageData): string {
  const parts: Record<string, string> = {
    [TITLE_MARK]: html(`${data.title} · ringback`),
    [DATA_MARK]: toScriptText(data),
    [CONNECT_MARK]: data.live === undefined ? "'none'" : "'self'",
  };
  // each mark stands in the template once; what is filled in is not looked at again
  return template.replace(/ringback:(data|title|connect)/g, (mark) => parts[mark] ?? mark);
}
