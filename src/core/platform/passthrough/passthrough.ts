import { utf8Encoder } from "../../foundation/runtime-globals.ts";

/**
 * Names and values that a caller's application passes along with a call. Rules:
 * docs/fidelity/calls.md#passthrough-parameters.
 */
export type PassthroughParameters = Readonly<Record<string, string>>;

/** The limit of names plus values, in bytes of UTF-8. Rules: docs/fidelity/rest.md#limits. */
const LIMIT_BYTES = 1_000;
const PREFIX = "x-";
const NONE: PassthroughParameters = Object.freeze({});

/**
 * The valid entries: the key starts with `x-`, the value is a string, and neither contains control characters or
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
 * The parameters of a new call: the valid entries, or none if they exceed the limit.
 * @param input an object, or a query string
 */
export function accept(input: unknown): PassthroughParameters {
  const entries = validEntries(input);
  return fits(entries) ? entries : NONE;
}

/**
 * Merges further parameters into the stored ones: new keys are added, existing ones replaced. If the result exceeds
 * the limit, the stored parameters stay as they were.
 */
export function merge(stored: PassthroughParameters, input: unknown): PassthroughParameters {
  const merged = { ...stored, ...validEntries(input) };
  return fits(merged) ? Object.freeze(merged) : stored;
}

/** Whether names plus values are at most 1000 bytes. */
export function fits(entries: PassthroughParameters): boolean {
  return bytesOf(entries) <= LIMIT_BYTES;
}

/** Why further parameters are not added to the stored ones; undefined if they are. */
export function mergeProblem(stored: PassthroughParameters, input: unknown): string | undefined {
  const merged = { ...stored, ...validEntries(input) };
  return fits(merged)
    ? undefined
    : `expected at most ${LIMIT_BYTES} bytes of names and values, with those that are stored, got ${bytesOf(merged)}`;
}

function bytesOf(entries: PassthroughParameters): number {
  const encoder = utf8Encoder();
  return Object.entries(entries).reduce((sum, [name, value]) => sum + encoder.encode(name + value).length, 0);
}

/**
 * Whether text has no control characters, no unpaired surrogates and no U+FFFD, which URL decoding leaves for invalid
 * UTF-8.
 */
function isSafe(text: string): boolean {
  return !/[\p{Cc}\p{Cs}\uFFFD]/u.test(text);
}
