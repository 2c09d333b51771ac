import { describe, expect, test } from "vitest";
import {
  createSimulator,
  demoOrganisation,
  fromFetch,
  replay,
  type SimulatorOptions,
} from "../../../src/index.ts";
import { thrownBy } from "../../helpers.ts";

const asked = "https://crm.acme.test/calls/outbound";

/** An outbound call, for which the platform asks the CRM. */
function asking(options: SimulatorOptions = {}) {
  const organisation = { ...demoOrganisation, dataActions: { outboundCall: asked } };
  const sim = createSimulator({ ids: "counter", ...options, organisation });
  const call = sim.calls.outbound({ from: "alice", to: "+6421555009" });
  return { sim, call };
}

const block = { body: { action: "block" } };
const allow = { body: { action: "allow" } };

describe("sim.network.unroute", () => {
  test("removes a handler and keeps an answer given as data", () => {
    const { sim, call } = asking();
    sim.network.route(asked, block);
    sim.network.route(asked, () => allow);
    sim.network.route("https://a.test", () => 200);
    expect(sim.network.routes).toEqual(["https://a.test", asked]);
    sim.network.unroute("https://a.test");
    sim.network.unroute(asked);
    expect(sim.network.routes).toEqual([asked]);
    sim.advance(0);
    expect(call.status).toBe("blocked");
  });
});

/** A body that contains itself. */
const endless: { self?: unknown } = {};
endless.self = endless;

describe("sim.network.route", () => {
  test("copies an answer given as data", () => {
    const { sim } = asking();
    const body = { action: "allow" };
    sim.network.route(asked, { body });
    body.action = "block";
    sim.advance(0);
    expect(sim.network.requests[0]?.answer?.body).toBe('{"action":"allow"}');
    expect(replay(sim.journal()).network.requests).toEqual(sim.network.requests);
  });

  test("uses the longest prefix, whatever the order of routes", () => {
    const { sim, call } = asking();
    sim.network.route("https://crm.acme.test/calls", block);
    sim.network.route("https://crm.acme.test", () => allow);
    sim.advance(0);
    expect(call.status).toBe("blocked");
  });

  test("uses the latest of equal prefixes", () => {
    const { sim, call } = asking();
    sim.network.route(asked, () => block);
    sim.network.route(asked, allow);
    sim.advance(0);
    expect(call.status).toBe("offered");
  });

  test("passes URL, method, headers and body to the handler", () => {
    const { sim } = asking();
    const seen: unknown[] = [];
    sim.network.route(asked, (request) => {
      seen.push(request);
      return 200;
    });
    sim.advance(0);
    expect(seen).toEqual([
      {
        url: sim.network.requests[0]?.to,
        method: "GET",
        headers: { accept: "application/json" },
        body: "",
      },
    ]);
  });

  test.each([
    ["a status alone", 503, { status: 503, headers: {}, body: "" }],
    ["text", { body: "hello" }, { status: 200, headers: {}, body: "hello" }],
    [
      "anything else as JSON",
      { status: 201, headers: { "X-A": "1" }, body: { a: 1 } },
      { status: 201, headers: { "content-type": "application/json", "x-a": "1" }, body: '{"a":1}' },
    ],
    [
      "a Response without a body",
      new Response(null, { status: 204 }),
      { status: 204, headers: {}, body: "" },
    ],
  ])("answers with %s", (_, answer, recorded) => {
    const { sim } = asking();
    sim.network.route(asked, () => answer);
    sim.advance(0);
    expect(sim.network.requests[0]?.answer).toEqual(recorded);
  });

  test.each([
    ["refuses the connection, given { failure: refused }", { failure: "refused" }, "refused", 0],
    ["takes its time to refuse", { failure: "refused", after: "PT2S" }, "refused", 2_000],
    ["refuses the connection, given Response.error()", Response.error(), "refused", 0],
    ["is silent until the limit, given { failure: timeout }", { failure: "timeout" }, "timeout", 5_000],
    ["refuses too late to be waited for", { failure: "refused", after: "PT6S" }, "timeout", 5_000],
  ] as const)("%s", (_, returned, failure, tookMs) => {
    const { sim } = asking();
    sim.network.route(asked, () => returned);
    sim.advance("PT10S");
    const [request] = sim.network.requests;
    expect(request).toMatchObject({ failure, answer: null });
    expect(Number(request?.endedTimestamp) - Number(request?.startedTimestamp)).toBe(tookMs);
    expect(replay(sim.journal()).network.requests).toEqual(sim.network.requests);
  });

  test.each([
    [
      { failure: "refuse" },
      /answer.failure: got "refuse"; did you mean "refused"\? Expected one of refused, timeout/,
    ],
    [{ failure: "refused", status: 200 }, /answer.status: unknown key/],
  ])("treats %j as an error of the endpoint", (returned, message) => {
    const { sim } = asking();
    sim.network.route(asked, () => returned as never);
    expect(() => sim.advance(0)).toThrow(message);
  });

  test("passes a request that can be copied to the handler", () => {
    const { sim } = asking();
    const copies: unknown[] = [];
    sim.network.route(asked, (request) => {
      const { url, method, headers, body } = request;
      expect({ ...request }).toStrictEqual({ url, method, headers, body });
      expect(request).toStrictEqual({ ...request });
      copies.push(JSON.parse(JSON.stringify(request)));
      return allow;
    });
    sim.advance(0);
    expect(copies).toMatchObject([{ method: "GET", headers: { accept: "application/json" }, body: "" }]);
  });

  test("waits for a Response with a body only in an asynchronous run", async () => {
    const { sim, call } = asking();
    sim.network.route(asked, () => Response.json({ action: "block" }));
    expect(thrownBy(() => sim.advance(0))).toMatchObject({ code: "not_allowed" });
    await sim.advanceAsync(0);
    expect(call.status).toBe("blocked");
  });

  test("uses the status of a Response for a webhook without waiting for its body", async () => {
    const url = "https://crm.acme.test/hooks";
    const answered = async (run: (sim: ReturnType<typeof createSimulator>) => unknown) => {
      const sim = createSimulator({ ids: "counter" });
      sim.webhooks.create({ url, events: ["call.started"] });
      sim.network.route(url, () => new Response("busy", { status: 503, headers: { "x-a": "1" } }));
      sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
      await run(sim);
      expect(sim.webhooks.delivery("delivery-1").attempts).toMatchObject([{ status: 503 }]);
      const [request] = sim.network.requests;
      expect(replay(sim.journal()).network.requests).toEqual([request]);
      expect(request?.answer).toMatchObject({ headers: { "x-a": "1" } });
      return request?.answer?.body;
    };
    expect(await answered((sim) => sim.advance("PT1M"))).toBe("");
    expect(await answered((sim) => sim.advanceAsync("PT1M"))).toBe("busy");
  });

  test("serves a fetch app", async () => {
    const { sim, call } = asking();
    sim.network.route(
      "https://crm.acme.test/",
      fromFetch(async (request) => {
        const number = new URL(request.url).searchParams.get("contactNumber");
        return Response.json({ action: number === "+6421555009" ? "block" : "allow" });
      }),
    );
    await sim.runUntilIdleAsync();
    expect(call.status).toBe("blocked");
  });

  test.each([
    [
      "nothing",
      undefined,
      "answer: expected a status, { status, headers, body, after }, { failure } or a Response",
    ],
    ["a status that does not exist", 42, "answer: expected a whole number from 100 to 599, got 42"],
    ["an unknown key", { code: 200 }, "answer.code: unknown key"],
    ["a time that is none", { after: "soon" }, "answer.after: expected a duration"],
    ["a body that JSON cannot say", { body: () => 1 }, "answer.body: expected text, or a JSON value"],
    ["a body without end", { body: endless }, "answer.body: expected text, or a JSON value"],
    [
      "a Response whose status does not exist",
      { status: 42, headers: new Headers(), body: null, text: (): string => "" },
      "answer.status: expected a whole number from 100 to 599, got 42",
    ],
    ["null", null, "answer: expected a status, { status, headers, body, after }"],
    [
      "part of a Response without headers",
      { status: 200, text: (): string => "" },
      "answer.text: unknown key",
    ],
    ["part of a Response without status", { text: (): string => "", headers: new Headers() }, "answer"],
    ["part of a Response without text", { status: 200, headers: new Headers(), json: null }, "answer"],
    ["a failure that is none", { failure: "gone" }, "answer.failure: expected one of refused, timeout"],
  ])("explains the error of a handler that returns %s, and answers 500", (_, answer, problem) => {
    const { sim, call } = asking();
    sim.network.route(asked, () => answer as never);
    expect(() => sim.advance(0)).toThrow(`GET ${asked} (outbound call).${problem}`);
    expect(sim.network.requests[0]?.failure).toBe("status 500");
    expect(call.status).toBe("offered");
  });

  test("explains the error of a handler whose promise has a wrong value", async () => {
    const { sim } = asking();
    sim.network.route(asked, async () => "hello" as never);
    await expect(sim.advanceAsync(0)).rejects.toThrow("answer: expected a status");
  });

  test("throws a rejected promise's error from the asynchronous run that awaits it", async () => {
    const { sim } = asking();
    sim.network.route(asked, () => Promise.reject(new TypeError("broken")));
    expect(thrownBy(() => sim.advance(0))).toMatchObject({ code: "not_allowed" });
    await expect(sim.advanceAsync(0)).rejects.toThrow(new TypeError("broken"));
    expect(sim.network.requests[0]?.failure).toBe("status 500");
  });
});

describe("sim.network.requests", () => {
  test.each([
    [200, null],
    [299, null],
    [300, "status 300"],
    [404, "status 404"],
    [500, "status 500"],
  ])("has for the status %i the failure %j", (status, failure) => {
    const { sim } = asking();
    sim.network.route(asked, { status, body: {} });
    sim.advance(0);
    expect(sim.network.requests[0]).toMatchObject({ failure, answer: { status } });
  });
});

describe("network.unrouted", () => {
  test("answers 200 by default and records the request", () => {
    const { sim } = asking();
    sim.advance(0);
    expect(sim.network.requests[0]?.answer).toEqual({ status: 200, headers: {}, body: "" });
  });

  test("can refuse connections", () => {
    const { sim, call } = asking({ network: { unrouted: "refuse" } });
    sim.advance(0);
    expect(sim.network.requests[0]).toMatchObject({ answer: null, failure: "refused" });
    expect(call.status).toBe("offered");
  });

  test("can throw an error, and the request stays due until there is a route", () => {
    const { sim, call } = asking({ network: { unrouted: "error" } });
    const problem = {
      code: "not_found",
      message: expect.stringContaining('sim.network.route("https://crm.acme.test"'),
    };
    expect(thrownBy(() => sim.advance("PT1S"))).toMatchObject(problem);
    sim.network.route(asked, block);
    sim.advance("PT1S");
    expect(call.status).toBe("blocked");
  });
});
