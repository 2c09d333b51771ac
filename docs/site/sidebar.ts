import { challenges } from "../../src/cli/challenge-tasks.ts";
import type { SitePage } from "./pages.ts";

/** A group of the navigation. */
export interface SidebarGroup {
  readonly title: string;
  readonly pages: readonly SitePage[];
  /** Whether the group is folded on pages of other groups, because it is long. */
  readonly isLong: boolean;
}

/** The groups of pages, in order. A folder stands for all its pages. */
const groups: readonly (readonly [title: string, paths: readonly string[]])[] = [
  ["Start", ["README.md"]],
  [
    "Guides",
    [
      "docs/guides/README.md",
      "docs/guides/test-runner.md",
      "docs/guides/webhook-receiver.md",
      "docs/guides/rest-client.md",
      "docs/guides/retries-and-rate-limits.md",
      "docs/guides/find-what-breaks.md",
      "docs/guides/works-later.md",
      "docs/guides/turn-an-incident-into-a-test.md",
      "docs/guides/depends-on-a-guess.md",
      "docs/guides/explore-on-many-machines.md",
      "docs/guides/busy-team.md",
      "docs/guides/teach-a-call-flow.md",
      "docs/guides/run-as-a-server.md",
      "docs/guides/python.md",
      "docs/guides/go.md",
      "docs/guides/java.md",
      "docs/guides/containers.md",
      "docs/guides/",
    ],
  ],
  [
    "Concepts",
    [
      "docs/concepts.md",
      "docs/webhooks.md",
      "docs/exploring.md",
      "docs/bounded-proof.md",
      "docs/rest.md",
      "docs/server.md",
      "docs/inspector.md",
    ],
  ],
  ["Learning telephony", ["docs/lessons/README.md", "docs/glossary.md"]],
  [
    "Challenges",
    ["docs/challenges/README.md", ...challenges.map(({ slug }) => `docs/challenges/${slug}.md`)],
  ],
  ["Lessons", ["docs/lessons/"]],
  [
    "Reference",
    [
      "docs/scenarios.md",
      "docs/errors.md",
      "docs/assumptions.md",
      "docs/causes.md",
      "docs/machines.md",
      "docs/stability.md",
    ],
  ],
  ["Fidelity", ["docs/fidelity.md", "docs/fidelity/"]],
  [
    "API",
    ["docs/api/README.md", "docs/api/simulator.md", "docs/api/calls.md", "docs/api/events.md", "docs/api/"],
  ],
  ["The project", ["CHANGELOG.md", "docs/"]],
];

/** The navigation of the site. @throws if a page is in no group, or a group names a missing page */
export function sidebar(pages: readonly SitePage[]): SidebarGroup[] {
  const left = new Set(pages);
  const take = (path: string) => {
    const found = [...left].filter(({ source }) =>
      path.endsWith("/") ? source.startsWith(path) : source === path,
    );
    // a folder that is named last gets all its other pages
    if (found.length === 0 && !path.endsWith("/"))
      throw new Error(`docs/site/sidebar.ts: there is no page ${path}`);
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
