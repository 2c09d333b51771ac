import { describe, expect, test } from "vitest";
import { sourceOf } from "../../../src/core/scenario/parse.ts";
import { exploreReport } from "../../../src/explore/index.ts";
import { parseScenario, replay, runScenario } from "../../../src/index.ts";
import { StoryTeller } from "../../../src/stories/story-teller.ts";
import { storyText } from "../../../src/stories/story-text.ts";
import { answeredCall, appOf, type Sample, samples } from "./apps.ts";

function explored({ people, properties, ...apps }: Sample, which: "wrong" | "right", more: object = {}) {
  const options = { scenario: answeredCall, deviations: 0, people, forged: false, ...properties, ...more };
  return exploreReport({ ...options, subject: appOf(apps[which]) });
}

describe.each(Object.entries(samples))("An app that %s", (_, sample) => {
  test("passes the test that its team has", async () => {
    const report = await explored(sample, "wrong", { people: undefined });
    expect(report.failures, report.toText()).toEqual([]);
  });

  test("fails in a story, which the sentence tells and the smallest scenario plays", async () => {
    const report = await explored(sample, "wrong");
    const [failure] = report.failures;
    expect(failure?.story).toMatch(new RegExp(`^When ${sample.story.replaceAll(/[+().]/g, "\\$&")}, "`));
    const { scenario = "", journal, deviations } = failure?.smallest ?? {};
    expect(deviations).toEqual([]);
    const { events } = runScenario(parseScenario(scenario));
    expect(replay(journal as never).events.map(({ type }) => type)).toEqual(events.map(({ type }) => type));
    const again = await explored(sample, "wrong", { scenario: parseScenario(scenario), people: undefined });
    expect(again.failures.map(({ property }) => property)).toEqual([failure?.property]);
  });

  test("passes all stories once it is mended", async () => {
    const report = await explored(sample, "right");
    expect(report.passed, report.toText()).toBe(true);
    expect(report.worlds).toBe(1 + (report.result.people?.stories ?? 0));
  });

  test("has the same verdict in stories that are not merged", async () => {
    const people = { ...sample.people, acts: 1 };
    const teller = new StoryTeller(answeredCall, { ...people, merge: "none" });
    const texts = [...teller.stories()].map((story) => storyText(sourceOf(answeredCall)?.text ?? "", story));
    for (const which of ["wrong", "right"] as const) {
      const merged = await explored(sample, which, { people });
      const single = new Set<string>();
      for (const text of texts) {
        const { failures } = await explored(sample, which, {
          people: undefined,
          scenario: parseScenario(text),
        });
        for (const { property } of failures) single.add(property);
      }
      expect(single).toEqual(new Set(merged.failures.map(({ property }) => property)));
      expect(merged.worlds).toBeLessThanOrEqual(texts.length);
    }
  });
});
