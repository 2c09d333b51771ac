/**
 * Node loads this file before a program that `httpApp({ run })` starts. Its clock and timers are those of the world from then on, and it says when
 * it can do nothing more without the world. It is told of that world by a variable of the environment. What it starts gets that too, until it
 * listens: the program may be what it starts, as with tsx.
 */

import { callBefore } from "../../core/engine/call-before.ts";
import { createNodeWork } from "../../core/engine/node-work.ts";
import { tellCodeBy } from "../../core/engine/whose-code.ts";
import { keepClockDoors, useClock } from "../../core/foundation/clock-doors.ts";
import { nodeModule } from "../../core/foundation/node-module.ts";
import { Randomness } from "../../core/foundation/random.ts";
import { replaceFunction } from "../../core/foundation/timer-functions.ts";
import {
  type Listens,
  messageReader,
  type ProcessQuestion,
  type ProcessReply,
  type ProcessStart,
  SENT,
  VARIABLE,
} from "./process-messages.ts";
import { ProcessTimers } from "./process-timers.ts";

/** The parts of Node's modules that are used. */
interface Threads {
  readonly isMainThread: boolean;
}
interface Net {
  readonly Server: { prototype: object };
  connect(path: string): Socket;
}
interface Listener {
  address(): unknown;
  listenerCount(event: "request" | "stream" | "secureConnection"): number;
  on(event: "newListener", hear: (event: unknown) => void): void;
  off(event: "newListener", hear: (event: unknown) => void): void;
}
interface Socket {
  setEncoding(encoding: "utf8"): void;
  unref(): void;
  once(event: "connect" | "close", hear: () => void): void;
  on(event: "error", hear: (error: { readonly code?: string }) => void): void;
  on(event: "data", hear: (text: string) => void): void;
  write(text: string): void;
}
interface Channels {
  subscribe(
    name: string,
    hear: (message: { readonly request: Incoming; readonly response: Emitter }) => void,
  ): void;
}
interface Emitter {
  once(event: "close", hear: () => void): void;
}
interface Incoming {
  readonly headers: Record<string, unknown>;
  readonly headersDistinct: Record<string, unknown>;
  readonly rawHeaders: string[];
}
interface Process {
  readonly env: Record<string, string | undefined>;
  readonly platform: string;
  exit(code: number): never;
  kill(pid: number, signal: "SIGKILL"): void;
}

/** Whether a program starts others and is no app: npm, and what it runs in front of a program, get the variable on. */
const passesOn = /[/\\](npm|npx)(-cli\.js)?$/;

const process = nodeModule<Process & { readonly argv: readonly string[] }>("node:process");
const given = process?.env[VARIABLE];
const isApp =
  nodeModule<Threads>("node:worker_threads")?.isMainThread === true && !passesOn.test(process?.argv[1] ?? "");
if (process !== undefined && given !== undefined && isApp)
  await follow(JSON.parse(given) as ProcessStart, process);

/** Takes the header of the exploration from a request: an app may pass its headers on, also to itself. */
function hideFrom({ headers, headersDistinct, rawHeaders }: Incoming): void {
  // Node has made both from the raw ones by now
  delete headers[SENT];
  delete headersDistinct[SENT];
  const isName = (text: string, index: number) => index % 2 === 0 && text.toLowerCase() === SENT;
  rawHeaders.splice(rawHeaders.findIndex(isName), 2);
}

/** Whether it takes requests: a program may listen elsewhere before, to find a port that is free. */
const isServerOfHttp = (server: Listener) =>
  server.listenerCount("request") + server.listenerCount("stream") > 0;

/** A server of HTTP/2 has streams, one of TLS has secure connections. */
const isPlain = (server: Listener) =>
  server.listenerCount("stream") + server.listenerCount("secureConnection") === 0;

/** The line to the exploration; undefined if that cannot be reached. @param end called when it is over, or has ended */
async function connectTo(path: string, end: () => void) {
  const socket = (nodeModule<Net>("node:net") as Net).connect(path);
  const isConnected = await new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true));
    socket.on("error", ({ code }) => {
      if (code === "ENOENT" || code === "ECONNREFUSED") end();
      resolve(false);
    });
  });
  if (!isConnected) return undefined;
  socket.once("close", end);
  socket.unref();
  return socket;
}

async function follow(start: ProcessStart, own: Process): Promise<void> {
  const { path, nowMs: startMs, seed, apart, port: asked } = start;
  // when the exploration is over, or has ended, so is the group of what was started
  const socket = await connectTo(path, () =>
    own.platform === "win32" ? own.exit(1) : own.kill(0, "SIGKILL"),
  );
  if (socket === undefined) return;
  const net = nodeModule<Net>("node:net") as Net;

  let nowMs = startMs;
  const offsetMs = performance.now() - startMs;
  keepClockDoors();
  useClock({ nowMs: () => nowMs, performanceMs: () => nowMs + offsetMs });
  const randomness = new Randomness(seed);
  replaceFunction(globalThis.Math, "random", () => () => randomness.uniform("subject"));
  const timers = new ProcessTimers();
  timers.install();
  tellCodeBy(() => "app");
  // nothing else is in its process
  const work = createNodeWork(() => ({ besideMs: Number.POSITIVE_INFINITY }));
  work?.follow();

  let unanswered = 0;
  nodeModule<Channels>("node:diagnostics_channel")?.subscribe(
    "http.server.request.start",
    ({ request, response }) => {
      // the app may also ask itself
      if (request.headers[SENT] === undefined) return;
      hideFrom(request);
      unanswered++;
      response.once("close", () => {
        unanswered--;
      });
    },
  );
  const say = (message: object) => socket.write(`${JSON.stringify(message)}\n`);
  const tell = (server: Listener) => {
    const { port, address: host } = (server.address() ?? {}) as Partial<Listens>;
    if (port === undefined || host === undefined) return;
    delete own.env[VARIABLE];
    // until it opens the one at which it is asked, timers are real
    if (port === (asked ?? port)) timers.handOver();
    say({ port, address: host, isPlain: isPlain(server) });
  };
  callBefore(net.Server, "emit", (self, event) => {
    if (event !== "listening") return;
    const server = self as Listener;
    if (isServerOfHttp(server)) return tell(server);
    // it may take requests later
    const hear = (added: unknown) => {
      if (added !== "request" && added !== "stream") return;
      server.off("newListener", hear);
      queueMicrotask(() => tell(server));
    };
    server.on("newListener", hear);
  });
  let isBuilt = false;
  const answer = async ({ id, nowMs: toMs, fire, isIdleAwaited }: ProcessQuestion) => {
    nowMs = toMs;
    if (fire !== undefined) timers.fire(fire);
    if (isIdleAwaited === true && !isBuilt) {
      isBuilt = true;
      // they serve it from now on
      work?.forgetProcesses();
    }
    const waiting = isIdleAwaited === true ? await work?.untilWaitingFor(apart) : undefined;
    const reply: ProcessReply = { id, unanswered, waiting: waiting ?? 0, timers: timers.takeChanges() };
    say(reply);
  };
  socket.setEncoding("utf8");
  socket.on(
    "data",
    messageReader<ProcessQuestion>((question) => void answer(question)),
  );
}
