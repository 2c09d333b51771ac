import made from "made:lessons";
import type { Lesson } from "../build/lessons.ts";

/** The lessons, as the build found them. */
export const lessons = made as readonly Lesson[];
