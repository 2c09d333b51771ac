import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import * as v from "valibot";
import { list, object, readInput } from "../core/foundation/input-schemas.ts";
import { show } from "../core/foundation/show.ts";
import { equalsInConstantTime } from "../core/network/hmac.ts";
import { baseUrl } from "../core/platform/declare/urls.ts";
import { bearerTokenOf } from "../core/rest/bearer.ts";
import { mediaTypeOf } from "../core/rest/body.ts";
import { ControlError } from "./errors.ts";

/** Who may send which requests to a server. */
export interface AccessOptions {
  /** Names of the server, besides the addresses of this machine. */
  readonly hosts: readonly string[];
  /** Origins of web pages that may read answers. `*` allows any, but not for the control plane. */
  readonly cors: readonly string[];
  /** The server's public URL. Its pages count as the server's own. */
  readonly publicUrl: string | undefined;
  /** The bearer token that requests to the control plane need; undefined if they need none. */
  readonly token: string | undefined;
}

const expected = (what: string) => (issue: { input: unknown }) =>
  `expected ${what}, got ${show(issue.input)}`;
const originProblem = expected('an origin such as "https://wall.acme.test", or "*"');
const hostProblem = expected('the name of a host, such as "phones.internal"');
// an empty token would let everyone in, and one with spaces could not be sent
const tokenProblem = expected("a token of visible ASCII characters");
const accessSchema = object({
  hosts: list(v.pipe(v.string(hostProblem), v.check(isHost, hostProblem))),
  cors: list(
    v.pipe(
      v.string(originProblem),
      v.check((text) => readOrigin(text) !== undefined, originProblem),
      v.transform((text) => readOrigin(text) ?? text),
    ),
  ),
  token: v.optional(v.pipe(v.string(tokenProblem), v.regex(/^[!-~]+$/, tokenProblem))),
  publicUrl: v.optional(baseUrl),
});

/**
 * Reads the access options. A value that no browser ever sends, such as an origin with a path, is refused: it would
 * keep out those it should let in.
 * @throws {InputError} naming the option
 */
export function readAccess(options: AccessOptions): AccessOptions {
  const { hosts, cors, token, publicUrl } = readInput(accessSchema, options, []);
  return { hosts, cors, token, publicUrl };
}

/** An origin as browsers send it. `null` is not accepted, since any page can obtain it. */
function readOrigin(text: string): string | undefined {
  if (text === "*") return text;
  if (!URL.canParse(text)) return undefined;
  const { protocol, host, pathname, search, hash, username, password } = new URL(text);
  const isBare = [search, hash, username, password].every((part) => part === "") && pathname.length <= 1;
  return isBare && host !== "" ? `${protocol}//${host}` : undefined;
}

function isHost(text: string): boolean {
  return isIP(text) > 0 || (/^[^/?#@*\s]+$/.test(text) && URL.canParse(`http://${text}`));
}

/** Makes a token that nobody can guess. */
export function newToken(): string {
  return randomBytes(24).toString("base64url");
}

/** Whether an address can be reached only from this machine. */
export function isLoopback(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() === "loopback") return true;
  // some systems take [::127.0.0.1] for 127.0.0.1
  return parsed instanceof ipaddr.IPv6 && parsed.match(ipaddr.IPv6.parse("::7f00:0"), 104);
}

/**
 * Keeps web pages and other machines out. A page in a browser can send requests to this machine, by a name of its own
 * (DNS rebinding) or across origins, but cannot choose the headers `Host` and `Origin`.
 */
export class Access {
  private readonly hosts: ReadonlySet<string>;
  /** Whether it listens at every address. Ports may then be forwarded to it from others, as a container's are. */
  private readonly listensEverywhere: boolean;

  constructor(private readonly options: AccessOptions) {
    this.hosts = new Set(options.hosts.map(bareHost));
    this.listensEverywhere = this.hosts.has("0.0.0.0") || this.hosts.has("::");
  }

  /** @throws {ControlError} 403 if the request's host is not a name of this server */
  mustNameThisServer(request: Request, localAddress: string | undefined): void {
    const hosts = [new URL(request.url).host, request.headers.get("host") ?? ""].filter(
      (each) => each !== "",
    );
    for (const host of hosts) {
      const name = bareHost(host);
      if (name === "localhost" || isLoopback(name) || this.hosts.has(name)) continue;
      if (isIP(name) > 0 && (this.listensEverywhere || name === bareHost(localAddress ?? ""))) continue;
      throw new ControlError(
        403,
        "forbidden",
        `this server was not started for the host ${host}; add it with --allow-host or --public-url`,
      );
    }
  }

  /** @throws {ControlError} 403 if a web page without permission tries to change something */
  mustComeFromAllowedPage(request: Request): void {
    const origin = request.headers.get("origin");
    if (
      origin === null ||
      isSafe(request) ||
      this.isAllowedOrigin(request, origin) ||
      this.isOwnPage(request, origin)
    )
      return;
    // any page can have a frame with this origin
    if (origin === "null")
      throw new ControlError(403, "forbidden", "a page without an origin of its own may not do this");
    throw new ControlError(
      403,
      "forbidden",
      `a page at ${origin} may not do this; start the server with --cors ${origin} to allow it`,
    );
  }

  /**
   * @param worldToken the token of the world that is asked, which is as good as the server's
   * @throws {ControlError} 401 if a required token is missing; 415 for a body that is not JSON, since any web page
   * can send a form
   */
  mustBeAllowedToControl(request: Request, worldToken?: string): void {
    const { token } = this.options;
    const given = readToken(request);
    const isRight = [token, worldToken].some(
      (each) => each !== undefined && equalsInConstantTime(given, each),
    );
    if (token !== undefined && !isRight)
      throw new ControlError(
        401,
        "unauthorized",
        "the control plane needs the token that the server printed, as Authorization: Bearer <token>",
        { "www-authenticate": "Bearer" },
      );
    if (isSafe(request) || mediaTypeOf(request) === "application/json") return;
    if (!hasBody(request) && !isFromBrowser(request)) return;
    throw new ControlError(
      415,
      "unsupported_media_type",
      "expected a body of content type application/json; {} if there is nothing to say",
    );
  }

  /** Answers a preflight request; undefined for any other. */
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

  /** The headers that let the browser of a page at another origin read an answer. */
  corsHeaders(request: Request): Readonly<Record<string, string>> {
    const origin = request.headers.get("origin");
    if (origin === null || !this.isAllowedOrigin(request, origin)) return {};
    return {
      "access-control-allow-origin": origin,
      "access-control-expose-headers": "deprecation, retry-after, www-authenticate",
      vary: "Origin",
    };
  }

  /** Whether a page came from this server. */
  private isOwnPage(request: Request, origin: string): boolean {
    if (!URL.canParse(origin)) return false;
    const { publicUrl } = this.options;
    const isPublic = publicUrl !== undefined && new URL(publicUrl).origin === origin;
    return isPublic || new URL(origin).host === new URL(request.url).host;
  }

  private isAllowedOrigin(request: Request, origin: string): boolean {
    const { cors } = this.options;
    if (cors.includes(origin)) return true;
    return cors.includes("*") && !new URL(request.url).pathname.startsWith("/_sim/");
  }
}

/** A host's name without its port, brackets and trailing dot. */
function bareHost(host: string): string {
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

/** Whether a request came from a web page. Browsers mark each of those. */
function isFromBrowser({ headers }: Request): boolean {
  return headers.has("origin") || headers.has("sec-fetch-site");
}

/** The token in the header, or in the query for an `EventSource`, which cannot send headers. */
function readToken(request: Request): string {
  return bearerTokenOf(request) ?? new URL(request.url).searchParams.get("token") ?? "";
}
