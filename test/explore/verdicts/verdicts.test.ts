import { describe, expect, test } from "vitest";
import type { ExploreFailure } from "../../../src/explore/index.ts";
import { deviationText } from "../../../src/scenario/deviations.ts";
import { faulty, right } from "./cases.ts";

/** A failure as the table has it: what breaks, by what, and the smallest scenario. */
function row({ property, smallest, also }: ExploreFailure): string {
  const text = (deviations: ExploreFailure["also"][number]) =>
    deviations.map(deviationText).join(" and ") || "no deviation";
  return [
    `# breaks: ${property}`,
    `# with: ${text(smallest.deviations)}`,
    ...(also.length === 0 ? [] : [`# also: ${also.map(text).join(", ")}`]),
    smallest.scenario,
  ].join("\n");
}

describe.each(faulty)("An integration that $name", ({ name, explore }) => {
  test("fails with exactly these failures, each in its smallest scenario", async () => {
    const report = await explore();
    expect(report.failures.map(({ smallest }) => smallest.isMinimal)).not.toContain(false);
    expect(report.failures.length).toBeGreaterThan(0);
    const table = report.failures.map(row).join("---\n");
    await expect(table).toMatchFileSnapshot(`table/${name.replaceAll(" ", "-")}.yaml`);
  });
});

test("There are at least 30 cases", () => {
  expect(faulty.length).toBeGreaterThanOrEqual(30);
});

describe.each(right)("The corrected $name", ({ explore }) => {
  test("fails in no world with one deviation", async () => {
    const report = await explore();
    expect(report.failures, report.toText()).toEqual([]);
  });
});
