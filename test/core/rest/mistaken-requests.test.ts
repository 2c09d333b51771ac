import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createSimulator, replay, type Simulator } from "../../../src/index.ts";
import { ask, read } from "./support.ts";

async function messageOf(path: string): Promise<string> {
  const { status, body } = await ask(createSimulator(), "GET", path);
  expect([status, body.code]).toEqual([400, "bad_request"]);
  return body.message;
}

describe("A query that is wrong", () => {
  test.each([
    ["/calls?limit=1&limit=2", "limit: given twice, expected one value"],
    ["/users?email=a@b.test&email=c@d.test&email=e@f.test", "email: given 3 times, expected one value"],
  ])("in a parameter that is given more than once is told so: %s", async (path, message) => {
    expect(await messageOf(path)).toBe(message);
  });

  test.each(["since", "before", "modified"])(
    "in an instant that is ISO 8601 is told of milliseconds: %s",
    async (name) => {
      expect(await messageOf(`/calls?${name}=2026-07-01T00:00:00Z`)).toBe(
        `${name}: expected an instant in milliseconds since the epoch, such as 1782864000000`,
      );
    },
  );

  test.each([
    ["/calls?contactNumber=+6421555001", 'contactNumber: expected "+6421555001"'],
    ["/directory?phoneNumber=+6495550100", 'phoneNumber: expected "+6495550100"'],
    ["/users?email=alice+test@acme.test", "email: expected an e-mail address without blanks"],
  ])("in a plus that became a blank is told of %%2B: %s", async (path, expected) => {
    expect(await messageOf(path)).toBe(`${expected}: a plus in a query means a blank, write it %2B`);
  });
});

describe("A compressed body", () => {
  const send = (sim: Simulator, url: string, body: string, headers: Record<string, string>) =>
    sim.fetch(url, { method: "POST", headers, body: gzipSync(body) });

  test.each(["gzip", "br", "GZIP"])(
    "is refused as 415 with its content-encoding %s, and changes nothing",
    async (encoding) => {
      const sim = createSimulator();
      const headers = {
        authorization: `Bearer ${sim.token()}`,
        "content-type": "application/json",
        "content-encoding": encoding,
      };
      const hook = JSON.stringify({ url: "https://crm.test/", events: ["call.ended"] });
      const { status, body } = await read(await send(sim, "/webhooks", hook, headers));
      expect([status, body.code]).toEqual([415, "unsupported_media_type"]);
      expect(body.message).toBe(
        `expected a body without content-encoding, got ${encoding.toLowerCase()}: send it as it is`,
      );
      expect(sim.webhooks.list()).toEqual([]);
    },
  );

  test("is refused by the token endpoint too", async () => {
    const sim = createSimulator();
    const headers = { "content-type": "application/x-www-form-urlencoded", "content-encoding": "gzip" };
    const answer = await send(sim, `${sim.urls.auth}/oauth/token`, "grant_type=client_credentials", headers);
    expect(answer.status).toBe(415);
    expect(await answer.text()).toContain("got gzip");
  });

  test("that says identity is none", async () => {
    const hook = { url: "https://crm.test/", events: ["call.ended"] };
    const { status } = await ask(createSimulator(), "POST", "/webhooks", hook, {
      "content-encoding": "identity",
    });
    expect(status).toBe(201);
  });
});

describe("HTTP Basic of a client that encodes nothing", () => {
  const secrets = ["plain", "p+q", "100%", "50%off", "a%20b", "s:t", "é", "p+q/%:=&", "a b"];
  const askWith = (sim: Simulator, credentials: string) =>
    sim.fetch(`${sim.urls.auth}/oauth/token`, {
      method: "POST",
      headers: {
        authorization: `Basic ${Buffer.from(credentials).toString("base64")}`,
        "content-type": "application/x-www-form-urlencoded",
      },
      body: "grant_type=client_credentials",
    });
  const encoded = (text: string) => new URLSearchParams({ text }).toString().slice("text=".length);

  test.each(secrets)("is taken as well as one that encodes: secret %j", async (secret) => {
    const sim = createSimulator({ clients: [{ id: "my:crm", secret }] });
    for (const credentials of [
      `my:crm:${secret}`,
      `${encoded("my:crm")}:${encoded(secret)}`,
      `my%3Acrm:${secret}`,
    ])
      expect((await askWith(sim, credentials)).status, credentials).toBe(200);
  });

  test.each(["crm:wrong", "nobody:plain", "crm:plain ", "crm", ":", ""])(
    "is refused as 401 with the expected form, if it matches no client: %j",
    async (credentials) => {
      const sim = createSimulator({ clients: [{ id: "crm", secret: "plain" }] });
      const { status, body } = await read(await askWith(sim, credentials));
      expect([status, body.error]).toEqual([401, "invalid_client"]);
      expect(body.error_description).toMatch(
        /Basic and the Base64 of id:secret, each form-encoded .* or as it is$/,
      );
    },
  );
});

test("A journal with a byte order mark is read", () => {
  const sim = createSimulator();
  sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
  sim.runUntilIdle();
  const text = `\ufeff${JSON.stringify(sim.journal(), undefined, 2)}`;
  expect(replay(text).events.toJSONL()).toBe(sim.events.toJSONL());
});
