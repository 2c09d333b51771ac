import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express, { type RequestHandler } from "express";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { captureMiddleware, captureTo, readCapture } from "../../src/capture/index.ts";
import { createSimulator, fromFetch, verifySignature } from "../../src/index.ts";

interface Row {
  readonly receivedAt: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly encoding?: string;
  readonly status?: number;
  readonly responseMs?: number;
  readonly problem?: string;
}

function kept() {
  const lines: string[] = [];
  const rows = () => lines.map((line) => JSON.parse(line) as Row);
  const until = (count: number) => expect.poll(() => lines.length).toBe(count);
  return { lines, rows, until, write: (line: string) => lines.push(line) };
}

const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Request("https://crm.test/hooks?a=1", { method: "POST", body, headers });

describe("captureTo", () => {
  test("writes what a handler receives and answers", async () => {
    const { rows, until, write } = kept();
    const handle = captureTo(write)(async (request) => new Response(await request.text(), { status: 201 }));
    const response = await handle(post('{"type":"call.started"}', { "X-Service-Signature": "abc" }));
    expect([response.status, await response.text()]).toEqual([201, '{"type":"call.started"}']);
    await until(1);
    expect(rows()[0]).toMatchObject({
      method: "POST",
      path: "/hooks?a=1",
      headers: { "x-service-signature": "abc" },
      body: '{"type":"call.started"}',
      status: 201,
      responseMs: expect.any(Number),
      receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
  });

  test("writes lines whose signatures verify", async () => {
    const { lines, until, write } = kept();
    const sim = createSimulator({ start: Date.now() });
    const hook = sim.webhooks.create({ url: "https://crm.test/", events: ["*"] });
    sim.network.route(
      "https://crm.test/",
      fromFetch(captureTo(write)(() => new Response(null, { status: 204 }))),
    );
    sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
    await sim.runUntilIdleAsync();
    await until(sim.network.requests.length);
    const capture = await readCapture(lines.join(""), { secret: hook.signingSecret });
    expect(capture.problems).toEqual([]);
    expect(capture.events.map(({ id }) => id)).toEqual(sim.events.map(({ id }) => id));
    expect(capture.events[0]?.requests[0]?.status).toBe(204);
    const row = JSON.parse(lines[0] ?? "") as Row;
    const signed = { headers: row.headers, body: row.body, secret: hook.signingSecret };
    expect(verifySignature({ ...signed, now: sim.startTimestamp }).valid).toBe(true);
  });

  test("writes a body that is no text as base64", async () => {
    const { rows, until, write } = kept();
    const bytes = Uint8Array.from({ length: 20_000 }, (_, at) => (at * 7) % 256);
    await captureTo(write)(() => new Response())(post(bytes));
    await until(1);
    expect(rows()[0]?.encoding).toBe("base64");
    expect(Buffer.from(rows()[0]?.body ?? "", "base64").equals(bytes)).toBe(true);
  });

  test("passes on further arguments, and writes a request whose handler throws", async () => {
    const { rows, until, write } = kept();
    const handle = captureTo(write)((_, env: { readonly key: string }) => {
      throw new Error(`no ${env.key}`);
    });
    await expect(handle(post("{}"), { key: "database" })).rejects.toThrow("no database");
    await until(1);
    expect(rows()[0]).toMatchObject({ body: "{}" });
    expect(rows()[0]?.status).toBeUndefined();
  });

  test("answers if a line cannot be written, and warns once", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    const ways = [
      () => {
        throw new Error("disk full");
      },
      () => Promise.reject(new Error("disk full")),
    ];
    for (const write of ways) {
      warn.mockClear();
      const handle = captureTo(write)(() => new Response(null, { status: 204 }));
      for (let count = 0; count < 3; count++) expect((await handle(post("{}"))).status).toBe(204);
      await expect
        .poll(() => warn.mock.calls.flat().filter((text) => text.startsWith("ringback: a request")))
        .toEqual(["ringback: a request was not kept: disk full"]);
    }
  });

  test("leaves out a body of more than 32 MiB, with a problem in the line", async () => {
    const { rows, until, write } = kept();
    await captureTo(write)(() => new Response())(post("x".repeat((32 << 20) + 1)));
    await until(1);
    expect(rows()[0]).toMatchObject({ body: "", problem: "the body of 33554433 bytes was not kept" });
  });
});

/** Serves an Express app. @returns its URL */
async function serve(...handlers: RequestHandler[]): Promise<string> {
  const app = express();
  for (const handler of handlers) app.use(handler);
  const server = createServer(app);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("captureMiddleware", () => {
  const body = '{ "type": "call.started" ,"id":"é" }';

  test("writes the raw body if it stands before a parser", async () => {
    const { rows, until, write } = kept();
    const url = await serve(captureMiddleware(write), express.json(), (request, response) => {
      response.status(202).json(request.body);
    });
    const response = await fetch(`${url}/hooks?x=1`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    });
    expect([response.status, await response.json()]).toEqual([202, JSON.parse(body)]);
    await until(1);
    expect(rows()[0]).toMatchObject({ method: "POST", path: "/hooks?x=1", body, status: 202 });
    expect(rows()[0]?.problem).toBeUndefined();
  });

  test("writes a body that is read late, and one that nobody reads", async () => {
    const { rows, until, write } = kept();
    const late: RequestHandler = (_, __, next) => setTimeout(next, 20);
    const url = await serve(
      late,
      captureMiddleware(write),
      late,
      express.text({ type: "*/*" }),
      (request, response) => {
        response.send(request.body);
      },
    );
    const long = "a long body ".repeat(50_000);
    const response = await fetch(url, { method: "POST", body: long });
    // Express takes 100 kB at most
    expect(response.status).toBe(413);
    await until(1);
    const short = await fetch(url, { method: "POST", body });
    expect(await short.text()).toBe(body);
    await until(2);
    expect(rows()[1]).toMatchObject({ body, status: 200 });
  });

  test("writes a body that was parsed earlier as JSON, with a problem that its signature is lost", async () => {
    const { rows, until, write } = kept();
    const url = await serve(express.json(), captureMiddleware(write), (_, response) => {
      response.end();
    });
    await fetch(url, { method: "POST", body, headers: { "content-type": "application/json" } });
    await until(1);
    expect(rows()[0]).toMatchObject({
      body: JSON.stringify(JSON.parse(body)),
      problem: "the body was parsed before it was kept, so its signature cannot be verified",
    });
  });

  test("writes a request that nobody answers", async () => {
    const { rows, until, write } = kept();
    const url = await serve(captureMiddleware(write), (request) => void request.socket.destroy());
    await expect(fetch(url, { method: "POST", body })).rejects.toThrow();
    await until(1);
    expect(rows()[0]?.status).toBeUndefined();
  });
});
