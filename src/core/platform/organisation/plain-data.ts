/**
 * Copies plain data, to compare it later: objects and lists without classes, and their content.
 * @returns undefined if it contains anything else, which could change unnoticed
 */
export function copyOfPlain(value: object): object | undefined {
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {};
  if (!isPlain(value)) return undefined;
  for (const [key, part] of Object.entries(value)) {
    const copied = typeof part === "object" && part !== null ? copyOfPlain(part) : part;
    if (copied === undefined || typeof copied === "function") return undefined;
    (copy as Record<string, unknown>)[key] = copied;
  }
  return copy;
}

/** Whether plain data still equals its copy. */
export function isSamePlain(value: unknown, copy: unknown): boolean {
  if (typeof value !== "object" || value === null || typeof copy !== "object" || copy === null)
    return Object.is(value, copy);
  if (!isPlain(value) || Array.isArray(value) !== Array.isArray(copy)) return false;
  const keys = Object.keys(value);
  return (
    keys.length === Object.keys(copy).length &&
    keys.every(
      (key) =>
        Object.hasOwn(copy, key) &&
        isSamePlain((value as Record<string, unknown>)[key], (copy as Record<string, unknown>)[key]),
    )
  );
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype;
}
