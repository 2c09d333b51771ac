import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { exploreReport, httpApp, httpSubject } from "../../../src/explore/index.ts";
import { parseScenario } from "../../../src/index.ts";
import { listening } from "../../server/support.ts";

const scenario = parseScenario(`
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "https://crm.acme.test/hooks?of=crm", events: [call.started] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
`);

/** Timers that start in a world are the app's, but not those of whoever starts its server again. */
const { setTimeout: later } = globalThis;

describe("A server as the app", () => {
  test("is reset before each world, and receives requests at their paths", async () => {
    const asked: string[] = [];
    const { url } = await listening((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers["x-from"]}`);
      response.end();
    });
    const report = await exploreReport({
      forged: false,
      scenario,
      subject: httpSubject({ url, reset: "/reset", headers: { "x-from": "ringback" } }),
      eventually: { "is well": (_, server) => server.mustAnswer("/health") },
      deviations: 0,
    });
    expect(report.passed, report.toText()).toBe(true);
    const world = ["POST /reset ringback", "POST /hooks?of=crm ringback", "GET /health ringback"];
    // it is run once more at the end
    expect(asked).toEqual([...world, ...world]);
  });

  test("that keeps something when it is reset is not deterministic", async () => {
    let events = 0;
    const { url } = await listening((request, response) => {
      const isFirst = request.url === "/reset" || events++ === 0;
      response.writeHead(isFirst ? 204 : 409).end();
    });
    const report = await exploreReport({
      ...{ scenario, subject: httpSubject({ url, reset: "/reset" }), deviations: 0 },
    });
    expect(report.failures.map(({ property }) => property)).toEqual(["deterministic"]);
    expect(report.failures[0]?.message).toBe(
      "its answers differ: PT0S call.started: status 204 in the first run, status 409 in a later one\n" +
        "most often the server keeps state when it is reset, or works late, for which `--idle` or `--silence` waits; else it is chance",
    );
  });

  test("that hangs fails with that name, and the next world starts afresh", async () => {
    const { url } = await listening((request, response) => {
      if (request.url === "/reset") response.end();
    });
    const report = await exploreReport({
      forged: false,
      scenario,
      subject: httpSubject({ url, reset: "/reset" }),
      deviations: 0,
      patience: "PT0.2S",
    });
    expect(report.failures).toMatchObject([
      {
        property: "the app hangs",
        message: expect.stringContaining("while the app was handling POST"),
      },
    ]);
  });

  test("that ends in a world fails in it, and the others are run once it is there again", async () => {
    let heard = 0;
    let endings = 0;
    const { server, url } = await listening((request, response) => {
      if (request.url === "/reset") heard = 0;
      else if (++heard > 1) return end();
      response.end();
    });
    const { port } = server.address() as AddressInfo;
    const end = () => {
      endings++;
      server.close();
      server.closeAllConnections();
      later(() => server.listen(port, "127.0.0.1"), 100);
    };
    const report = await exploreReport({
      forged: false,
      scenario,
      subject: httpSubject({ url, reset: "/reset" }),
      deviations: { kinds: ["lost", "unanswered"] },
    });
    expect(report).toMatchObject({ worlds: 3, complete: true });
    expect(report.failures).toMatchObject([
      {
        property: "the app throws",
        message: expect.stringContaining("closed the connection without an answer"),
        worlds: 1,
        smallest: { deviations: [{ is: "unanswered" }], isMinimal: true },
      },
    ]);
    expect(endings).toBeGreaterThan(1);
  });

  test("that ends in a world for good is named with the request", async () => {
    const { server, url } = await listening((request, response) => {
      if (request.url === "/reset") return response.end();
      server.close();
      server.closeAllConnections();
    });
    const exploring = exploreReport({
      forged: false,
      scenario,
      subject: httpSubject({ url, reset: "/reset" }),
      deviations: 0,
    });
    await expect(exploring).rejects.toThrow(
      /^reset: POST \/reset: the server at .* cannot be reached: .* Its connection broke at POST \/hooks\?of=crm of an earlier world: restart the server/,
    );
  });

  test("that breaks the connection fails with that name", async () => {
    const { url } = await listening((request, response) => {
      if (request.url === "/reset") response.end();
      else request.socket.destroy();
    });
    const report = await exploreReport({
      forged: false,
      scenario,
      subject: httpSubject({ url, reset: "/reset" }),
      deviations: 0,
    });
    expect(report.failures).toMatchObject([
      {
        property: "the app throws",
        message: expect.stringMatching(/the server at .* closed the connection without an answer/),
      },
    ]);
  });
});

describe("The REST API of a world, for a server", () => {
  /** Looks up the user when it receives a call's event, and asks this many times at most. */
  async function lookingUp(asks: number) {
    const asked: string[] = [];
    let world = { api: "", clientId: "", clientSecret: "" };
    let token = "";
    let knows = false;
    const signIn = async () => {
      const { api, clientId, clientSecret } = world;
      const body = new URLSearchParams({
        client_id: clientId,
        client_secret: clientSecret,
        grant_type: "client_credentials",
      });
      const answer = await fetch(`${api}/oauth/token`, { method: "POST", body });
      token = (await answer.json()).access_token;
    };
    const { url } = await listening(async (request, response) => {
      if (request.url === "/reset") {
        world = (await json(request)) as typeof world;
        [token, knows] = ["", false];
      } else if (request.url === "/hooks?of=crm") {
        if (token === "") await signIn();
        for (let ask = 1; ask <= asks && !knows; ask++) {
          const answer = await fetch(`${world.api}/users`, { headers: { authorization: `Bearer ${token}` } });
          asked.push(`${answer.status} ${answer.headers.get("retry-after")}`);
          if (answer.status === 429) break;
          if (answer.status === 401) await signIn();
          knows = answer.ok;
        }
      }
      response.writeHead(request.url === "/known" && !knows ? 500 : 200).end();
    });
    const report = await exploreReport({
      forged: false,
      scenario,
      subject: httpSubject({ url, reset: "/reset" }),
      eventually: { "knows the users": (_, server) => server.mustAnswer("/known") },
      deviations: { kinds: ["503", "429", "slow", "tokenExpired"] },
    });
    return { report, asked };
  }

  test("has an address that the reset names, and fails like the one in process", async () => {
    const { report, asked } = await lookingUp(2);
    // a 429 holds until half a minute is over, which a server's clock does not see pass
    const found = report.failures.flatMap(({ smallest: { deviations } }) => deviations.map(({ is }) => is));
    expect(new Set(found)).toEqual(new Set(["429"]));
    expect(report.worlds).toBeGreaterThan(5);
    expect(new Set(asked)).toEqual(new Set(["200 null", "503 null", "429 30", "401 null"]));
  });

  test("shows that a server does not retry a failed request", async () => {
    const { report } = await lookingUp(1);
    const smallest = report.failures.flatMap(({ smallest: { deviations } }) => deviations);
    expect(smallest).toMatchObject([{ what: "rest", of: "POST /oauth/token", is: "503" }]);
    expect(report.failures[0]?.smallest.scenario).toContain("is: 503");
  });
});

test.each([
  "http://example.org:4567",
  "https://127.0.0.1:4567",
  "http://127.0.0.1:4567/base",
  "http://127.0.0.1:0",
])("A server that `run` starts is not looked for at %s", (url) => {
  expect(() => httpApp({ run: "node server.js", url })).toThrow(
    `url: expected an address such as http://127.0.0.1:3000, of which the port counts, got ${url}`,
  );
});
