/** Shows any value briefly, for an error message. */
export function show(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "function") return "a function";
  // as JSON, both are {}
  if (value instanceof Map) return "a Map";
  if (value instanceof Set) return "a Set";
  const text = typeof value === "string" || typeof value === "object" ? json(value) : String(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

function json(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value); // circular, or contains a BigInt
  }
}
