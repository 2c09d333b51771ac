import made from "made:lessons";
import { type Lesson, type LessonText, readLesson } from "../lesson.ts";

/** The lessons that the build found. */
export const lessons: readonly Lesson[] = (made as readonly LessonText[]).map(readLesson);
