import { readdirSync, readFileSync } from "node:fs";
import { parseScenario } from "../../index.ts";
import { type Exercise, type LessonText, lessonName, readLesson } from "../lesson.ts";

/** The lessons of ringback, for the playground. */
export function lessonsForPage(root: string): LessonText[] {
  const folder = `${root}scenarios/`;
  const texts: Readonly<Record<string, { readonly asks: string; readonly exercise: Exercise }>> = JSON.parse(
    readFileSync(`${folder}lessons.json`, "utf8"),
  );
  const organisations = organisationsIn(`${folder}organisations/`);
  return readdirSync(folder)
    .filter((file) => file.endsWith(".yaml"))
    .sort()
    .map((file) => {
      const text = readFileSync(folder + file, "utf8");
      const key = lessonName(file);
      const own = texts[key];
      if (own === undefined) throw new Error(`${file}: scenarios/lessons.json has no question for it`);
      const { title, description } = parseScenario(text, { organisations });
      // the first line is for editors, which find the schema beside the file
      const lesson = {
        name: file.replace(/\.yaml$/, ""),
        text: text.replace(/^# yaml-language-server:.*\n/, ""),
        question: own.asks,
        exercise: own.exercise,
      };
      const shown = readLesson(lesson);
      if (shown.title !== title || shown.notice !== description.trim().replaceAll(/\s+/g, " "))
        throw new Error(
          `${file}: begin it with \`scenario: …\` and \`description: >\`, as the page reads them`,
        );
      return lesson;
    });
}

function organisationsIn(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name.replace(/\.yaml$/, ""), readFileSync(folder + name, "utf8")]),
  );
}
