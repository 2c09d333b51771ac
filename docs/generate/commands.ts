import { commandsWithoutStep } from "../../src/core/scenario/schema.ts";
import { codeBanner } from "./banner.ts";
import { descriptionsOf, written } from "./descriptions.ts";
import { commandInputs, commandResults } from "./inputs.ts";
import { commandSentence } from "./scenario-descriptions.ts";

/** What only steps have: a name for later ones. */
const NAMING = /[;,:] `as` names .*(?=\.$)/;

/**
 * `src/core/generated/commands.ts`: what each command does, takes and returns, for the OpenAPI document of the control
 * plane. Only that document loads this file. The commands by which the REST API notes requests are left out: nobody
 * else may give them.
 */
export function commandsFile(): string {
  const results = commandResults();
  const given = [...commandInputs()].filter(([name]) => !commandsWithoutStep.includes(name));
  return [
    codeBanner("the commands"),
    'import type { Descriptions } from "./descriptions.ts";',
    "",
    "/** What a command does, what its arguments are, and the type of what it returns. */",
    "interface CommandDescription {",
    "  readonly text: string;",
    "  readonly fields: Descriptions;",
    "  readonly result: string;",
    "}",
    "",
    "/** The commands that anybody may give, by name. */",
    "export const commandDescriptions: Readonly<Record<string, CommandDescription>> = {",
    ...given.flatMap(([name, type]) => [
      `  ${name}: {`,
      `    text: ${JSON.stringify(commandSentence(name).replace(NAMING, ""))},`,
      `    fields: ${written(descriptionsOf(type), new Map(), "    ")},`,
      `    result: ${JSON.stringify(results.get(name))},`,
      "  },",
    ]),
    "};",
    "",
  ].join("\n");
}
