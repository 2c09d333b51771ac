/** Names and values that a caller's application hands along. Rules: docs/fidelity.md#passthrough-parameters. */
export type PassthroughParameters = Readonly<Record<string, string>>;

/** The limit of names plus values, in bytes of UTF-8. docs/fidelity.md#limits */
const LIMIT_BYTES = 1_000;
const PREFIX = "x-";
const NONE: PassthroughParameters = Object.freeze({});

/**
 * The entries that count: the key starts with `x-`, the value is a string, neither holds control characters or
 * broken text. Others are ignored. A query string (`x-order=42&x-name=J%C3%BCrgen`) is URL-decoded first.
 */
export function validEntries(input: unknown): PassthroughParameters {
  if (typeof input === "string") return validEntries(Object.fromEntries(new URLSearchParams(input)));
  if (typeof input !== "object" || input === null) return NONE;
  const valid = Object.entries(input).filter(
    ([name, value]) => name.startsWith(PREFIX) && typeof value === "string" && isSafe(name) && isSafe(value),
  );
  return Object.freeze(Object.fromEntries(valid));
}

/**
 * What a new call stores: the valid entries, or none of them if they are over the limit.
 * @param input an object, or a query string
 */
export function accept(input: unknown): PassthroughParameters {
  const entries = validEntries(input);
  return fits(entries) ? entries : NONE;
}

/**
 * What is stored after more arrive: new keys are added, existing ones overridden. The limit applies to the merged
 * set; over it the stored parameters stay as they were.
 */
export function merge(stored: PassthroughParameters, input: unknown): PassthroughParameters {
  const merged = { ...stored, ...validEntries(input) };
  return fits(merged) ? Object.freeze(merged) : stored;
}

/** Whether names plus values come to at most 1000 bytes. */
export function fits(entries: PassthroughParameters): boolean {
  const encoder = new TextEncoder();
  let bytes = 0;
  for (const [name, value] of Object.entries(entries)) bytes += encoder.encode(name + value).length;
  return bytes <= LIMIT_BYTES;
}

/** No control characters, no unpaired surrogates, and no U+FFFD, which URL decoding leaves for bytes that are not UTF-8. */
function isSafe(text: string): boolean {
  return !/[\p{Cc}\p{Cs}\uFFFD]/u.test(text);
}
