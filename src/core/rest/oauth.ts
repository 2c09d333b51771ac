import { decodeUtf8 } from "../foundation/runtime-globals.ts";
import { equalsInConstantTime } from "../network/hmac.ts";
import type { Services } from "../platform/catalogue/services.ts";
import { RestError } from "../platform/declare/rest-errors.ts";
import { DEPRECATED_SINCE, json } from "./app.ts";
import { bearerTokenOf } from "./bearer.ts";
import { mediaTypeOf, readText } from "./body.ts";

/** The errors of RFC 6749, section 5.2, that can occur. */
type OAuthErrorCode = "invalid_request" | "invalid_client" | "unsupported_grant_type";

class OAuthError extends Error {
  override readonly name = "OAuthError";

  constructor(
    readonly code: OAuthErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** The answer of the token endpoint. */
export interface TokenResponse {
  /** The token, to be sent as `authorization: Bearer …`. */
  readonly access_token: string;
  /** Always `Bearer`. */
  readonly token_type: "Bearer";
  /** Seconds. */
  readonly expires_in: number;
}

const noStore = { "cache-control": "no-store", pragma: "no-cache" };

/**
 * `POST /oauth/token`: client credentials as a form or, deprecated, as JSON. The client may also authenticate by HTTP
 * Basic. Rules: docs/fidelity/rest.md#access-tokens; errors by RFC 6749, section 5.2.
 */
export async function answerToken(platform: Services, request: Request): Promise<Response> {
  const isJson = mediaTypeOf(request) === "application/json";
  const headers = isJson ? { ...noStore, deprecation: DEPRECATED_SINCE } : noStore;
  try {
    const parameters = isJson ? await readJsonObject(request) : await readForm(request);
    const client = authenticateClient(platform, request, parameters);
    const grantType = parameters.get("grant_type");
    if (grantType === undefined)
      throw new OAuthError("invalid_request", "grant_type: missing, expected client_credentials");
    if (grantType !== "client_credentials")
      throw new OAuthError("unsupported_grant_type", "grant_type: expected client_credentials");
    const token = platform.command("issueToken", { client });
    const expiresIn = platform.settings.timing.accessTokenLifetime / 1000;
    const answer: TokenResponse = { access_token: token, token_type: "Bearer", expires_in: expiresIn };
    return json(200, answer, headers);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const isUnauthorized = error.code === "invalid_client";
    return json(
      isUnauthorized ? 401 : 400,
      { error: error.code, error_description: error.message },
      { ...headers, ...(isUnauthorized ? { "www-authenticate": 'Basic realm="token"' } : {}) },
    );
  }
}

/**
 * @throws {RestError} `unauthorized` if the request has no valid access token; `forbidden` if it changes something
 * and its client may only read
 */
export function mustBeAuthorised(platform: Services, request: Request): void {
  const token = bearerTokenOf(request);
  if (token !== undefined && platform.tokens.isValid(token)) {
    if (/^(GET|HEAD)$/.test(request.method) || platform.tokens.mayWrite(token)) return;
    const client = platform.tokens.clientOf(token);
    throw new RestError("forbidden", `the client ${client} may only read: its scopes lack "write"`);
  }
  if (token === undefined)
    throw new RestError(
      "unauthorized",
      "expected the header Authorization: Bearer <access token>; POST /oauth/token gives one",
      { headers: { "www-authenticate": "Bearer" } },
    );
  throw new RestError(
    "unauthorized",
    "the access token is unknown or expired: ask the token endpoint for another",
    { headers: { "www-authenticate": 'Bearer error="invalid_token"' } },
  );
}

type OAuthParameters = ReadonlyMap<string, string>;

async function readForm(request: Request): Promise<OAuthParameters> {
  const type = mediaTypeOf(request);
  if (type !== "application/x-www-form-urlencoded")
    throw new OAuthError(
      "invalid_request",
      `expected a body of content type application/x-www-form-urlencoded, got ${type || "none"}`,
    );
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(await readBodyText(request))) {
    if (parameters.has(name)) throw new OAuthError("invalid_request", `${name}: given more than once`);
    // RFC 6749, section 3.2: a parameter without a value counts as omitted
    if (value !== "") parameters.set(name, value);
  }
  return parameters;
}

async function readJsonObject(request: Request): Promise<OAuthParameters> {
  const body = parseJson(await readBodyText(request));
  if (typeof body !== "object" || body === null)
    throw new OAuthError("invalid_request", "expected a JSON object");
  const parameters = Object.entries(body).filter(([, value]) => typeof value === "string" && value !== "");
  return new Map(parameters as [string, string][]);
}

async function readBodyText(request: Request): Promise<string> {
  try {
    return await readText(request);
  } catch (error) {
    // of a compressed body the status says it
    if (!(error instanceof RestError) || error.code === "unsupported_media_type") throw error;
    throw new OAuthError("invalid_request", error.message);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new OAuthError("invalid_request", "expected JSON");
  }
}

/** Finds the client of a request by its credentials. */
function authenticateClient(platform: Services, request: Request, parameters: OAuthParameters): string {
  const given = request.headers.get("authorization");
  const isInBody = parameters.has("client_secret");
  // an old access token, which clients may send with every request, does not authenticate the client here
  const header = isInBody && !/^basic /i.test(given ?? "") ? null : given;
  if (header !== null && isInBody)
    throw new OAuthError("invalid_request", "expected the client's credentials in one place");
  return header === null ? clientOfBody(platform, parameters) : clientOfBasic(platform, header);
}

function clientOfBody({ tokens }: Services, parameters: OAuthParameters): string {
  const [id, secret] = ["client_id", "client_secret"].map((name) => {
    const value = parameters.get(name);
    if (value === undefined) throw new OAuthError("invalid_request", `${name}: missing`);
    return value;
  });
  const client = tokens.clients.find((each) => each.id === id);
  if (client !== undefined && equalsInConstantTime(client.secret, secret ?? "")) return client.id;
  throw new OAuthError("invalid_client", "unknown client or wrong secret");
}

/**
 * The client of a header of HTTP Basic. Both parts should be form-encoded; many clients send them as they are, which is
 * taken too.
 */
function clientOfBasic({ tokens }: Services, header: string): string {
  const [, encoded] = /^basic +(\S+) *$/i.exec(header) ?? [];
  const given = encoded === undefined ? undefined : fromBase64(encoded);
  const colon = given?.indexOf(":") ?? -1;
  const [id, secret] = [listForms(given?.slice(0, colon)), listForms(given?.slice(colon + 1))];
  const client = tokens.clients.find(
    (each) =>
      // an id that has a colon itself
      equalsInConstantTime(`${each.id}:${each.secret}`, given ?? "") ||
      (id.includes(each.id) && secret.some((form) => equalsInConstantTime(each.secret, form))),
  );
  if (client !== undefined && colon >= 0) return client.id;
  throw new OAuthError(
    "invalid_client",
    "unknown client or wrong secret: expected Authorization: Basic and the Base64 of id:secret, each form-encoded (RFC 6749, section 2.3.1) or as it is",
  );
}

/** A part of the credentials as it is, and decoded if it is form-encoded. */
function listForms(part = ""): string[] {
  try {
    return [part, decodeURIComponent(part.replaceAll("+", " "))];
  } catch {
    return [part]; // a percent sign of its own
  }
}

/** The text in UTF-8, or in Latin-1 if it is none. */
function fromBase64(encoded: string): string | undefined {
  try {
    const binary = atob(encoded);
    return decodeUtf8(Uint8Array.from(binary, (character) => character.charCodeAt(0))) ?? binary;
  } catch {
    return undefined;
  }
}
