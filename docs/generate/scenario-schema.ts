import { type ConversionConfig, toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { drawnDuration } from "../../src/engine/distributions.ts";
import { duration, e164, list, text } from "../../src/engine/input.ts";
import { sendTeamMessageSchema } from "../../src/platform/conversations/commands.ts";
import { hoursOfDay } from "../../src/platform/organisation/schema.ts";
import { callerBehaviourSchema, userBehaviourSchema } from "../../src/platform/people/schema.ts";
import { contactWithoutId } from "../../src/platform/phonebooks/contact-schema.ts";
import { webhookEntries } from "../../src/platform/webhooks/commands.ts";
import { jsonSchemaConfig } from "../../src/rest/openapi/json-schema.ts";
import {
  argumentsOf,
  commandOfStep,
  eventLine,
  eventType,
  scenarioSchema,
} from "../../src/scenario/schema.ts";

const config: ConversionConfig = { ...jsonSchemaConfig, target: "draft-07" };

/** The JSON Schema by which editors complete and check scenario files: what stands in it again and again is named. */
export function scenarioJsonSchema(): string {
  const { $schema, ...schema } = toJsonSchema(scenarioSchema, config);
  const names = new Map(Object.entries(definitions()).map(([name, part]) => [JSON.stringify(part), name]));
  const titled = {
    title: "A ringback scenario",
    $schema,
    ...(withReferences(schema, names) as object),
    $defs: Object.fromEntries(
      Object.entries(definitions()).map(([name, part]) => [name, partsWithReferences(part, names)]),
    ),
  };
  return `${withShortLists(JSON.stringify(titled, null, 2))}\n`;
}

/** What repeats, by name. */
function definitions(): Record<string, unknown> {
  const shared = {
    duration: duration(),
    drawnDuration,
    phoneNumber: e164(),
    phoneNumbers: list(e164()),
    textOrNull: v.nullable(text()),
    userBehaviour: userBehaviourSchema,
    callerBehaviour: callerBehaviourSchema,
    contact: contactWithoutId,
    hoursOfDay: v.unwrap(hoursOfDay),
    eventLine,
    eventType,
    messageContent: sendTeamMessageSchema.entries.messageContent,
    eventTypes: webhookEntries.events,
  };
  // steps by time and by event take the same, and so do those that are named like a method
  const commands = new Set(Object.values(commandOfStep));
  const taken = [...commands].map((command) => [command, converted(argumentsOf(command))]);
  const parts = Object.entries(shared).map(([name, schema]) => [name, converted(schema)]);
  return Object.fromEntries([...parts, ...taken]);
}

function converted(schema: v.GenericSchema): unknown {
  const { $schema: _, ...part } = toJsonSchema(schema, config);
  return part;
}

/** A schema with those of its parts that have a name replaced by references. */
function withReferences(part: unknown, names: ReadonlyMap<string, string>): unknown {
  const name = names.get(JSON.stringify(part));
  return name === undefined ? partsWithReferences(part, names) : { $ref: `#/$defs/${name}` };
}

function partsWithReferences(part: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(part)) return part.map((each) => withReferences(each, names));
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, withReferences(each, names)]));
}

/** Lists of texts or numbers on one line where they fit, as the formatter wants them. */
function withShortLists(json: string): string {
  return json.replace(/^(.*)\[\s+(["\d][^[\]{}]*["\d])\s+\](,?)$/gm, (lines, before, items, comma) => {
    const line = `${before}[${items.replaceAll(/\n\s*/g, " ")}]${comma}`;
    return line.length <= 110 ? line : lines;
  });
}
