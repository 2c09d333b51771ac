import { describe, expect, test } from "vitest";
import { playWorld } from "../../../src/explore/explore.ts";
import { exploreReport } from "../../../src/explore/index.ts";
import { parseScenario } from "../../../src/index.ts";
import { isWhole } from "../../counts.ts";
import { pairs } from "./apps.ts";

describe.each(Object.entries(pairs))("An app that %s", (_, { wrong, right, found }) => {
  test("is found out by one deviation of a dependency, which its scenario plays again", async () => {
    const { failures } = await exploreReport({ ...wrong, deviations: 1 });
    const [{ smallest, story } = { smallest: undefined, story: "" }] = failures;
    expect(smallest?.deviations.map(({ of, is }) => `${of}: ${is}`)).toEqual([found]);
    const [, name = "", call = ""] = /^(\S+) (.*):/.exec(found) ?? [];
    expect(story).toContain(name);
    if (!found.endsWith("outage")) expect(story).toContain(call);
    const scenario = parseScenario(smallest?.scenario ?? "");
    expect((await playWorld({ ...wrong, scenario })).failures).toHaveLength(1);
  });

  test("has a right twin, which holds", async () => {
    const { failures, neverHeld } = await exploreReport({ ...right, deviations: isWhole ? 2 : 1 });
    expect([failures.map(({ story }) => story), neverHeld]).toEqual([[], []]);
  });
});
