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

/** All generated files that are in git. To add one, list it here and run `npm run generate`. */
export const pages: readonly Page[] = [
  ...apiPages(),
  { path: "docs/assumptions.md", content: () => assumptionsPage() },
  { path: "docs/causes.md", content: () => causesPage() },
  ...challengePages(),
  { path: "docs/coverage.md", content: () => coveragePage() },
  { path: "docs/errors.md", content: () => errorsPage() },
  ...fidelityPages,
  ...lessonPages(),
  { path: "docs/machines.md", content: () => machinesPage(machines) },
  ...referencePages,
  { path: "docs/scenarios.md", content: () => scenariosPage(), isPart: true },
  { path: "scenarios/organisations/acme.yaml", content: () => organisationFile(demoOrganisation) },
  { path: "skills/ringback/SKILL.md", content: () => skillPage() },
  { path: "docs/stability.md", content: () => stabilityPage() },
  { path: "docs/third-party.md", content: () => thirdPartyPage() },
  ...codePages,
  { path: "scenarios/scenario.schema.json", content: () => scenarioJsonSchema() },
];
