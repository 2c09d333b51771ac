import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import * as v from "valibot";
import { list, object, readInput } from "../engine/input.ts";
import { show } from "../engine/instants.ts";
import { equalsInConstantTime } from "../network/hmac.ts";
import { baseUrl } from "../platform/urls.ts";
import { mediaTypeOf } from "../rest/body.ts";
import { ControlError } from "./errors.ts";

/** Who may ask a server for what. */
export interface AccessOptions {
  /** Names that the server is reached by, beside the addresses of this machine. */
  readonly hosts: readonly string[];
  /** Origins of web pages that may read answers; `*`: any, but not the control plane. */
  readonly cors: readonly string[];
  /** What the server is reached by for everyone: its pages are the server's own. */
  readonly publicUrl: string | undefined;
  /** What requests to the control plane must carry as a bearer token; undefined: none is needed. */
  readonly token: string | undefined;
}

const expected = (what: string) => (issue: { input: unknown }) =>
  `expected ${what}, got ${show(issue.input)}`;
const sayOrigin = expected('an origin such as "https://wall.acme.test", or "*"');
const sayHost = expected('the name of a host, such as "phones.internal"');
// an empty one would let everybody in, and one with spaces could not be sent
const sayToken = expected("a token of visible ASCII characters");
const accessSchema = object({
  hosts: list(v.pipe(v.string(sayHost), v.check(isHost, sayHost))),
  cors: list(
    v.pipe(
      v.string(sayOrigin),
      v.check((text) => originOf(text) !== undefined, sayOrigin),
      v.transform((text) => originOf(text) ?? text),
    ),
  ),
  token: v.optional(v.pipe(v.string(sayToken), v.regex(/^[!-~]+$/, sayToken))),
  publicUrl: v.optional(baseUrl),
});

/**
 * Reads who may ask. What no browser ever sends, as an origin with a path, would keep out whom it should let in.
 * @throws {InputError} naming the option
 */
export function readAccess(options: AccessOptions): AccessOptions {
  const { hosts, cors, token, publicUrl } = readInput(accessSchema, options, []);
  return { hosts, cors, token, publicUrl };
}

/** An origin as browsers send it. `null`, which any page can come to have, is none. */
function originOf(text: string): string | undefined {
  if (text === "*") return text;
  if (!URL.canParse(text)) return undefined;
  const { protocol, host, pathname, search, hash, username, password } = new URL(text);
  const isBare = [search, hash, username, password].every((part) => part === "") && pathname.length <= 1;
  return isBare && host !== "" ? `${protocol}//${host}` : undefined;
}

function isHost(text: string): boolean {
  return isIP(text) > 0 || (/^[^/?#@*\s]+$/.test(text) && URL.canParse(`http://${text}`));
}

/** A token that nobody can guess. */
export function newToken(): string {
  return randomBytes(24).toString("base64url");
}

/** Whether an address is reached from this machine alone. */
export function isLoopback(address: string): boolean {
  return address === "::1" || /^(::ffff:)?127(\.\d+){3}$/.test(address);
}

/**
 * What keeps web pages and other machines out. A page in a browser can send requests to this machine, by its own name
 * (DNS rebinding) or across origins; it cannot choose the headers `Host` and `Origin`.
 */
export class Access {
  private readonly hosts: ReadonlySet<string>;

  constructor(private readonly options: AccessOptions) {
    this.hosts = new Set(options.hosts.map(bare));
  }

  /** @throws {ControlError} 403 for a request by a name that the server was not started for */
  mustBeHere(request: Request, localAddress: string | undefined): void {
    const named = [new URL(request.url).host, request.headers.get("host") ?? ""].filter(
      (each) => each !== "",
    );
    for (const host of named) {
      const name = bare(host);
      if (name === "localhost" || isLoopback(name) || this.hosts.has(name)) continue;
      if (localAddress !== undefined && isIP(name) > 0 && name === bare(localAddress)) continue;
      throw new ControlError(
        403,
        "forbidden",
        `this server was not started for the host ${host}; add it with --allow-host or --public-url`,
      );
    }
  }

  /** @throws {ControlError} 403 for a request that changes something, from a web page that may not */
  mustBeOfOwnPage(request: Request): void {
    const origin = request.headers.get("origin");
    if (origin === null || isSafe(request) || this.isAllowed(request, origin) || this.isOwn(request, origin))
      return;
    // any page can have such a frame
    if (origin === "null")
      throw new ControlError(403, "forbidden", "a page without an origin of its own may not do this");
    throw new ControlError(
      403,
      "forbidden",
      `a page at ${origin} may not do this; start the server with --cors ${origin} to allow it`,
    );
  }

  /**
   * @throws {ControlError} 401 without the token, where one is needed; 415 for a body that is not JSON: a form can be sent
   *   by any web page
   */
  mustBeAllowedControl(request: Request): void {
    const { token } = this.options;
    if (token !== undefined && !equalsInConstantTime(tokenOf(request), token))
      throw new ControlError(
        401,
        "unauthorized",
        "the control plane needs the token that the server printed, as Authorization: Bearer <token>",
        { "www-authenticate": "Bearer" },
      );
    if (isSafe(request) || mediaTypeOf(request) === "application/json") return;
    if (!hasBody(request) && !isOfBrowser(request)) return;
    throw new ControlError(
      415,
      "unsupported_media_type",
      "expected a body of content type application/json; {} where there is nothing to say",
    );
  }

  /** The answer to a preflight request, if it is one. */
  preflight(request: Request): Response | undefined {
    const { headers, method } = request;
    if (method !== "OPTIONS" || !headers.has("access-control-request-method")) return undefined;
    const allowed = this.corsHeaders(request);
    if (Object.keys(allowed).length === 0) return undefined;
    return new Response(null, {
      status: 204,
      headers: {
        ...allowed,
        "access-control-allow-methods": "GET, HEAD, POST, PUT, DELETE",
        "access-control-allow-headers": headers.get("access-control-request-headers") ?? "",
        "access-control-max-age": "600",
        ...(headers.has("access-control-request-private-network")
          ? { "access-control-allow-private-network": "true" }
          : {}),
      },
    });
  }

  /** What an answer says to the browser of a page at another origin. */
  corsHeaders(request: Request): Readonly<Record<string, string>> {
    const origin = request.headers.get("origin");
    if (origin === null || !this.isAllowed(request, origin)) return {};
    return {
      "access-control-allow-origin": origin,
      "access-control-expose-headers": "deprecation, retry-after, www-authenticate",
      vary: "Origin",
    };
  }

  /** Of a page that came from this server. */
  private isOwn(request: Request, origin: string): boolean {
    if (!URL.canParse(origin)) return false;
    const { publicUrl } = this.options;
    const isPublic = publicUrl !== undefined && new URL(publicUrl).origin === origin;
    return isPublic || new URL(origin).host === new URL(request.url).host;
  }

  private isAllowed(request: Request, origin: string): boolean {
    const { cors } = this.options;
    if (cors.includes(origin)) return true;
    return cors.includes("*") && !new URL(request.url).pathname.startsWith("/_sim/");
  }
}

/** A host's name without its port, brackets and last dot. */
function bare(host: string): string {
  const name = isIP(host) === 0 && URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host;
  return name
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .replace(/^::ffff:(?=\d+\.)/, "")
    .toLowerCase();
}

function isSafe({ method }: Request): boolean {
  return ["GET", "HEAD", "OPTIONS"].includes(method);
}

function hasBody({ headers }: Request): boolean {
  const isEmpty = Number(headers.get("content-length") ?? 0) === 0 && !headers.has("transfer-encoding");
  return headers.has("content-type") || !isEmpty;
}

/** Browsers say so of every request that a page sends. */
function isOfBrowser({ headers }: Request): boolean {
  return headers.has("origin") || headers.has("sec-fetch-site");
}

/** In the header; or in the query, for an `EventSource`, which cannot send headers. */
function tokenOf(request: Request): string {
  const [, inHeader] = /^bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  return inHeader ?? new URL(request.url).searchParams.get("token") ?? "";
}
