import { createHmac } from "node:crypto";
import { connect } from "node:net";
import axios from "axios";
import { describe, expect, onTestFinished, test } from "vitest";
import { vendorSignature } from "../../src/core/network/vendor-signature.ts";
import { createSimulator, replay, type Simulator } from "../../src/index.ts";
import { serve, serveNew } from "../../src/server/index.ts";
import { controlOf, receiver, served, unusedPort } from "./support.ts";

const callAlice = { from: "+6421555001", to: "+6495550100" };

describe("serve", () => {
  test("answers a client that asks for a token and then for the directory", async () => {
    const { sim, url } = await served();
    const form = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: sim.credentials.clientId,
      client_secret: sim.credentials.clientSecret,
    });
    const token = await axios.post(`${url}/oauth/token`, form);
    const client = axios.create({
      baseURL: url,
      headers: { authorization: `Bearer ${token.data.access_token}` },
    });
    const { status, data } = await client.get("/calls");
    expect(status).toBe(200);
    expect(data).toMatchObject({ calls: [] });
  });

  test("gives its simulator its own address", async () => {
    const { sim, server, url } = await served();
    expect(sim.urls).toEqual({ api: url, auth: url, redirect: url });
    expect(server.simulator).toBe(sim);
  });

  test.each([
    ["serve", serve],
    ["its old name", serveNew],
  ])("has the simulator made once its address is known, by %s", async (_name, make) => {
    const urls: string[] = [];
    const server = await make(
      (base) => {
        urls.push(base.api);
        return createSimulator({ urls: base });
      },
      { port: 0 },
    );
    onTestFinished(() => server.close());
    expect(urls).toEqual([server.url]);
    expect(server.simulator.urls.api).toBe(server.url);
  });

  test("answers like the simulator's fetch, including errors", async () => {
    const { sim, url } = await served();
    const over = await fetch(`${url}/calls`);
    const within = await sim.fetch("/calls");
    expect([over.status, await over.json()]).toEqual([within.status, await within.json()]);
    expect(over.status).toBe(401);
  });

  test("leaves it to clients to close idle connections, which they may use again at any moment", async () => {
    const { url } = await served();
    const { headers } = await fetch(`${url}/calls`);
    expect(headers.get("connection")).toBe("keep-alive");
    // it would say after how many seconds the server closes them
    expect(headers.has("keep-alive")).toBe(false);
  });

  test("accepts calls at the redirect handler", async () => {
    const { sim, url } = await served();
    const query = "extension=101&organisationId=acme";
    const form = new URLSearchParams({ parentCallId: "v-1", from: "+6421555001", to: "+6495550100" });
    const response = await fetch(`${url}/telephony/redirect?${query}`, { method: "POST", body: form });
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("<Conference>")]);
    expect(sim.calls.live()).toHaveLength(1);
  });

  test("is reachable by every name that it was started for", async () => {
    const { sim, url } = await served({}, { hosts: ["phones.internal"] });
    const { port } = new URL(url);
    const response = await rawRequest(
      Number(port),
      `GET /calls HTTP/1.1\r\nHost: phones.internal:${port}\r\nAuthorization: Bearer ${sim.token()}\r\nConnection: close\r\n\r\n`,
    );
    expect(response).toMatch(/^HTTP\/1.1 200 /);
  });

  test.each(["127.0.0.1:PORT", "phones.internal:PORT", "phones.internal"])(
    "accepts requests that the vendor signed for the requested name: %s",
    async (name) => {
      const options = { dialect: { vendorSecret: "s3cret" } };
      const { sim, url } = await served(options, { hosts: ["phones.internal"] });
      const { port } = new URL(url);
      const host = name.replace("PORT", port);
      const path = "/telephony/redirect?extension=101&organisationId=acme";
      const form = { parentCallId: "v-1", from: "+6421555001", to: "+6495550100" };
      const signature = vendorSignature("s3cret", `http://${host}${path}`, form);
      const body = new URLSearchParams(form).toString();
      const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nX-Vendor-Signature: ${signature}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\nConnection: close`;
      expect(await rawRequest(Number(port), `${head}\r\n\r\n${body}`)).toMatch(/^HTTP\/1.1 200 /);
      expect(sim.calls.live()).toHaveLength(1);
    },
  );

  test("does not advance time by itself", async () => {
    const { sim, control } = await served();
    const start = sim.timestamp;
    await control.post("commands/inbound", callAlice);
    await control.get("state");
    expect(sim.timestamp).toBe(start);
  });

  test("advances time at the given pace", async () => {
    const { sim, control } = await served({}, { pace: 1000 });
    await control.post("commands/inbound", callAlice);
    await expect.poll(() => sim.events.map(({ type }) => type)).toContain("call.ended");
    expect((await control.get("state")).body).toMatchObject({ pace: 1000 });
  });

  test("starts at the current time after each reset if its run did", async () => {
    const long = "2026-07-01T00:00:00.000Z";
    const before = Date.now();
    const { server, control } = await served({ start: long }, { startsNow: true });
    await control.post("reset", {});
    expect(server.simulator.startTimestamp).toBeGreaterThanOrEqual(before);
    await control.post("reset", { start: long });
    expect(server.simulator.startTimestamp).toBe(Date.parse(long));
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, "fast"])("rejects the pace %s", async (pace) => {
    await expect(serve(createSimulator(), { pace: pace as never })).rejects.toThrow(
      /pace: expected "virtual"/,
    );
  });

  test("fails when its port is taken", async () => {
    const { url } = await served();
    const port = Number(new URL(url).port);
    await expect(serve(createSimulator(), { port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  test("reports an error of a background run once", async () => {
    const heard: unknown[] = [];
    const { sim, control } = await served({}, { onError: (error) => heard.push(error) });
    const broken = new Error("the handler is broken");
    sim.on("call.not_answered", () => {
      throw broken;
    });
    sim.network.route("https://crm.acme.test", () => {
      throw broken;
    });
    await control.post("commands/createWebhook", { url: "https://crm.acme.test/hooks", events: ["*"] });
    await control.post("commands/inbound", callAlice);
    expect(heard).toEqual([broken]);
    expect((await control.get("state")).body.problem).toBe("the handler is broken");
  });

  test("prints such an error as a warning of Node without onError", async () => {
    const warned: Error[] = [];
    const hear = (warning: Error) => warned.push(warning);
    process.on("warning", hear);
    onTestFinished(() => void process.off("warning", hear));
    const { sim, control } = await served();
    sim.network.route("https://crm.acme.test", () => {
      throw new Error("nobody hears this");
    });
    await control.post("commands/createWebhook", { url: "https://crm.acme.test/hooks", events: ["*"] });
    await control.post("commands/inbound", callAlice);
    const ours = () => warned.filter(({ name }) => name === "RingbackWarning").map(({ message }) => message);
    await expect.poll(ours).toContain("nobody hears this");
  });
});

describe("serve sends real requests", () => {
  test("delivers events with a signature that node:crypto verifies", async () => {
    const { url: hooks, received } = await receiver();
    const { sim, url, control } = await served();
    const { data: webhook } = await restOf(sim, url).post("/webhooks", {
      url: hooks,
      events: ["call.started"],
    });
    await control.post("commands/inbound", callAlice);
    expect(received).toMatchObject([{ method: "POST", path: "/hooks" }]);
    const [{ headers, body: payload } = {} as never] = received;
    const signed = `${headers["x-service-timestamp"]}.${payload}`;
    const signature = createHmac("sha256", webhook.signingSecret).update(signed).digest("hex");
    expect(headers["x-service-signature"]).toBe(`sha256=${signature}`);
    expect(JSON.parse(payload)).toMatchObject({ type: "call.started" });
  });

  test("delivers the events of a write to the REST API", async () => {
    const { url: hooks, received } = await receiver();
    const { sim, url } = await served();
    sim.webhooks.create({ url: hooks, events: ["conversation.message.created"] });
    const message = { from: "alice@acme.test", to: "+6421555001", body: "On my way." };
    expect((await restOf(sim, url).post("/messages", message)).status).toBe(201);
    await expect.poll(() => received.length).toBe(1);
  });

  test("takes no virtual time for requests at a virtual pace", async () => {
    const { url: hooks } = await receiver(async () => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      return 200;
    });
    const { sim, control } = await served();
    sim.webhooks.create({ url: hooks, events: ["call.started"] });
    await control.post("commands/inbound", callAlice);
    expect(sim.network.requests).toMatchObject([{ answer: { status: 200 } }]);
    expect(sim.network.requests[0]?.endedTimestamp).toBe(sim.network.requests[0]?.startedTimestamp);
  });

  test("treats an unreachable endpoint as refused, and retries the delivery", async () => {
    const { sim, control } = await served();
    const url = `http://127.0.0.1:${await unusedPort()}/hooks`;
    const { id } = sim.webhooks.create({ url, events: ["call.started"] });
    await control.post("commands/inbound", callAlice);
    await control.post("advance", { duration: "PT1H" });
    expect(sim.network.requests.map(({ failure }) => failure).slice(0, 2)).toEqual(["refused", "refused"]);
    expect(sim.webhooks.deliveries(id)[0]?.attempts.length).toBeGreaterThan(1);
  });

  test("times out an endpoint that never answers", async () => {
    const { url: hooks } = await receiver(() => undefined);
    const { sim, control } = await served({ timing: { endpointTimeout: 100 } });
    sim.webhooks.create({ url: hooks, events: ["call.started"] });
    await control.post("commands/inbound", callAlice);
    await control.post("advance", { duration: "PT1S" });
    expect(sim.network.requests[0]).toMatchObject({ failure: "timeout" });
  });

  test.each(["P25D", "P60D"])(
    "waits for an endpoint with a limit longer than timers support: %s",
    async (limit) => {
      const { url: hooks } = await receiver();
      const { sim, control } = await served({ timing: { endpointTimeout: limit } });
      sim.webhooks.create({ url: hooks, events: ["call.started"] });
      await control.post("commands/inbound", callAlice);
      expect(sim.network.requests).toMatchObject([{ answer: { status: 200 } }]);
    },
  );

  test("keeps sending while any server of the simulator is open", async () => {
    const { url: hooks, received } = await receiver();
    const { sim, server, control } = await served();
    const second = await serve(sim);
    sim.webhooks.create({ url: hooks, events: ["call.started"] });
    await control.post("commands/inbound", callAlice);
    await server.close();
    await controlOf(second.url).post("commands/inbound", { ...callAlice, from: "+6421555002" });
    expect(received).toHaveLength(2);
    await second.close();
    expect(sim.network.routes).toEqual([]);
  });

  test("does not follow redirects", async () => {
    const { url: hooks, received } = await receiver(() => 302);
    const { sim, control } = await served();
    sim.webhooks.create({ url: hooks, events: ["call.started"] });
    await control.post("commands/inbound", callAlice);
    expect(received).toHaveLength(1);
    expect(sim.network.requests[0]).toMatchObject({ failure: "status 302" });
  });

  test("lets an endpoint call the simulator while it handles a request", async () => {
    let told: unknown;
    const { url: hooks } = await receiver(async () => {
      const { status, body } = await controlOf(url).post("commands/answer", { call: "call-1", by: "alice" });
      told = { status, types: body.events.map(({ type }: { type: string }) => type) };
      return 200;
    });
    const { sim, url, control } = await served();
    sim.webhooks.create({ url: hooks, events: ["call.started"] });
    await control.post("commands/inbound", callAlice);
    expect(told).toMatchObject({ status: 200, types: expect.arrayContaining(["call.answered"]) });
  });

  test("does not send requests that have a route", async () => {
    const { url: hooks, received } = await receiver();
    const { sim, control } = await served();
    sim.network.route(hooks, 204);
    sim.webhooks.create({ url: hooks, events: ["call.started"] });
    await control.post("commands/inbound", callAlice);
    expect(received).toEqual([]);
    expect(sim.network.requests).toMatchObject([{ answer: { status: 204 } }]);
  });

  test("sends none if disabled or closed", async () => {
    const { url: hooks, received } = await receiver();
    const { sim, control } = await served({}, { outbound: false });
    sim.webhooks.create({ url: hooks, events: ["call.started"] });
    await control.post("commands/inbound", callAlice);
    const other = createSimulator({ allowLocal: true });
    await (await serve(other)).close();
    other.webhooks.create({ url: hooks, events: ["call.started"] });
    other.calls.inbound(callAlice);
    other.advance(0);
    expect(received).toEqual([]);
  });

  test("produces a journal that replays without real requests", async () => {
    const { url: hooks, received, close } = await receiver(() => 500);
    const { sim, control } = await served();
    sim.webhooks.create({ url: hooks, events: ["call.started"] });
    await control.post("commands/inbound", callAlice);
    await close();
    await control.post("advance", { duration: "PT10M" });
    const again = replay((await control.get("journal")).body);
    expect(again.events.toJSONL()).toBe(sim.events.toJSONL());
    expect(again.network.requests.map(({ failure }) => failure)).toEqual(
      sim.network.requests.map(({ failure }) => failure),
    );
    expect(received).toHaveLength(1);
  });
});

describe("server.close", () => {
  test("frees the port, and can be called again", async () => {
    const { server } = await served();
    const port = Number(new URL(server.url).port);
    await fetch(`${server.url}/_sim/state`); // leaves a connection open
    await Promise.all([server.close(), server.close()]);
    const next = await serve(createSimulator(), { port });
    expect(next.url).toBe(server.url);
    await next.close();
  });

  test("aborts requests in flight", async () => {
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const { url: hooks } = await receiver(() => void asked());
    const { sim, server, control } = await served();
    sim.webhooks.create({ url: hooks, events: ["call.started"] });
    const answered = control.post("commands/inbound", callAlice);
    await isAsked;
    await server.close();
    expect((await answered).status).toBe(200);
    expect(sim.network.requests).toMatchObject([{ failure: "refused" }]);
  });

  test("leaves the simulator unchanged", async () => {
    const { sim, server } = await served({}, { pace: "realtime" });
    await server.close();
    const { timestamp } = sim;
    sim.advance("PT1S");
    expect(sim.timestamp).toBe(timestamp + 1000);
  });
});

function restOf(sim: Simulator, baseURL: string) {
  return axios.create({ baseURL, headers: { authorization: `Bearer ${sim.token()}` } });
}

function rawRequest(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (data) => {
      answer += data;
    });
    socket.on("end", () => resolve(answer));
    socket.on("error", reject);
  });
}
