import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { explore, type HttpSubject, httpSubject } from "../../../src/explore/index.ts";
import type { Simulator } from "../../../src/index.ts";

/** What a server sends, in pieces that arrive one after the other. `close` ends the connection behind them. */
interface Sent {
  readonly pieces: readonly string[];
  readonly close?: boolean;
}

const ok = "HTTP/1.1 200 OK\r\n";
const word = "hello";

const answers: Readonly<Record<string, Sent & { readonly body: string; readonly status?: number }>> = {
  "/length": { pieces: [`${ok}Content-Length: 5\r\n\r\nhello`], body: word },
  "/in-pieces": { pieces: ["HTTP/1.", "1 200 OK\r\nContent-Le", "ngth: 5\r\n\r", "\nhe", "llo"], body: word },
  "/chunks": {
    pieces: [`${ok}transfer-encoding: chunked\r\n\r\n3\r\nhel\r\n2;a=b\r`, "\nlo\r\n0\r\n\r\n"],
    body: word,
  },
  "/trailer": {
    pieces: [`${ok}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nx-a: b\r\n`, "\r\n"],
    body: word,
  },
  "/until-close": { pieces: [`${ok}\r\nhel`, "lo"], close: true, body: word },
  "/old": { pieces: ["HTTP/1.0 200 OK\r\ncontent-length: 5\r\n\r\nhello"], close: true, body: word },
  "/closes": {
    pieces: [`${ok}Connection: close\r\nContent-Length: 5\r\n\r\nhello`],
    close: true,
    body: word,
  },
  "/announced": {
    pieces: ["HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n", `${ok}content-length: 5\r\n\r\nhello`],
    body: word,
  },
  "/empty": { pieces: ["HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n"], status: 404, body: "" },
  "/bytes": {
    pieces: [
      `${ok}content-length: 7\r\n\r\n${Buffer.from("Māori").toString("latin1").slice(0, 2)}`,
      "\u0081ori!",
    ],
    body: "Māori!",
  },
};

const broken: Readonly<Record<string, Sent & { readonly says: string }>> = {
  "/half": {
    pieces: [`${ok}content-length: 9\r\n\r\nhello`],
    close: true,
    says: "cannot be reached: the connection broke in the middle of an answer",
  },
  "/nothing": { pieces: [], close: true, says: "closed the connection without an answer" },
  "/other": {
    pieces: ["SSH-2.0-OpenSSH_9.2\r\n\r\n"],
    says: "cannot be reached: its answer is not valid HTTP: Expected HTTP/",
  },
  "/nameless": {
    pieces: [`${ok}: x\r\n\r\n`],
    says: "cannot be reached: its answer is not valid HTTP: Invalid header token",
  },
  "/no-number": {
    pieces: [`${ok}content-length: five\r\n\r\n`],
    says: "cannot be reached: its answer is not valid HTTP: Invalid character in Content-Length",
  },
  "/bad-chunk": {
    pieces: [`${ok}transfer-encoding: chunked\r\n\r\nhello\r\n`],
    says: "cannot be reached: its answer is not valid HTTP: Invalid character in chunk size",
  },
};

const others: Readonly<Record<string, Sent>> = {
  "/reset": { pieces: [`${ok}content-length: 0\r\n\r\n`] },
  "/head": { pieces: [`${ok}content-length: 5\r\n\r\n`] },
};

/** A server that answers with exact bytes, and how many connections it took. */
async function served(): Promise<{ readonly url: string; connections: () => number }> {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    connections++;
    sockets.add(
      socket
        .setEncoding("latin1")
        .setNoDelay(true)
        .on("error", () => {}),
    );
    socket.on("data", async (text) => {
      const [, path = ""] = /^\w+ (\S+)/.exec(String(text)) ?? [];
      const { pieces, close } = answers[path] ?? broken[path] ?? others[path] ?? { pieces: [] };
      for (const piece of pieces) {
        socket.write(piece, "latin1");
        await new Promise(setImmediate);
      }
      if (close === true) socket.end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, connections: () => connections };
}

/** Explores a server whose property asks it something. */
const asking = (url: string, ask: (subject: HttpSubject) => Promise<void>) =>
  explore({
    scenario: (sim: Simulator) => void sim.calls.inbound({ from: "+6421555001", to: "+6495550101" }),
    subject: httpSubject({ url, reset: "/reset" }),
    eventually: { "answers as it should": (_: Simulator, subject: HttpSubject) => ask(subject) },
    deviations: 0,
  });

test("A server may answer in every way that HTTP/1.1 has", async () => {
  const { url, connections } = await served();
  await asking(url, async (subject) => {
    for (const [path, { status = 200, body }] of Object.entries(answers)) {
      const answer = await subject.fetch(path);
      expect({ path, status: answer.status, body: await answer.text() }).toEqual({ path, status, body });
    }
  });
  // one, and another behind each that was closed, of which the world has as many when it is run once more
  expect(connections()).toBe(1 + 2 * Object.values(answers).filter(({ close }) => close).length);
});

test("An answer to HEAD has no body, whatever length it names", async () => {
  const { url } = await served();
  await asking(url, async (subject) => {
    const answer = await subject.fetch("/head", { method: "HEAD" });
    expect(answer.status).toBe(200);
    expect(await (await subject.fetch("/length")).text()).toBe(word);
  });
});

test.each(Object.entries(broken))(
  "A broken answer is reported with its reason: %s",
  async (path, { says }) => {
    const { url } = await served();
    await asking(url, async (subject) => {
      await expect(subject.fetch(path)).rejects.toThrow(`GET ${path}: the server at ${url} ${says}`);
      expect(await (await subject.fetch("/length")).text()).toBe(word);
    });
  },
);
