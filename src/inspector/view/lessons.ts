import built from "built:lessons";
import { type Lesson, type LessonText, readLesson } from "../lesson.ts";

/** The lessons that the build found. */
export const lessons: readonly Lesson[] = (built as readonly LessonText[]).map(readLesson);
