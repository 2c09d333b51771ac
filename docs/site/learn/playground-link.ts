import { deflateRawSync } from "node:zlib";

/** The part of a link with which the playground opens a script, for an attribute of HTML. */
export function playgroundLink(scenario: string): string {
  const packed = deflateRawSync(JSON.stringify({ scenario }), { level: 9 }).toString("base64url");
  return `v=1&amp;s=${packed}`;
}
