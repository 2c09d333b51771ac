import { createHash, createHmac } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { dialectIn } from "../../../src/cli/serve.ts";
import type { Sending } from "../../../src/core/platform/declare/settings.ts";
import { exploreReport } from "../../../src/explore/index.ts";
import {
  createSimulator,
  type DialectInput,
  type PlatformEvent,
  parseScenario,
  type Simulator,
} from "../../../src/index.ts";

const url = "https://crm.acme.test/hooks";
const secret = "s3cret";
const scenario = parseScenario(`
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", signingSecret: ${secret}, events: [call.not_answered] } }
  - { at: PT1S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
`);
const mac = (key: string, text: string, encoding: "base64" | "base64url" | "hex" = "base64") =>
  createHmac("sha256", key).update(text).digest(encoding);

/** A request as an app gets it. */
interface Got {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly nowMs: number;
}

/** A vendor's way to send requests, and what a right app checks. @returns the number that called, if the request is genuine */
interface Vendor {
  readonly send: (
    event: PlatformEvent,
    sending: Sending,
  ) => { headers: Record<string, string>; body: string };
  readonly read: (body: string) => { id: string; from: string };
  readonly isGenuine: (got: Got) => boolean;
  readonly tried: number;
}

const callIn = (event: PlatformEvent) => (event.data as { call: { contactNumber: string } }).call;
const sorted = (fields: URLSearchParams) => [...fields].sort().flat().join("");

/** Forms, signed over the URL and the fields, without a time. */
const form: Vendor = {
  send: (event, { secret: key, url: to }) => {
    const fields = new URLSearchParams({ CallSid: event.id, From: callIn(event).contactNumber });
    const headers = {
      "Content-Type": "application/x-www-form-urlencoded",
      "X-Acme-Signature": mac(key, to + sorted(fields)),
    };
    return { headers, body: fields.toString() };
  },
  read: (body) => {
    const fields = new URLSearchParams(body);
    return { id: fields.get("CallSid") ?? "", from: fields.get("From") ?? "" };
  },
  isGenuine: ({ headers, body }) =>
    headers["x-acme-signature"] === mac(secret, url + sorted(new URLSearchParams(body))),
  tried: 6,
};

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A token as the whole body, with a time in whole seconds. */
const token: Vendor = {
  send: (event, { secret: key, timestamp }) => {
    const claims = { iat: Math.floor(timestamp / 1_000), jti: event.id, from: callIn(event).contactNumber };
    const signed = `${part({ alg: "HS256" })}.${part(claims)}`;
    return {
      headers: { "content-type": "application/jwt" },
      body: `${signed}.${mac(key, signed, "base64url")}`,
    };
  },
  read: (body) => {
    const { jti: id, from } = JSON.parse(Buffer.from(body.split(".")[1] ?? "", "base64url").toString());
    return { id, from };
  },
  isGenuine: ({ body, nowMs }) => {
    const [head, claims = "", signature] = body.split(".");
    const { iat } = JSON.parse(Buffer.from(claims, "base64url").toString());
    return (
      signature === mac(secret, `${head}.${claims}`, "base64url") && Math.floor(nowMs / 1_000) - iat <= 300
    );
  },
  tried: 7,
};

/** JSON with the signature in a field of the body. */
const field: Vendor = {
  send: (event, { secret: key, timestamp }) => {
    const content = { id: event.id, at: timestamp, from: callIn(event).contactNumber };
    const body = JSON.stringify({ ...content, sign: mac(key, JSON.stringify(content), "hex") });
    return { headers: { "content-type": "application/json" }, body };
  },
  read: (body) => JSON.parse(body),
  isGenuine: ({ body, nowMs }) => {
    const { sign, ...content } = JSON.parse(body);
    return sign === mac(secret, JSON.stringify(content), "hex") && nowMs - content.at <= 300_000;
  },
  tried: 7,
};

const digestOf = (body: string) => createHash("sha256").update(body).digest("hex");

/** JSON with a token in a header, which has a digest of the body. */
const bearer: Vendor = {
  send: (event, { secret: key, timestamp }) => {
    const body = JSON.stringify({ id: event.id, from: callIn(event).contactNumber });
    const signed = `${part({ alg: "HS256" })}.${part({ iat: timestamp, digest: digestOf(body) })}`;
    const headers = {
      "content-type": "application/json",
      authorization: `Bearer ${signed}.${mac(key, signed, "base64url")}`,
    };
    return { headers, body };
  },
  read: (body) => JSON.parse(body),
  isGenuine: (got) => isTokenTrue(got) && claimsOf(got).digest === digestOf(got.body),
  tried: 7,
};

const tokenOf = ({ headers }: Got) => (headers.authorization ?? "").replace(/^Bearer /, "").split(".");
const claimsOf = (got: Got) => JSON.parse(Buffer.from(tokenOf(got)[1] ?? "", "base64url").toString());

function isTokenTrue(got: Got): boolean {
  const [head, claims, signature] = tokenOf(got);
  if (signature !== mac(secret, `${head}.${claims}`, "base64url")) return false;
  return got.nowMs - claimsOf(got).iat <= 300_000;
}

test("A digest of the body in a signed token is tried: who does not compare it believes another body", async () => {
  expect((await forgedFor(bearer, bearer.isGenuine))?.believed).toEqual([]);
  const forged = await forgedFor(bearer, isTokenTrue);
  expect(forged?.believed.map(({ is }) => is)).toEqual(["changedBody"]);
});

/** JSON with a digest of the body in a header, which another header signs. */
const digest: Vendor = {
  send: (event, { secret: key, timestamp }) => {
    const body = JSON.stringify({ id: event.id, from: callIn(event).contactNumber });
    const headers = {
      "content-type": "application/json",
      "x-time": String(timestamp),
      "x-digest": digestOf(body),
      "x-signature": mac(key, timestamp + digestOf(body)),
    };
    return { headers, body };
  },
  read: (body) => JSON.parse(body),
  isGenuine: (got) => isDigestSigned(got) && got.headers["x-digest"] === digestOf(got.body),
  tried: 7,
};

function isDigestSigned({ headers, nowMs }: Got): boolean {
  const { "x-time": time = "", "x-digest": said = "", "x-signature": signature } = headers;
  return signature === mac(secret, time + said) && nowMs - Number(time) <= 300_000;
}

test("A signed digest in a header is tried: who does not compare it believes another body", async () => {
  expect(await forgedFor(digest, digest.isGenuine)).toMatchObject({ requests: digest.tried, believed: [] });
  const forged = await forgedFor(digest, isDigestSigned);
  expect(forged?.believed.map(({ is }) => is)).toEqual(["changedBody"]);
});

const vendors = { form, token, field };

/** What an exploration of an app says of forged requests. */
async function forgedFor({ send, read }: Vendor, isGenuine: (got: Got) => boolean) {
  const { result } = await exploreReport({
    scenario,
    dialect: { send },
    deviations: 0,
    shrinkFor: "PT0.001S",
    subject: (sim: Simulator) => {
      const store = { calls: {} as Record<string, string> };
      sim.network.route(url, ({ headers, body }) => {
        if (!isGenuine({ headers, body, nowMs: sim.timestamp })) return 401;
        const { id, from } = read(body);
        store.calls[id] = from;
        return 204;
      });
      return store;
    },
  });
  return result.forged;
}

describe.each(Object.entries(vendors))("A dialect that sends a %s", (_, vendor) => {
  test("is refused wholly by a right app", async () => {
    expect(await forgedFor(vendor, vendor.isGenuine)).toMatchObject({
      requests: vendor.tried,
      believed: [],
      unclear: [],
    });
  });

  test("is named where an app refuses all that comes", async () => {
    const { failures } = await exploreReport({
      ...{ scenario, dialect: { send: vendor.send }, deviations: 0, forged: false, shrinkFor: "PT0.001S" },
      app: (sim: Simulator) => void sim.network.route(url, () => 401),
    });
    expect(failures[0]?.story).toContain("does it check what the dialect's `send` signs");
    expect(failures[0]?.story).not.toContain("sha256=");
  });

  test("is believed wholly by an app whose check decides nothing", async () => {
    const forged = await forgedFor(vendor, (got) => vendor.isGenuine(got) || true);
    expect(forged?.believed).toHaveLength(vendor.tried);
  });

  test("is believed where an app's secret is not set", async () => {
    const forged = await forgedFor(vendor, (got) => {
      const again = (key: string) => vendor.send(eventOf(got, vendor), { ...sending(got), secret: key });
      return vendor.isGenuine(got) || isSame(again(""), got);
    });
    expect(forged?.believed.map(({ is }) => is)).toEqual(["unsetSecret"]);
  });

  const sending = ({ body, nowMs }: Got): Sending => ({
    secret,
    url,
    timestamp: timeOf(body) ?? nowMs,
    body,
  });
  const isSame = (one: { headers: Record<string, string>; body: string }, { headers, body }: Got) =>
    one.body === body && (one.headers["X-Acme-Signature"] ?? "") === (headers["x-acme-signature"] ?? "");
  const eventOf = ({ body }: Got, { read }: Vendor) => {
    const { id, from } = read(body);
    return { id, data: { call: { contactNumber: from } } } as unknown as PlatformEvent;
  };
  const timeOf = (body: string): number | undefined => {
    if (vendor === form) return undefined;
    if (vendor === field) return JSON.parse(body).at;
    return JSON.parse(Buffer.from(body.split(".")[1] ?? "", "base64url").toString()).iat * 1_000;
  };
});

test("Forged requests keep the number that was called, which a dialect may write from its own database", async () => {
  const tenants: Record<string, string> = { "+15550001111": "acme" };
  const write = ({ type, data }: PlatformEvent) => ({
    type,
    from: (data as { call: { contactNumber: string } }).call.contactNumber,
    to: "+15550001111",
  });
  const { result } = await exploreReport({
    scenario,
    dialect: { write },
    deviations: 0,
    forged: true,
    shrinkFor: "PT0.001S",
    subject: (sim: Simulator) => {
      const missed: string[] = [];
      sim.network.route(url, ({ body }) => {
        const { from, to } = JSON.parse(body);
        if (tenants[to] !== undefined) missed.push(from);
        return 200;
      });
      return missed;
    },
  });
  expect(result.forged?.believed).toHaveLength(7);
});

describe("A dialect's functions", () => {
  /** Why the body of a request in this dialect cannot be read. */
  const problemIn = (dialect: DialectInput): string => {
    const sim = createSimulator({ dialect });
    sim.webhooks.create({ url, events: ["call.started"] });
    sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
    sim.advance("PT1S");
    try {
      return sim.network.requests[0]?.body ?? "no request";
    } catch (error) {
      return (error as Error).message;
    }
  };

  test.each<readonly [what: string, body: unknown]>([
    ["a form", new URLSearchParams({ a: "1" })],
    ["a map", new Map([["a", 1]])],
    ["a promise", Promise.resolve({ a: 1 })],
    ["bytes", new Uint8Array([1, 2])],
    ["a date", new Date(0)],
    ["text", "a=1"],
  ])("refuse %s as the body that is sent as JSON", (_, body) => {
    expect(problemIn({ write: () => body })).toMatch(
      /dialect\.write: expected an object as the body of call\.started, got .*; `send` sends bodies that are not JSON/,
    );
  });

  test("are blamed, and not the app that reads what they make", async () => {
    const write = () => new URLSearchParams({ a: "1" });
    const app = (sim: Simulator) => void sim.network.route(url, ({ body }) => (body === "" ? 400 : 204));
    await expect(exploreReport({ scenario, dialect: { write }, deviations: 0, app })).rejects.toThrow(
      /^dialect\.write: expected an object as the body of call\.not_answered, got a URLSearchParams; `send`/,
    );
  });

  test.each<readonly [body: object, shown: string]>([
    [new ArrayBuffer(2), "an ArrayBuffer"],
    [new (class {})(), "an object of a class without a name"],
  ])("are told that %o is %s", (body, shown) => {
    expect(problemIn({ write: () => body })).toContain(`got ${shown};`);
  });

  test.each<readonly [what: string, made: unknown]>([
    ["no headers", { body: "a" }],
    ["a body that is no text", { headers: {}, body: {} }],
    ["a promise", Promise.resolve({ headers: {}, body: "a" })],
  ])("refuse a request with %s", (_, made) => {
    const send = () => made as { headers: Record<string, string>; body: string };
    expect(problemIn({ send })).toMatch(
      /dialect\.send: expected \{ headers, body \}, both of text, for call\.started, got /,
    );
  });

  test("send what `write` writes, signed as `send` says, and leave out what `send` leaves out", async () => {
    const got: unknown[] = [];
    await exploreReport({
      scenario,
      deviations: 0,
      forged: false,
      dialect: {
        write: ({ id }) => ({ id }),
        send: (_, { body }) => ({ headers: { "X-Sum": mac(secret, body, "hex") }, body }),
      },
      subject: (sim: Simulator) => {
        sim.network.route(url, ({ headers, body }) => got.push([headers, body]) && 204);
        return {};
      },
    });
    const body = '{ "id":"event-2"}';
    expect(got[0]).toEqual([{ "x-sum": mac(secret, body, "hex") }, body]);
    expect(problemIn({ send: () => undefined })).toBe("no request");
  });
});

describe("A dialect's module", () => {
  const moduleWith = (text: string) => {
    const folder = mkdtempSync(join(tmpdir(), "ringback-dialect-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "dialect.mjs"), text);
    return join(folder, "dialect.mjs");
  };

  test("may export more, which is left out", async () => {
    const file = moduleWith('export const serviceName = "acme";\nexport const tenants = { a: 1 };\n');
    expect(await dialectIn(file)).toEqual({ serviceName: "acme" });
    const withDefault = moduleWith('export const serviceName = "acme";\nexport default { tenants: 1 };\n');
    expect(await dialectIn(withDefault)).toEqual({ serviceName: "acme" });
  });

  test("is refused for an export that is misspelt", async () => {
    const file = moduleWith("export const wirte = (event) => event;\n");
    await expect(dialectIn(file)).rejects.toThrow(/dialect\.wirte: did you mean `write`\?/);
  });
});
