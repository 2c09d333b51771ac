import { type HttpHandler, HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createSimulator, type Simulator } from "../../../src/index.ts";
import { type Answering, handlers } from "../../../src/testing/msw/index.ts";
import { shareTime } from "../../../src/testing/vitest/index.ts";

function listening(answering: Answering, ...others: HttpHandler[]): void {
  const server = setupServer(...handlers(answering), ...others);
  server.listen({ onUnhandledRequest: "error" });
  onTestFinished(() => server.close());
}

/** Acts as an app does, with the global `fetch` and the URLs and credentials of its configuration. */
async function tokenOf({ urls, credentials }: Simulator): Promise<string> {
  const { clientId, clientSecret } = credentials;
  const answer = await fetch(`${urls.auth}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: clientSecret,
    }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

async function firstCall(sim: Simulator, token: string) {
  const answer = await fetch(`${sim.urls.api}/calls/call-1`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: answer.status, body: await answer.json() };
}

describe("handlers", () => {
  test("let the simulator answer what the app fetches", async () => {
    const sim = createSimulator({ ids: "counter" });
    listening(sim);
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    const { status, body } = await firstCall(sim, await tokenOf(sim));
    expect(status).toBe(200);
    expect(JSON.stringify(body)).toContain('"id":"call-1"');
  });

  test("give the app the errors of the API", async () => {
    const sim = createSimulator();
    listening(sim);
    expect((await firstCall(sim, "nobody's")).status).toBe(401);
  });

  test("ignore other hosts", async () => {
    listening(
      createSimulator(),
      http.get("https://elsewhere.test/*", () => HttpResponse.text("theirs")),
    );
    expect(await (await fetch("https://elsewhere.test/calls")).text()).toBe("theirs");
  });
});

describe("handlers of a shared time", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test("answer at the instant of the app's clock", async () => {
    const sim = createSimulator({ ids: "counter" });
    const time = shareTime(sim);
    listening(time);
    const token = sim.token();
    sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
    const statuses: string[] = [];
    // an app that polls
    setInterval(async () => {
      await firstCall(sim, token);
      statuses.push(`${sim.timestamp - sim.startTimestamp}`);
    }, 20_000);
    await time.advance("PT50S");
    expect(statuses).toEqual(["20000", "40000"]);
  });
});
