import MiniSearch from "minisearch";
import type { SitePage } from "./pages.ts";
import { searchOptions } from "./search-options.ts";

/** A heading with the text below it, as the search finds it. */
interface Section {
  readonly id: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
}

/**
 * Makes the index of all pages as JSON, with an entry for each heading.
 * @param html the rendered text of each page, by its path
 */
export function searchIndex(pages: readonly SitePage[], html: ReadonlyMap<string, string>): string {
  const index = new MiniSearch<Section>(searchOptions);
  for (const page of pages) index.addAll(sectionsOf(page, html.get(page.path) ?? ""));
  return JSON.stringify(index);
}

function sectionsOf(page: SitePage, html: string): Section[] {
  const parts = html.split(/(?=<h[1-4] id=")/);
  return parts.flatMap((part) => {
    const [, anchor = "", heading = ""] = /^<h[1-4] id="([^"]*)"[^>]*>([\s\S]*?)<\/h[1-4]>/.exec(part) ?? [];
    if (anchor === "") return [];
    const isTop = part.startsWith("<h1");
    return [
      {
        id: isTop ? page.path : `${page.path}#${anchor}`,
        page: page.title,
        title: plain(heading),
        // sentences and names are indexed; whole payloads and scripts would hide them
        text: plain(
          part.replace(/^<h[\s\S]*?<\/h[1-4]>/, "").replaceAll(/<(pre|svg|script)[\s\S]*?<\/\1>/g, " "),
        ),
      },
    ];
  });
}

/** The text of some HTML. */
export function plain(html: string): string {
  return html
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ")
    .trim();
}
