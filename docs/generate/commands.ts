import type { Descriptions } from "../../src/core/generated/descriptions.ts";
import { commandsWithoutStep } from "../../src/core/scenario/schema.ts";
import { codeBanner } from "./banner.ts";
import { descriptionsOf, typeNamed, written } from "./descriptions.ts";
import { commandInputs, commandResults, inputOf } from "./inputs.ts";
import { commandSentence } from "./scenario-descriptions.ts";

/** What only steps have: a name for later ones. */
const NAMING = /[;,:] `as` names .*(?=\.$)/;

/** What several commands take, as constants. A later one may refer to those before it. */
function sharedFields(): ReadonlyMap<string, Descriptions> {
  const organisation = "src/core/platform/organisation";
  return new Map(
    Object.entries({
      drawnDuration: typeNamed("src/core/foundation/distributions.ts", "DrawnDuration"),
      contact: inputOf(`${organisation}/contact.ts`, "contactWithoutId"),
      callerBehaviour: inputOf(`${organisation}/behaviour.ts`, "callerBehaviourSchema"),
    }).map(([name, type]) => [name, descriptionsOf(type)]),
  );
}

/**
 * `src/core/generated/commands.ts`: what each command does, takes and returns, for the OpenAPI document of the control
 * plane. Only that document loads this file. The commands by which the REST API notes requests are left out: nobody
 * else may give them.
 */
export function commandsFile(): string {
  const results = commandResults();
  const shared = [...sharedFields()];
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
    ...shared.map(
      ([name, fields], index) =>
        `const ${name}: Descriptions = ${written(fields, new Map(shared.slice(0, index)), "")};`,
    ),
    "",
    "/** The commands that anybody may give, by name. */",
    "export const commandDescriptions: Readonly<Record<string, CommandDescription>> = {",
    ...given.flatMap(([name, type]) => [
      `  ${name}: {`,
      `    text: ${JSON.stringify(commandSentence(name).replace(NAMING, ""))},`,
      `    fields: ${written(descriptionsOf(type), new Map(shared), "    ")},`,
      `    result: ${JSON.stringify(results.get(name))},`,
      "  },",
    ]),
    "};",
    "",
  ].join("\n");
}
