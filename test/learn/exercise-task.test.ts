import { describe, expect, test } from "vitest";
import { organisations } from "../../docs/generate/played-lessons.ts";
import { exerciseTask } from "../../docs/learn/exercise-task.ts";
import { type Lesson, readLessons } from "../../docs/learn/lessons.ts";
import { applyPatch } from "../../src/core/scenario/patch.ts";
import { parseScenario, runScenario } from "../../src/index.ts";
import { sixthOf } from "../counts.ts";

/** The script with which the playground says whether an exercise is solved. */

const course = readLessons();
/** The change of these is neither an event nor an attempt to deliver one. */
const unseen = course.filter((lesson) => exerciseTask(lesson) === undefined).map(({ name }) => name);

function played(lesson: Lesson, isSolved: boolean) {
  const { script = "", expect: expected = "" } = exerciseTask(lesson) ?? {};
  const changed = isSolved ? `${applyPatch(script, lesson.exercise.patch).trimEnd()}\n` : script;
  return runScenario(parseScenario(changed + expected, { organisations }), { refused: "collect" }).mismatches;
}

describe("the task of an exercise", () => {
  const seen = course.filter(({ name }) => !unseen.includes(name));
  // a part of a list is all that this one changes
  const ofList = seen.filter(({ name }) => name === "a-caller-who-withholds-the-number");
  const all = new Set([...sixthOf(seen, 4), ...ofList]);
  test.each([...all].map((lesson) => [lesson.name, lesson] as const))(
    "is as expected with the change, and not before: %s",
    (_, lesson) => {
      expect(played(lesson, false)).not.toEqual([]);
      expect(played(lesson, true)).toEqual([]);
    },
  );

  test("exists for most lessons", () => {
    expect(unseen.length).toBeLessThan(5);
    expect(ofList).toHaveLength(1);
  });
});
