import { banner } from "../banner.ts";
import type { Page } from "../pages.ts";
import { restDocument } from "./document.ts";
import { eventPages, eventRows } from "./events.ts";
import { organisationPage } from "./organisation.ts";
import { eventRecordsPage, recordsPage } from "./records.ts";
import { restPages, restRows } from "./rest.ts";
import { scenarioPage, stepsPage } from "./scenario.ts";

/** `docs/reference/`: the REST API, the events and the files, made from what the product knows of itself. */
export const referencePages: readonly Page[] = [
  { path: "docs/reference/README.md", content: () => firstPage() },
  ...restPages,
  ...eventPages,
  { path: "docs/reference/records.md", content: () => recordsPage() },
  { path: "docs/reference/records-events.md", content: () => eventRecordsPage() },
  { path: "docs/reference/organisation.md", content: () => organisationPage() },
  { path: "docs/reference/scenario.md", content: () => scenarioPage() },
  { path: "docs/reference/steps.md", content: () => stepsPage() },
];

async function firstPage(): Promise<string> {
  const document = await restDocument();
  return [
    banner("the OpenAPI document and the schemas"),
    "# Reference",
    "Everything that the platform takes, answers and sends, made from the schemas that the simulator runs with.",
    "## REST API",
    ["| resource | operations |", "|---|---|", ...restRows(document)].join("\n"),
    "The same as [an OpenAPI 3.1 document](../rest.md#clients): `npx ringback openapi`.",
    "## Events",
    "All event types, and when each is sent.",
    ["| event | when |", "|---|---|", ...eventRows(document)].join("\n"),
    "[Records](records.md) lists the fields of everything that events and answers consist of.",
    "## Files",
    "- [Organisation](organisation.md): who has which number, phone and team\n- [Scenario](scenario.md): who does what when, and what must happen\n- [Steps](steps.md): everything that a scenario may do",
    "The same as a JSON Schema, which the package has too: `ringback/scenario.schema.json`.",
    "## More",
    "- [Errors](../errors.md) · [Assumptions](../assumptions.md) · [Fidelity](../fidelity.md) · [TypeScript](../api/README.md)",
    "",
  ].join("\n\n");
}
