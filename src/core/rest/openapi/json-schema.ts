import { type ConversionConfig, type JsonSchema, toJsonSchemaDefs } from "@valibot/to-json-schema";
import type { GenericSchema } from "valibot";
import { copyValue } from "../../foundation/runtime-globals.ts";
import { components as restComponents, sortedByName } from "../../records/fields.ts";

/** How schemas are converted to JSON Schema. Checks in code are left out. */
export const jsonSchemaConfig = {
  target: "draft-2020-12",
  typeMode: "input",
  ignoreActions: ["check", "raw_check", "raw_transform", "transform", "partial_check", "to_lower_case"],
  // durations and instants are custom schemas, described by their metadata
  overrideSchema: ({ valibotSchema }) => (valibotSchema.type === "custom" ? {} : undefined),
} satisfies ConversionConfig;

/** The document's components, and the schemas that refer to them. */
export interface JsonSchemas {
  readonly components: Readonly<Record<string, JsonSchema>>;
  of(schema: GenericSchema): JsonSchema;
  refersTo(reference: string): JsonSchema | undefined;
  /** The schema that all uses copy or refer to. */
  shared(schema: GenericSchema): JsonSchema;
}

/**
 * @param schemas all schemas that `of` will be asked for; components among them become references
 * @param components the schemas that are components, by name. Default: those of the REST API
 */
export function makeJsonSchemas(
  schemas: readonly GenericSchema[],
  components: ReadonlyMap<string, GenericSchema> = restComponents,
): JsonSchemas {
  const named = new Map([...components].map(([name, schema]) => [schema, name]));
  const others = [...new Set(schemas)].filter((schema) => !named.has(schema));
  const keys = new Map(others.map((schema, index) => [schema, `#${index}`]));
  const refOf = (name: string) => `#/components/schemas/${name}`;
  const converted = toJsonSchemaDefs(
    Object.fromEntries([...components, ...[...keys].map(([schema, key]) => [key, schema] as const)]),
    { ...jsonSchemaConfig, overrideRef: ({ referenceId }) => refOf(referenceId) },
  ) as Record<string, JsonSchema>;
  const shared = (schema: GenericSchema): JsonSchema => {
    const found = converted[named.get(schema) ?? keys.get(schema) ?? ""];
    if (found === undefined) throw new Error("a schema was not announced to the OpenAPI document");
    return found;
  };
  return {
    components: Object.fromEntries(
      sortedByName(components).map(([name]) => [name, converted[name] as JsonSchema]),
    ),
    of(schema) {
      const name = named.get(schema);
      // each use is a copy, since examples are added to it
      return name === undefined ? copyValue(shared(schema)) : { $ref: refOf(name) };
    },
    shared,
    refersTo: (reference) => converted[reference.replace(refOf(""), "")],
  };
}
