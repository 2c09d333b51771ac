import { hmac } from "@noble/hashes/hmac.js";
import { sha1 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { nodeModule } from "../engine/node-module.ts";

/** The hash functions that signatures use. */
export type Hash = "sha1" | "sha256";

type Hmac = (hash: Hash, key: string, message: string) => Uint8Array;

interface NodeCrypto {
  createHmac(hash: Hash, key: string): { update(message: string): Digest };
}

interface Digest {
  digest(): Uint8Array;
  digest(encoding: "hex"): string;
}

const encoder = new TextEncoder();
const nobleHashes = { sha1, sha256 } as const;

/** HMAC by noble's library, which runs everywhere. */
export const nobleHmac: Hmac = (hash, key, message) =>
  hmac(nobleHashes[hash], encoder.encode(key), encoder.encode(message));

/** Undefined until the first signature, null where there is no Node. */
let found: NodeCrypto | null | undefined;

/** Several times as fast as noble's. Loading it takes as long as a few calls, and a run may sign nothing. */
function nodeCrypto(): NodeCrypto | null {
  found ??= nodeModule<NodeCrypto>("node:crypto") ?? null;
  return found;
}

/** HMAC over UTF-8 text. Every runtime computes the same. */
export const hmacOf: Hmac = (hash, key, message) =>
  nodeCrypto()?.createHmac(hash, key).update(message).digest() ?? nobleHmac(hash, key, message);

/** The same in hex. Node writes the hex itself: a table of bytes would take 1 of a signature's 3.6 µs. */
export const hmacInHex = (hash: Hash, key: string, message: string): string =>
  nodeCrypto()?.createHmac(hash, key).update(message).digest("hex") ?? toHex(nobleHmac(hash, key, message));

const hexOf = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Writes bytes as hex by a table. Formatting each byte takes four times as long, 2 µs for a signature. */
export function toHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += hexOf[byte];
  return text;
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** Compares two texts in a time that does not depend on where they differ. */
export function equalsInConstantTime(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}
