import { describe, expect, test } from "vitest";
import { exploreReport, httpSubject } from "../../src/explore/index.ts";
import { parseScenario } from "../../src/index.ts";
import { listening } from "../node/support.ts";

const scenario = parseScenario(`
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "https://crm.acme.test/hooks?of=crm", events: [call.started] } }
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550101" } }
`);

describe("A server as the subject", () => {
  test("is reset before each world, and receives requests at their paths", async () => {
    const asked: string[] = [];
    const { url } = await listening((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers["x-from"]}`);
      response.end();
    });
    const report = await exploreReport({
      scenario,
      subject: httpSubject({ url, reset: "/reset", headers: { "x-from": "ringback" } }),
      eventually: { "is well": (_, server) => server.mustAnswer("/health") },
      deviations: 0,
    });
    expect(report.passed, report.toText()).toBe(true);
    expect(asked).toEqual(["POST /reset ringback", "POST /hooks?of=crm ringback", "GET /health ringback"]);
  });

  test("that hangs fails by that name, and the next world begins anew", async () => {
    const { url } = await listening((request, response) => {
      if (request.url === "/reset") response.end();
    });
    const report = await exploreReport({
      scenario,
      subject: httpSubject({ url, reset: "/reset" }),
      deviations: 0,
      patience: "PT0.2S",
    });
    expect(report.failures).toMatchObject([
      {
        property: "the subject hangs",
        message: expect.stringContaining("while the subject was handling POST"),
      },
    ]);
  });

  test("that breaks the connection fails by that name", async () => {
    const { url } = await listening((request, response) => {
      if (request.url === "/reset") response.end();
      else request.socket.destroy();
    });
    const report = await exploreReport({
      scenario,
      subject: httpSubject({ url, reset: "/reset" }),
      deviations: 0,
    });
    expect(report.failures).toMatchObject([
      {
        property: "the subject throws",
        message: expect.stringMatching(/the server at .* cannot be reached/),
      },
    ]);
  });
});
