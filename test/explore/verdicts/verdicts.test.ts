import { describe, test } from "vitest";
import { faulty } from "./cases.ts";
import { expectFailuresOf } from "./table.ts";

describe.each(faulty)("An app that $name", ({ name, explore }) => {
  test("fails with exactly these failures, each in its smallest scenario", async () => {
    await expectFailuresOf(name, await explore());
  });
});
