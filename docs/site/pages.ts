import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A page of the site, made from a Markdown file. */
export interface SitePage {
  /** The file's path from the root of the project: `docs/lessons/06.md`. */
  readonly source: string;
  /** The page's path from the root of the site: `lessons/06.html`. */
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
    .sort((one, other) => one.localeCompare(other, "en"));
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
