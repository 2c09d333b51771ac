import type { Descriptions } from "../../src/core/generated/descriptions.ts";
import type { CommandName } from "../../src/core/platform/base/core-services.ts";
import { commands } from "../../src/core/platform/catalogue/commands.ts";
import type { AnyCommand } from "../../src/core/platform/declare/any-command.ts";
import { defaultTiming } from "../../src/core/platform/parts/parts.ts";
import { commandOfStep } from "../../src/core/scenario/schema.ts";
import { descriptionsOf, propertyOf, typeNamed } from "./descriptions.ts";
import { MendFirst } from "./failures.ts";
import { inputOf, typeOfValue } from "./inputs.ts";

/** The descriptions of a scenario file's keys: the comments of the schemas, and for steps what commands say of themselves. */
export function scenarioDescriptions(): Descriptions {
  const of = (path: string, schema: string) => descriptionsOf(inputOf(path, schema));
  const head = descriptionsOf(typeOfValue("src/core/scenario/schema.ts", "headEntries"));
  const known = (name: string, within: Descriptions) => ({ [name]: [textOf(head, name), within] as const });
  return {
    ...head,
    ...known("organisation", of("src/core/platform/organisation/schema.ts", "organisationSchema")),
    ...known("timing", timingDescriptions()),
    ...known("assume", of("src/core/platform/declare/assumptions.ts", "assumptionsSchema")),
    ...known("network", descriptionsOf(typeNamed("src/core/simulator/options.ts", "NetworkOptions"))),
    ...known("dialect", of("src/core/platform/declare/settings.ts", "dialectSchema")),
    ...known(
      "webhooks",
      descriptionsOf(typeNamed("src/core/platform/declare/webhook-settings.ts", "WebhookOptions")),
    ),
    ...known("urls", descriptionsOf(typeNamed("src/core/platform/declare/urls.ts", "Urls"))),
    ...known("steps", { ...of("src/core/scenario/schema.ts", "whenSchema"), ...stepDescriptions() }),
    ...known("deviations", of("src/core/scenario/deviations.ts", "deviationSchema")),
    ...known("expect", {
      ...of("src/core/scenario/schema.ts", "matchingLine"),
      ...of("src/core/scenario/schema.ts", "attemptLine"),
    }),
    ...known("questions", of("src/core/scenario/question-schema.ts", "questionSchema")),
  };
}

/** The durations by name, each with the platform's own as its default. */
function timingDescriptions(): Descriptions {
  const durations = descriptionsOf(typeNamed("src/core/platform/declare/settings.ts", "Timing"));
  return Object.fromEntries(
    Object.entries(durations).map(([name, [text]]) => {
      const ms = defaultTiming[name as keyof typeof defaultTiming];
      return [name, [`${text} @default "${isoDuration(ms)}"`]];
    }),
  );
}

/** A duration as people write it: `P1D`, `PT1H`, `PT60S`. */
function isoDuration(ms: number): string {
  if (ms % 86_400_000 === 0) return `P${ms / 86_400_000}D`;
  return ms % 3_600_000 === 0 ? `PT${ms / 3_600_000}H` : `PT${ms / 1000}S`;
}

const NAMED = "The name by which later steps call what this step makes.";

/** Every step by its name, with a description of it and of its arguments. */
function stepDescriptions(): Descriptions {
  const inputs = typeNamed("src/core/generated/inputs.ts", "CommandInputs");
  return Object.fromEntries(
    Object.entries(commandOfStep).map(([name, command]) => {
      return [
        name,
        [commandSentence(command), { as: [NAMED], ...descriptionsOf(propertyOf(inputs, command)) }],
      ];
    }),
  );
}

/** What a command does, as a sentence. */
export function commandSentence(name: string): string {
  const { summary, now }: AnyCommand = commands[name as CommandName];
  const plain = (now === undefined ? summary : `${summary} (an old name: write \`${now}\`)`).replaceAll(
    /\[([^\]]+)\]\([^)]+\)/g,
    "$1",
  );
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}.`;
}

function textOf(descriptions: Descriptions, name: string): string {
  const text = descriptions[name]?.[0];
  if (text === undefined)
    throw new MendFirst(`src/core/scenario/schema.ts: ${name} of headEntries has no comment`);
  return text;
}
