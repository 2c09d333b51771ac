import { deviationText } from "../../core/scenario/deviations.ts";
import { firstLine } from "../../findings/explain.ts";
import { identityOf } from "../../findings/property-failure.ts";
import type { Prepared } from "../run/prepare.ts";
import type { EndedWorldError } from "../sandbox/ended-worlds.ts";
import type { WorldRunner } from "../search/runner.ts";
import { exploreFailure } from "./explore-failure.ts";
import type { ExploreFailure } from "./report.ts";
import { writeScenarioText } from "./scenario-text.ts";

/** The place of what is thrown late, after all worlds but those with forged requests. */
const LATE_ORDER = Number.MAX_SAFE_INTEGER - 1;

/**
 * The failures of worlds that were over when they threw: one for each error. No smaller world is looked for, since real time
 * decides what comes late.
 */
export async function failuresOfEndedWorlds(
  late: readonly EndedWorldError[],
  prepared: Prepared,
  runner: WorldRunner,
): Promise<ExploreFailure[]> {
  const groups = new Map<string, EndedWorldError[]>();
  for (const each of late) {
    const identity = identityOf(each.failure);
    groups.set(identity, [...(groups.get(identity) ?? []), each]);
  }
  if (groups.size === 0) return [];
  const played = await runner.playPlain();
  const found: ExploreFailure[] = [];
  for (const [identity, errors] of groups) {
    const [first] = errors.toSorted((a, b) => lengthOf(a) - lengthOf(b)) as [
      EndedWorldError,
      ...EndedWorldError[],
    ];
    const { failure, deviations = [] } = first;
    const { property, message } = failure;
    const world =
      deviations.length === 0 ? "without deviations" : `with ${deviations.map(deviationText).join(" and ")}`;
    const story = `After the world ${world} was over, ${property}: ${firstLine(message)}.`;
    const said = `${message}\nwhen its world was over, so \`explore\` did not wait for it: return \`idle()\``;
    found.push(
      exploreFailure(
        { group: `${identity} (late)`, order: [LATE_ORDER], worlds: errors.length },
        {
          ...{ failure: { ...failure, message: said }, deviations, isMinimal: false, runs: 0, story },
          ...{ text: await writeScenarioText(prepared, property, said, deviations), ...played },
          ...{ found: undefined, nearest: undefined },
        },
      ),
    );
  }
  return found;
}

function lengthOf({ deviations }: EndedWorldError): number {
  return deviations?.length ?? Number.POSITIVE_INFINITY;
}
