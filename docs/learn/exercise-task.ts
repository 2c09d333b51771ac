import { attemptsOf } from "../../src/core/scenario/attempts.ts";
import { applyPatch } from "../../src/core/scenario/patch.ts";
import type { PlatformEvent, Simulator } from "../../src/index.ts";
import { type Lesson, playLesson } from "./lessons.ts";

/** A lesson's script, and the events that come once the change is made that its exercise asks for. */
export interface ExerciseTask {
  readonly script: string;
  /** The part that follows the script: whoever makes the change reads "as expected". */
  readonly expect: string;
}

/** @returns undefined if the change is seen neither in events nor in attempts to deliver them */
export function exerciseTask(lesson: Lesson): ExerciseTask | undefined {
  const { run, changed: after } = playLesson(lesson);
  const { simulator } = run;
  const start = after.startTimestamp;
  const isSame = (event: PlatformEvent, other: PlatformEvent | undefined) =>
    event.type === other?.type &&
    event.createdTimestamp - start === other.createdTimestamp - simulator.startTimestamp;
  const isSameStream =
    simulator.events.length === after.events.length &&
    after.events.every((event, index) => isSame(event, simulator.events[index]));
  const expected = after.events.map((event, index) => {
    const line = `PT${(event.createdTimestamp - start) / 1000}S ${event.type}`;
    // if the same events come, only their data tells whether the change was made
    const match = isSameStream ? changed(simulator.events[index]?.data, event.data) : undefined;
    return match === undefined ? `  - ${line}` : `  - { event: ${line}, match: ${JSON.stringify(match)} }`;
  });
  const attempts = attemptLines(after);
  const isSeen = !isSameStream || expected.some((line) => line.includes("match:"));
  if (!isSeen && attempts.join() === attemptLines(simulator).join()) return undefined;
  const title = `Lesson ${lesson.number}: ${lesson.exercise.question.replaceAll("`", "")}`;
  const text = applyPatch(lesson.text, [{ op: "replace", path: "/scenario", value: title }]);
  return {
    script: `${text.replace(/^# yaml-language-server:.*\n/, "").trimEnd()}\n`,
    expect: `# what comes after the change that the exercise asks for\nexpect:\n${[...expected, ...attempts].join("\n")}\n`,
  };
}

function attemptLines(simulator: Simulator): string[] {
  return attemptsOf(simulator).map(({ request, delivery }) => {
    const at = `PT${(request.startedTimestamp - simulator.startTimestamp) / 1000}S`;
    const { answer, failure } = request;
    const result = answer === null ? `failure: ${failure}` : `status: ${answer.status}`;
    return `  - { attempt: ${at} ${delivery.event.type}, ${result} }`;
  });
}

/** The parts of a value that differ from another; undefined if none do. */
function changed(before: unknown, after: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    const parts = after.map((each, index) => changed(before[index], each));
    return parts.every((part) => part === undefined)
      ? undefined
      : parts.map((part, index) => part ?? (isRecord(after[index]) ? {} : after[index]));
  }
  if (isRecord(before) && isRecord(after)) {
    const parts = Object.entries(after).flatMap(([key, value]) => {
      const part = changed(before[key], value);
      return part === undefined ? [] : [[key, part] as const];
    });
    return parts.length === 0 ? undefined : Object.fromEntries(parts);
  }
  return Object.is(before, after) ? undefined : after;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
