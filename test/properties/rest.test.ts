import fc from "fast-check";
import { expect, test } from "vitest";
import { defaultDialect } from "../../src/core/platform/declare/settings.ts";
import { exampleSimulator } from "../../src/core/rest/openapi/examples.ts";
import { createSimulator, type Simulator } from "../../src/index.ts";
import { stateOf } from "../helpers.ts";
import { alwaysAsync } from "./support.ts";

/** Requests that no client should send. Every answer is JSON and says what is wrong; nothing changes. */

const sim = exampleSimulator(createSimulator, defaultDialect);
const document = await sim.openapi();

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.keys(item)
    .filter((key) => key !== "servers")
    .map((method) => ({ path, method: method.toUpperCase(), operation: item[method] })),
);
const writes = operations.filter(
  ({ operation, path }) => operation?.requestBody && !/oauth|telephony/.test(path),
);
const lists = operations.filter(({ operation }) =>
  operation?.parameters?.some(({ name }) => name === "limit"),
);

interface Sent {
  readonly url: string;
  readonly init: RequestInit & { readonly method: string };
}

const headers = (more: Record<string, string> = {}) => ({
  authorization: `Bearer ${sim.token()}`,
  "content-type": "application/json",
  ...more,
});

/** A path with its parameters as in the examples, so that only the tested part is wrong. */
function filled({ path, operation }: (typeof operations)[number]): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const parameter = operation?.parameters?.find((each) => each.in === "path" && each.name === name);
    return encodeURIComponent(String(parameter?.example ?? "x"));
  });
}

const noSuchText = fc.string({ unit: "binary", minLength: 1 }).map((text) => `~${text}`);
/** Half of a surrogate pair cannot be in a URL. */
const wellFormed = (text: string) => text.replaceAll(/\p{Cs}/gu, "?");
const isJson = (body: string | Uint8Array) => {
  try {
    JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body));
    return true;
  } catch {
    return false;
  }
};
const junk = fc.oneof(
  fc.string(),
  fc.constantFrom("{", "[1,", '{"a":}', "nul", '"\\u12"', "\u0000"),
  fc.uint8Array({ minLength: 1 }).map((bytes) => bytes as Uint8Array<ArrayBuffer>),
);
const wrongQuery = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("limit", "next"),
      fc.constantFrom("-1", "1001", "1e3", "0x10", "NaN", "1.5", "~", "💥"),
    )
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`),
  fc.constantFrom("limit=%zz", "next=%ff", "x=%", "limit=1&limit=2", "next=a&next=b"),
  noSuchText.map((text) => `next=${encodeURIComponent(wellFormed(text))}`),
);

const requests: fc.Arbitrary<Sent> = fc.oneof(
  // methods that a path does not take
  fc
    .tuple(fc.constantFrom(...operations), fc.constantFrom("PATCH", "OPTIONS", "PROPFIND", "X-Y"))
    .map(([each, method]) => ({ url: filled(each), init: { method, headers: headers() } })),
  // paths that lead nowhere
  fc
    .tuple(fc.constantFrom("GET", "POST", "PUT", "DELETE"), fc.webPath())
    .filter(([, path]) => !operations.some((each) => each.path === path) && path.split("/").length > 5)
    .map(([method, path]) => ({
      url: path.startsWith("/") ? `/~${path}` : "/~",
      init: { method, headers: headers() },
    })),
  // ids of nothing
  fc
    .tuple(
      fc.constantFrom(
        ...operations.filter(({ path }) => path.includes("{") && !path.startsWith("/phonebook")),
      ),
      noSuchText,
    )
    .filter(([{ method }]) => method === "GET" || method === "DELETE")
    .map(([each, text]) => ({
      url: each.path.replaceAll(/\{\w+\}/g, encodeURIComponent(wellFormed(text))),
      init: { method: each.method, headers: headers() },
    })),
  // queries
  fc.tuple(fc.constantFrom(...lists), wrongQuery).map(([each, query]) => ({
    url: `${filled(each)}?${query}`,
    init: { method: "GET", headers: headers() },
  })),
  // bodies that are not JSON, or not as the document says
  fc
    .tuple(
      fc.constantFrom(...writes),
      junk.filter((body) => body !== "" && !isJson(body)),
    )
    .map(([each, body]) => ({
      url: filled(each),
      init: { method: each.method, headers: headers(), body },
    })),
  fc.tuple(fc.constantFrom(...writes), fc.jsonValue()).map(([each, value]) => ({
    url: filled(each),
    init: { method: each.method, headers: headers(), body: JSON.stringify({ "~unknown": value }) },
  })),
  // valid bodies with one field replaced
  fc
    .tuple(fc.constantFrom(...writes), fc.nat(), fc.constantFrom(0, true, {}, [[]], -1.5))
    .map(([each, index, wrong]) => {
      const content = each.operation?.requestBody?.content?.["application/json"];
      const example = content?.example as Record<string, unknown>;
      const names = Object.keys(example).filter((name) => name !== "passthroughParameters");
      const name = names[index % names.length] ?? "";
      // numbers are wrong in any case: no field takes one below 1
      const isFine = wrong === true && typeof example[name] === "boolean";
      const body = JSON.stringify({ ...example, [name]: isFine ? "💥" : wrong });
      return { url: filled(each), init: { method: each.method, headers: headers(), body } };
    }),
  // other content types
  fc
    .tuple(
      fc.constantFrom(...writes),
      fc.constantFrom("text/plain", "application/xml", "multipart/form-data", "json"),
    )
    .map(([each, type]) => ({
      url: filled(each),
      init: { method: each.method, headers: headers({ "content-type": type }), body: "{}" },
    })),
  // tokens
  fc.tuple(fc.constantFrom(...operations), fc.string({ unit: "grapheme-ascii" })).map(([each, token]) => ({
    url: filled(each),
    init: { method: each.method, headers: { authorization: `Bearer ${token}` } },
  })),
  // the token endpoint and the redirect handler
  fc
    .tuple(fc.constantFrom("/oauth/token", "/telephony/redirect?extension=101&organisationId=acme"), junk)
    .map(([path, body]) => ({
      url: `${path.startsWith("/oauth") ? sim.urls.auth : sim.urls.redirect}${path}`,
      init: {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: typeof body === "string" ? `x${body}` : body,
      },
    })),
);

/** An answer to a request that was refused. */
async function expectRefused(target: Simulator, { url, init }: Sent): Promise<void> {
  const response = await target.fetch(url, init);
  const text = await response.text();
  expect(response.status, text).toBeGreaterThanOrEqual(400);
  expect(response.status, text).toBeLessThan(500);
  expect(response.headers.get("content-type")).toBe("application/json");
  const { code, error, details = [] } = JSON.parse(text);
  expect(code ?? error).toEqual(expect.any(String));
  const paths = details.map(({ path }: { path: string }) => path);
  expect(paths).toEqual([...new Set(paths)]);
}

test("A malformed request gets a client error in JSON and changes nothing", async () => {
  sim.token();
  const before = stateOf(sim);
  await alwaysAsync(5_000, requests, (sent) => expectRefused(sim, sent));
  expect(stateOf(sim)).toEqual(before);
});

test("No request gets a server error", async () => {
  const anything = fc.record({
    path: fc.oneof(fc.webPath(), fc.constantFrom(...operations.map(filled))),
    query: fc.oneof(fc.webQueryParameters(), wrongQuery),
    method: fc.constantFrom("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH"),
    body: fc.option(fc.oneof(fc.json(), junk), { nil: undefined }),
    type: fc.constantFrom("application/json", "text/plain", "application/x-www-form-urlencoded", ""),
  });
  await alwaysAsync(1_000, anything, async ({ path, query, method, body, type }) => {
    const target = createSimulator();
    const response = await target.fetch(`${target.urls.api}/${path.replace(/^\/+/, "")}?${query}`, {
      method,
      headers: { authorization: `Bearer ${target.token()}`, ...(type && { "content-type": type }) },
      ...(body === undefined || method === "GET" || method === "HEAD" ? {} : { body }),
    });
    expect(response.status).toBeLessThan(500);
    const text = await response.text();
    if (text !== "") JSON.parse(text);
  });
});
