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
  /** What it asks. Its title is the answer, so lists show the question. */
  readonly question: string;
  readonly exercise: Exercise;
}

/** A lesson as the playground lists it. */
export interface Lesson extends LessonText {
  readonly title: string;
  /** What to notice. */
  readonly notice: string;
}

const fileOf = (path: string) => path.replace(/^.*[\\/]/, "");

/** The name of a lesson's file without its number. It often answers the lesson's question. */
export const lessonName = (path: string): string => fileOf(path).replace(/^\d+-|\.yaml$/g, "");

/** The number of a lesson's file, by which pages and commands know it, such as `01`. */
export const lessonNumber = (path: string): string => /^\d*/.exec(fileOf(path))?.[0] ?? "";

/** Reads a lesson's title and description without a YAML parser, so that the page stores only its text. */
export function readLesson(lesson: LessonText): Lesson {
  const { text } = lesson;
  const [, title = ""] = /^scenario: (.*)$/m.exec(text) ?? [];
  const [, folded = ""] = /^description: >\n((?: {2}.*\n)*)/m.exec(text) ?? [];
  return { ...lesson, title, notice: folded.trim().replaceAll(/\s+/g, " ") };
}
