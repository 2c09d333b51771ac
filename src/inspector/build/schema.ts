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

/** The schema for the playground's editor, small enough for the page. */
export function schemaForPage(root: string): unknown {
  const read = JSON.parse(readFileSync(`${root}scenarios/scenario.schema.json`, "utf8"), keepForHelp);
  const { properties, $defs, ...schema } = read as ScenarioSchema;
  const parts = Object.entries($defs).map(([name, part]) => [
    name,
    name.startsWith("when.") ? part : withoutDescriptions(part),
  ]);
  const heads = Object.entries(properties).map(([name, part]) => [name, topLevelKey(name, part)]);
  return { ...schema, properties: Object.fromEntries(heads), $defs: Object.fromEntries(parts) };
}

/** A top-level key. Of the simulator's options only the key's description is kept. */
function topLevelKey(name: string, part: Part): Part {
  if (name === "steps") {
    // merges all steps: the parser checks which keys go together
    const steps = (part as Part & Steps).items.anyOf.map((each) => each.properties);
    return { ...part, items: { properties: Object.assign({}, ...steps) } };
  }
  if (name === "deviations" || name === "expect") return part;
  return { ...withoutDescriptions(part), description: part.description };
}

/** Removes the descriptions of a part. */
function withoutDescriptions(part: Part): Part {
  return JSON.parse(JSON.stringify(part), (key, value) =>
    key === "description" && typeof value === "string" ? undefined : value,
  );
}

/** Keeps what completion and hover need. */
function keepForHelp(key: string, value: unknown): unknown {
  if (key === "pattern" && typeof value === "string") return value.includes("call") ? value : undefined;
  return /^(min|max)[A-Z]|^(min|max)imum$|^(format|default|examples|title|\$schema|additionalProperties)$/.test(
    key,
  ) && typeof value !== "object"
    ? undefined
    : value;
}
