import { nodeModule } from "./node-module.ts";

/**
 * Globals that every runtime has, but not every environment of a test runner: Jest's jsdom hides some of Node's. They are
 * looked up at the first use, so that loading the package needs none of them.
 */

type Codec = "TextEncoder" | "TextDecoder";

/** Node has them in a module too. */
function codec<Name extends Codec>(name: Name): (typeof globalThis)[Name] {
  const found = globalThis[name] ?? nodeModule<Pick<typeof globalThis, Codec>>("node:util")?.[name];
  if (found === undefined) throw missing([name]);
  return found;
}

let encoder: TextEncoder | undefined;

/** Writes text as UTF-8. */
export function utf8Encoder(): TextEncoder {
  encoder ??= new (codec("TextEncoder"))();
  return encoder;
}

/** Reads UTF-8. */
export function utf8Decoder(options?: TextDecoderOptions): TextDecoder {
  return makeDecoder("utf-8", options);
}

/** Reads text in an encoding. */
export function makeDecoder(
  encoding: "utf-8" | "utf-16le" | "utf-16be",
  options?: TextDecoderOptions,
): TextDecoder {
  return new (codec("TextDecoder"))(encoding, options);
}

/** The text of bytes, with a byte order mark if it has one; undefined if they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8Decoder({ fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

interface Serialiser {
  serialize(value: unknown): unknown;
  deserialize(bytes: unknown): unknown;
}

/** A deep copy, as `structuredClone` makes it. @throws {Error} for what cannot be copied, such as a function */
export function copyValue<T>(value: T): T {
  if (typeof structuredClone === "function") return structuredClone(value);
  const v8 = nodeModule<Serialiser>("node:v8");
  if (v8 === undefined) throw missing(["structuredClone"]);
  return v8.deserialize(v8.serialize(value)) as T;
}

/**
 * Refuses what needs `fetch` where an environment lacks parts of it.
 * @param what what needs them, such as `sim.fetch`
 * @throws {Error}
 */
export function mustHaveFetch(what: string): void {
  const lacking = (["Request", "Response", "Headers", "ReadableStream"] as const).filter(
    (name) => globalThis[name] === undefined,
  );
  if (lacking.length > 0) throw missing(lacking, what);
}

function missing(names: readonly string[], what = "this"): Error {
  const list = names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  return new Error(
    `${what} needs ${list}, which this environment hides: run the file in Node's, by \`@jest-environment node\` or \`@vitest-environment node\` at its top, or give jsdom Node's globals`,
  );
}
