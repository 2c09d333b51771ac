import { expect } from "vitest";
import { deviationText } from "../../../src/core/scenario/deviations.ts";
import type { ExploreFailure, ExploreReport } from "../../../src/explore/index.ts";

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

/** Expects the failures that the table has for an integration, each in a scenario of which nothing can be left out. */
export async function expectFailuresOf(name: string, { failures }: ExploreReport): Promise<void> {
  expect(failures.map(({ smallest }) => smallest.isMinimal)).not.toContain(false);
  expect(failures.length).toBeGreaterThan(0);
  const file = new URL(`table/${name.replaceAll(" ", "-")}.yaml`, import.meta.url);
  await expect(failures.map(row).join("---\n")).toMatchFileSnapshot(file.pathname);
}
