import { readFileSync } from "node:fs";
import { createTwoFilesPatch } from "diff";
import { toTimeline } from "../../src/core/narration/timeline.ts";
import { dataChanges } from "../../src/core/scenario/data-changes.ts";
import { applyPatch, type PatchOperation } from "../../src/core/scenario/patch.ts";
import { parseScenario, type Scenario, type Simulator } from "../../src/index.ts";

/** What a lesson asks its reader to change, and what to find out by that. */
export interface Exercise {
  readonly question: string;
  readonly patch: readonly PatchOperation[];
}

/** What is asked about a lesson, beside its scenario. */
interface LessonTexts {
  /** What the lesson answers. */
  readonly asks: string;
  /** The chapter of which it is an example; absent for a lesson of the course. */
  readonly exampleOf?: string;
  readonly exercise: Exercise;
  /** Why an import cannot explain its webhook requests; absent if it can. The guide to imports prints it. */
  readonly notImported?: string;
}

const file = new URL("../../scenarios/lessons.json", import.meta.url);

/** What is asked about each lesson, by name, in the order of the course and its examples. */
export const lessonTexts: Readonly<Record<string, LessonTexts>> = JSON.parse(readFileSync(file, "utf8"));

/** The exercises, by the names of their lessons. */
export const exercises: Readonly<Record<string, Exercise>> = Object.fromEntries(
  Object.entries(lessonTexts).map(([name, { exercise }]) => [name, exercise]),
);

/** A lesson's scenario as its exercise changes it. */
export function changedScenario(
  text: string,
  { patch }: Exercise,
  organisations: Readonly<Record<string, string>>,
): Scenario {
  return parseScenario(applyPatch(text, patch), { organisations });
}

/**
 * What a patched lesson comes to, as lines that differ from those of the lesson: `-` before, `+` after.
 * @param before the run of the lesson
 * @param after that of the patched lesson
 */
export function answerOf(before: Simulator, after: Simulator): string {
  const [old, new_] = [before, after].map((each) => bodyOf(toTimeline(each.narration())));
  const changes = createTwoFilesPatch("", "", old ?? "", new_ ?? "", "", "", { context: 1 })
    .split("\n")
    .slice(4)
    .filter((line) => !line.startsWith("\\"))
    .map((line) => (line.startsWith("@@") ? "" : line));
  const isSame = changes.every((line) => line.trim() === "");
  return (isSame ? dataChanges(before.events, after.events).map((line) => `! ${line}`) : changes)
    .join("\n")
    .replaceAll(/^\n+|\n+$/g, "");
}

/** A timeline without its head, which names the seed, and without its sum. */
function bodyOf(timeline: string): string {
  return `${timeline.split("\n").slice(2, -2).join("\n").trimEnd()}\n`;
}
