import type { PatchOperation } from "../core/scenario/patch.ts";

/** A change that a lesson asks its reader to try, and the question it answers. */
export interface Exercise {
  readonly question: string;
  readonly patch: readonly PatchOperation[];
}

/** The text of a lesson. */
export interface LessonText {
  /** The file's name, such as `20-the-next-team-and-then-voicemail`. */
  readonly name: string;
  readonly text: string;
  readonly exercise: Exercise;
}

/** A lesson as the playground lists it. */
export interface Lesson extends LessonText {
  readonly title: string;
  /** What to notice. */
  readonly notice: string;
}

/** Reads a lesson's title and description without a YAML parser, so that the page stores only its text. */
export function readLesson({ name, text, exercise }: LessonText): Lesson {
  const [, title = ""] = /^scenario: (.*)$/m.exec(text) ?? [];
  const [, folded = ""] = /^description: >\n((?: {2}.*\n)*)/m.exec(text) ?? [];
  return { name, text, exercise, title, notice: folded.trim().replaceAll(/\s+/g, " ") };
}
