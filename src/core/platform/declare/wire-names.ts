import type { FieldNames } from "./settings.ts";

/** A field whose content is free: its keys are never renamed. */
const FREE = "passthroughParameters";

/** Converts a value for the wire: `dialect.fieldNames` is applied to all its objects, except free content. */
export function toWire(value: unknown, fieldNames: FieldNames): unknown {
  return Object.keys(fieldNames).length === 0 ? value : renameKeys(value, fieldNames);
}

/** Converts a value from the wire: the reverse of `toWire`. */
export function fromWire(value: unknown, fieldNames: FieldNames): unknown {
  const names = Object.entries(fieldNames).map(([own, wire]) => [wire, own]);
  return names.length === 0 ? value : renameKeys(value, Object.fromEntries(names), fieldNames[FREE] ?? FREE);
}

/** A field's name on the wire. */
export function wireName(name: string, fieldNames: FieldNames): string {
  return Object.hasOwn(fieldNames, name) ? (fieldNames[name] as string) : name;
}

function renameKeys(value: unknown, names: FieldNames, free = FREE): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => renameKeys(each, names, free));
  const entries = Object.entries(value).map(([key, part]) => [
    wireName(key, names),
    key === free ? part : renameKeys(part, names, free),
  ]);
  return Object.fromEntries(entries);
}
