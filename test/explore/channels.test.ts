import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, unwatchFile, watchFile, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { connect, createServer } from "node:http2";
import { type AddressInfo, createConnection, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { BroadcastChannel, MessageChannel, Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exploreReport } from "../../src/explore/index.ts";
import { parseScenario, type Simulator } from "../../src/index.ts";

const url = "https://crm.test/";
const scenario = parseScenario(`
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.not_answered] } }
  - { at: PT1S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
`);

/** A server in another thread, so that nothing here knows what it does. It answers after 30 ms. */
const server = new Worker(
  `const server = require("node:http2").createServer();
  server.on("stream", (stream, headers) =>
    setTimeout(() => { stream.respond({ ":status": 200 }); stream.end(headers[":path"].slice(1)); }, 30));
  server.listen(0, "127.0.0.1", () => require("node:worker_threads").parentPort.postMessage(server.address().port));`,
  { eval: true },
);
const [outsidePort] = (await once(server, "message")) as [number];
afterAll(() => server.terminate());

/** What an app sends its jobs over. */
interface Channel {
  /** Sends a job, and returns what comes of it. */
  work(id: string): Promise<string>;
  close(): unknown;
}

function http2Client(port: number): Channel {
  const client = connect(`http://127.0.0.1:${port}`);
  const work = async (id: string) => {
    const stream = client.request({ ":path": `/${id}` });
    let body = "";
    stream.on("data", (part) => {
      body += part;
    });
    stream.end();
    await once(stream, "end");
    return body;
  };
  return { work, close: () => client.close() };
}

/** A server of the app's own. @param when responds, now or later */
async function ownHttp2(when: (respond: () => void) => void): Promise<Channel> {
  const own = createServer();
  own.on("stream", (stream, headers) => {
    when(() => {
      stream.respond({ ":status": 200 });
      stream.end(headers[":path"]?.slice(1));
    });
  });
  own.listen(0, "127.0.0.1");
  await once(own, "listening");
  const { work, close } = http2Client((own.address() as AddressInfo).port);
  const end = async () => {
    close();
    await new Promise((resolve) => void own.close(resolve));
  };
  return { work, close: end };
}

const channels: Readonly<Record<string, () => Promise<Channel>>> = {
  "a server of HTTP/2 that it has": () => ownHttp2((respond) => respond()),
  "a server of HTTP/2 that it has, and that waits for a timer": () =>
    ownHttp2((respond) => void setTimeout(respond, 5_000)),
  "a server of HTTP/2 outside, by a client for each job": async () => {
    const work = async (id: string) => {
      const { work: ask, close } = http2Client(outsidePort);
      const answer = await ask(id);
      close();
      return answer;
    };
    return { work, close: () => {} };
  },
  "a server of HTTP/2 outside": async () => http2Client(outsidePort),
  "a MessageChannel": async () => {
    const { port1, port2 } = new MessageChannel();
    port2.on("message", (job) => void setImmediate(() => port2.postMessage(job)));
    const work = async (id: string) => {
      port1.postMessage(id);
      return (await once(port1, "message"))[0];
    };
    return { work, close: () => port1.close() };
  },
  "a BroadcastChannel": async () => {
    const [sender, receiver] = [new BroadcastChannel("jobs"), new BroadcastChannel("jobs")];
    const work = (id: string) => {
      const received = new Promise<string>((resolve) => {
        receiver.onmessage = (event) => resolve((event as { data: string }).data);
      });
      sender.postMessage(id);
      return received;
    };
    const close = () => {
      for (const each of [sender, receiver]) each.close();
    };
    return { work, close };
  },
  UDP: async () => {
    const [receiver, sender] = [createSocket("udp4"), createSocket("udp4")];
    receiver.bind(0, "127.0.0.1");
    await once(receiver, "listening");
    const work = async (id: string) => {
      sender.send(id, receiver.address().port, "127.0.0.1");
      return String((await once(receiver, "message"))[0]);
    };
    const close = () => {
      for (const each of [receiver, sender]) each.close();
    };
    return { work, close };
  },
};

/** An app that answers first, and stores what comes back. */
function appThat(open: () => Promise<Channel>, more: object = {}) {
  return async (sim: Simulator) => {
    const { work, close } = await open();
    const stored: string[] = [];
    const seen = new Set<string>();
    sim.network.route(url, ({ body }) => {
      const { id } = JSON.parse(body).data.call;
      if (!seen.has(id)) void work(id).then((answer) => stored.push(answer));
      seen.add(id);
      return 204;
    });
    return { stored, [Symbol.asyncDispose]: async () => void (await close()), ...more };
  };
}

const explored = (subject: ReturnType<typeof appThat>) =>
  exploreReport({
    ...{ scenario, subject, deviations: { kinds: ["unanswered"] } },
    eventually: {
      "is stored": (sim, { stored }) => expect(stored).toEqual(sim.calls.list().map(({ id }) => id)),
    },
  });

test.each(Object.entries(channels))("An app that sends its jobs over %s is waited for", async (_, open) => {
  expect((await explored(appThat(open))).failures).toEqual([]);
});

test("An app whose work nobody can see fails with what it uses named, and `idle()`", async () => {
  const { port1: toEcho, port2: ofEcho } = new MessageChannel();
  const echo = new Worker(
    `require("node:worker_threads").workerData.on("message", (port) =>
      port.on("message", (sent) => setTimeout(() => port.postMessage(sent), 20)));`,
    { eval: true, workerData: ofEcho, transferList: [ofEcho] },
  );
  const open = async () => {
    const { port1, port2 } = new MessageChannel();
    toEcho.postMessage(port2, [port2]);
    const work = async (id: string) => {
      port1.postMessage(id);
      return (await once(port1, "message"))[0];
    };
    return { work, close: () => port1.close() };
  };
  expect((await explored(appThat(open))).toText()).toContain(
    "The app uses a MessagePort that it gave away, and nothing tells when what this leads to is done. If time goes on too early, let `app` return `idle()`",
  );
  await echo.terminate();
});

test("An app that asks another process again whenever it is answered is told of `idle()`, and ends", async () => {
  const server = new Worker(
    `const server = require("node:http").createServer((_, response) => response.end("[]"));
    server.listen(0, "127.0.0.1", () => require("node:worker_threads").parentPort.postMessage(server.address().port));`,
    { eval: true },
  );
  const [port] = await once(server, "message");
  const polling =
    (more: object) =>
    (sim: Simulator): object => {
      const poll = async () => {
        for (;;) await (await fetch(`http://127.0.0.1:${port}/jobs?wait=true`)).text();
      };
      void poll().catch(() => {});
      sim.network.route(url, () => 204);
      return more;
    };
  const report = (more: object) =>
    exploreReport({ scenario, app: polling(more), deviations: 0, patience: "PT0.25S" });
  const { failures } = await report({});
  expect(failures.map(({ property }) => property)).toEqual(["the app hangs"]);
  expect(failures[0]?.message).toContain(
    `it asked 127.0.0.1:${port} again and again for 1.5 s, so no time passes. Where an answer comes late`,
  );
  expect((await report({ idle: async () => {} })).failures).toEqual([]);
  await server.terminate();
});

test("An app that starts a thread has given no port away", async () => {
  const open = async () => {
    const thread = new Worker("require('node:worker_threads').parentPort.on('message', () => {})", {
      eval: true,
    });
    return { work: async () => "another", close: () => thread.terminate() };
  };
  const text = (await explored(appThat(open))).toText();
  expect(text).toContain("another");
  expect(text).not.toContain("MessagePort");
});

test("An app that watches a file is told that nobody sees when that is done", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "watched-")), "jobs");
  writeFileSync(file, "");
  const open = async () => {
    const changed = () => new Promise((resolve) => watchFile(file, resolve));
    const work = async (id: string) => {
      const change = changed();
      await writeFile(file, id);
      await change;
      return readFileSync(file, "utf8");
    };
    return { work, close: () => unwatchFile(file) };
  };
  expect((await explored(appThat(open))).toText()).toContain(
    "The app uses a file that it watches, and nothing tells when what this leads to is done.",
  );
  rmSync(dirname(file), { recursive: true });
});

describe("An app whose connection closes goes on when it is closed", () => {
  const lines = new Worker(
    `const server = require("node:net").createServer((socket) => socket.on("error", () => {}).on("data", (sent) => socket.write(sent)));
    server.listen(0, "127.0.0.1", () => require("node:worker_threads").parentPort.postMessage(server.address().port));`,
    { eval: true },
  );
  const listening = once(lines, "message") as Promise<[number]>;
  // no world waits for what began before it
  beforeAll(() => listening);
  afterAll(() => lines.terminate());

  const asked = async (id: string, close: (socket: Socket) => unknown) => {
    const [port] = await listening;
    const socket = createConnection(port, "127.0.0.1");
    socket.write(id);
    const [answer] = await once(socket, "data");
    close(socket);
    await once(socket, "close");
    return String(answer);
  };

  test.each<[string, (socket: Socket) => unknown]>([
    ["it is destroyed", (socket) => socket.destroy()],
    ["it is ended", (socket) => socket.end()],
    ["it is ended later", (socket) => setTimeout(() => socket.end(), 1_000)],
  ])("%s", async (_, close) => {
    const work = (id: string) => asked(id, close);
    expect((await explored(appThat(async () => ({ work, close: () => {} })))).failures).toEqual([]);
  });
});

test("What `idle()` leaves behind when it has asked a client makes no time pass", async () => {
  let calls = 0;
  /** As Redis's client does: each request has a time limit, which nobody hears any more once it is answered. */
  const ask = async () => {
    const signal = AbortSignal.timeout(5_000);
    const abort = () => {};
    signal.addEventListener("abort", abort);
    await new Promise((resolve) => void setImmediate(resolve));
    signal.removeEventListener("abort", abort);
  };
  const idle = async () => {
    calls++;
    await ask();
    await ask();
  };
  const work = async (id: string) => {
    await ask();
    return id;
  };
  const report = await explored(appThat(async () => ({ work, close: () => {} }), { idle }));
  expect(report.failures).toEqual([]);
  expect(calls).toBeLessThan(10 * report.worlds);
});

test("An app that asks Postgres is waited for until each answer has ended, however long its parts take", async () => {
  // answers each Query by two rows, then by what ends the answer: 20 ms apart
  const postgres = new Worker(
    `const ready = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
    const row = Buffer.from([0x44, 0, 0, 0, 6, 0, 0]);
    const server = require("node:net").createServer((socket) => {
      let last = Promise.resolve();
      const later = (part) => (last = last.then(() => new Promise((done) => setTimeout(() => socket.write(part, done), 20))));
      socket.on("error", () => {}).on("data", (sent) => {
        for (const byte of sent) if (byte === 0x51) for (const part of [row, row, ready]) void later(part);
      });
    });
    server.listen(0, "127.0.0.1", () => require("node:worker_threads").parentPort.postMessage(server.address().port));`,
    { eval: true },
  );
  const [port] = (await once(postgres, "message")) as [number];
  const query = Buffer.from([0x51, 0, 0, 0, 5, 0]);
  const open = async () => {
    const socket = createConnection(port, "127.0.0.1");
    const answered = async (count: number) => {
      for (let left = count; left > 0; ) {
        const [part] = (await once(socket, "data")) as [Buffer];
        left -= [...part].filter((byte) => byte === 0x5a).length;
      }
    };
    socket.write(query);
    await answered(1);
    const work = async (id: string) => {
      socket.write(query);
      socket.write(Buffer.concat([query, query]));
      await answered(3);
      return id;
    };
    return { work, close: () => socket.destroy() };
  };
  expect((await explored(appThat(open))).failures).toEqual([]);
  await postgres.terminate();
});

test("An `idle()` whose promise stays open is named", async () => {
  const subject = appThat(async () => ({ work: async (id) => id, close: () => {} }), {
    idle: () => new Promise(() => {}),
  });
  const { failures } = await exploreReport({ scenario, subject, deviations: 0, patience: "PT0.2S" });
  expect(failures.map(({ message }) => message)).toEqual([
    "nothing happened for 200 ms: the promise that `idle()` returned stays open. A queue in Redis, such as BullMQ, waits in real time: see docs/guides/works-later.md#a-queue-in-redis",
  ]);
});
