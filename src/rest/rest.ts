import type { World } from "../platform/capabilities.ts";
import type { Urls } from "../platform/urls.ts";
import { app, errorAnswer } from "./app.ts";
import { answerAudio, audioAt } from "./audio.ts";
import { RestError, restErrorOf } from "./errors.ts";
import { answerToken, mustBeAuthorised } from "./oauth.ts";
import { answerRedirect } from "./redirect-handler.ts";

export const TOKEN_PATH = "/oauth/token";
export const REDIRECT_PATH = "/telephony/redirect";

type Service = keyof Urls;

/**
 * Answers a request to the platform: the REST API, the token endpoint or the redirect handler, by the address that it is
 * at. Where they share one, and at any host of this machine, all three are at their paths, there also by plain http. What
 * is wrong with a request is in the answer.
 * @throws what is no fault of the request, such as what an event handler throws
 */
export async function answer(platform: World, request: Request): Promise<Response> {
  try {
    const { service, url } = addressed(platform.settings.urls, new URL(request.url));
    if (service === "auth") {
      mustBePost(request, url, TOKEN_PATH);
      return await answerToken(platform, request);
    }
    if (service === "redirect") {
      mustBePost(request, url, REDIRECT_PATH);
      return await answerRedirect(platform, request);
    }
    const audio = audioAt(url.pathname);
    if (audio !== undefined) return answerAudio(platform, request, audio);
    mustBeAuthorised(platform, request);
    mustBeDecodable(url);
    const isThere = url.href === request.url;
    return await app.fetch(isThere ? request : new Request(url, request), { platform });
  } catch (error) {
    const refused = errorAnswer(platform, restErrorOf(error));
    return request.method === "HEAD" ? new Response(null, refused) : refused;
  }
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
