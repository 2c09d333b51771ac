import type { AskedInLife } from "../engine/app-work.ts";
import { copyValue } from "../foundation/runtime-globals.ts";
import { never } from "../foundation/values.ts";
import { type ConnectionLoss, ConnectionLost } from "../network/connection-lost.ts";
import { noteInjected } from "../network/dependencies/errors.ts";
import { type CommandArguments, runCommand, runValidated } from "../platform/catalogue/run-command.ts";
import type { Services } from "../platform/catalogue/services.ts";
import { errorStatuses, OTHER_FAULT, RestError } from "../platform/declare/rest-errors.ts";
import { isThisMachine, type Urls } from "../platform/declare/urls.ts";
import type { AnswerOverride, IncomingRequest } from "../platform/rest-traffic/rest-traffic.ts";
import type { Mutable } from "../records/table.ts";
import { errorAnswer, isOfRecord, json, restApp } from "./app.ts";
import { answerAudio, audioAt } from "./audio.ts";
import { bearerTokenOf } from "./bearer.ts";
import { bodyText } from "./body.ts";
import { answerToken, mustBeAuthorised } from "./oauth.ts";
import { answerRedirect, unknownParameters } from "./redirect-handler.ts";
import { toRestError } from "./refusals.ts";
import { answeredText, withUrl } from "./text-answer.ts";

const TOKEN_PATH = "/oauth/token";
const REDIRECT_PATH = "/telephony/redirect";

type Service = keyof Urls;

/**
 * Answers a request to the REST API, the token endpoint or the redirect handler. Each is found by its address; if
 * they share one, and at localhost, by its path. Only localhost may be called by http. Each request is recorded with
 * its answer. A fault, or a deviation of an exploration, may replace the answer, delay it, or expire tokens first.
 * @param context the handler that calls the API, if one does
 * @throws an error that is not the request's fault, such as that of an event handler
 */
export async function answerRequest(
  platform: Services,
  request: Request,
  context: RequestContext,
): Promise<Response> {
  request.signal.throwIfAborted();
  const done = platform.engine.loop.timeWaits.answer();
  try {
    const { answered: answer, held, lost, restart } = await answerNow(platform, request, context);
    if (restart !== undefined) {
      done();
      restart();
      return await never(); // its code is over
    }
    if (held !== undefined) {
      done();
      await held();
    }
    if (lost === undefined) return withUrl(answer, request.url);
    const error = new ConnectionLost(lost);
    noteInjected(error);
    throw error;
  } finally {
    done();
  }
}

/** What a request needs to know of the run. */
export interface RequestContext {
  /** The platform's own request whose handler calls the API. */
  readonly requestId: string | undefined;
  /** The requests of the life of the app that asks. */
  readonly asked: AskedInLife;
  /** The platform as it was before this instant. */
  before(): Services;
}

interface Answered {
  readonly answered: Response;
  /** Waits if the answer is delayed. */
  readonly held?: () => Promise<void>;
  /** What becomes of the connection, if the client gets no answer. */
  readonly lost?: ConnectionLoss | undefined;
  /** Restarts the app, whose code gets no answer. */
  readonly restart?: (() => void) | undefined;
}

/** The answer, and a function that waits if it is delayed. */
async function answerNow(
  platform: Services,
  request: Request,
  { requestId, asked: askedInLife, before }: RequestContext,
): Promise<Answered> {
  const address = findAddress(platform, request);
  const asked = { ...incomingRequest(platform, request, address, requestId), asked: askedInLife };
  const override = platform.restTraffic.findOverride(asked);
  if (override?.deviation === "tokenExpired") platform.command("expireTokens", {});
  const { lost, restart } = override ?? {};
  const path = asked.pathname + asked.search;
  let number: number | undefined;
  const reporting = beforeCommands(platform, (name, args) => {
    if (number !== undefined) return;
    const by =
      name === "issueToken"
        ? (args as CommandArguments<"issueToken">).client
        : findClient(platform, request, "");
    const asks: Mutable<CommandArguments<"restAsked">> = { method: asked.method, path };
    if (by !== undefined) asks.by = by;
    if (requestId !== undefined) asks.during = requestId;
    number = runValidated(platform, "restAsked", asks);
  });
  const ignored: string[] = [];
  const isBehind =
    override?.deviation === "behind" || (override === undefined && platform.restTraffic.isBehind(asked));
  const isKeptOut = (lost !== undefined && lost !== "unanswered") || restart?.is === "restarted";
  const [answered, read] =
    override?.status === undefined && !isKeptOut
      ? await normalAnswer(reporting, request, address, { ignored, source: isBehind ? before() : reporting })
      : [isKeptOut ? Response.error() : overridingAnswer(override, asked), request];
  const [body, text] = [truncate(await bodyText(read)), await answeredText(answered)];
  const outcome = { answered, lost, restart: restart?.begin };
  if (platform.engine.isDisposed) return outcome; // the journal is closed
  const by = findClient(platform, request, text);
  const served: Mutable<CommandArguments<"restServed">> = {
    method: asked.method,
    path,
    body,
    status: answered.status,
    answer: truncate(text),
  };
  if (by !== undefined) served.by = by;
  if (requestId !== undefined) served.during = requestId;
  if (number !== undefined) served.asked = number;
  if (ignored.length > 0) served.ignored = ignored;
  if (override !== undefined) Object.assign(served, overrideArguments(override));
  const held = runValidated(platform, "restServed", served);
  if (held === undefined) return outcome;
  return { ...outcome, held: () => platform.restTraffic.untilDue(held, asked, override?.afterMs ?? 0) };
}

/** The platform, with a callback before each command. A copy: inheriting would slow the original down. */
function beforeCommands(platform: Services, onCommand: Services["onCommand"]): Services {
  const reporting: Services = {
    ...platform,
    onCommand: onCommand,
    command: (name, args) => runCommand(reporting, name, args),
    runValidated: (name, args) => runValidated(reporting, name, args as CommandArguments<typeof name>),
  };
  return reporting;
}

/** The fault or deviation in the record of a request. */
function overrideArguments(override: AnswerOverride): Partial<CommandArguments<"restServed">> {
  const { fault, deviation, afterMs: after, lost } = override;
  const late = { ...(after === 0 ? {} : { after }), ...(lost === undefined ? {} : { lost }) };
  if (deviation !== undefined) return { deviation, ...late };
  return { ...(fault === undefined ? {} : { fault }), ...late };
}

/** The most characters of a body that are recorded: long lists would fill the journal. */
const LONGEST_RECORDED = 16_384;

function truncate(body: string): string {
  const { length } = body;
  if (length <= LONGEST_RECORDED) return body;
  // cloned: a slice would keep the whole body in memory
  return `${copyValue(body.slice(0, LONGEST_RECORDED))}… (${length} characters)`;
}

/**
 * The answer without faults, and the request as it was read.
 * @param how.ignored gets the names of the query parameters that nothing reads
 * @param how.source where records are read and commands are run: the platform as it is, or as it was
 */
async function normalAnswer(
  platform: Services,
  request: Request,
  address: Address,
  { ignored, source }: { readonly ignored: string[]; readonly source: Services },
): Promise<readonly [answered: Response, asked: Request]> {
  let asked = request;
  try {
    if ("refusal" in address) throw address.refusal;
    const { service, url } = address;
    if (service === "auth") {
      mustBePost(request, url, TOKEN_PATH);
      return [await answerToken(platform, request), asked];
    }
    if (service === "redirect") {
      mustBePost(request, url, REDIRECT_PATH);
      ignored.push(...unknownParameters(url));
      return [await answerRedirect(platform, request), asked];
    }
    const audio = audioAt(url.pathname);
    if (audio !== undefined) return [answerAudio(platform, request, audio), asked];
    mustBeAuthorised(platform, request);
    mustBeDecodable(url);
    if (url.href !== request.url) asked = new Request(url, request);
    return [await restApp(source.settings.profile).fetch(asked, { platform: source, ignored }), asked];
  } catch (error) {
    const refused = errorAnswer(platform, toRestError(error));
    return [request.method === "HEAD" ? new Response(null, refused) : refused, asked];
  }
}

/** Describes a request by the service's own path. */
function incomingRequest(
  platform: Services,
  request: Request,
  address: Address,
  during: string | undefined,
): Omit<IncomingRequest, "asked"> & { readonly search: string } {
  const { method, url, signal } = request;
  const { pathname, search } = address.url;
  const isAuthorised = platform.tokens.isValid(bearerTokenOf(request) ?? "");
  const isApi = "service" in address && address.service === "api";
  const mayBeBehind = () =>
    during !== undefined && method === "GET" && isApi && isAuthorised && isOfRecord(pathname);
  const client = findClient(platform, request, "");
  return { method, url, pathname, search, signal, isApi, isAuthorised, client, mayBeBehind };
}

const faultCodes = new Map<number, string>(
  Object.entries(errorStatuses).map(([code, status]) => [status, code]),
);

function overridingAnswer(
  { status = 503, retryAfterMs, deviation }: Partial<AnswerOverride> = {},
  { pathname }: IncomingRequest,
): Response {
  const who = deviation === undefined ? "a fault of sim.rest.fault" : "a deviation of the explored world";
  const message = `${who} answers instead of the platform`;
  const headers: Record<string, string> =
    retryAfterMs === undefined ? {} : { "retry-after": String(Math.ceil(retryAfterMs / 1000)) };
  const body =
    pathname === TOKEN_PATH
      ? { error: "temporarily_unavailable", error_description: message }
      : { code: faultCodes.get(status) ?? OTHER_FAULT, message };
  return json(status, body, headers);
}

/** The client of a request's token, or of the token in its answer. */
function findClient(platform: Services, request: Request, answered: string): string | undefined {
  return platform.tokens.clientOf(bearerTokenOf(request) ?? issuedToken(answered) ?? "");
}

function issuedToken(answered: string): string | undefined {
  return /"access_token":"([^"]+)"/.exec(answered)?.[1];
}

/** The service at a URL and the path there, or why there is none. */
type Address =
  | { readonly service: Service; readonly url: URL }
  | { readonly refusal: RestError; readonly url: URL };

function findAddress({ settings }: Services, request: Request): Address {
  const url = new URL(request.url);
  try {
    return findService(settings.urls, url);
  } catch (refusal) {
    if (refusal instanceof RestError) return { refusal, url };
    throw refusal;
  }
}

/** The parsed addresses, since each request compares with all. */
const basesByUrls = new WeakMap<Urls, readonly (readonly [service: Service, base: URL])[]>();

function listBases(urls: Urls): readonly (readonly [service: Service, base: URL])[] {
  const known = basesByUrls.get(urls);
  if (known !== undefined) return known;
  const bases = Object.entries(urls).map(([service, base]) => [service as Service, new URL(base)] as const);
  basesByUrls.set(urls, bases);
  return bases;
}

/** Finds the service of a URL, and removes the path of the service's address from it. */
function findService(urls: Urls, url: URL): { readonly service: Service; readonly url: URL } {
  const here = listBases(urls).filter(([, base]) => base.host === url.host && isUnder(base, url));
  const [only, ...others] = here;
  if (only !== undefined) {
    const [service, base] = only;
    if (base.protocol === "https:" && url.protocol !== "https:")
      throw new RestError("forbidden", "expected https: plain http is refused");
    const prefix = prefixOf(base);
    const under = prefix === "" ? url : new URL(url);
    if (prefix !== "") under.pathname = url.pathname.slice(prefix.length);
    return { service: others.length === 0 ? service : serviceByPath(under), url: under };
  }
  // a server answers at whatever port it is reached by, but beside the paths of its own addresses are an app's
  const isOwn = listBases(urls).some(({ 1: base }) => base.host === url.host);
  if (!isOwn && isThisMachine(url)) return { service: serviceByPath(url), url };
  const known = [...new Set(Object.values(urls))].map((each) => each.replace(/^https?:\/\//, ""));
  const where = isOwn ? url.host + url.pathname : url.host;
  throw new RestError("not_found", `nothing is served at ${where}; known: ${known.join(", ")}`);
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
  if (pathname !== path) throw new RestError("not_found", `nothing is served at ${pathname}; known: ${path}`);
  if (method === "POST") return;
  const message = `${path} does not take ${method}; it takes POST`;
  throw new RestError("method_not_allowed", message, { headers: { allow: "POST" } });
}

/** Refuses invalid percent-encoding in the path and the query. */
function mustBeDecodable({ href, pathname, search }: URL): void {
  if (!href.includes("%")) return;
  try {
    decodeURIComponent(pathname);
    decodeURIComponent(search);
  } catch {
    throw new RestError("bad_request", "the percent-encoding of the URL is malformed");
  }
}
