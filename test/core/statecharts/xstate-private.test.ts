import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { machines } from "../../../machines/index.ts";
import { chartOf } from "../../../src/core/statecharts/chart-of.ts";
import { CompiledChart } from "../../../src/core/statecharts/compiled.ts";

test("the private parts of XState were tried with version 5.33", () => {
  const { version } = createRequire(import.meta.url)("xstate/package.json") as { readonly version: string };
  // for another version, read what src/core/statecharts takes through xstate-private.ts, then name it here
  expect(version).toMatch(/^5\.33\./);
});

test("every machine of ours has the known shape, so that it runs compiled", () => {
  for (const machine of Object.values(machines)) expect(chartOf(machine)).toBeInstanceOf(CompiledChart);
});
