import { readdirSync, readFileSync } from "node:fs";
import { parseScenario } from "../../index.ts";

/** A lesson as the playground lists it. */
export interface Lesson {
  /** `20-the-next-team-and-then-voicemail`. */
  readonly name: string;
  readonly title: string;
  /** What to notice. */
  readonly notice: string;
  readonly text: string;
}

/** The lessons that come with ringback, for the playground. */
export function lessonsForPage(root: string): Lesson[] {
  const folder = `${root}scenarios/`;
  const organisations = organisationsIn(`${folder}organisations/`);
  return readdirSync(folder)
    .filter((file) => file.endsWith(".yaml"))
    .sort()
    .map((file) => {
      const text = readFileSync(folder + file, "utf8");
      const { title, description } = parseScenario(text, { organisations });
      // the first line is for editors, which find the schema beside the file
      return {
        name: file.replace(/\.yaml$/, ""),
        title,
        notice: description.trim().replaceAll(/\s+/g, " "),
        text: text.replace(/^# yaml-language-server:.*\n/, ""),
      };
    });
}

function organisationsIn(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name.replace(/\.yaml$/, ""), readFileSync(folder + name, "utf8")]),
  );
}
