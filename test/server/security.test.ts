import dns from "node:dns";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createSimulator } from "../../src/index.ts";
import { type ServeOptions, serve } from "../../src/server/index.ts";
import { controlOf, receiver, served, unusedPort } from "./support.ts";

const callAlice = { from: "+6421555001", to: "+6495550100" };

/** A request with headers that `fetch` does not allow. */
function ask(url: string, headers: Record<string, string>, method = "GET", body = "") {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      const sent = httpRequest(url, { method, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      });
      sent.on("error", reject);
      sent.end(body);
    },
  );
}

describe("A server refuses", () => {
  test.each(["evil.test", "evil.test:80", "127.0.0.1.evil.test", "10.0.0.1", "[::2]", "[::a00:1]"])(
    "a request with a foreign host name: %s",
    async (host) => {
      const { sim, url } = await served();
      for (const path of ["/_sim/state", "/calls", "/", "/openapi.json", "/oauth/token"]) {
        const answer = await ask(url + path, { host });
        expect([path, answer.status]).toEqual([path, 403]);
        expect(answer.text).not.toContain(sim.credentials.clientSecret);
      }
    },
  );

  test("no request with this machine's names or its own names", async () => {
    const { url } = await served(
      {},
      { hosts: ["Phones.internal"], publicUrl: "https://phones.acme.test/sim" },
    );
    const { port } = new URL(url);
    const loopback = ["localhost", `127.0.0.1:${port}`, "[::1]:99", "[::ffff:7f00:1]", "[::7f00:1]"];
    for (const host of [...loopback, "phones.internal.", "phones.acme.test"])
      expect([host, (await ask(`${url}/_sim/state`, { host })).status]).toEqual([host, 200]);
  });

  test("no request to a loopback address in IPv6, and needs no token there", async () => {
    const { server } = await served({}, { host: "::ffff:127.0.0.1" });
    expect(server.token).toBeUndefined();
    expect((await fetch(`${server.url}/_sim/state`)).status).toBe(200);
  });

  test.each([
    ["application/x-www-form-urlencoded", "seed=2"],
    ["text/plain", '{"seed":2}'],
    ["multipart/form-data; boundary=x", "--x--"],
    ["application/x-www-form-urlencoded", ""],
    ["", '{"seed":2}'],
  ])("a reset by any request that a form can send: %s %s", async (type, body) => {
    const { url, server, sim, control } = await served();
    await control.post("commands/inbound", callAlice);
    const headers: Record<string, string> = type === "" ? {} : { "content-type": type };
    expect((await ask(`${url}/_sim/reset`, headers, "POST", body)).status).toBe(415);
    expect((await ask(`${url}/_sim/reset`, { origin: "https://evil.test" }, "POST")).status).toBe(403);
    expect((await ask(`${url}/_sim/reset`, { "sec-fetch-site": "cross-site" }, "POST")).status).toBe(415);
    expect(server.simulator).toBe(sim);
  });

  test("changes by a page of another origin, unless that origin is allowed", async () => {
    const { url } = await served({}, { cors: ["https://wall.acme.test"] });
    const json = { "content-type": "application/json" };
    const from = (origin: string) => ask(`${url}/_sim/reset`, { ...json, origin }, "POST", "{}");
    expect((await from("https://evil.test")).status).toBe(403);
    expect((await from("null")).status).toBe(403);
    const allowed = await from("https://wall.acme.test");
    expect(allowed.status).toBe(200);
    expect(allowed.headers["access-control-allow-origin"]).toBe("https://wall.acme.test");
    expect((await from(url)).status).toBe(200);
    for (const path of ["/messages", "/oauth/token", "/_sim/commands/inbound"])
      expect((await ask(url + path, { ...json, origin: "https://evil.test" }, "POST", "{}")).status).toBe(
        403,
      );
  });

  test.each([
    [{ allowLocal: true }, /^allowLocal:/],
    [{ allowLocalWebhooks: true }, /^allowLocalWebhooks:/],
    [{ urls: { api: "https://evil.test" } }, /^urls:/],
    [{ dialect: {} }, /^dialect\.vendorSecret:/],
    [{ dialect: { vendorSecret: null } }, /^dialect\.vendorSecret:/],
    [{ retain: {} }, /^retain\.events:/],
    [{ retain: { events: 11 } }, /^retain\.events:/],
    [{ timing: { endpointTimeout: "P1D" } }, /^timing\.endpointTimeout:/],
    // what an option leaves out counts with its default
    [{ timing: { ringTimeout: "PT1S" } }, /^timing\.endpointTimeout:/],
    [{ webhooks: { schedule: [0, 1, 2, 3], failureLimit: 9 } }, /^webhooks\.schedule: .* more than 3 times/],
    [{ webhooks: { failureLimit: 9 } }, /^webhooks\.schedule:/],
    [{ webhooks: { schedule: [0], failureLimit: 10 } }, /^webhooks\.failureLimit: .* more than 9 /],
    [{ webhooks: { schedule: [0] } }, /^webhooks\.failureLimit:/],
    [{ dialect: { vendorSecret: "other", fieldNames: { id: "x".repeat(201) } } }, /^dialect: .* 200 char/],
    [{ seed: "x".repeat(10_001) }, /^seed: .* 10000/],
    [{ clients: [{ id: "x".repeat(10_001), secret: "s" }] }, /^clients: .* 10000/],
    [{ organisation: { id: "a", users: [{ displayName: "x".repeat(10_001) }] } }, /^organisation: .* 10000/],
  ])("a reset that allows more than the operator did: %j", async (options, message) => {
    const dialect = { vendorSecret: "s3cret" };
    const { server, sim, control } = await served({
      allowLocal: false,
      dialect,
      retain: { events: 10 },
      timing: { endpointTimeout: "PT2S" },
      webhooks: { schedule: [0, "PT1S", "PT5S"], failureLimit: 9 },
    });
    const { status, body } = await control.post("reset", options);
    expect([status, body.code]).toEqual([403, "forbidden"]);
    expect(body.message).toMatch(message);
    expect(server.simulator).toBe(sim);
    const less = {
      retain: { events: 5 },
      dialect: { vendorSecret: "other", fieldNames: { id: "x".repeat(200) } },
      allowLocal: false,
      timing: { endpointTimeout: "PT2S" },
      webhooks: { schedule: [0, "P1D"], failureLimit: 9 },
    };
    expect((await control.post("reset", less)).status).toBe(200);
  });

  test.each(["/oauth/token", "/_sim/reset"])("an endless body: %s", async (path) => {
    const { url } = await served();
    const type = path === "/_sim/reset" ? "application/json" : "application/x-www-form-urlencoded";
    const { answer, sent } = await flood(url, path, type);
    // the server hangs up, so the client may not read the answer
    expect(answer).toMatch(/^(HTTP\/1\.1 4(00|13) |$)/);
    // the sockets of both ends may hold some of it
    expect(sent).toBeLessThan(64 * 1024 * 1024);
    expect((await ask(`${url}/_sim/state`, {})).status).toBe(200);
  });
});

/** Sends a body in chunks until the server answers or hangs up; at most 1 GB. */
function flood(url: string, path: string, type: string) {
  const chunk = Buffer.alloc(64 * 1024, "a");
  const framed = Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n")]);
  return new Promise<{ answer: string; sent: number }>((resolve) => {
    let [answer, sent] = ["", 0];
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const more = () => {
      while (answer === "" && sent < 1 << 30) {
        sent += chunk.length;
        if (!socket.write(framed)) return;
      }
    };
    socket.on("drain", more).on("connect", more);
    socket.on("data", (data) => {
      answer += data;
      socket.destroy();
    });
    socket.on("error", () => {}); // the server may hang up while more is sent
    socket.on("close", () => resolve({ answer, sent }));
  });
}

describe("An option that would admit nobody or everybody is rejected before the server listens", () => {
  test.each<[ServeOptions, RegExp]>([
    [{ token: "" }, /^token: expected .*, got ""$/],
    [{ token: "let me in" }, /^token: expected/],
    [{ cors: "wall.acme.test" }, /^cors\[0\]: expected .*, got "wall\.acme\.test"$/],
    [{ cors: ["https://wall.acme.test", "https://wall.acme.test/app"] }, /^cors\[1\]: expected/],
    [{ cors: "null" }, /^cors\[0\]: expected/],
    [{ hosts: ["https://phones.internal"] }, /^hosts\[0\]: expected/],
    [{ hosts: ["*"] }, /^hosts\[0\]: expected/],
    [{ publicUrl: "phones.acme.test" }, /^publicUrl: expected/],
  ])("%j", async (options, message) => {
    await expect(serve(createSimulator(), { host: "0.0.0.0", ...options })).rejects.toThrow(message);
  });
});

describe("Web pages that may send requests", () => {
  test.each(["https://wall.acme.test/", "HTTPS://Wall.acme.test:443"])(
    "are identified by their origin in any spelling: %s",
    async (cors) => {
      const { url } = await served({}, { cors });
      const { headers } = await ask(`${url}/calls`, { origin: "https://wall.acme.test" });
      expect(headers["access-control-allow-origin"]).toBe("https://wall.acme.test");
    },
  );

  test("include those of the server itself, even behind a proxy", async () => {
    const { url } = await served({}, { publicUrl: "https://phones.acme.test/sim" });
    const from = (origin: string) =>
      ask(`${url}/_sim/reset`, { "content-type": "application/json", origin }, "POST", "{}");
    expect((await from("https://phones.acme.test")).status).toBe(200);
    expect((await from("https://phones.acme.test:8443")).status).toBe(403);
  });

  test("are answered in the preflight and in the request", async () => {
    const { url, sim } = await served({}, { cors: "https://wall.acme.test" });
    const origin = "https://wall.acme.test";
    const preflight = await ask(
      `${url}/calls`,
      { origin, "access-control-request-method": "GET", "access-control-request-headers": "authorization" },
      "OPTIONS",
    );
    expect(preflight).toMatchObject({
      status: 204,
      headers: { "access-control-allow-origin": origin, "access-control-allow-headers": "authorization" },
    });
    const answer = await ask(`${url}/calls`, { origin, authorization: `Bearer ${sim.token()}` });
    expect(answer).toMatchObject({
      status: 200,
      headers: { "access-control-allow-origin": origin, vary: "Origin" },
    });
    const other = await ask(`${url}/calls`, { origin: "https://evil.test" });
    expect(other.headers).not.toHaveProperty("access-control-allow-origin");
  });

  test("of any origin may use the API, but not the control plane", async () => {
    const { url } = await served({}, { cors: "*" });
    const origin = "https://anyone.test";
    expect((await ask(`${url}/openapi.json`, { origin })).headers["access-control-allow-origin"]).toBe(
      origin,
    );
    expect((await ask(`${url}/_sim/state`, { origin })).headers).not.toHaveProperty(
      "access-control-allow-origin",
    );
  });
});

describe("A server that other machines can reach", () => {
  test("has a control plane that needs the token, and shows no secret without it", async () => {
    const sim = createSimulator();
    const server = await serve(sim, { host: "0.0.0.0", outbound: false });
    onTestFinished(() => server.close());
    const url = `http://127.0.0.1:${new URL(server.url).port}`;
    expect(server.token).toMatch(/^[\w-]{32}$/);
    expect((await controlOf(url).get("state")).status).toBe(401);
    expect(
      (await ask(`${url}/_sim/reset`, { "content-type": "application/json" }, "POST", "{}")).status,
    ).toBe(401);
    const authorization = `Bearer ${server.token}`;
    expect((await ask(`${url}/_sim/state`, { authorization })).status).toBe(200);
    expect((await ask(`${url}/_sim/events?token=${server.token}`, {})).status).toBe(200);
    for (const path of ["/", "/openapi.json", "/_sim/openapi.json"]) {
      const { status, text } = await ask(url + path, {});
      expect(status).toBe(200);
      expect(text).not.toContain(sim.credentials.clientSecret);
      expect(text).not.toContain(String(server.token));
    }
  });

  test.each(["0.0.0.0", "::"])(
    "answers requests to any address, but to no foreign name, at %s",
    async (host) => {
      const server = await serve(createSimulator(), { host, outbound: false });
      onTestFinished(() => server.close());
      const authorization = `Bearer ${server.token}`;
      const statusOf = async (host: string) =>
        (await ask(`${server.url}/_sim/state`, { authorization, host })).status;
      for (const address of ["10.88.0.1:37191", "[fd00::1]:80"]) expect(await statusOf(address)).toBe(200);
      for (const name of ["evil.test", "10.88.0.1.evil.test"]) expect(await statusOf(name)).toBe(403);
      expect((await ask(`${server.url}/_sim/state`, { host: "10.88.0.1" })).status).toBe(401);
    },
  );

  test("returns URLs with an address that leads to it", async () => {
    const sim = createSimulator();
    const server = await serve(sim, { host: "0.0.0.0", outbound: false });
    onTestFinished(() => server.close());
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(sim.users.get("alice").record.vendorRedirectUrl.startsWith(server.url)).toBe(true);
    const authorization = `Bearer ${server.token}`;
    const host = `0.0.0.0:${new URL(server.url).port}`;
    expect((await ask(`${server.url}/_sim/state`, { authorization, host })).status).toBe(200);
  });

  test("accepts a given token, even on this machine", async () => {
    const { url } = await served({}, { token: "let-me-in" });
    expect((await controlOf(url).get("state")).status).toBe(401);
    expect((await ask(`${url}/_sim/state`, { authorization: "Bearer let-me-in" })).status).toBe(200);
  });

  test("shows no token in its log", async () => {
    const paths: string[] = [];
    const { url } = await served({}, { token: "let-me-in", onRequest: ({ path }) => paths.push(path) });
    await ask(`${url}/_sim/events?token=let-me-in&limit=5`, {});
    expect(paths).toEqual(["/_sim/events?limit=5"]);
  });
});

describe("An outgoing request of a server", () => {
  test.each([
    ["leads to this machine", ["127.0.0.1"]],
    ["leads to this machine too", ["93.184.215.14", "127.0.0.1"]],
  ])("goes only to public addresses, and not to a name that %s", async (_, addresses) => {
    const { url: hooks, received } = await receiver();
    const { sim, control } = await served({ allowLocal: false });
    const lookup = vi.spyOn(dns, "lookup").mockImplementation(((_: string, __: object, done: Done) =>
      done(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      )) as never);
    onTestFinished(() => lookup.mockRestore());
    const { port } = new URL(hooks);
    sim.webhooks.create({ url: `https://crm.acme.test:${port}/hooks`, events: ["call.started"] });
    await control.post("commands/inbound", callAlice);
    expect(received).toEqual([]);
    expect(sim.network.requests).toMatchObject([
      {
        failure: "refused",
        failureReason: "crm.acme.test leads to 127.0.0.1, which is not a public address",
      },
    ]);
  });

  type Done = (error: null, found: { address: string; family: number }[]) => void;
  type Failed = (error: Error) => void;

  test("fails on an answer that is too long", async () => {
    let written = 0;
    const { url: hooks } = await receiver(undefined, (response) => {
      const chunk = Buffer.alloc(1 << 20);
      const more = () => {
        while (!response.destroyed && written < 1 << 30) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once("drain", more);
        }
      };
      more();
    });
    const { sim, control } = await served();
    sim.webhooks.create({ url: hooks, events: ["call.started"] });
    await control.post("commands/inbound", callAlice);
    expect(sim.network.requests).toMatchObject([
      { failure: "refused", failureReason: "the answer is longer than 6 MB" },
    ]);
    expect(written).toBeLessThan(64 << 20);
  });

  test("records the reason for its failure, also in the journal", async () => {
    const gone = `http://127.0.0.1:${await unusedPort()}/hooks`;
    const { url: rude } = await receiver(undefined, (response) => response.socket?.resetAndDestroy());
    const { url: plain } = await receiver();
    const { sim, control } = await served();
    const urls = [gone, rude, "https://no-such-name.invalid/", plain.replace("http:", "https:")];
    for (const url of urls) sim.webhooks.create({ url, events: ["call.started"] });
    // a real name server may be slow, or not there; the other endpoints have addresses
    const lookup = vi.spyOn(dns, "lookup").mockImplementation(((name: string, _: object, failed: Failed) => {
      failed(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" }));
    }) as never);
    onTestFinished(() => lookup.mockRestore());
    await control.post("commands/inbound", callAlice);
    const reasons = sim.network.requests.map(({ failureReason }) => failureReason);
    expect(reasons).toEqual([
      expect.stringMatching(/nobody listens there \(connect ECONNREFUSED/),
      expect.stringMatching(/the connection was reset \(/),
      expect.stringMatching(/the name cannot be resolved \(.*no-such-name\.invalid\)/),
      expect.stringMatching(/SSL|TLS|certificate|reset/i),
    ]);
    const [hook] = sim.webhooks.list();
    expect(sim.webhooks.deliveries(hook?.id ?? "")[0]?.attempts[0]).toMatchObject({
      failureReason: reasons[0],
    });
    const journal = (await control.get("journal")).body;
    expect(JSON.stringify(journal)).toContain("nobody listens there");
  });
});
