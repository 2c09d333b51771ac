import type { Platform } from "../platform/platform.ts";
import { urls } from "../platform/settings.ts";
import { app, errorAnswer } from "./app.ts";
import { RestError, restErrorOf } from "./errors.ts";
import { answerToken, mustBeAuthorised } from "./oauth.ts";
import { answerRedirect } from "./redirect-handler.ts";

export const TOKEN_PATH = "/oauth/token";
export const REDIRECT_PATH = "/telephony/redirect";

type Service = "api" | "auth" | "redirect";

const services = new Map<string, Service>(
  (["api", "auth", "redirect"] as const).map((service) => [new URL(urls[service]).host, service]),
);

/**
 * Answers a request to the platform: the REST API, the token endpoint or the redirect handler, by its host. At a host of
 * this machine all three are at their paths, also by plain http. What is wrong with a request is in the answer.
 * @throws what is no fault of the request, such as what an event handler throws
 */
export async function answer(platform: Platform, request: Request): Promise<Response> {
  try {
    const url = new URL(request.url);
    const service = serviceAt(url);
    if (service === "auth") {
      mustBePost(request, url, TOKEN_PATH);
      return await answerToken(platform, request);
    }
    if (service === "redirect") {
      mustBePost(request, url, REDIRECT_PATH);
      return await answerRedirect(platform, request);
    }
    mustBeAuthorised(platform, request);
    mustBeDecodable(url);
    return await app.fetch(request, { platform });
  } catch (error) {
    const refused = errorAnswer(platform, restErrorOf(error));
    return request.method === "HEAD" ? new Response(null, refused) : refused;
  }
}

function serviceAt({ protocol, host, hostname, pathname }: URL): Service {
  const service = services.get(host);
  if (service !== undefined) {
    if (protocol === "https:") return service;
    throw new RestError("forbidden", "expected https: plain http is refused");
  }
  if (!/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname))
    throw new RestError(
      "not_found",
      `nothing is served at ${host}; known: ${[...services.keys()].join(", ")}`,
    );
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
