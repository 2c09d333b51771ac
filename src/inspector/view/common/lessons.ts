import { type Lesson, type LessonText, readLesson } from "../../lesson.ts";

/** The lessons, which only playgrounds have: a page of a run is smaller without them. */
export const lessons: readonly Lesson[] = (
  JSON.parse(document.getElementById("ringback-lessons")?.textContent || "[]") as readonly LessonText[]
).map(readLesson);
