import { createHmac } from "node:crypto";
import { verify } from "@octokit/webhooks-methods";
import { describe, expect, test, vi } from "vitest";
import {
  createSimulator,
  type EndpointRequest,
  type HandlerResult,
  InputError,
  replay,
  type SimulatorOptions,
  verifySignature,
} from "../../../src/index.ts";
import { startMs, stateOf, thrownBy } from "../../helpers.ts";

const url = "https://crm.acme.test/hooks";
const caller = "+6421555001";
const day = 86_400_000;

/** A simulator with a webhook for these events, and what its endpoint receives. */
function hooked(events: string[] = ["*"], answer: HandlerResult = 200, options: SimulatorOptions = {}) {
  const sim = createSimulator({ ids: "counter", ...options });
  const hook = sim.webhooks.create({ url, events: events as never });
  const received: (EndpointRequest & { atMs: number })[] = [];
  sim.network.route(url, (request) => {
    received.push({ ...request, atMs: sim.timestamp - startMs });
    return answer;
  });
  return { sim, hook, received };
}

/** The body of an event's request: JSON with one space after the first brace. */
const bodyOf = (event: unknown) => JSON.stringify(event).replace("{", "{ ");

/** Begins a call that nobody answers: `call.started` now. */
function ring(sim: ReturnType<typeof createSimulator>) {
  return sim.calls.inbound({ from: caller, to: "+6495550103" });
}

/** Makes events of one type that go out at once, in little time. */
function toggle(sim: ReturnType<typeof createSimulator>, times: number) {
  for (let index = 0; index < times; index++) {
    const isBusy = sim.users.get("dave").record.availability.status === "busy";
    sim.users.get("dave").setAvailability(isBusy ? "available" : "busy");
    sim.advance(0);
  }
}

const typesOf = (received: readonly EndpointRequest[]) => received.map(({ body }) => JSON.parse(body).type);

describe("A webhook", () => {
  test("does not build headers and body unless its handler reads them", () => {
    const { sim, hook } = hooked();
    sim.network.route(url, () => 204);
    const stringify = vi.spyOn(JSON, "stringify");
    ring(sim);
    sim.advance(0);
    expect(stringify).not.toHaveBeenCalled();
    stringify.mockRestore();
    expect(sim.webhooks.deliveries(hook.id)).toMatchObject([{ state: "delivered" }]);
  });

  test("has requests that stay readable after the webhook is removed", () => {
    const { sim, hook } = hooked();
    const kept: EndpointRequest[] = [];
    sim.network.route(url, (request) => {
      kept.push(request);
      return 204;
    });
    ring(sim);
    sim.advance(0);
    sim.advance("PT10S");
    sim.webhooks.remove(hook.id);
    const [{ headers = {}, body = "" } = {}] = kept;
    expect(body).toBe(bodyOf(sim.events[0]));
    const { signingSecret: secret } = hook;
    expect(verifySignature({ headers, body, secret, now: startMs }).valid).toBe(true);
    expect(kept[0]?.headers).toBe(headers);
  });

  test("receives each of its event types at the event's instant, with the whole event as body", () => {
    const { sim, received } = hooked(["call.started", "call.not_answered"]);
    ring(sim);
    sim.runUntilIdle();
    expect(received.map(({ atMs }) => atMs)).toEqual([0, 30_000]);
    expect(received.map(({ body }) => body)).toEqual(
      sim.events.filter(({ type }) => type.startsWith("call.")).map(bodyOf),
    );
    expect(received[0]).toMatchObject({
      url,
      method: "POST",
      headers: { "content-type": "application/json" },
    });
  });

  test("receives all events for *", () => {
    const { sim, received } = hooked();
    ring(sim);
    sim.runUntilIdle();
    expect(typesOf(received)).toEqual(sim.events.map(({ type }) => type));
  });

  test("receives no events from before its creation", () => {
    const sim = createSimulator();
    ring(sim);
    const hook = sim.webhooks.create({ url, events: ["*"] });
    sim.advance("PT1S");
    expect(sim.webhooks.deliveries(hook.id)).toEqual([]);
  });

  test("is sent an event after the webhooks that were created before it", () => {
    const sim = createSimulator({ ids: "counter" });
    const urls = ["https://b.test/hooks", "https://a.test/hooks", "https://c.test/hooks"];
    for (const each of urls) sim.webhooks.create({ url: each, events: ["call.started"] });
    ring(sim);
    sim.advance("PT1S");
    expect(sim.network.requests.map(({ to }) => to)).toEqual(urls);
  });

  test("shows its signing secret only on creation", () => {
    const { sim, hook } = hooked();
    expect(hook.signingSecret).toMatch(/^[0-9a-f]{64}$/);
    for (const shown of [sim.webhooks.get(hook.id), ...sim.webhooks.list(), sim.webhooks.update(hook.id, {})])
      expect(JSON.stringify(shown)).not.toContain(hook.signingSecret);
  });

  test("may be part of the organisation, with a given secret", () => {
    const sim = createSimulator({
      organisation: {
        id: "acme",
        webhooks: [{ url, events: ["call.started"], description: "CRM", signingSecret: "s3cret" }],
      },
    });
    const [hook] = sim.webhooks.list();
    expect(hook).toMatchObject({ url, events: ["call.started"], description: "CRM", enabled: true });
    expect(sim.webhooks.signingSecret(hook?.id ?? "")).toBe("s3cret");
  });

  test("has a secret derived from the seed", () => {
    const secretOf = (seed: number) => hooked(["*"], 200, { seed }).hook.signingSecret;
    expect(secretOf(7)).toBe(secretOf(7));
    expect(secretOf(7)).not.toBe(secretOf(8));
  });

  const wrongs: [string, object, string][] = [
    ["an unknown event type", { url, events: ["call.begun"] }, "events[0]: expected one of call.started"],
    ["no event type", { url, events: [] }, "events: expected at least one event type"],
    ["no https", { url: "http://crm.acme.test", events: ["*"] }, "url: expected an https URL"],
    ["nothing of the web", { url: "javascript:alert(1)", events: ["*"] }, "url: expected an https URL"],
    ["no URL", { url: "crm", events: ["*"] }, "url: expected an https URL"],
    ...[
      "localhost",
      "app.localhost",
      "printer.local",
      "intranet",
      "10.1.2.3",
      "172.16.0.1",
      "192.168.1.1",
    ].map((host): [string, object, string] => [
      host,
      { url: `https://${host}/`, events: ["*"] },
      `${host} is private`,
    ]),
    ...["127.0.0.1", "0x7f.1", "169.254.169.254", "0.0.0.0", "100.64.0.1"].map(
      (host): [string, object, string] => [host, { url: `https://${host}/`, events: ["*"] }, "is private"],
    ),
    ...["[::1]", "[::]", "[fe80::1]", "[fd00::1]", "[::ffff:10.0.0.1]", "[::127.0.0.1]"].map(
      (host): [string, object, string] => [host, { url: `https://${host}/`, events: ["*"] }, "is private"],
    ),
  ];

  test.each(wrongs)("rejects %s and changes nothing", (_, webhook, problem) => {
    const sim = createSimulator();
    const before = stateOf(sim);
    expect(thrownBy(() => sim.webhooks.create(webhook as never))).toMatchObject({
      code: "invalid_argument",
      message: expect.stringContaining(problem),
    });
    expect(sim.webhooks.list()).toEqual([]);
    expect(stateOf(sim)).toEqual(before);
  });

  test("is refused with one detail per field, including checks that only the platform can do", () => {
    const { sim, hook } = hooked();
    const wrong = { url: "https://10.1.2.3/", events: [] };
    const details = [
      { path: "events", message: "expected at least one event type" },
      {
        path: "url",
        message:
          'expected a public host: 10.1.2.3 is private, loopback or link-local (the option allowLocal, or --allow-local of the command, allows it), got "https://10.1.2.3/"',
      },
    ];
    expect(thrownBy(() => sim.webhooks.create(wrong))).toMatchObject({ code: "invalid_argument", details });
    expect(thrownBy(() => sim.webhooks.update(hook.id, wrong))).toMatchObject({ details });
  });

  test("may be at a local host if that is allowed, by http too", () => {
    const sim = createSimulator({ allowLocal: true });
    expect(sim.webhooks.create({ url: "http://127.0.0.1:8080/hooks", events: ["*"] }).enabled).toBe(true);
    expect(thrownBy(() => sim.webhooks.create({ url: "http://crm.acme.test", events: ["*"] }))).toMatchObject(
      {
        code: "invalid_argument",
      },
    );
  });

  test.each(["https://8.8.8.8/hooks", "https://[2001:4860:4860::8888]/hooks", "https://crm.acme.test/höfe"])(
    "may be at a public address, and have letters beyond ASCII: %s",
    (url) => {
      expect(createSimulator().webhooks.create({ url, events: ["*"] })).toMatchObject({ url, enabled: true });
    },
  );

  test("of an organisation is checked in the same way", () => {
    const organisation = { id: "acme", webhooks: [{ url: "https://10.0.0.1/", events: ["*" as const] }] };
    expect(() => createSimulator({ organisation })).toThrow(/^webhooks\[0\]\.url: expected a public host/);
    expect(createSimulator({ organisation, allowLocal: true }).webhooks.list()).toHaveLength(1);
  });

  test("that is unknown is not found", () => {
    const { sim } = hooked();
    for (const act of [
      () => sim.webhooks.get("webhook-9"),
      () => sim.webhooks.update("webhook-9", {}),
      () => sim.webhooks.remove("webhook-9"),
      () => sim.webhooks.deliveries("webhook-9"),
    ])
      expect(thrownBy(act)).toMatchObject({
        code: "not_found",
        message: expect.stringContaining("webhook-1"),
      });
  });
});

describe("A delivery", () => {
  test("is signed so that an independent app can check it", async () => {
    const { sim, hook, received } = hooked(["call.started"]);
    ring(sim);
    sim.advance(0);
    const { headers = {}, body = "" } = received[0] ?? {};
    const timestamp = headers["x-service-timestamp"];
    expect(timestamp).toBe(String(startMs));
    const hex = createHmac("sha256", hook.signingSecret).update(`${timestamp}.${body}`).digest("hex");
    expect(headers["x-service-signature"]).toBe(`sha256=${hex}`);
    // the format of another service's webhooks, whose signed text is the body alone
    const isGenuine = await verify(
      hook.signingSecret,
      `${timestamp}.${body}`,
      headers["x-service-signature"] ?? "",
    );
    expect(isGenuine).toBe(true);
    expect(verifySignature({ headers, body, secret: hook.signingSecret, now: sim.now })).toEqual({
      valid: true,
    });
  });

  test("has the service's name in its headers, in lower case", () => {
    const { sim, hook, received } = hooked(["*"], 200, { dialect: { serviceName: "Spoke" } });
    ring(sim);
    sim.advance(0);
    const [request] = received;
    expect(Object.keys(request?.headers ?? {})).toEqual([
      "content-type",
      "x-spoke-timestamp",
      "x-spoke-signature",
    ]);
    expect(
      verifySignature({
        headers: request?.headers ?? {},
        body: request?.body ?? "",
        secret: hook.signingSecret,
        now: sim.now,
        serviceName: "Spoke",
      }),
    ).toEqual({ valid: true });
  });

  test("is attempted ten times in 24 hours with doubling gaps, then abandoned", () => {
    const { sim, hook, received } = hooked(["call.started"], 500);
    ring(sim);
    sim.runUntilIdle();
    const times = Array.from({ length: 10 }, (_, index) => Math.round((day * (2 ** index - 1)) / 511));
    expect(times.slice(0, 3)).toEqual([0, 169_080, 507_241]);
    expect(times.at(-1)).toBe(day);
    expect(received.map(({ atMs }) => atMs)).toEqual(times);
    const [delivery] = sim.webhooks.deliveries(hook.id);
    expect(delivery).toMatchObject({ state: "givenUp", reason: "exhausted", nextAttemptAt: null });
    expect(delivery?.attempts.map(({ number, failure }) => [number, failure])).toEqual(
      times.map((_, index) => [index + 1, "status 500"]),
    );
    expect(sim.webhooks.get(hook.id).consecutiveFailures).toBe(1);
  });

  test("has the same body and event id on every attempt, and fresh timestamp and signature headers", () => {
    const { sim, hook, received } = hooked(["call.started"], 503);
    ring(sim);
    sim.runUntilIdle();
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    for (const { headers, body, atMs } of received) {
      expect(headers["x-service-timestamp"]).toBe(String(startMs + atMs));
      const now = startMs + atMs;
      expect(verifySignature({ headers, body, secret: hook.signingSecret, now }).valid).toBe(true);
    }
    expect(new Set(received.map(({ headers }) => headers["x-service-signature"])).size).toBe(10);
  });

  test("follows a custom schedule", () => {
    const { sim, received } = hooked(["call.started"], 500, { webhooks: { schedule: [0, "PT10S", "PT1M"] } });
    ring(sim);
    sim.runUntilIdle();
    expect(received.map(({ atMs }) => atMs)).toEqual([0, 10_000, 60_000]);
  });

  test.each([
    ["does not begin with 0", ["PT1S", "PT2S"]],
    ["decreases", [0, "PT10S", "PT5S"]],
  ])("cannot have a schedule that %s", (_, schedule) => {
    expect(() => createSimulator({ webhooks: { schedule } })).toThrow(
      /webhooks\.schedule: expected offsets that begin with 0 and never decrease/,
    );
  });

  test("is retried at once if the schedule's gap is shorter than the attempt", () => {
    const { sim, received } = hooked(
      ["call.started"],
      { after: "PT6S" },
      { webhooks: { schedule: [0, 1_000] } },
    );
    ring(sim);
    sim.runUntilIdle();
    expect(received.map(({ atMs }) => atMs)).toEqual([0, 5_000]);
  });

  test.each([500, 502, 503, 599, 429, 408])("is retried after the status %i", (status) => {
    const { sim, hook } = hooked(["call.started"], status);
    ring(sim);
    sim.advance(0);
    expect(sim.webhooks.deliveries(hook.id)).toMatchObject([
      {
        state: "pending",
        nextAttemptTimestamp: startMs + 169_080,
        nextAttemptAt: "2026-07-01T00:02:49.080Z",
      },
    ]);
  });

  test.each([300, 301, 302, 304, 308, 400, 401, 404, 410, 422])(
    "is never retried after the status %i",
    (status) => {
      const { sim, hook, received } = hooked(["call.started"], status);
      ring(sim);
      sim.runUntilIdle();
      expect(received).toHaveLength(1);
      expect(sim.webhooks.deliveries(hook.id)).toMatchObject([{ state: "givenUp", reason: "rejected" }]);
      expect(sim.webhooks.get(hook.id).consecutiveFailures).toBe(1);
    },
  );

  test.each([200, 201, 204, 299])("succeeds with the status %i", (status) => {
    const { sim, hook } = hooked(["call.started"], status);
    ring(sim);
    sim.runUntilIdle();
    expect(sim.webhooks.deliveries(hook.id)).toMatchObject([
      { state: "delivered", reason: null, attempts: [{ number: 1, status, failure: null }] },
    ]);
  });

  test("succeeds with an answer at exactly 5 s", () => {
    const { sim, hook } = hooked(["call.started"], { after: 5_000 });
    ring(sim);
    sim.advance("PT5S");
    expect(sim.webhooks.deliveries(hook.id)).toMatchObject([{ state: "delivered" }]);
  });

  test("fails with an answer a millisecond after 5 s, and is retried", () => {
    const { sim, hook } = hooked(["call.started"], { after: 5_001 });
    ring(sim);
    sim.advance(4_999);
    expect(sim.webhooks.deliveries(hook.id)[0]?.attempts).toMatchObject([{ endedAt: null, failure: null }]);
    sim.advance(1);
    expect(sim.webhooks.deliveries(hook.id)).toMatchObject([
      { state: "pending", attempts: [{ failure: "timeout", status: null, endedTimestamp: startMs + 5_000 }] },
    ]);
    sim.advanceTo(startMs + 169_080);
    expect(sim.webhooks.deliveries(hook.id)[0]?.attempts).toHaveLength(2);
  });

  test("is retried after a refused connection", () => {
    const sim = createSimulator({ network: { unrouted: "refuse" } });
    const hook = sim.webhooks.create({ url, events: ["call.started"] });
    ring(sim);
    sim.advance(0);
    sim.network.route(url, 204);
    sim.runUntilIdle();
    expect(sim.webhooks.deliveries(hook.id)).toMatchObject([
      { state: "delivered", attempts: [{ failure: "refused" }, { failure: null, status: 204 }] },
    ]);
  });

  test("uses the new URL from the next attempt", () => {
    const { sim, hook } = hooked(["call.started"], 500);
    ring(sim);
    sim.advance(0);
    sim.webhooks.update(hook.id, { url: "https://new.acme.test/" });
    sim.runUntilIdle();
    expect(sim.network.requests.map(({ to }) => to)).toEqual([url, "https://new.acme.test/"]);
    expect(sim.webhooks.deliveries(hook.id)).toMatchObject([{ state: "delivered" }]);
  });

  test("is equal in a replay, without an endpoint", () => {
    const { sim, hook } = hooked(["*"], 500);
    ring(sim);
    sim.runUntilIdle();
    const again = replay(sim.journal());
    expect(again.webhooks.deliveries(hook.id)).toEqual(sim.webhooks.deliveries(hook.id));
    expect(again.network.requests).toEqual(sim.network.requests);
  });

  test("continues independently in a fork", () => {
    const { sim, hook } = hooked(["call.started"], 500);
    ring(sim);
    sim.advance("PT1M");
    const fork = sim.fork();
    fork.webhooks.remove(hook.id);
    sim.runUntilIdle();
    expect(sim.webhooks.deliveries(hook.id)[0]?.attempts).toHaveLength(10);
    expect(fork.webhooks.deliveries(hook.id)).toMatchObject([{ state: "dropped", reason: "deleted" }]);
  });
});

describe("A webhook whose deliveries fail", () => {
  const rejecting = () => hooked(["user.availability.updated"], 400);

  test("is still enabled after 1000 in a row, and disabled after 1001", () => {
    const { sim, hook } = rejecting();
    toggle(sim, 1_000);
    expect(sim.webhooks.get(hook.id)).toMatchObject({ enabled: true, consecutiveFailures: 1_000 });
    toggle(sim, 1);
    expect(sim.webhooks.get(hook.id)).toMatchObject({
      enabled: false,
      consecutiveFailures: 1_001,
      disabledTimestamp: sim.timestamp,
    });
  });

  test("resets its count with any success", () => {
    const { sim, hook } = rejecting();
    toggle(sim, 999);
    sim.network.route(url, 200);
    toggle(sim, 1);
    expect(sim.webhooks.get(hook.id).consecutiveFailures).toBe(0);
  });

  const disabled = (options: SimulatorOptions = {}) => {
    const made = hooked(["*"], 400, { webhooks: { failureLimit: 2 }, ...options });
    toggle(made.sim, 2);
    return made;
  };

  test("is disabled with an e-mail to the administrator", () => {
    const { sim, hook } = disabled();
    expect(sim.notifications).toMatchObject([
      {
        kind: "webhookDisabled",
        to: { userId: "alice", email: "alice@acme.test" },
        webhookId: hook.id,
        title: `Webhook disabled: ${url}`,
        body: "3 events in a row could not be delivered.",
      },
    ]);
  });

  test("loses its pending deliveries and gets no later events", () => {
    const { sim, hook, received } = disabled();
    const states = sim.webhooks.deliveries(hook.id).map(({ state, reason }) => [state, reason]);
    expect(states).toEqual([
      ["givenUp", "rejected"],
      ["givenUp", "rejected"],
      ["givenUp", "rejected"],
      ["dropped", "disabled"],
    ]);
    const count = received.length;
    toggle(sim, 1);
    expect(received).toHaveLength(count);
    expect(sim.webhooks.deliveries(hook.id)).toHaveLength(4);
  });

  test("can be enabled again with the count at 0, and does not get the events in between", () => {
    const { sim, hook } = disabled();
    toggle(sim, 1);
    sim.network.route(url, 200);
    expect(sim.webhooks.update(hook.id, { enabled: true })).toMatchObject({
      enabled: true,
      consecutiveFailures: 0,
      disabledAt: null,
    });
    toggle(sim, 1);
    const delivered = sim.webhooks.deliveries(hook.id).filter(({ state }) => state === "delivered");
    expect(delivered).toHaveLength(2); // the user's event and the team's
  });

  test("has its count at 0 if it is enabled while it is enabled, and keeps what is on its way", () => {
    const { sim, hook } = hooked(["user.availability.updated"], 400);
    toggle(sim, 3);
    expect(sim.webhooks.get(hook.id)).toMatchObject({ enabled: true, consecutiveFailures: 3 });
    sim.network.route(url, { after: "PT2S" });
    sim.users.get("alice").setAvailability("busy");
    sim.advance("PT1S");
    expect(sim.webhooks.update(hook.id, { enabled: true })).toMatchObject({
      enabled: true,
      consecutiveFailures: 0,
      disabledAt: null,
    });
    sim.runUntilIdle();
    expect(sim.webhooks.deliveries(hook.id).at(-1)).toMatchObject({ state: "delivered" });
  });

  test("drops pending deliveries when it is disabled by command, without a notification", () => {
    const { sim, hook } = hooked(["call.started"], { after: "PT2S" });
    ring(sim);
    sim.advance("PT1S");
    sim.webhooks.update(hook.id, { enabled: false });
    sim.runUntilIdle();
    expect(sim.webhooks.deliveries(hook.id)).toMatchObject([{ state: "dropped", reason: "disabled" }]);
    expect(sim.notifications.filter(({ kind }) => kind === "webhookDisabled")).toEqual([]);
  });

  test("drops pending deliveries when it is deleted", () => {
    const { sim, hook, received } = hooked(["call.started"], 500);
    ring(sim);
    sim.advance("PT1S");
    sim.webhooks.remove(hook.id);
    sim.runUntilIdle();
    expect(received).toHaveLength(1);
    expect(sim.webhooks.list()).toEqual([]);
    expect(sim.webhooks.deliveries(hook.id)).toMatchObject([{ state: "dropped", reason: "deleted" }]);
  });
});

describe("verifySignature", () => {
  const secret = "s3cret";
  const body = '{"type":"call.started"}';
  const signed = (timestamp: string) => ({
    "X-Service-Timestamp": timestamp,
    "X-Service-Signature": `sha256=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`,
  });
  const now = startMs;

  test("accepts headers in any case, as an object, as one of lists, or as Headers", () => {
    const headers = signed(String(now));
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    expect(verifySignature({ headers: lists, body, secret, now })).toEqual({ valid: true });
    expect(verifySignature({ headers, body, secret, now })).toEqual({ valid: true });
    expect(verifySignature({ headers: new Headers(headers), body, secret, now })).toEqual({ valid: true });
  });

  test.each(['{"displayName":"Zoë 🙂"}', "\ufeff{}"])("accepts the body as bytes: %s", (text) => {
    const signature = createHmac("sha256", secret).update(`${now}.${text}`).digest("hex");
    const headers = { "x-service-timestamp": String(now), "x-service-signature": `sha256=${signature}` };
    for (const body of [text, new TextEncoder().encode(text), Buffer.from(text)])
      expect(verifySignature({ headers, body, secret, now })).toEqual({ valid: true });
  });

  test.each([
    [{ body: JSON.parse(body) }, /^body: expected the raw body, text or bytes, got .*before it is parsed$/],
    [{ secret: undefined }, "secret: expected the webhook's signing secret, got nothing"],
    [{ now: "today" }, /^now: expected an instant/],
    [{ tolerance: "soon" }, /^tolerance: expected a duration/],
  ])("throws for an invalid delivery: %o", (wrong, message) => {
    const given = { headers: signed(String(now)), body, secret, now, ...wrong };
    const error = thrownBy(() => verifySignature(given as never)) as InputError;
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toMatch(message);
  });

  test("accepts a delivery that is 5 minutes old and rejects one that is a millisecond older", () => {
    const headers = signed(String(now - 300_000));
    expect(verifySignature({ headers, body, secret, now })).toEqual({ valid: true });
    expect(verifySignature({ headers, body, secret, now: now + 1 })).toEqual({
      valid: false,
      reason: "expired",
    });
  });

  test("accepts a delivery from a clock ahead of ours", () => {
    expect(verifySignature({ headers: signed(String(now + 1_000)), body, secret, now }).valid).toBe(true);
  });

  test.each([
    ["another body", { body: `${body} ` }, "wrong_signature"],
    ["another secret", { secret: "other" }, "wrong_signature"],
    ["no timestamp", { headers: { "x-service-signature": "sha256=00" } }, "missing_timestamp"],
    ["no signature", { headers: { "x-service-timestamp": String(now) } }, "missing_signature"],
    [
      "a timestamp that is none",
      { headers: { "x-service-timestamp": "today", "x-service-signature": "sha256=00" } },
      "invalid_timestamp",
    ],
    ["a timestamp with text after it", { headers: signed(`${now}x`) }, "invalid_timestamp"],
    ["a timestamp with text before it", { headers: signed(`x${now}`) }, "invalid_timestamp"],
    ["another service's headers", { serviceName: "spoke" }, "missing_timestamp"],
    [
      "a signature without its prefix",
      { headers: { ...signed(String(now)), "X-Service-Signature": "00" } },
      "wrong_signature",
    ],
  ])("rejects %s", (_, wrong, reason) => {
    const given = { headers: signed(String(now)), body, secret, now, ...wrong };
    expect(verifySignature(given as never)).toEqual({ valid: false, reason });
  });
});
