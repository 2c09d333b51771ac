import MiniSearch from "minisearch";
import { lessonNumber } from "../../src/inspector/lesson.ts";
import type { SitePage } from "./pages.ts";
import { type PageKind, type Place, searchOptions } from "./search-options.ts";

/** Pages for people who change ringback itself, which come last. */
const ofProject =
  /^(CHANGELOG|docs\/(architecture|contributing|coverage|machines|mutation|performance|stability|third-party))\.md$/;

/** The kinds of pages by their files; the first that fits. */
const kinds: readonly (readonly [RegExp, PageKind])[] = [
  [ofProject, "For people who work on ringback itself"],
  [/^docs\/api\//, "TypeScript"],
  [/^docs\/(lessons|challenges)\/|^docs\/glossary\.md$/, "Lessons"],
  [
    /^README\.md$|^docs\/(guides|examples)\/|^docs\/(concepts|webhooks|exploring|bounded-proof|importing|rest|server|inspector)\.md$/,
    "Guides",
  ],
  [/./, "Reference"],
];

/** Payloads, scripts, pictures, and what is said once for each test runner. */
const UNREAD =
  /<(pre|svg|script|nav|button)[\s\S]*?<\/\1>|<figcaption[\s\S]*?<\/figcaption>|<div role="tablist"[\s\S]*?<\/div>|<code data-for="[^"]*" hidden[\s\S]*?<\/code>/g;

/**
 * Makes the index of all pages as JSON, with an entry for each heading and each named row of a table.
 * @param html the rendered text of each page, by its path
 */
export function searchIndex(pages: readonly SitePage[], html: ReadonlyMap<string, string>): string {
  const index = new MiniSearch<Place>(searchOptions);
  for (const page of pages) index.addAll(placesOf(page, html.get(page.path) ?? ""));
  return JSON.stringify(index);
}

function placesOf(page: SitePage, html: string): Place[] {
  const kind = kinds.find(([files]) => files.test(page.source))?.[1] ?? "Reference";
  const [above = "", below] = html.split('<section id="predict">');
  if (below !== undefined) return [lessonPlace(page, kind, above, below)];
  const parts = html.split(/(?=<h[1-4] id=")/);
  const top = parts.find((part) => part.startsWith("<h1"));
  return parts.flatMap((part) => {
    const [, anchor = "", heading = ""] = /^<h[1-4] id="([^"]*)"[^>]*>([\s\S]*?)<\/h[1-4]>/.exec(part) ?? [];
    if (anchor === "") return [];
    const isTop = part === top;
    const id = isTop ? page.path : `${page.path}#${anchor}`;
    const title = plain(heading);
    // links to other pages, which are found by themselves
    if (title === "Where to go next") return [];
    // sentences and names are indexed; whole payloads and scripts would hide them
    const body = part.replace(/^<h[\s\S]*?<\/h[1-4]>/, "").replaceAll(UNREAD, " ");
    const where = page.title;
    return [
      { id, kind, where, title, text: plain(body) },
      ...rowsOf(body, { id, kind, where: isTop ? where : `${where}, ${title}` }),
    ];
  });
}

/** A lesson is found by its cards and its answer too, but a hit shows only what is asked. */
function lessonPlace(page: SitePage, kind: PageKind, above: string, below: string): Place {
  const read = (html: string) => plain(html.replaceAll(UNREAD, " "));
  const asked = above.replace(/^[\s\S]*<\/h1>/, "");
  // how cards are put in order stands in every lesson
  const cards = below.replace(/<p class="how">[\s\S]*?<\/p>/, "");
  const { path: id, title } = page;
  const where = `Lesson ${lessonNumber(id)}`;
  return { id, kind, where, title, text: read(asked), answer: read(cards) };
}

/** Longer first cells are sentences, characters. */
const LONGEST_NAME = 60;

/** The rows of tables that begin with a name, such as a field or a setting. */
function rowsOf(html: string, { id, kind, where }: Pick<Place, "id" | "kind" | "where">): Place[] {
  const rows = [...html.matchAll(/<tr>\s*<td>((?:<[^>]*>)*<code>[\s\S]*?)<\/td>([\s\S]*?)<\/tr>/g)];
  return rows
    .map(([, first = "", rest = ""], place) => ({
      ...{ id: `${id}${id.includes("#") ? "" : "#"}~${place}`, kind, where },
      ...{ title: plain(first), text: plain(rest) },
    }))
    .filter(({ title }) => title.length <= LONGEST_NAME);
}

/** The text of some HTML. */
export function plain(html: string): string {
  return (
    html
      .replaceAll(/<[^>]+>/g, " ")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll(/&#(?:x([\da-f]+)|(\d+));/gi, (_, hex?: string, decimal?: string) =>
        String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
      )
      // last: an escaped sign may follow, which is text
      .replaceAll("&amp;", "&")
      .replaceAll(/\s+/g, " ")
      .replaceAll(/ (?=[.,;:)])/g, "")
      .trim()
  );
}
