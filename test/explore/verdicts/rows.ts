import { deviationText } from "../../../src/core/scenario/deviations.ts";
import type { ExploreFailure, ExploreReport } from "../../../src/explore/index.ts";

/** Failures as a file of the table has them. */
export const rowsOf = ({ failures }: ExploreReport): string => failures.map(row).join("---\n");

/** A failure as the table has it: what breaks, by what, and the smallest scenario. */
function row({ property, smallest, also, forged }: ExploreFailure): string {
  const text = (deviations: ExploreFailure["also"][number]) =>
    deviations.map(deviationText).join(" and ") || "no deviation";
  return [
    `# breaks: ${property}`,
    `# with: ${text(smallest.deviations)}`,
    ...(forged.length === 0 ? [] : [`# forged: ${forged.map(({ type, is }) => `${type} ${is}`).join(", ")}`]),
    ...(also.length === 0 ? [] : [`# also: ${also.map(text).join(", ")}`]),
    smallest.scenario,
  ].join("\n");
}
