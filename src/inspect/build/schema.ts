import { readFileSync } from "node:fs";

interface Part {
  readonly [key: string]: unknown;
}

interface ScenarioSchema extends Part {
  readonly properties: Readonly<Record<string, Part>>;
  readonly $defs: Readonly<Record<string, Part>>;
}

interface Steps {
  readonly items: { readonly anyOf: readonly { readonly properties: object }[] };
}

/** What the playground's editor completes and explains, within the size that the page may have. */
export function schemaForPage(root: string): unknown {
  const read = JSON.parse(readFileSync(`${root}scenarios/scenario.schema.json`, "utf8"), forHelp);
  const { properties, $defs, ...schema } = read as ScenarioSchema;
  const parts = Object.entries($defs).map(([name, part]) => [
    name,
    name.startsWith("when.") ? part : brief(part),
  ]);
  const heads = Object.entries(properties).map(([name, part]) => [name, headOf(name, part)]);
  return { ...schema, properties: Object.fromEntries(heads), $defs: Object.fromEntries(parts) };
}

/** A key of the file. Of those that are options of the simulator only the key itself is explained. */
function headOf(name: string, part: Part): Part {
  if (name === "steps") {
    // all steps as one: the parser checks which keys go together
    const steps = (part as unknown as Steps).items.anyOf.map((each) => each.properties);
    return { ...part, items: { properties: Object.assign({}, ...steps) } };
  }
  if (name === "deviations" || name === "expect") return part;
  return { ...brief(part), description: part.description };
}

/** A part without its descriptions. */
function brief(part: Part): Part {
  return JSON.parse(JSON.stringify(part), (key, value) =>
    key === "description" && typeof value === "string" ? undefined : value,
  );
}

/** Of a schema only what completion and hover say: the rest is checked by the parser. */
function forHelp(key: string, value: unknown): unknown {
  if (key === "pattern" && typeof value === "string") return value.includes("call") ? value : undefined;
  return /^(min|max)[A-Z]|^(min|max)imum$|^(format|default|examples|title|\$schema|additionalProperties)$/.test(
    key,
  ) && typeof value !== "object"
    ? undefined
    : value;
}
