import * as v from "valibot";
import type { Keys } from "../../foundation/errors.ts";
import { object, readInput } from "../../foundation/input-schemas.ts";
import { show } from "../../foundation/show.ts";

/** The base URLs in answers, without a slash at the end. */
export interface Urls {
  /** The base URL of the REST API. */
  readonly api: string;
  /** The URL of the token endpoint's server. */
  readonly auth: string;
  /** The URL of the redirect handler's server. */
  readonly redirect: string;
}

/** Hosts that do not exist: `.test` is reserved. Frozen, since all simulators share them and hand them out. */
export const defaultUrls: Urls = Object.freeze({
  api: "https://api.ringback.test",
  auth: "https://auth.ringback.test",
  redirect: "https://redirect.ringback.test",
});

/** Whether a URL is of this machine, where the simulator serves everything, by http too. */
export function isThisMachine({ hostname }: Pick<URL, "hostname">): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

const wrongUrl = (issue: { input: unknown }) =>
  `expected an http or https URL without a query, such as "https://phones.acme.test", got ${show(issue.input)}`;
/** A base URL, read without a slash at the end. */
export const baseUrl = v.pipe(
  v.string(wrongUrl),
  v.check(isBase, wrongUrl),
  v.transform((url) => url.replace(/\/+$/, "")),
);

export const urlsSchema = object({
  api: v.optional(baseUrl),
  auth: v.optional(baseUrl),
  redirect: v.optional(baseUrl),
});

function isBase(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, search, hash, username, password } = new URL(url);
  return /^https?:$/.test(protocol) && [search, hash, username, password].every((part) => part === "");
}

/** @throws {InputError} naming the address */
export function readUrls(input: unknown, keys: Keys): Urls {
  if (input === undefined) return defaultUrls;
  const { api, auth, redirect } = readInput(urlsSchema, input ?? {}, keys);
  return {
    api: api ?? defaultUrls.api,
    auth: auth ?? defaultUrls.auth,
    redirect: redirect ?? defaultUrls.redirect,
  };
}

/**
 * The URL that connects a redirected call to an entry. Parameters are in alphabetical order, as the handler requires.
 */
export function redirectUrl({ redirect }: Urls, extension: string, organisationId: string): string {
  const query = `extension=${encodeQuery(extension)}&organisationId=${encodeQuery(organisationId)}`;
  return `${redirect}/telephony/redirect?${query}`;
}

/** Writes a text as URLSearchParams does, which would be slow for a text without anything to escape. */
function encodeQuery(text: string): string {
  return /^[\w*.-]*$/.test(text) ? text : String(new URLSearchParams({ "": text })).slice(1);
}

/** The URL of a recording's audio. It needs no token. */
export function recordingUrl({ api }: Urls, callId: string, recordingId: string): string {
  return `${api}/call/${callId}/recordings/${recordingId}.mp3`;
}
