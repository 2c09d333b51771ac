import { machines } from "../../machines/index.ts";
import { demoOrganisation } from "../../src/core/platform/organisation/demo.ts";
import { apiPages } from "./api-pages.ts";
import { assumptionsPage } from "./assumptions.ts";
import { causesPage } from "./causes.ts";
import { challengePages } from "./challenges.ts";
import { codePages } from "./code-pages.ts";
import { coveragePage } from "./coverage.ts";
import { errorsPage } from "./errors.ts";
import { fidelityPages } from "./fidelity.ts";
import { lessonPages } from "./lessons.ts";
import { machinesPage } from "./machines.ts";
import { importGuide } from "./not-imported.ts";
import { organisationFile } from "./organisation.ts";
import { referencePages } from "./reference/pages.ts";
import { scenarioJsonSchema } from "./scenario-schema.ts";
import { scenariosPage } from "./scenarios-page.ts";
import { skillPage } from "./skill.ts";
import { stabilityPage } from "./stability.ts";
import { thirdPartyPage } from "./third-party.ts";

/** A file that is made from the sources. */
export interface Page {
  /** Its path from the root of the project. */
  readonly path: string;
  content(): string | Promise<string>;
  /** Only a part of it is made; people write the rest. */
  readonly isPart?: true;
}

/** A page, and what makes it: a module of this folder. */
export interface GeneratedPage extends Page {
  readonly by: string;
}

const madeBy = (by: string, all: readonly Page[]): GeneratedPage[] => all.map((page) => ({ ...page, by }));

/** One page of one generator. */
const page = (by: string, path: string, content: Page["content"]): GeneratedPage => ({ by, path, content });

/** All generated files that are in git. To add one, list it here, after what it is made from, and run `npm run generate`. */
export const pages: readonly GeneratedPage[] = [
  ...codePages,
  page("scenario-schema.ts", "scenarios/scenario.schema.json", () => scenarioJsonSchema()),
  page("pages.ts", "scenarios/organisations/acme.yaml", () => organisationFile(demoOrganisation)),
  ...madeBy("api-pages.ts", apiPages()),
  page("assumptions.ts", "docs/assumptions.md", () => assumptionsPage()),
  page("causes.ts", "docs/causes.md", () => causesPage()),
  ...madeBy("challenges.ts", challengePages()),
  page("coverage.ts", "docs/coverage.md", () => coveragePage()),
  page("errors.ts", "docs/errors.md", () => errorsPage()),
  ...madeBy("fidelity.ts", fidelityPages),
  ...madeBy("lessons.ts", lessonPages()),
  page("pages.ts", "docs/machines.md", () => machinesPage(machines)),
  ...madeBy("reference/pages.ts", referencePages),
  {
    ...page("not-imported.ts", "docs/guides/turn-an-incident-into-a-test.md", () => importGuide()),
    isPart: true,
  },
  { ...page("scenarios-page.ts", "docs/scenarios.md", () => scenariosPage()), isPart: true },
  page("skill.ts", "skills/ringback/SKILL.md", () => skillPage()),
  page("stability.ts", "docs/stability.md", () => stabilityPage()),
  page("third-party.ts", "docs/third-party.md", () => thirdPartyPage()),
];
