import type { SitePage } from "./pages.ts";

/** A group of the navigation. */
export interface SidebarGroup {
  readonly title: string;
  readonly pages: readonly SitePage[];
  /** Long groups are folded on the pages of other groups. */
  readonly isLong: boolean;
}

/** Which pages belong together, in the order in which they are listed. A folder stands for all its pages. */
const groups: readonly (readonly [title: string, paths: readonly string[]])[] = [
  ["Start", ["README.md", "docs/getting-started.md", "docs/testing-recipes.md", "docs/inspector.md"]],
  [
    "Concepts",
    [
      "docs/core-ideas.md",
      "docs/webhooks.md",
      "docs/exploring.md",
      "docs/bounded-proof.md",
      "docs/rest.md",
      "docs/server.md",
    ],
  ],
  ["Learning telephony", ["docs/teaching.md", "docs/lessons/README.md"]],
  ["Lessons", ["docs/lessons/"]],
  [
    "Reference",
    [
      "docs/api.md",
      "docs/scenarios.md",
      "docs/errors.md",
      "docs/fidelity.md",
      "docs/machines.md",
      "docs/coverage.md",
    ],
  ],
  [
    "The project",
    [
      "docs/architecture.md",
      "docs/performance.md",
      "docs/contributing.md",
      "CHANGELOG.md",
      "docs/third-party.md",
      "docs/examples/",
    ],
  ],
];

/** The navigation of the site. @throws when a page is in no group, or a group names a page that is not there */
export function sidebar(pages: readonly SitePage[]): SidebarGroup[] {
  const left = new Set(pages);
  const take = (path: string) => {
    const found = [...left].filter(({ source }) =>
      path.endsWith("/") ? source.startsWith(path) : source === path,
    );
    if (found.length === 0) throw new Error(`docs/site/sidebar.ts: there is no page ${path}`);
    for (const page of found) left.delete(page);
    return found;
  };
  const taken = groups.map(([title, paths]) => {
    const found = paths.flatMap(take);
    return { title, pages: found, isLong: found.length > 12 };
  });
  if (left.size > 0)
    throw new Error(
      `docs/site/sidebar.ts: in no group: ${[...left].map(({ source }) => source).join(", ")}; add each to one`,
    );
  return taken;
}
