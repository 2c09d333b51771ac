import { basename } from "node:path";
import { printableLines } from "../core/foundation/printable.ts";
import { jsonOption } from "./arguments.ts";
import type { CommandRow } from "./command-row.ts";
import type { CommandOutput } from "./output.ts";
import { findScenarios, ownScenarios, readScenario } from "./scenario-files.ts";

/** `ringback list`. */
export const listCommand: CommandRow = {
  name: "list",
  group: "scenarios",
  about: "list scenarios and what they teach",
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
  const rows = files.map(({ path, scenario }) => ({
    path,
    scenario: scenario.title,
    description: scenario.description.trim(),
  }));
  if (output.isJson) {
    output.out(output.result([], { scenarios: rows }));
    return;
  }
  for (const { path, scenario, description } of rows) {
    // a lesson is found by its name from any folder
    const name = folder === undefined ? basename(path, ".yaml") : path;
    output.out(printableLines(`${name}\n  ${scenario}\n  ${description.replaceAll("\n", "\n  ")}\n\n`));
  }
  if (folder === undefined)
    output.out(`\`ringback run 01\` plays the first; their files are in ${ownScenarios()}\n`);
}
