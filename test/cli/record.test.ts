import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, createReadStream, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { readCapture } from "../../src/capture/index.ts";
import { createSimulator } from "../../src/index.ts";
import { folderWith, ringbackEnds, startedHere, startProcess, startProcessWithFilesOf } from "./support.ts";

type Receiver = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Starts an app. @returns its URL */
async function receiver(handle: Receiver): Promise<string> {
  const server = createServer((asked, response) => void handle(asked, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const accept: Receiver = async (asked, response) => {
  await buffer(asked);
  response.writeHead(204).end();
};

const argsOf = (forward: string, file: string) => ["record", "--forward", forward, "-o", file] as const;
/** The end of what it says when it is there. */
const begins = "mode 0600";
const urlIn = (out: string) => /^http:\S+/.exec(out)?.[0] ?? "";

/** Starts `ringback record` in this process and waits until it says where it is. */
async function recording(forward: string, file: string) {
  const { said, stop } = await startedHere(argsOf(forward, file), begins);
  return { url: urlIn(said().out), stop };
}

/** The same in a process of its own. */
async function recordingProcess(forward: string, file: string, start = startProcess) {
  const child = start(argsOf(forward, file));
  onTestFinished(() => void child.kill("SIGKILL"));
  const err = text(child.stderr);
  const closed = once(child, "close") as Promise<[number]>;
  let out = "";
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    out += chunk;
    if (out.includes(begins)) break;
  }
  const rest = text(child.stdout);
  const stop = async () => {
    child.kill("SIGTERM");
    const [code] = await closed;
    return { code, out: out + (await rest), err: await err };
  };
  return { url: urlIn(out), child, closed, stop };
}

interface Row {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly encoding?: string;
  readonly status?: number;
  readonly problem?: string;
}

const rowsIn = (file: string) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Row);
const newFile = () => join(folderWith(), "monday.jsonl");
const post = (url: string, body: BodyInit = "{}", headers: Record<string, string> = {}) =>
  fetch(url, { method: "POST", body, headers });

describe("ringback record", () => {
  test("writes requests and answers that readCapture reads", async () => {
    const file = newFile();
    const { url, stop } = await recordingProcess(await receiver(accept), file);
    const sim = createSimulator({ allowLocal: true });
    const hook = sim.webhooks.create({ url: `${url}/hooks`, events: ["*"] });
    sim.network.route(
      url,
      async ({ body, headers }) => (await post(`${url}/hooks`, body, { ...headers })).status,
    );
    sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
    await sim.runUntilIdleAsync();
    const { code, out, err } = await stop();
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("POST /hooks 204");
    expect(out).not.toContain("+6421555001");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const capture = await readCapture(readFileSync(file, "utf8"), { secret: hook.signingSecret });
    expect(capture.problems).toEqual([]);
    expect(capture.events.map(({ id, requests }) => [id, requests[0]?.status])).toEqual(
      sim.events.map(({ id }) => [id, 204]),
    );
  });

  test("prints no credentials and no query of --forward", async () => {
    const target = new URL(await receiver(accept));
    Object.assign(target, { username: "zebulon", password: "quagga", search: "?token=sesame" });
    const { stop } = await recording(target.href, newFile());
    const { out, err } = await stop();
    expect(out).toContain(target.host);
    expect(out + err).not.toMatch(/zebulon|quagga|sesame/);
  });

  test("forwards bodies byte for byte, and headers with their names and order", async () => {
    const seen: { headers: string[]; body: Buffer }[] = [];
    const file = newFile();
    const target = await receiver(async (asked, response) => {
      seen.push({ headers: asked.rawHeaders, body: await buffer(asked) });
      response.writeHead(200, "Fine", ["X-Answer", "1", "Set-Cookie", "a=1", "Set-Cookie", "b=2"]).end("ok");
    });
    const { url, stop } = await recording(target, file);
    const binary = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => (at * 31) % 256));
    for (const body of [Buffer.from('{ "a" :1}\r\n'), binary, Buffer.alloc(0)]) {
      const headers = ["Host", "hooks.example", "X-Service-SIGNATURE", "AbC=", "x-two", "1", "X-Two", "2"];
      const asked = request(`${url}/a%20b//c?q=1&q=2`, {
        method: "POST",
        headers: [...headers, "Content-Length", String(body.length)],
      });
      asked.end(body);
      const [answer] = (await once(asked, "response")) as [IncomingMessage];
      expect([answer.statusCode, answer.statusMessage, await text(answer)]).toEqual([200, "Fine", "ok"]);
      expect(answer.headers).toMatchObject({ "x-answer": "1", "set-cookie": ["a=1", "b=2"] });
      const { headers: got, body: same } = seen.at(-1) as (typeof seen)[number];
      expect(same.equals(body)).toBe(true);
      expect(got.slice(2, 8)).toEqual(headers.slice(2));
    }
    await stop();
    const [first, second] = rowsIn(file);
    expect(first).toMatchObject({ path: "/a%20b//c?q=1&q=2", body: '{ "a" :1}\r\n' });
    expect(first?.headers).toMatchObject({
      "X-Service-SIGNATURE": "AbC=",
      "x-two": "1, 2",
      Host: "hooks.example",
    });
    expect(second?.encoding).toBe("base64");
    expect(Buffer.from(second?.body ?? "", "base64").equals(binary)).toBe(true);
  });

  test("sends every request to the path of --forward, if it has one", async () => {
    const paths: (string | undefined)[] = [];
    const target = await receiver((asked, response) => {
      paths.push(asked.url);
      response.end();
    });
    const { url, stop } = await recording(`${target}/hooks?key=1`, newFile());
    for (const path of ["/", "/other", "/other?a=2"]) await post(`${url}${path}`);
    await stop();
    expect(paths).toEqual(["/hooks?key=1", "/hooks?key=1", "/hooks?a=2"]);
  });

  test("forwards streams while they arrive", async () => {
    const target = await receiver((asked, response) => {
      asked.on("data", (chunk: Buffer) => response.write(chunk));
      asked.on("end", () => response.end());
    });
    const { url, stop } = await recording(target, newFile());
    const asked = request(url, { method: "POST" });
    asked.write("one");
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    const [first] = (await once(answer, "data")) as [Buffer];
    asked.end("two");
    expect([String(first), await text(answer)]).toEqual(["one", "two"]);
    await stop();
  });

  test("answers 502 while the app is down, and forwards again when it is back", async () => {
    const file = newFile();
    const down = createServer();
    down.listen(0, "127.0.0.1");
    await once(down, "listening");
    const free = (down.address() as AddressInfo).port;
    down.close();
    const { url, stop } = await recording(`http://127.0.0.1:${free}`, file);
    const answer = await post(url, '{"id":"e1"}');
    expect([answer.status, await answer.text()]).toEqual([
      502,
      "the app could not be reached: ECONNREFUSED\n",
    ]);
    const back = createServer((asked, response) => void accept(asked, response));
    back.listen(free, "127.0.0.1");
    await once(back, "listening");
    onTestFinished(() => void back.close());
    expect((await post(url)).status).toBe(204);
    const { err } = await stop();
    expect(err).toBe("ringback: POST /: the app could not be reached: ECONNREFUSED\n");
    expect(rowsIn(file).map(({ status, body }) => [status, body])).toEqual([
      [502, '{"id":"e1"}'],
      [204, "{}"],
    ]);
  });

  test("cuts the answer where the app does, and writes the request", async () => {
    const file = newFile();
    const target = await receiver((_, response) => {
      response.writeHead(200, { "content-length": "100" }).write("half");
      setTimeout(() => response.destroy(), 20);
    });
    const { url, stop } = await recording(target, file);
    await expect(post(url).then((answer) => answer.text())).rejects.toThrow();
    await stop();
    expect(rowsIn(file)[0]?.problem).toMatch(/^the app stopped in the middle of its answer/);
  });

  test("writes a request whose sender disconnects before the answer", async () => {
    const file = newFile();
    let arrived = () => {};
    const hasArrived = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const silent: Receiver = async (asked) => {
      await buffer(asked);
      arrived();
    };
    const { url, stop } = await recording(await receiver(silent), file);
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}");
    await hasArrived;
    socket.destroy();
    await stop();
    expect(rowsIn(file)).toMatchObject([{ body: "{}" }]);
    expect(rowsIn(file)[0]?.status).toBeUndefined();
  });

  test("appends to a capture whose last line was cut", async () => {
    const file = newFile();
    const target = await receiver(accept);
    const first = await recording(target, file);
    await post(first.url);
    await first.stop();
    appendFileSync(file, '{"receivedAt":"2026-07-0');
    const second = await recording(target, file);
    await post(second.url);
    await second.stop();
    expect(
      readFileSync(file, "utf8")
        .split("\n")
        .map((line) => line.slice(0, 24)),
    ).toEqual([
      expect.stringMatching(/^\{"receivedAt":/),
      '{"receivedAt":"2026-07-0',
      expect.stringMatching(/^\{"receivedAt":/),
      "",
    ]);
  });

  test("loses no answered request when it is killed", async () => {
    const file = newFile();
    const { url, child, closed } = await recordingProcess(await receiver(accept), file);
    for (let count = 0; count < 5; count++) await post(url, `{"id":"e${count}"}`);
    // an answer is written right after it was passed on
    await expect.poll(() => rowsIn(file).filter(({ status }) => status === 204).length).toBe(5);
    child.kill("SIGKILL");
    await closed;
    expect(rowsIn(file).map(({ body }) => body)).toEqual([0, 1, 2, 3, 4].map((id) => `{"id":"e${id}"}`));
  });

  test("loses no request that waits for its answer when it is killed", async () => {
    const file = newFile();
    const silent = await receiver((asked) => buffer(asked));
    const { url, child, closed } = await recordingProcess(silent, file);
    const unanswered = post(url, '{"id":"e1"}').catch(() => {});
    await expect.poll(() => rowsIn(file).length).toBe(1);
    child.kill("SIGKILL");
    await Promise.all([closed, unanswered]);
    expect(rowsIn(file)).toMatchObject([{ method: "POST", body: '{"id":"e1"}' }]);
    expect(rowsIn(file)[0]).not.toHaveProperty("status");
    const again = await recording(await receiver(accept), file);
    await post(again.url, '{"id":"e2"}');
    await again.stop();
    expect(rowsIn(file).map(({ body, status }) => [body, status])).toEqual([
      ['{"id":"e1"}', undefined],
      ['{"id":"e2"}', 204],
    ]);
  });

  test("writes requests in the order of arrival, each with its own answer", async () => {
    const file = newFile();
    const open: ServerResponse[] = [];
    const target = await receiver(async (asked, response) => {
      await buffer(asked);
      open.push(response);
    });
    const { url, stop } = await recording(target, file);
    const answers: Promise<Response>[] = [];
    for (const id of [0, 1, 2]) {
      answers.push(post(url, `{"id":"e${id}"}`));
      await expect.poll(() => open.length).toBe(id + 1);
    }
    for (const [id, response] of [...open.entries()].reverse()) {
      response.writeHead(500 + id).end();
      await answers[id];
    }
    await stop();
    expect(rowsIn(file).map(({ body, status }) => [body, status])).toEqual([
      ['{"id":"e0"}', 500],
      ['{"id":"e1"}', 501],
      ['{"id":"e2"}', 502],
    ]);
  });

  test("writes whole lines into a pipe", async () => {
    const folder = folderWith();
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const reader = createReadStream(pipe);
    const lines = text(reader);
    const { url, stop } = await recordingProcess(await receiver(accept), pipe);
    await post(url, '{"id":"e1"}');
    await stop();
    const row = JSON.parse(await lines) as Row;
    expect([row.body, row.status]).toEqual(['{"id":"e1"}', 204]);
  });

  test("forwards while the disk is full, warns once, and writes only whole lines", async () => {
    const file = newFile();
    const limited = (args: readonly string[]) => startProcessWithFilesOf(8, args);
    const { url, stop } = await recordingProcess(await receiver(accept), file, limited);
    for (let count = 0; count < 6; count++) expect((await post(url, "x".repeat(1_500))).status).toBe(204);
    const { code, err } = await stop();
    expect(code).toBe(2);
    expect(err).toMatch(
      /^ringback: \S+: .*; requests are forwarded, but not kept\nringback: \S+: \d requests were not kept\n$/,
    );
    for (const { body } of rowsIn(file)) expect(body).toHaveLength(1_500);
    expect(rowsIn(file).length).toBeGreaterThan(0);
  });

  test.each([
    [
      "a file that is not a capture",
      ["--forward", "http://localhost:1", "-o", "app.mjs"],
      /expected a new file, or a capture to add to/,
    ],
    [
      "a folder that does not exist",
      ["--forward", "http://localhost:1", "-o", "none/a.jsonl"],
      /the folder .* does not exist/,
    ],
    ["an app that is not a URL", ["--forward", "localhost:3000", "-o", "a.jsonl"], /Expected a URL such as/],
    ["no file", ["--forward", "http://localhost:1"], /required option/],
  ])("refuses %s", async (_, args, message) => {
    const folder = folderWith({ "app.mjs": "export default 1;\n" });
    const at = args.indexOf("-o");
    const placed = args.map((arg, index) => (at >= 0 && index === at + 1 ? join(folder, arg) : arg));
    const { code, err } = await ringbackEnds("record", ...placed);
    expect(code).toBe(2);
    expect(err).toMatch(message);
    expect(readFileSync(join(folder, "app.mjs"), "utf8")).toBe("export default 1;\n");
  });

  test("lets only the owner read and write the file", async () => {
    const file = newFile();
    writeFileSync(file, "", { mode: 0o644 });
    const { stop } = await recording(await receiver(accept), file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await stop();
  });
});
