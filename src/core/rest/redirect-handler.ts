import { equalsInConstantTime } from "../network/hmac.ts";
import { vendorSignature } from "../network/vendor-signature.ts";
import type { CommandInput } from "../platform/base/core-services.ts";
import type { Services } from "../platform/catalogue/services.ts";
import { RestError } from "../platform/declare/rest-errors.ts";
import { ANONYMOUS, WITHHELD_NUMBER } from "../records/withheld.ts";
import { mediaTypeOf, readText } from "./body.ts";

/** The names in the query that are not passthrough parameters. Others are ignored: `unknownParameters` lists them. */
const queryNames = [
  "extension",
  "nextOfferTimeout",
  "organisationId",
  "priority",
  "returnTo",
  "returnToId",
  "sendToVoicemail",
  "timeout",
] as const;

/** The vendor's names of its form parameters. A request without a form may have them in the query. */
const formNames = {
  vendorCallId: ["parentCallId", "ParentCallSid", "CallSid"],
  from: ["from", "From"],
  to: ["to", "To"],
} as const;

/** The names of a redirect's query that nothing reads, each once. */
export function unknownParameters({ searchParams }: URL): string[] {
  const known: readonly string[] = [...queryNames, ...Object.values(formNames).flat()];
  return [...new Set(searchParams.keys())].filter((name) => !name.startsWith("x-") && !known.includes(name));
}

/**
 * `POST /telephony/redirect`: another voice application hands a call over. The answer tells the vendor to join its
 * call to the conference named after ours. Rules: docs/fidelity/rest.md#the-redirect-handler.
 */
export async function answerRedirect(platform: Services, request: Request): Promise<Response> {
  const text = await readText(request);
  const query = [...new URL(request.url).searchParams];
  const form = Object.fromEntries(new URLSearchParams(text));
  mustBeSorted(query.map(([name]) => name));
  mustBeSigned(platform, request, form);
  if (text !== "" && mediaTypeOf(request) !== "application/x-www-form-urlencoded")
    throw new RestError(
      "unsupported_media_type",
      "expected a body of content type application/x-www-form-urlencoded",
    );
  mustBeOnce(query.map(([name]) => name));
  mustBeOnce([...new URLSearchParams(text).keys()]);
  mustHaveAll(new Map(query), text === "" ? undefined : form);
  const call = text === "" ? withDefaults(platform, Object.fromEntries(query)) : form;
  const callId = platform.command("redirect", readArguments(query, call));
  return new Response(joinInstruction(callId), { headers: { "content-type": "text/xml; charset=utf-8" } });
}

/** @throws {RestError} `bad_request` for a parameter that is given twice */
function mustBeOnce(names: readonly string[]): void {
  const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  if (twice.size === 0) return;
  const details = [...twice].map((path) => ({ path, message: "given more than once" }));
  throw new RestError("bad_request", `given more than once: ${[...twice].join(", ")}`, { details });
}

function mustHaveAll(
  query: ReadonlyMap<string, string>,
  form: Readonly<Record<string, string>> | undefined,
): void {
  const missing = [
    ...["extension", "organisationId"].filter((name) => !query.get(name)),
    ...Object.values(form === undefined ? {} : formNames).flatMap((names) =>
      names.some((name) => form?.[name]) ? [] : [names[0]],
    ),
  ];
  if (missing.length === 0) return;
  const details = missing.map((path) => ({ path, message: "missing" }));
  throw new RestError("bad_request", `missing: ${missing.join(", ")}`, { details });
}

/** The vendor's parameters of a request that has all of them in its query. A plain `vendorRedirectUrl` has none. */
function withDefaults(
  platform: Services,
  query: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const given = (names: readonly string[]) => names.map((name) => query[name]).find(Boolean);
  const { directory } = platform;
  const vendorCallId = given(formNames.vendorCallId);
  return {
    from: given(formNames.from) ?? WITHHELD_NUMBER,
    to: given(formNames.to) ?? directory.numberOf(query.extension ?? "") ?? WITHHELD_NUMBER,
    ...(vendorCallId === undefined ? {} : { parentCallId: vendorCallId }),
  };
}

function readArguments(
  query: readonly [string, string][],
  call: Readonly<Record<string, string>>,
): CommandInput<"redirect"> {
  const isKnown = (name: string) => name.startsWith("x-") || (queryNames as readonly string[]).includes(name);
  const parameters = query.filter(
    ([name, value]) => isKnown(name) && (value !== "" || name.startsWith("x-")),
  );
  const vendor = Object.entries(formNames).flatMap(([name, names]) => {
    const value = names.map((each) => call[each]).find(Boolean);
    if (value === undefined) return [];
    const isWithheld = name === "from" && value.toLowerCase() === ANONYMOUS;
    return [[name, isWithheld ? ANONYMOUS : value]];
  });
  return Object.fromEntries([...parameters, ...vendor]);
}

/** The parameters must be in the order in which they are signed. */
function mustBeSorted(names: readonly string[]): void {
  const sorted = [...names].sort();
  if (names.every((name, index) => name === sorted[index])) return;
  throw new RestError(
    "forbidden",
    `expected the query parameters in alphabetical order: ${sorted.join(", ")}; got ${names.join(", ")}`,
  );
}

function mustBeSigned(platform: Services, request: Request, form: Readonly<Record<string, string>>): void {
  const { vendor, vendorSecret } = platform.settings.dialect;
  if (vendorSecret === null) return;
  const name = `x-${vendor}-signature`;
  const signature = request.headers.get(name) ?? "";
  const urls = signedUrls(platform, request);
  if (urls.some((url) => equalsInConstantTime(signature, vendorSignature(vendorSecret, url, form)))) return;
  throw new RestError(
    "forbidden",
    `the header ${name} is not the signature of this request by dialect.vendorSecret`,
  );
}

/**
 * The URLs that the vendor may have signed: the public one, which a proxy may have changed, and the one of this
 * request, with the name in its `host` header.
 */
function signedUrls({ settings }: Services, request: Request): string[] {
  const url = new URL(request.url);
  const handedOut = `${settings.urls.redirect}/telephony/redirect${url.search}`;
  const host = request.headers.get("host");
  if (host !== null) {
    url.port = ""; // kept if the host names no port
    url.host = host;
  }
  return [handedOut, url.href];
}

/** The instruction that tells the vendor to join its call to a conference. */
function joinInstruction(callId: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Response><Dial><Conference>${callId}</Conference></Dial></Response>\n`;
}
