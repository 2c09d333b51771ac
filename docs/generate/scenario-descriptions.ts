import { readFileSync } from "node:fs";
import type { Descriptions } from "../../src/core/generated/descriptions.ts";
import { commandOfStep } from "../../src/core/scenario/schema.ts";
import { descriptionsOf, propertyOf, typeNamed } from "./descriptions.ts";
import { MendFirst } from "./failures.ts";
import { inputOf, typeOfValue } from "./inputs.ts";
import { root } from "./source.ts";

/**
 * The descriptions of a scenario file's keys: the comments of the schemas, and for steps the words of
 * `docs/scenarios.md`.
 */
export function scenarioDescriptions(): Descriptions {
  const of = (path: string, schema: string) => descriptionsOf(inputOf(path, schema));
  const head = descriptionsOf(typeOfValue("src/core/scenario/schema.ts", "headEntries"));
  const known = (name: string, within: Descriptions) => ({ [name]: [textOf(head, name), within] as const });
  return {
    ...head,
    ...known("organisation", of("src/core/platform/organisation/schema.ts", "organisationSchema")),
    ...known("timing", descriptionsOf(typeNamed("src/core/platform/declare/settings.ts", "Timing"))),
    ...known("assume", of("src/core/platform/declare/assumptions.ts", "assumptionsSchema")),
    ...known("network", descriptionsOf(typeNamed("src/core/simulator/options.ts", "NetworkOptions"))),
    ...known("dialect", of("src/core/platform/declare/settings.ts", "dialectSchema")),
    ...known(
      "webhooks",
      descriptionsOf(typeNamed("src/core/platform/declare/webhook-settings.ts", "WebhookOptions")),
    ),
    ...known("steps", { ...of("src/core/scenario/schema.ts", "whenSchema"), ...stepDescriptions() }),
    ...known("deviations", of("src/core/scenario/deviations.ts", "deviationSchema")),
    ...known("expect", {
      ...of("src/core/scenario/schema.ts", "matchingLine"),
      ...of("src/core/scenario/schema.ts", "attemptLine"),
    }),
  };
}

const NAMED = "The name by which later steps call what this step makes.";

/** Every step by its name, with a description of it and of its arguments. */
function stepDescriptions(): Descriptions {
  const words = stepWords();
  const inputs = typeNamed("src/core/generated/inputs.ts", "CommandInputs");
  return Object.fromEntries(
    Object.entries(commandOfStep).map(([name, command]) => {
      return [name, [words(command), { as: [NAMED], ...descriptionsOf(propertyOf(inputs, command)) }]];
    }),
  );
}

/** What each command does, in the words of the table of steps, such as "| `answer: { call, by }` | someone answers |". */
export function stepWords(): (command: string) => string {
  const page = readFileSync(`${root}docs/scenarios.md`, "utf8");
  const rows = [...page.matchAll(/^\| `(\w+): \{.*?\}` \| (.+) \|$/gm)];
  const plain = (text: string) => text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1");
  const words = new Map(
    rows.map(([, name = "", text = ""]) => [name, `${text.charAt(0).toUpperCase()}${plain(text).slice(1)}.`]),
  );
  return (command) => {
    const text = words.get(command);
    if (text === undefined)
      throw new MendFirst(`docs/scenarios.md: the table of steps has no row for ${command}`);
    return text;
  };
}

function textOf(descriptions: Descriptions, name: string): string {
  const text = descriptions[name]?.[0];
  if (text === undefined)
    throw new MendFirst(`src/core/scenario/schema.ts: ${name} of headEntries has no comment`);
  return text;
}
