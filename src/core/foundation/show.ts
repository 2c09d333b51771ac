/** Shows any value briefly, for an error message. */
export function show(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "function") return "a function";
  const text = typeof value === "string" || typeof value === "object" ? json(value) : String(value);
  // as JSON, a map, a form and a promise are all {}
  if (typeof value === "object" && text === "{}") return instanceText(value as Partial<object>);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** `a Map`, `an ArrayBuffer`, `a URLSearchParams`; `{}` of what has no class. */
function instanceText(value: Partial<object>): string {
  const name = value.constructor?.name ?? "Object";
  if (name === "Object") return "{}";
  if (name === "") return "an object of a class without a name";
  return `${/^[AEIO]/i.test(name) ? "an" : "a"} ${name}`;
}

function json(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value); // circular, or contains a BigInt
  }
}
