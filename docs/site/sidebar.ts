import { challenges } from "../../src/cli/challenge-tasks.ts";
import type { Section } from "../../src/look/header.ts";
import { eventGroups } from "../generate/reference/event-groups.ts";
import { restFiles as restNames } from "../generate/reference/rest-files.ts";
import type { SitePage } from "./pages.ts";

/** A group of the navigation. */
export interface SidebarGroup {
  /** The part of the site that it belongs to. Its pages show only the groups of this part. */
  readonly section: Section;
  readonly title: string;
  readonly pages: readonly SitePage[];
  /** Whether the group is folded on pages of other groups, because it is long. */
  readonly isLong: boolean;
}

/** A longer group is folded. */
const LONGEST_OPEN = 14;

const restFiles = Object.values(restNames).map((file) => `docs/reference/rest-${file}.md`);
const eventFiles = eventGroups.map(({ file }) => `docs/reference/${file}.md`);

type Groups = readonly (readonly [title: string, paths: readonly string[]])[];

/** The groups of pages in each part of the site, in order. A folder stands for all its pages that no group names. */
const sections: Readonly<Record<Exclude<Section, "playground">, Groups>> = {
  docs: [
    ["Start", ["README.md"]],
    [
      "Guides",
      [
        "docs/guides/README.md",
        "docs/guides/webhook-receiver.md",
        "docs/guides/find-what-breaks.md",
        "docs/guides/turn-an-incident-into-a-test.md",
        "docs/guides/test-runner.md",
        "docs/guides/web-frameworks.md",
        "docs/guides/preview-deployment.md",
        "docs/guides/timers.md",
        "docs/guides/rest-client.md",
        "docs/guides/retries-and-rate-limits.md",
        "docs/guides/works-later.md",
        "docs/guides/test-what-your-crm-can-do-to-it.md",
        "docs/guides/depends-on-a-guess.md",
        "docs/guides/explore-on-many-machines.md",
        "docs/guides/call-flow-suite.md",
        "docs/guides/fixtures.md",
        "docs/guides/busy-team.md",
        "docs/guides/teach-a-call-flow.md",
        "docs/guides/prepare-a-lesson.md",
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
        "docs/importing.md",
        "docs/rest.md",
        "docs/server.md",
        "docs/inspector.md",
      ],
    ],
    [
      "The project",
      [
        "CHANGELOG.md",
        "docs/third-party.md",
        "docs/performance.md",
        "docs/architecture.md",
        "docs/contributing.md",
        "docs/mutation.md",
        "docs/coverage.md",
        "docs/",
      ],
    ],
  ],
  reference: [
    ["Reference", ["docs/reference/README.md"]],
    ["REST API", restFiles],
    ["Events", [...eventFiles, "docs/reference/records.md", "docs/reference/records-events.md"]],
    [
      "Files",
      [
        "docs/reference/organisation.md",
        "docs/reference/scenario.md",
        "docs/reference/steps.md",
        "docs/scenarios.md",
        "docs/questions.md",
      ],
    ],
    [
      "Behaviour",
      [
        "docs/errors.md",
        "docs/assumptions.md",
        "docs/observed.md",
        "docs/causes.md",
        "docs/machines.md",
        "docs/stability.md",
      ],
    ],
    ["Fidelity", ["docs/fidelity.md", "docs/fidelity/"]],
    [
      "TypeScript",
      ["docs/api/README.md", "docs/api/simulator.md", "docs/api/calls.md", "docs/api/events.md", "docs/api/"],
    ],
  ],
  learn: [
    ["Learning telephony", ["docs/lessons/README.md", "docs/glossary.md"]],
    [
      "Challenges",
      ["docs/challenges/README.md", ...challenges.map(({ slug }) => `docs/challenges/${slug}.md`)],
    ],
    ["Lessons", ["docs/lessons/"]],
  ],
};

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
  // pages that the docs do not name are nobody else's, so a folder gets what the other parts leave
  const order = ["reference", "learn", "docs"] as const;
  const taken = new Map(
    order.map((section) => [
      section,
      sections[section].map(([title, paths]): SidebarGroup => {
        const found = paths.flatMap(take);
        return { section, title, pages: found, isLong: found.length > LONGEST_OPEN };
      }),
    ]),
  );
  if (left.size > 0)
    throw new Error(
      `docs/site/sidebar.ts: in no group: ${[...left].map(({ source }) => source).join(", ")}; add each to one`,
    );
  return (["docs", "reference", "learn"] as const).flatMap((section) => taken.get(section) ?? []);
}
