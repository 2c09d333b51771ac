import { expect } from "vitest";
import type { ExploreReport } from "../../../src/explore/index.ts";
import { rowsOf } from "./rows.ts";

/** The file of the table for an app. */
export const fileOf = (name: string): string =>
  new URL(`table/${name.replaceAll(" ", "-")}.yaml`, import.meta.url).pathname;

/** Expects the failures that the table has for an app, each in a scenario of which nothing can be left out. */
export async function expectFailuresOf(name: string, report: ExploreReport): Promise<void> {
  const { failures } = report;
  expect(failures.map(({ smallest }) => smallest.isMinimal)).not.toContain(false);
  expect(failures.length).toBeGreaterThan(0);
  await expect(rowsOf(report)).toMatchFileSnapshot(fileOf(name));
}
