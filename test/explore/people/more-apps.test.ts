import { describe, expect, test } from "vitest";
import { exploreReport } from "../../../src/explore/index.ts";
import { isWhole, someOf } from "../../counts.ts";
import { type MoreSample, moreAppOf, moreSamples } from "./more-apps.ts";

/** Explores an app; `npm test` plays the stories with one act, which are enough for the first and the last. */
function explored(
  { scenario, people, properties, ...apps }: MoreSample,
  which: "wrong" | "right",
  more = {},
) {
  const given = { scenario, people: isWhole ? people : { ...people, acts: 1 }, ...properties, ...more };
  return exploreReport({ ...given, deviations: 0, forged: false, app: moreAppOf(apps[which]) });
}

describe.each(someOf(Object.entries(moreSamples)))("An app that %s", (_, sample) => {
  test("holds in its team's test, and fails in a story that the sentence tells", async () => {
    const plain = await explored(sample, "wrong", { people: undefined });
    expect(plain.failures, plain.toText()).toEqual([]);
    const { failures } = await explored(sample, "wrong");
    expect(failures.map(({ story }) => story.split(/, "|, the app throws/)[0])).toEqual([
      `When ${sample.story}`,
    ]);
  });

  test("holds in all stories once it is mended", async () => {
    const report = await explored(sample, "right");
    expect(report.failures, report.toText()).toEqual([]);
    expect(report.worlds).toBeGreaterThan(10);
  });
});
