import type { Deviation } from "../../core/engine/deviations.ts";
import { writeTitle } from "../../findings/wording.ts";
import type { Prepared } from "../run/prepare.ts";
import { EditableScenario } from "../run/write-scenario.ts";

/** A world that cannot be made smaller, as a scenario; undefined for a function that no scenario can express. */
export async function writeScenarioText(
  prepared: Prepared,
  property: string,
  description: string,
  deviations: readonly Deviation[],
): Promise<string | undefined> {
  const source = await prepared.text();
  if (source === undefined) return undefined;
  return EditableScenario.of(source.text)
    .withoutExpected()
    .withOwnOrganisation(source.organisations)
    .finished({
      ...{ title: writeTitle(property, deviations), description, deviations },
      nameOf: (id) => prepared.recordedRun.nameOf(id),
      calendar: () => prepared.recordedRun.calendar(),
    }).text;
}
