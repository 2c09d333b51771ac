import { readFileSync } from "node:fs";
import type { Descriptions } from "../../src/generated/descriptions.ts";
import { commandOfStep } from "../../src/scenario/schema.ts";
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
  const head = descriptionsOf(typeOfValue("src/scenario/schema.ts", "headEntries"));
  const known = (name: string, within: Descriptions) => ({ [name]: [textOf(head, name), within] as const });
  return {
    ...head,
    ...known("organisation", of("src/platform/organisation/schema.ts", "organisationSchema")),
    ...known("timing", descriptionsOf(typeNamed("src/platform/settings.ts", "Timing"))),
    ...known("assume", of("src/platform/assumptions.ts", "assumptionsSchema")),
    ...known("network", descriptionsOf(typeNamed("src/options.ts", "NetworkOptions"))),
    ...known("dialect", of("src/platform/settings.ts", "dialectSchema")),
    ...known("webhooks", descriptionsOf(typeNamed("src/platform/webhooks/settings.ts", "WebhookOptions"))),
    ...known("steps", { ...of("src/scenario/schema.ts", "whenSchema"), ...stepDescriptions() }),
    ...known("deviations", of("src/scenario/deviations.ts", "deviationSchema")),
    ...known("expect", {
      ...of("src/scenario/schema.ts", "matchingLine"),
      ...of("src/scenario/schema.ts", "attemptLine"),
    }),
  };
}

const NAMED = "The name by which later steps call what this step makes.";

/** Every step by its name, with a description of it and of its arguments. */
function stepDescriptions(): Descriptions {
  const words = stepWords(readFileSync(`${root}docs/scenarios.md`, "utf8"));
  const inputs = typeNamed("src/generated/inputs.ts", "CommandInputs");
  return Object.fromEntries(
    Object.entries(commandOfStep).map(([name, command]) => {
      const text = words.get(command);
      if (text === undefined)
        throw new MendFirst(`docs/scenarios.md: the table of steps has no row for ${name}`);
      return [name, [text, { as: [NAMED], ...descriptionsOf(propertyOf(inputs, command)) }]];
    }),
  );
}

/** The rows of the table, such as "| `answer: { call, by, endpoint }` | someone who rings answers |". */
function stepWords(page: string): ReadonlyMap<string, string> {
  const rows = [...page.matchAll(/^\| `(\w+): \{.*?\}` \| (.+) \|$/gm)];
  const plain = (text: string) => text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1");
  return new Map(
    rows.map(([, name = "", text = ""]) => [name, `${text.charAt(0).toUpperCase()}${plain(text).slice(1)}.`]),
  );
}

function textOf(descriptions: Descriptions, name: string): string {
  const text = descriptions[name]?.[0];
  if (text === undefined)
    throw new MendFirst(`src/scenario/schema.ts: ${name} of headEntries has no comment`);
  return text;
}
