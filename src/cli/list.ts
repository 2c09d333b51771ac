import { printableLines } from "../core/foundation/printable.ts";
import { lessonName, lessonNumber } from "../inspector/lesson.ts";
import { jsonOption } from "./arguments.ts";
import type { CommandRow } from "./command-row.ts";
import type { CommandOutput } from "./output.ts";
import { findScenarios, lessonQuestions, ownScenarios, readScenario } from "./scenario-files.ts";

/** `ringback list`. */
export const listCommand: CommandRow = {
  name: "list",
  group: "scenarios",
  summary: "list scenarios, or the lessons by their questions",
  now: "run",
  declare: (command, output) => {
    command
      .argument("[folder]", "default: the lessons that come with ringback")
      .addOption(jsonOption())
      .action((folder: string | undefined) => listScenarios(folder, output));
  },
};

/** Lists scenarios, or the lessons. */
export function listScenarios(folder: string | undefined, output: CommandOutput): void {
  const files = findScenarios([folder ?? ownScenarios()]).map((path) => readScenario(path));
  const questions = folder === undefined ? lessonQuestions() : {};
  const rows = files.map(({ path, scenario }) => ({
    path,
    question: questions[lessonName(path)],
    scenario: scenario.title,
    description: scenario.description.trim(),
  }));
  if (output.isJson) {
    output.out(output.result([], { scenarios: rows }));
    return;
  }
  for (const { path, question, scenario, description } of rows) {
    // the name and the title of a lesson answer its question
    const text =
      question === undefined
        ? `${path}\n  ${scenario}\n  ${description.replaceAll("\n", "\n  ")}\n\n`
        : `${lessonNumber(path)}  ${question}\n`;
    output.out(printableLines(text));
  }
  if (folder === undefined)
    output.out(`\n\`ringback run 01\` plays the first; their files are in ${ownScenarios()}\n`);
}
