import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A page of the site, made from a Markdown file. */
export interface SitePage {
  /** The file's path from the root of the project: `docs/lessons/declining.md`. */
  readonly source: string;
  /** The page's path from the root of the site: `lessons/declining.html`. */
  readonly path: string;
  /** Its first heading as plain text; `README` for the README. */
  readonly title: string;
  readonly text: string;
}

/** All Markdown files for readers. */
export function sitePages(root: string): SitePage[] {
  const inDocs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .map((path) => `docs/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".md"))
    .sort(byLessonOrder(root));
  return ["README.md", ...inDocs, "CHANGELOG.md"].map((source) => {
    const text = readFileSync(join(root, source), "utf8");
    const [, title = source] = /^# (.+)$/m.exec(text) ?? [];
    const shown = source === "README.md" ? "README" : title.replaceAll("`", "");
    return { source, path: sitePath(source), title: shown, text };
  });
}

/** The page of a file: `docs/lessons/README.md` becomes `lessons/index.html`. */
function sitePath(source: string): string {
  return (
    source
      // the first page of the site is the landing page
      .replace(/^README\.md$/, "readme.md")
      .replace(/^docs\//, "")
      .replace(/README\.md$/, "index.md")
      .replace(/\.md$/, ".html")
      .replace("CHANGELOG", "changelog")
  );
}

/** Lessons are in the order of their scenarios, which their names do not show. */
function byLessonOrder(root: string): (one: string, other: string) => number {
  const order = new Map<string, number>(
    readdirSync(join(root, "scenarios"))
      .filter((name) => name.endsWith(".yaml"))
      .sort()
      .map((name, place) => [`docs/lessons/${name.replace(/^\d+-(.*)\.yaml$/, "$1.md")}`, place]),
  );
  return (one, other) => {
    const places = (order.get(one) ?? -1) - (order.get(other) ?? -1);
    return places !== 0 ? places : one.localeCompare(other, "en");
  };
}
