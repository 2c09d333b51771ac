import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { answerOf, changedScenario, exercises } from "../../../docs/generate/exercises.ts";
import { organisations } from "../../../docs/generate/played-lessons.ts";
import { applyPatch } from "../../../src/core/scenario/patch.ts";
import { parseScenario, runScenario } from "../../../src/index.ts";
import { lessonName } from "../../../src/inspector/lesson.ts";
import { sixthOf } from "../../counts.ts";
import { expectListed } from "../../lists.ts";

const folder = new URL("../../../scenarios/", import.meta.url);
const lessons = new Map(
  readdirSync(folder)
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => [lessonName(file), readFileSync(new URL(file, folder), "utf8")]),
);

describe("an exercise", () => {
  test("exists for each lesson", () => {
    expectListed("scenarios/lessons.json", Object.keys(exercises), [...lessons.keys()]);
  });

  // the pages of the lessons play all: test/generated-pages.ts
  test.each(sixthOf(Object.entries(exercises), 5))(
    "of the lesson %s plays, and its answer differs from the lesson",
    (name, exercise) => {
      const text = lessons.get(name) ?? "";
      const after = runScenario(changedScenario(text, exercise, organisations)).simulator;
      expect(after.events.length).toBeGreaterThan(0);
      const before = runScenario(parseScenario(text, { organisations })).simulator;
      expect(answerOf(before, after)).toMatch(/^[-+!]/m);
      expect(exercise.question).toMatch(/\?$/);
    },
  );
});

describe("a patch", () => {
  const text =
    "scenario: A\nsteps:\n  - { at: PT0S, note: { call: c1, by: alice } } # first\n  - { at: PT1S }\nexpect: []\n";
  const steps = (...patch: Parameters<typeof applyPatch>[1]) =>
    applyPatch(text, patch).split("\n").slice(2, -1);

  test("replaces, adds and removes values and steps, and keeps comments", () => {
    expect(steps({ op: "replace", path: "/steps/0/note/by", value: "bob" })[0]).toBe(
      "  - { at: PT0S, note: { call: c1, by: bob } } # first",
    );
    expect(steps({ op: "add", path: "/steps/1", value: { at: "PT0S", hangup: { by: "caller" } } })).toEqual([
      "  - { at: PT0S, note: { call: c1, by: alice } } # first",
      "  - { at: PT0S, hangup: { by: caller } }",
      "  - { at: PT1S }",
    ]);
    expect(steps({ op: "add", path: "/steps/1/plus", value: "PT2S" })[1]).toBe(
      "  - { at: PT1S, plus: PT2S }",
    );
    expect(steps({ op: "remove", path: "/steps/0" })).toEqual(["  - { at: PT1S }"]);
  });

  test("adds a step at the end, which RFC 6902 calls -", () => {
    expect(steps({ op: "add", path: "/steps/-", value: { at: "PT2S" } }).at(-1)).toBe("  - { at: PT2S }");
  });

  test.each(["/steps/3", "/steps/last"])("refuses to add a step at %s", (path) => {
    expect(() => applyPatch(text, [{ op: "add", path, value: {} }])).toThrow(
      `patch[0].path: expected a place in the scenario, got ${path}`,
    );
  });

  test("removes the expectations", () => {
    expect(applyPatch(text, [])).not.toContain("expect");
  });

  test.each(["replace", "remove"] as const)("refuses to %s a missing part", (op) => {
    expect(() => applyPatch(text, [{ op, path: "/steps/7/at", value: 1 }])).toThrow(
      "patch[0].path: expected a place in the scenario, got /steps/7/at",
    );
  });
});
