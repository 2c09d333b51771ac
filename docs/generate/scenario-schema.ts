import { type ConversionConfig, toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { drawnDuration } from "../../src/core/foundation/distributions.ts";
import { duration, e164, list, text } from "../../src/core/foundation/input-schemas.ts";
import { receiveSchema, sendTeamMessageSchema } from "../../src/core/platform/conversations/schemas.ts";
import { flowRedirectSchema } from "../../src/core/platform/flows/schemas.ts";
import {
  callerBehaviourSchema,
  userBehaviourSchema,
} from "../../src/core/platform/organisation/behaviour.ts";
import { contactWithoutId } from "../../src/core/platform/organisation/contact.ts";
import { contactNumber } from "../../src/core/platform/organisation/contact-numbers.ts";
import { hoursOfDay } from "../../src/core/platform/organisation/schema.ts";
import { webhookEntries } from "../../src/core/platform/organisation/webhook.ts";
import { describe } from "../../src/core/rest/openapi/describe.ts";
import { jsonSchemaConfig } from "../../src/core/rest/openapi/json-schema.ts";
import { claimSchema, occurrenceSchema, plainClaimSchema } from "../../src/core/scenario/claim-schema.ts";
import {
  argumentsOf,
  commandOfStep,
  eventLine,
  eventType,
  type StepName,
  scenarioSchema,
  whenSchema,
} from "../../src/core/scenario/schema.ts";
import { scenarioDescriptions } from "./scenario-descriptions.ts";

const config: ConversionConfig = { ...jsonSchemaConfig, target: "draft-07" };

/** The JSON Schema by which editors complete, explain and check scenario files. Repeated parts have a name. */
export function scenarioJsonSchema(): string {
  const { $schema, ...file } = toJsonSchema(scenarioSchema, config);
  const parts = definitions();
  const names = new Map(Object.entries(parts).map(([name, part]) => [JSON.stringify(part), name]));
  const titled = {
    title: "A ringback scenario",
    $schema,
    ...(withReferences(file, names) as object),
    $defs: Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [name, partsWithReferences(part, names)]),
    ),
  };
  const refersTo = (reference: string) => atReference(titled, reference);
  describe(titled, scenarioDescriptions(), { refersTo, defaultKey: "default" });
  const schema = withNamedTimes({ ...titled, $defs: withDeclaredTypes(withoutTwins(titled.$defs)) });
  return `${inLines(schema)}\n`;
}

/** In a file a duration has its unit: a number is refused. */
function withUnits(_: string, value: unknown): unknown {
  const part = value as {
    readonly type?: unknown;
    readonly pattern?: unknown;
    readonly description?: string;
    readonly default?: unknown;
    readonly items?: { readonly $ref?: string };
  } | null;
  if (part === null || typeof part !== "object") return value;
  if (Array.isArray(part.default) && part.items?.$ref === "#/$defs/duration")
    return { ...part, default: part.default.map((ms) => `PT${ms / 1000}S`) };
  if (part.pattern !== "^P") return value;
  return { ...part, type: "string", description: part.description?.replace(", or ms", "") };
}

/** Lets webhooks ask for other types of events: a dialect may declare them, which only the parser knows. */
function withDeclaredTypes(parts: Record<string, unknown>): Record<string, unknown> {
  const list = parts.eventTypes as { readonly items: object };
  return { ...parts, eventTypes: { ...list, items: { anyOf: [list.items, { type: "string" }] } } };
}

/** Makes equal arguments of several commands one definition, if they also mean the same. */
function withoutTwins(parts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const first = new Map<string, string>();
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => {
      const twin = first.get(JSON.stringify(part));
      if (twin === undefined) first.set(JSON.stringify(part), name);
      return [name, twin === undefined ? part : { $ref: `#/$defs/${twin}` }];
    }),
  );
}

/**
 * Makes the keys for a step's time a definition, since every step repeats them. They have descriptions already, so
 * nothing else equals them.
 */
function withNamedTimes(schema: { readonly $defs: object }): { readonly $defs: object } {
  const times: Record<string, unknown> = {};
  const named = JSON.parse(JSON.stringify(schema), (key, value) => {
    const isStep = key === "properties" && Object.keys(value).some((each) => each in commandOfStep);
    if (!isStep) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => {
        if (!(name in whenSchema.entries)) return [name, part];
        times[`when.${name}`] ??= part;
        return [name, { $ref: `#/$defs/when.${name}` }];
      }),
    );
  });
  return { ...named, $defs: { ...named.$defs, ...times } };
}

/** The schema that a reference such as `#/$defs/contact` names. */
function atReference(
  { $defs }: { readonly $defs: Readonly<Record<string, unknown>> },
  reference: string,
): unknown {
  return $defs[reference.replace("#/$defs/", "")];
}

/** Repeated schemas, by name. */
function definitions(): Record<string, unknown> {
  const shared = {
    duration: duration(),
    drawnDuration,
    phoneNumber: e164(),
    phoneNumbers: list(e164()),
    contactNumber,
    contactNumbers: list(contactNumber),
    textOrNull: v.nullable(text()),
    userBehaviour: userBehaviourSchema,
    callerBehaviour: callerBehaviourSchema,
    contact: contactWithoutId,
    hoursOfDay: v.unwrap(hoursOfDay),
    eventLine,
    eventType,
    messageFile: v.unwrap(receiveSchema.entries.media).item,
    messageContent: sendTeamMessageSchema.entries.messageContent,
    eventTypes: webhookEntries.events,
    flowRedirect: flowRedirectSchema,
    occurrence: occurrenceSchema,
    plainClaim: plainClaimSchema,
    claim: claimSchema,
  };
  // a step by time and one by event have the same arguments, and so do the two names of some steps
  const commands = new Set(Object.values(commandOfStep));
  const taken = [...commands].map((command) => [command, converted(argumentsOf(command))]);
  const parts = Object.entries(shared).map(([name, schema]) => [name, converted(schema)]);
  return Object.fromEntries([...parts, ...taken]);
}

function converted(schema: v.GenericSchema): unknown {
  const { $schema: _, ...part } = toJsonSchema(schema, config);
  return part;
}

/** Replaces the named parts of a schema by references. */
function withReferences(part: unknown, names: ReadonlyMap<string, string>): unknown {
  const name = names.get(JSON.stringify(part));
  return name === undefined ? partsWithReferences(part, names) : { $ref: `#/$defs/${name}` };
}

function partsWithReferences(part: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(part)) return part.map((each) => withReferences(each, names));
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, each]) => [key, stepReference(key, each) ?? withReferences(each, names)]),
  );
}

/**
 * The reference to a step's arguments, by its own command: another command's may be equal but mean something else.
 */
function stepReference(key: string, part: unknown): unknown {
  if (!Object.hasOwn(commandOfStep, key)) return undefined;
  const command = commandOfStep[key as StepName];
  const isStep = JSON.stringify(part) === JSON.stringify(converted(argumentsOf(command)));
  return isStep ? { $ref: `#/$defs/${command}` } : undefined;
}

/** One line for each key and each definition: laid out in full, the file would be 90 KB larger in every installation. */
function inLines({ $defs, ...head }: { readonly $defs: object }): string {
  const lines = (entries: object) =>
    Object.entries(entries).map(
      ([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value, withUnits)}`,
    );
  return `{\n${[...lines(head), `"$defs": {\n${lines($defs).join(",\n")}\n}`].join(",\n")}\n}`;
}
