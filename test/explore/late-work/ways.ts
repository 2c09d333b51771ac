import dns from "node:dns";
import { EventEmitter, once } from "node:events";
import fs, { mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as timers from "node:timers/promises";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { parseScenario, type Simulator } from "ringback";
import { exploreReport } from "ringback/explore";

/**
 * A parser written in Rust, which parses in the thread pool. A package that builds this one brings it: a project that has it
 * not names this one's manifest.
 */
const builder = createRequire(process.env.RINGBACK_MANIFEST ?? import.meta.url).resolve("tsup");
const { parseAstAsync } = createRequire(builder)("rollup/parseAst") as {
  parseAstAsync(code: string): Promise<{ readonly body: readonly [{ readonly directive: string }] }>;
};

/** The usual ways to answer a webhook first and to work later. They import the package as its consumers do. */

/** An app that stores each missed call. */
export interface App {
  readonly stored: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** What a way of working may use. */
interface Tools {
  /** Asks the platform for the call, and stores it. */
  work(id: string): Promise<void>;
  /** As `work`, with a pause between two tries. */
  workSlowly(id: string, pause: (ms: number) => Promise<unknown>): Promise<void>;
  /** Asks the platform for the call. Tells whether it answered. */
  ask(id: string): Promise<boolean>;
  store(id: string): void;
  readonly endings: (() => unknown)[];
}

/** @returns what the handler calls; what that returns is awaited before the answer */
type Way = (tools: Tools) => (id: string) => unknown;

function queueOf({ work }: Tools) {
  const jobs: string[] = [];
  let isRunning = false;
  const drain = async () => {
    if (isRunning) return;
    isRunning = true;
    for (let id = jobs.shift(); id !== undefined; id = jobs.shift()) await work(id);
    isRunning = false;
  };
  return { jobs, drain };
}

const folder = () => mkdtempSync(join(tmpdir(), "late-work-"));
const removal = (path: string) => () => fs.rmSync(path, { recursive: true, force: true });

export const ways: Readonly<Record<string, Way>> = {
  "awaits its work":
    ({ work }) =>
    (id) =>
      work(id),
  "does not await its work":
    ({ work }) =>
    (id) =>
      void work(id),
  "works after fifty microtasks":
    ({ work }) =>
    (id) =>
      void (async () => {
        for (let left = 50; left > 0; left--) await null;
        await work(id);
      })(),
  "works in an immediate":
    ({ work }) =>
    (id) =>
      void setImmediate(() => work(id)),
  "works in a timer of 0 ms":
    ({ work }) =>
    (id) =>
      void setTimeout(() => work(id), 0),
  "works in a timer of 250 ms":
    ({ work }) =>
    (id) =>
      void setTimeout(() => work(id), 250),
  "works in a tick":
    ({ work }) =>
    (id) =>
      void process.nextTick(() => work(id)),
  "has a queue": (tools) => {
    const { jobs, drain } = queueOf(tools);
    return (id) => {
      jobs.push(id);
      void drain();
    };
  },
  "has a queue behind two immediates": (tools) => {
    const { jobs, drain } = queueOf(tools);
    return (id) => {
      jobs.push(id);
      setImmediate(() => setImmediate(() => void drain()));
    };
  },
  "has an emitter": ({ work }) => {
    const emitter = new EventEmitter().on("job", (id) => void work(id));
    return (id) => void emitter.emit("job", id);
  },
  "has a generator that waits for jobs for ever": ({ work }) => {
    const jobs: string[] = [];
    const wake = new EventEmitter();
    async function* queue() {
      for (;;) {
        for (let id = jobs.shift(); id !== undefined; id = jobs.shift()) yield id;
        await once(wake, "job");
      }
    }
    void (async () => {
      for await (const id of queue()) await work(id);
    })();
    return (id) => {
      jobs.push(id);
      wake.emit("job");
    };
  },
  "writes and reads files": ({ work, endings }) => {
    const path = folder();
    endings.push(removal(path));
    return (id) =>
      void (async () => {
        await fs.promises.writeFile(join(path, id), id);
        await work(await fs.promises.readFile(join(path, id), "utf8"));
      })();
  },
  "writes and reads files with callbacks": ({ work, endings }) => {
    const path = folder();
    endings.push(removal(path));
    return (id) =>
      fs.writeFile(join(path, id), id, () =>
        fs.readFile(join(path, id), "utf8", (_, text) => void work(text)),
      );
  },
  "looks up a name for each job":
    ({ work }) =>
    (id) =>
      void dns.promises.lookup("localhost").then(() => dns.lookup("localhost", () => void work(id))),
  "compresses its jobs":
    ({ work }) =>
    (id) =>
      void (async () => work(String(await promisify(gunzip)(await promisify(gzip)(id)))))(),
  "signs its jobs":
    ({ work }) =>
    (id) =>
      void (async () => {
        const algorithm = { name: "HMAC", hash: "SHA-256" };
        const key = await crypto.subtle.importKey("raw", new Uint8Array(32), algorithm, false, ["sign"]);
        await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(id));
        await work(id);
      })(),
  "reads its jobs by a native module":
    ({ work }) =>
    (id) =>
      void (async () => work((await parseAstAsync(JSON.stringify(id))).body[0].directive))(),
  "loads WebAssembly for each job":
    ({ work }) =>
    (id) =>
      void (async () => {
        // a module without anything in it
        await WebAssembly.instantiate(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
        await work(id);
      })(),
  "looks for jobs every five seconds": (tools) => {
    const { jobs, drain } = queueOf(tools);
    const timer = setInterval(() => void drain(), 5_000);
    tools.endings.push(() => clearInterval(timer));
    return (id) => void jobs.push(id);
  },
  "looks for jobs five seconds after it last has": (tools) => {
    const { jobs, drain } = queueOf(tools);
    const poll = async () => {
      await drain();
      timer = setTimeout(poll, 5_000);
    };
    let timer = setTimeout(poll, 5_000);
    tools.endings.push(() => clearTimeout(timer));
    return (id) => void jobs.push(id);
  },
  "tries again after 30 s":
    ({ workSlowly }) =>
    (id) =>
      void workSlowly(id, promisify(setTimeout)),
  "tries again after 30 s of timers/promises":
    ({ workSlowly }) =>
    (id) =>
      void workSlowly(id, timers.setTimeout),
  "tries again after 1 s before it answers":
    ({ workSlowly }) =>
    (id) =>
      workSlowly(id, () => new Promise((resolve) => void setTimeout(resolve, 1_000))),
  "sends its jobs to a server of its own": ({ ask, store, endings }) => {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      store(String(Buffer.concat(chunks)));
      response.end("stored");
    }).listen(0, "127.0.0.1");
    const listening = once(server, "listening");
    endings.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return (id) =>
      void (async () => {
        await listening;
        if (!(await ask(id))) return;
        const { port } = server.address() as AddressInfo;
        await (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: id })).text();
      })();
  },
};

/** Six tries get over any one failure. */
const TRIES = 6;

/** An app that works in one of the ways. @param retries whether it tries again if the platform does not answer */
export function appThat(way: Way, retries: boolean): (sim: Simulator) => App {
  return (sim) => {
    const stored: string[] = [];
    const seen = new Set<string>();
    const endings: (() => unknown)[] = [];
    const tries = retries ? TRIES : 1;
    const askOnce = async (id: string) =>
      (await sim.fetch(`/calls/${id}`, { headers: { authorization: `Bearer ${sim.token()}` } })).ok;
    const ask = async (id: string, pause?: (ms: number) => Promise<unknown>) => {
      for (let left = tries; left > 0; left--) {
        if (await askOnce(id)) return true;
        await pause?.(30_000);
      }
      return false;
    };
    const start = way({
      ask,
      endings,
      store: (id) => void stored.push(id),
      work: async (id) => void ((await ask(id)) && stored.push(id)),
      workSlowly: async (id, pause) => void ((await ask(id, pause)) && stored.push(id)),
    });
    sim.network.route("https://crm.test/", async ({ body }) => {
      const { id } = JSON.parse(body).data.call;
      if (seen.has(id)) return 204;
      seen.add(id);
      await start(id);
      return 204;
    });
    const end = async () => {
      for (const each of endings) await each();
    };
    return { stored, [Symbol.asyncDispose]: end };
  };
}

const missedCalls = parseScenario(`
scenario: Two missed calls
steps:
  - { at: PT0S, createWebhook: { as: crm, url: "https://crm.test/", events: [call.not_answered] } }
  - { at: PT1S, inbound: { as: c1, from: "+6421555001", to: "+6495550103" } }
  - { at: PT20S, inbound: { as: c2, from: "+6421555002", to: "+6495550104" } }
`);

/** The property of an app that works in one of the ways. */
export const eventually = {
  "each missed call is stored once": (sim: Simulator, { stored }: App) =>
    sim.events
      .ofType("call.not_answered")
      .every(({ data }) => stored.filter((id) => id === data.call.id).length === 1),
};

/** The app, or the file of its module and by how many threads it is explored. */
type Explored =
  | { readonly subject: (sim: Simulator) => App }
  | { readonly with: string; readonly workers: number };

/** What an app meets that tries again at once: a 429 tells it to wait, and a broken connection throws. */
const kinds = [
  "lost",
  "unanswered",
  "duplicated",
  "late",
  "rejected",
  "503",
  "slow",
  "tokenExpired",
  "timers",
] as const;

/** What exploring an app with one deviation finds: how many worlds, and what fails by which deviations. */
export async function verdictOf(explored: Explored) {
  const options = { scenario: missedCalls, deviations: { kinds } } as const;
  const { worlds, failures } = await exploreReport(
    "with" in explored
      ? { ...options, ...explored }
      : { ...options, ...explored, eventually, show: ({ stored }) => stored },
  );
  const found = failures.map(({ property, smallest }) => [property, smallest.deviations.map(({ is }) => is)]);
  return { worlds, found };
}

/** The verdict of each app, by whether it tries again. */
export const verdicts = {
  right: { worlds: 19, found: [] },
  wrong: { worlds: 19, found: [["each missed call is stored once", ["503"]]] },
};
