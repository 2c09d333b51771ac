import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import { equalsInConstantTime } from "../network/hmac.ts";
import { mediaTypeOf } from "../rest/body.ts";
import { ControlError } from "./errors.ts";

/** Who may ask a server for what. */
export interface AccessOptions {
  /** Names that the server is reached by, beside the addresses of this machine. */
  readonly hosts: readonly string[];
  /** Origins of web pages that may read answers; `*`: any, but not the control plane. */
  readonly cors: readonly string[];
  /** What requests to the control plane must carry as a bearer token; undefined: none is needed. */
  readonly token: string | undefined;
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
    if (origin === null || isSafe(request) || this.isAllowed(request, origin) || isSame(request, origin))
      return;
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

function isSame(request: Request, origin: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === new URL(request.url).host;
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
