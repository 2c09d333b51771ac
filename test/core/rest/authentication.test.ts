import { describe, expect, test } from "vitest";
import { createSimulator, demoOrganisation, replay, type Simulator } from "../../../src/index.ts";
import { changesIn } from "../../helpers.ts";
import { ask, newSimulator, read } from "./support.ts";

const tokenUrl = (sim: Simulator) => `${sim.urls.auth}/oauth/token`;

function askForToken(sim: Simulator, form: Record<string, string>, headers: Record<string, string> = {}) {
  return sim.fetch(tokenUrl(sim), { method: "POST", body: new URLSearchParams(form), headers }).then(read);
}

const credentialsOf = ({ credentials: { clientId, clientSecret } }: Simulator) => ({
  grant_type: "client_credentials",
  client_id: clientId,
  client_secret: clientSecret,
});

const withToken = (sim: Simulator, token: string) =>
  sim.fetch("/users", { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status);

test("The default secret of a client follows from the seed", () => {
  const [one, again, other] = [1, 1, 2].map((seed) => createSimulator({ seed }).credentials.clientSecret);
  expect(again).toBe(one);
  expect(other).not.toBe(one);
});

describe("The token endpoint", () => {
  test("issues a token for an hour to a client that sends its secret in a form", async () => {
    const sim = newSimulator();
    const { status, headers, body } = await askForToken(sim, credentialsOf(sim));
    expect(status).toBe(200);
    expect(body).toEqual({ access_token: expect.any(String), token_type: "Bearer", expires_in: 3600 });
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.has("deprecation")).toBe(false);
    expect(await withToken(sim, body.access_token)).toBe(200);
  });

  test("accepts JSON, as deprecated", async () => {
    const sim = newSimulator();
    const answer = await sim.fetch(tokenUrl(sim), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(credentialsOf(sim)),
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.has("deprecation")).toBe(true);
  });

  test("accepts the client's credentials by HTTP Basic", async () => {
    const sim = newSimulator();
    const { clientId, clientSecret } = sim.credentials;
    const authorization = `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
    const { status } = await askForToken(sim, { grant_type: "client_credentials" }, { authorization });
    expect(status).toBe(200);
  });

  test.each([
    ["an old access token", "Bearer expired", 200],
    ["other credentials", `Basic ${btoa("a:b")}`, 400],
  ])("accepts a form together with %s in the header", async (_, authorization, status) => {
    const sim = newSimulator();
    expect((await askForToken(sim, credentialsOf(sim), { authorization })).status).toBe(status);
  });

  test.each([
    ["a wrong secret", { client_secret: "wrong" }, 401, "invalid_client"],
    ["an unknown client", { client_id: "nobody" }, 401, "invalid_client"],
    ["another grant", { grant_type: "password" }, 400, "unsupported_grant_type"],
    ["no grant", { grant_type: "" }, 400, "invalid_request"],
    ["no client", { client_id: "" }, 400, "invalid_request"],
    ["no secret", { client_secret: "" }, 400, "invalid_request"],
  ])("answers by RFC 6749 to %s", async (_, wrong, status, error) => {
    const sim = newSimulator();
    const before = changesIn(sim);
    const answer = await askForToken(sim, { ...credentialsOf(sim), ...wrong });
    expect(answer).toMatchObject({ status, body: { error } });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.has("www-authenticate")).toBe(status === 401);
    expect(changesIn(sim)).toEqual(before);
  });

  test.each([
    ["text/plain", "x", 400],
    ["application/json", "{", 400],
    ["application/json", "null", 400],
    ["application/x-www-form-urlencoded", "grant_type=a&grant_type=b", 400],
    ["application/x-www-form-urlencoded", new Uint8Array([0xff]), 400],
    ["application/x-www-form-urlencoded", new Uint8Array(6 * 1024 * 1024 + 1), 400],
  ])("rejects a body of %s: %.20s", async (type, body, status) => {
    const sim = newSimulator();
    const answer = await sim.fetch(tokenUrl(sim), {
      method: "POST",
      headers: { "content-type": type },
      body,
    });
    expect(await read(answer)).toMatchObject({ status, body: { error: "invalid_request" } });
  });

  test("accepts only POST and is the only path of its host", async () => {
    const sim = newSimulator();
    const got = await sim.fetch(tokenUrl(sim));
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"]);
    expect((await sim.fetch(`${sim.urls.auth}/calls`)).status).toBe(404);
  });

  test("accepts every client of the options and issues each its own tokens", async () => {
    const clients = [
      { id: "crm", secret: "one" },
      { id: "bi", secret: "two" },
    ];
    const sim = createSimulator({ clients });
    expect(sim.credentials).toMatchObject({ clientId: "crm", clientSecret: "one" });
    const tokens = await Promise.all(
      clients.map(async ({ id, secret }) => {
        const form = { grant_type: "client_credentials", client_id: id, client_secret: secret };
        return (await askForToken(sim, form)).body.access_token as string;
      }),
    );
    expect(new Set(tokens).size).toBe(2);
    for (const token of tokens) expect(await withToken(sim, token)).toBe(200);
  });
});

test("A client with the names of credentials is rejected", () => {
  const clients = [{ clientId: "crm", clientSecret: "one" }] as never;
  expect(() => createSimulator({ clients })).toThrow(
    "clients[0].clientId: unknown key, expected one of: id, secret, scopes",
  );
});

test("Two clients with one id are rejected", () => {
  const clients = [
    { id: "crm", secret: "one" },
    { id: "crm", secret: "two" },
  ];
  expect(() => createSimulator({ clients })).toThrow("clients: expected a different id for each");
});

describe("An access token", () => {
  test("expires on virtual time, an hour after its issue", async () => {
    const sim = newSimulator();
    const token = sim.token();
    sim.advance("PT59M59.999S");
    expect(await withToken(sim, token)).toBe(200);
    sim.advance(1);
    expect(await withToken(sim, token)).toBe(401);
  });

  test("is returned by sim.token(), valid for at least five minutes", async () => {
    const sim = newSimulator();
    const token = sim.token();
    sim.advance("PT55M");
    expect(sim.token()).toBe(token);
    sim.advance(1);
    const next = sim.token();
    expect(next).not.toBe(token);
    sim.advance("PT5M");
    expect([await withToken(sim, token), await withToken(sim, next)]).toEqual([401, 200]);
  });

  test("is returned by sim.token() even if tokens live less than five minutes", async () => {
    const sim = createSimulator({ timing: { accessTokenLifetime: "PT1M" } });
    const token = sim.token();
    expect(sim.token()).toBe(token);
    sim.advance("PT30S");
    const next = sim.token();
    sim.advance("PT59S");
    expect([await withToken(sim, token), await withToken(sim, next)]).toEqual([401, 200]);
  });

  test.each([
    ["missing", undefined],
    ["unknown", "Bearer nonsense"],
    ["of another scheme", "Basic abc"],
    ["empty", "Bearer "],
  ])("is refused as 401 when it is %s", async (_, authorization) => {
    const sim = newSimulator();
    sim.token();
    const answer = await sim.fetch("/users", {
      headers: authorization === undefined ? {} : { authorization },
    });
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer/);
    expect(await read(answer)).toMatchObject({ status: 401, body: { code: "unauthorized" } });
  });

  test("of another organisation with the same seed is rejected", async () => {
    const sim = newSimulator();
    sim.token();
    const other = createSimulator({ organisation: { ...demoOrganisation, id: "other" } });
    expect(await withToken(sim, other.token())).toBe(401);
  });

  test("is valid in forks and replays", async () => {
    const sim = newSimulator();
    const token = sim.token();
    const replayed = replay(JSON.stringify(sim.journal()));
    expect(replayed.token()).toBe(token);
    expect(await withToken(replayed, token)).toBe(200);
    const fork = sim.fork();
    fork.advance("PT1H");
    expect([await withToken(sim, token), await withToken(fork, token)]).toEqual([200, 401]);
  });
});

describe("The public hosts", () => {
  test.each(["api", "auth", "redirect"] as const)("reject plain http: %s", async (service) => {
    const sim = newSimulator();
    const url = sim.urls[service].replace("https:", "http:");
    const headers = { authorization: `Bearer ${sim.token()}` };
    const answer = await sim.fetch(`${url}/calls`, { headers });
    expect(await read(answer)).toMatchObject({ status: 403, body: { code: "forbidden" } });
  });

  test("are the only ones served besides local hosts", async () => {
    const sim = newSimulator();
    const headers = { authorization: `Bearer ${sim.token()}` };
    expect((await sim.fetch("https://example.com/users", { headers })).status).toBe(404);
    expect((await sim.fetch("http://localhost:8080/users", { headers })).status).toBe(200);
    const token = await sim.fetch("http://127.0.0.1/oauth/token", {
      method: "POST",
      body: new URLSearchParams(credentialsOf(sim)),
    });
    expect(token.status).toBe(200);
  });
});

test("Only the answer that creates a webhook contains a secret", async () => {
  const sim = newSimulator();
  const created = await ask(sim, "POST", "/webhooks", { url: "https://a.test/hook", events: ["*"] });
  const { id, signingSecret } = created.body;
  expect(signingSecret).toMatch(/^[\da-f]{64}$/);
  const changed = await ask(sim, "PUT", `/webhooks/${id}`, { description: "mine" });
  const answers = [changed, await ask(sim, "GET", "/webhooks"), await ask(sim, "GET", `/webhooks/${id}`)];
  for (const { status, body } of answers) {
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain(signingSecret);
    expect(JSON.stringify(body)).not.toContain("signingSecret");
  }
});

describe("A client that may only read", () => {
  const clients = [
    { id: "reader", secret: "one", scopes: ["read"] as const },
    { id: "writer", secret: "two", scopes: ["read", "write"] as const },
    { id: "usual", secret: "three" },
  ];
  const asking = async (id: string) => {
    const sim = createSimulator({ organisation: demoOrganisation, clients });
    const secret = clients.find((each) => each.id === id)?.secret ?? "";
    const form = { grant_type: "client_credentials", client_id: id, client_secret: secret };
    const token = (await askForToken(sim, form)).body.access_token as string;
    return {
      sim,
      ask: async (method: string, path: string, body?: object) => {
        const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
        const given = body === undefined ? {} : { body: JSON.stringify(body) };
        return read(await sim.fetch(path, { method, headers, ...given }));
      },
    };
  };
  const phonebook = { name: "New" };

  test("gets 403 on what changes something, which changes nothing, and reads as all do", async () => {
    const { sim, ask } = await asking("reader");
    const before = (await ask("GET", "/phonebooks")).body;
    for (const [method, path, body] of [
      ["PUT", "/phonebooks/new", phonebook],
      ["POST", "/webhooks", { url: "https://crm.acme.test/hooks", events: ["call.ended"] }],
      ["DELETE", "/phonebooks/none", undefined],
    ] as const)
      expect(await ask(method, path, body)).toMatchObject({
        status: 403,
        body: { code: "forbidden", message: expect.stringContaining("reader may only read") },
      });
    expect(await ask("GET", "/phonebooks")).toMatchObject({ status: 200, body: before });
    expect(sim.webhooks.list()).toEqual([]);
  });

  test.each(["writer", "usual"])(
    "is not a client with the scope write, or with no scopes: %s",
    async (id) => {
      const { ask } = await asking(id);
      expect((await ask("PUT", "/phonebooks/new", phonebook)).status).toBe(201);
      expect((await ask("GET", "/phonebooks/new")).status).toBe(200);
    },
  );
});
