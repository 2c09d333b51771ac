import type { World } from "../platform/capabilities.ts";
import type { MetFault } from "../platform/rest-traffic/rest-traffic.ts";
import type { Urls } from "../platform/urls.ts";
import { app, errorAnswer, json } from "./app.ts";
import { answerAudio, audioAt } from "./audio.ts";
import { bodyOf } from "./body.ts";
import { RestError, restErrorOf } from "./errors.ts";
import { answerToken, mustBeAuthorised } from "./oauth.ts";
import { answerRedirect } from "./redirect-handler.ts";

export const TOKEN_PATH = "/oauth/token";
export const REDIRECT_PATH = "/telephony/redirect";

type Service = keyof Urls;

/**
 * Answers a request to the platform: the REST API, the token endpoint or the redirect handler, by the address that it is
 * at. Where they share one, and at any host of this machine, all three are at their paths, there also by plain http. What
 * is wrong with a request is in the answer. Each is kept with its answer, which faults may spoil or hold back.
 * @throws what is no fault of the request, such as what an event handler throws
 */
export async function answer(platform: World, request: Request): Promise<Response> {
  const { method } = request;
  const { pathname, search, isApi } = askedOf(platform, request);
  const path = `${pathname}${search}`;
  const met = platform.restTraffic.faultOf(method, path, isApi);
  const isFault = met !== undefined;
  const [answered, asked] =
    met?.status === undefined ? await usualAnswer(platform, request) : [faultAnswer(met, isApi), request];
  const [body, text] = [await bodyOf(asked), await answered.clone().text()];
  if (platform.engine.isDisposed) return answered; // its journal is closed
  const by = clientOf(platform, request, text);
  const number = platform.command("restServed", {
    ...{ method, path, body, status: answered.status, answer: text },
    ...(by === undefined ? {} : { by }),
    ...(isFault ? { isFault, after: met.afterMs } : {}),
  });
  if (number !== undefined) await platform.restTraffic.held(number);
  return answered;
}

/** The answer without faults, and the request as it was read. */
async function usualAnswer(
  platform: World,
  request: Request,
): Promise<readonly [answered: Response, asked: Request]> {
  let asked = request;
  try {
    const { service, url } = addressed(platform.settings.urls, new URL(request.url));
    if (service === "auth") {
      mustBePost(request, url, TOKEN_PATH);
      return [await answerToken(platform, request), asked];
    }
    if (service === "redirect") {
      mustBePost(request, url, REDIRECT_PATH);
      return [await answerRedirect(platform, request), asked];
    }
    const audio = audioAt(url.pathname);
    if (audio !== undefined) return [answerAudio(platform, request, audio), asked];
    mustBeAuthorised(platform, request);
    mustBeDecodable(url);
    if (url.href !== request.url) asked = new Request(url, request);
    return [await app.fetch(asked, { platform }), asked];
  } catch (error) {
    const refused = errorAnswer(platform, restErrorOf(error));
    return [request.method === "HEAD" ? new Response(null, refused) : refused, asked];
  }
}

/** The path as the service has it, and whether it is one of the API itself. */
function askedOf(platform: World, request: Request): { pathname: string; search: string; isApi: boolean } {
  const whole = new URL(request.url);
  try {
    const { service, url } = addressed(platform.settings.urls, whole);
    return { pathname: url.pathname, search: url.search, isApi: service === "api" };
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    return { pathname: whole.pathname, search: whole.search, isApi: false }; // its answer says what is wrong
  }
}

const faultCodes: Readonly<Record<number, string>> = {
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  429: "too_many_requests",
  500: "internal_error",
  502: "bad_gateway",
  503: "service_unavailable",
  504: "gateway_timeout",
};

function faultAnswer({ status = 503, retryAfterMs }: MetFault, isApi: boolean): Response {
  const message = "a fault of sim.rest.fault answers instead of the platform";
  const headers: Record<string, string> =
    retryAfterMs === undefined ? {} : { "retry-after": String(Math.ceil(retryAfterMs / 1000)) };
  const body = isApi
    ? { code: faultCodes[status] ?? "fault", message }
    : { error: "temporarily_unavailable", error_description: message };
  return json(status, body, headers);
}

/** Whose token a request has, or was given. */
function clientOf(platform: World, request: Request, answered: string): string | undefined {
  const [, sent] = /^bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  const [, given] = /"access_token":"([^"]+)"/.exec(answered) ?? [];
  return platform.tokens.clientOf(sent ?? given ?? "");
}

/** The service that a URL is of, and the URL without the path that the service's own address has. */
function addressed(urls: Urls, url: URL): { service: Service; url: URL } {
  const bases = Object.entries(urls).map(([service, base]) => [service as Service, new URL(base)] as const);
  const here = bases.filter(([, base]) => base.host === url.host && isUnder(base, url));
  const [only, ...others] = here;
  if (only !== undefined) {
    const [service, base] = only;
    if (base.protocol === "https:" && url.protocol !== "https:")
      throw new RestError("forbidden", "expected https: plain http is refused");
    const under = new URL(url);
    under.pathname = url.pathname.slice(prefixOf(base).length);
    return { service: others.length === 0 ? service : serviceByPath(under), url: under };
  }
  if (/^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)) return { service: serviceByPath(url), url };
  const known = [...new Set(Object.values(urls))].map((each) => each.replace(/^https?:\/\//, ""));
  throw new RestError("not_found", `nothing is served at ${url.host}; known: ${known.join(", ")}`);
}

/** The path of an address, without a slash at the end. */
function prefixOf({ pathname }: URL): string {
  return pathname === "/" ? "" : pathname;
}

function isUnder(base: URL, { pathname }: URL): boolean {
  return pathname.startsWith(`${prefixOf(base)}/`);
}

function serviceByPath({ pathname }: URL): Service {
  if (pathname === TOKEN_PATH) return "auth";
  return pathname === REDIRECT_PATH ? "redirect" : "api";
}

function mustBePost({ method }: Request, { pathname }: URL, path: string): void {
  if (pathname !== path)
    throw new RestError("not_found", `there is nothing at ${pathname}; there is: ${path}`);
  if (method === "POST") return;
  const message = `${path} does not take ${method}; it takes POST`;
  throw new RestError("method_not_allowed", message, { headers: { allow: "POST" } });
}

/** Percent-encoding that stands for no text is refused, in the path and in the query. */
function mustBeDecodable({ pathname, search }: URL): void {
  try {
    decodeURIComponent(pathname);
    decodeURIComponent(search);
  } catch {
    throw new RestError("bad_request", "the percent-encoding of the URL is malformed");
  }
}
