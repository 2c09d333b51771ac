import { type ChildProcess, exec, execFile, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, createConnection, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { MessageChannel, Worker } from "node:worker_threads";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { exploreReport } from "../../src/explore/index.ts";
import { createSimulator, parseScenario, type Simulator } from "../../src/index.ts";
import { ways } from "./late-work/ways.ts";

const url = "https://crm.test/";
const missed = parseScenario(`
scenario: A missed call
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "${url}", events: [call.not_answered] } }
  - { at: PT1S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
`);

/** A server in a thread of its own, so that nothing here knows what it does. It answers after 50 ms, or never. */
const server = new Worker(
  `const { parentPort } = require("node:worker_threads");
  const server = require("node:net").createServer((socket) =>
    socket.on("data", (sent) => String(sent).startsWith("never") || setTimeout(() => socket.end(sent), 50)),
  );
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`,
  { eval: true },
);
const [port] = (await once(server, "message")) as [number];
afterAll(() => server.terminate());

async function answerTo(text: string): Promise<string> {
  const socket = createConnection(port, "127.0.0.1");
  socket.write(text);
  const [answer] = await once(socket, "data");
  return String(answer);
}

/** An app that answers first, and stores what the other end answers. */
function appThat(work: (id: string) => Promise<string>, more: object = {}) {
  return (sim: Simulator) => {
    const stored: string[] = [];
    const seen = new Set<string>();
    sim.network.route(url, ({ body }) => {
      const { id } = JSON.parse(body).data.call;
      if (!seen.has(id)) void work(id).then((answer) => stored.push(answer));
      seen.add(id);
      return 204;
    });
    return { stored, ...more };
  };
}

const explored = (subject: ReturnType<typeof appThat>, more: object = {}) =>
  exploreReport({
    scenario: missed,
    subject,
    eventually: { "is stored": (_, { stored }) => stored.length === 1 && stored[0] !== "too late" },
    deviations: 1,
    ...more,
  });

describe("An app that asks another process", () => {
  test.each([
    ["", 0],
    [" beside two busy loops", 2],
  ])("is given time to get the answer before its own limit of 5 s passes%s", async (_, count) => {
    const loops = Array.from({ length: count }, () => new Worker("for (;;);", { eval: true }));
    onTestFinished(async () => void (await Promise.all(loops.map((each) => each.terminate()))));
    const tooLate = () => new Promise<string>((resolve) => void setTimeout(resolve, 5_000, "too late"));
    const { failures } = await explored(appThat((id) => Promise.race([answerTo(id), tooLate()])));
    expect(failures).toEqual([]);
  });

  test("that never answers is named, with the other end", async () => {
    const { failures } = await explored(
      appThat(() => answerTo("never")),
      { deviations: 0, patience: "PT0.5S" },
    );
    expect(failures[0]).toMatchObject({
      property: "the app hangs",
      message: `nothing happened for 500 ms: the app waits for 127.0.0.1:${port}: return \`idle()\``,
    });
  });

  test("that never answers is not waited for on a connection that is unref'd", async () => {
    const socket = createConnection(port, "127.0.0.1");
    await once(socket, "connect");
    socket.unref();
    onTestFinished(() => void socket.destroy());
    const { failures } = await explored(
      appThat(async (id) => {
        socket.write("never");
        return id;
      }),
      { patience: "PT0.5S" },
    );
    expect(failures).toEqual([]);
  });

  test("that never answers is not waited for if `idle` says that nothing is left to do", async () => {
    const { failures } = await explored(
      appThat(
        (id) => {
          void answerTo("never");
          return Promise.resolve(id);
        },
        { idle: () => Promise.resolve() },
      ),
    );
    expect(failures).toEqual([]);
  });

  test("by a way that nothing can follow is waited for by `idle`", async () => {
    const echo = new Worker(
      `require("node:worker_threads").parentPort.once("message", (port) =>
        port.on("message", (sent) => setTimeout(() => port.postMessage(sent), 20)));`,
      { eval: true },
    );
    const { port1, port2 } = new MessageChannel();
    echo.postMessage(port2, [port2]);
    const open = new Set<Promise<unknown>>();
    const work = (id: string) => {
      port1.postMessage(id);
      const answered = once(port1, "message").then(([{ data = id } = {}]) => String(data));
      open.add(answered);
      void answered.then(() => open.delete(answered));
      return answered;
    };
    const { failures } = await explored(appThat(work, { idle: () => Promise.all(open) }));
    expect(failures).toEqual([]);
    await echo.terminate();
  });
});

const folder = mkdtempSync(join(tmpdir(), "other-ends-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program that says each message again 30 ms later, or at once its argument. */
const echoFile = join(folder, "echo.cjs");
writeFileSync(
  echoFile,
  `const say = (sent) => setTimeout(() => process.send(sent), 30);
  if (process.argv[2] === undefined) process.on("message", say);
  else setTimeout(() => { process.send(process.argv[2]); process.disconnect(); }, 30);`,
);
const echoThread = `require("node:worker_threads").parentPort.on("message", (sent) =>
  setTimeout(() => require("node:worker_threads").parentPort.postMessage(sent), 30));`;
const threadForOne = `const { parentPort, workerData } = require("node:worker_threads");
  setTimeout(() => parentPort.postMessage(workerData), 30);`;

/** What a command prints, once it is over. */
async function printed(id: string, event: "exit" | "close"): Promise<string> {
  const child = spawn("sh", ["-c", `echo ${id}; sleep 0.03`]);
  let text = "";
  child.stdout.on("data", (part) => {
    text += part;
  });
  await once(child, event);
  return text.trim();
}

type Helper = Pick<ChildProcess, "kill"> | Pick<Worker, "terminate">;
const end = (each: Helper) => ("kill" in each ? each.kill() : each.terminate());

/** How an app may let a thread or a process do its work. Begins it; returns what does a job. */
const helpers: Readonly<
  Record<string, (keep: <H extends Helper>(it: H) => H) => (id: string) => Promise<string>>
> = {
  "a command that execFile runs": () => async (id) => (await promisify(execFile)("echo", [id])).stdout.trim(),
  "a command that goes on after it has printed": () => async (id) =>
    (await promisify(exec)(`echo ${id}; sleep 0.03`)).stdout.trim(),
  "a process of which it hears when it is closed": () => (id) => printed(id, "close"),
  "a process of which it hears when it exits": () => (id) => printed(id, "exit"),
  "a process for each job, told by its arguments": (keep) => async (id) =>
    (await once(keep(fork(echoFile, [id])), "message"))[0],
  "a process that waits for jobs": (keep) => {
    const child = keep(fork(echoFile));
    return async (id) => {
      child.send(id);
      return (await once(child, "message"))[0];
    };
  },
  "a thread for each job, told by a message": (keep) => async (id) => {
    const worker = keep(new Worker(echoThread, { eval: true }));
    worker.postMessage(id);
    return (await once(worker, "message"))[0];
  },
  "a thread for each job, told by its data": (keep) => async (id) =>
    (await once(keep(new Worker(threadForOne, { eval: true, workerData: id })), "message"))[0],
  "a thread that waits for jobs": (keep) => {
    const worker = keep(new Worker(echoThread, { eval: true }));
    return async (id) => {
      worker.postMessage(id);
      return (await once(worker, "message"))[0];
    };
  },
};

test.each(Object.entries(helpers))("An app is given time to get the answer of %s", async (_, begin) => {
  const subject = (sim: Simulator) => {
    const kept: Helper[] = [];
    const keep = <H extends Helper>(it: H) => {
      kept.push(it);
      return it;
    };
    const work = begin(keep);
    const [seen, stored] = [new Set<string>(), [] as string[]];
    sim.network.route(url, ({ body }) => {
      const { id } = JSON.parse(body).data.call;
      if (!seen.has(id)) void work(id).then((answer) => stored.push(answer));
      seen.add(id);
      return 204;
    });
    return { stored, [Symbol.asyncDispose]: async () => void (await Promise.all(kept.map(end))) };
  };
  const { failures } = await explored(subject, { deviations: { kinds: ["unanswered", "late"] } });
  expect(failures).toEqual([]);
});

test("A process that runs on, and that its app has unref'd, is not waited for", async () => {
  const left: ChildProcess[] = [];
  const work = (id: string) => {
    const child = spawn("sleep", ["100"], { stdio: "ignore", detached: true });
    child.on("exit", () => {});
    child.unref();
    left.push(child);
    return Promise.resolve(id);
  };
  const { failures } = await explored(appThat(work), { deviations: 0 });
  expect(failures).toEqual([]);
  for (const child of left) child.kill();
});

test("What another test does without pause beside an exploration is not waited for", async () => {
  let isOver = false;
  let looks = 0;
  const other = async () => {
    for (; !isOver; looks++) await stat(tmpdir());
  };
  const busy = other();
  const { failures } = await explored(
    appThat((id) => new Promise((resolve) => void setImmediate(resolve, id))),
    { steps: 100 },
  );
  isOver = true;
  await busy;
  expect(failures).toEqual([]);
  expect(looks).toBeGreaterThan(0);
});

test("What a server does that was there before the exploration is waited for once the app has written to it, and is no work of the app", async () => {
  const stored: string[] = [];
  const store = async (id: string) => {
    for (let left = 150; left > 0; left--) await stat(tmpdir());
    stored.push(id);
  };
  const early = createServer((request, response) => {
    response.end();
    void store(String(request.url).slice(1));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void early.close());
  await once(early, "listening");
  const { port: ownPort } = early.address() as AddressInfo;
  const subject = (sim: Simulator) => {
    stored.length = 0;
    const sent = new Set<string>();
    sim.network.route(url, async ({ body }) => {
      const { id } = JSON.parse(body).data.call;
      if (!sent.has(id)) await fetch(`http://127.0.0.1:${ownPort}/${sent.add(id) && id}`);
      return 204;
    });
    return { stored };
  };
  const { failures } = await explored(subject, { steps: 100 });
  expect(failures).toEqual([]);
});

test("A timer that a client from before the exploration sets when an answer has come stays real", async () => {
  const echo = createTcpServer((socket) => socket.pipe(socket)).listen(0, "127.0.0.1");
  await once(echo, "listening");
  const client = createConnection((echo.address() as AddressInfo).port, "127.0.0.1");
  const idle: ReturnType<typeof setTimeout>[] = [];
  let ended = 0;
  client.on("data", () => idle.push(setTimeout(() => ended++, 10_000)));
  await once(client, "connect");
  onTestFinished(() => {
    for (const each of idle) clearTimeout(each);
    client.destroy();
    echo.close();
  });
  const { failures } = await explored(
    appThat(async (id) => {
      client.write(id);
      return String(await once(client, "data"));
    }),
  );
  expect([failures, ended, idle.length > 0]).toEqual([[], 0, true]);
});

test("What an app does without end is not waited for when its world is over", async () => {
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  const restless = appThat(async (id) => {
    while (!isOver) await stat(tmpdir());
    return id;
  });
  const more = { steps: 100, deviations: { kinds: ["unanswered" as const] } };
  const found = await explored(restless, more);
  expect(found.failures.map(({ property, worlds }) => [property, worlds])).toEqual([
    ["the app never comes to rest", 1],
  ]);
  const quiet = appThat((id) => new Promise((resolve) => void setImmediate(resolve, id)));
  const { failures } = await explored(quiet, more);
  expect(failures).toEqual([]);
});

test("What an app asks the REST API after its world never gets an answer, and throws nothing", async () => {
  const worlds: Simulator[] = [];
  const subject = (sim: Simulator) => {
    worlds.push(sim);
    return { stored: ["once"] };
  };
  await explored(subject, { deviations: 0 });
  const asked = worlds.map((sim) => sim.fetch("/calls"));
  const isStill = new Promise((resolve) => void setTimeout(resolve, 20, "still"));
  expect(await Promise.race([...asked, isStill])).toBe("still");
});

/** A plain test has the timers of its own, and does not follow connections. */
const notWaitedFor = /timer|tries again|every|five seconds|server of its own/;
test.each(Object.entries(ways).filter(([name]) => !notWaitedFor.test(name)))(
  "In a plain test an app that %s has done it when an asynchronous run ends",
  async (_, way) => {
    const stored: string[] = [];
    const endings: (() => unknown)[] = [];
    const sim = createSimulator();
    const ask = async (id: string) =>
      (await sim.fetch(`/calls/${id}`, { headers: { authorization: `Bearer ${sim.token()}` } })).ok;
    const store = (id: string) => void stored.push(id);
    const work = async (id: string) => void ((await ask(id)) && store(id));
    const start = way({ ask, store, work, workSlowly: work, endings });
    sim.network.route(url, async ({ body }) => {
      await start(JSON.parse(body).data.call.id);
      return 204;
    });
    sim.webhooks.create({ url, events: ["call.not_answered"] });
    const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
    await sim.runUntilIdleAsync();
    expect(stored).toEqual([call.id]);
    for (const end of endings) await end();
  },
);
