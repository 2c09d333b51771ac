import { InputError } from "../../core/foundation/errors.ts";
import { realSetTimeout } from "../../core/foundation/real-functions.ts";
import { realTimeMs, sleepRealTime } from "../../findings/real-time.ts";
import { threadFile } from "../sandbox/thread-file.ts";
import type { bindToContext } from "../sandbox/world-context.ts";
import { neededModule } from "./http-client.ts";
import {
  type Listens,
  messageReader,
  type ProcessQuestion,
  type ProcessReply,
  type ProcessStart,
  VARIABLE,
} from "./process-messages.ts";
import { exitWords } from "./restart-command.ts";

type Net = Pick<typeof import("node:net"), "createServer">;
type Socket = import("node:net").Socket;
type Processes = Pick<typeof import("node:child_process"), "spawn" | "spawnSync">;
type Child = import("node:child_process").ChildProcess;
type Files = Pick<typeof import("node:fs"), "mkdtempSync" | "rmSync">;

/** How long a program may take until it listens, and how often it is looked, ms. */
const START_MS = 30_000;
const AGAIN_MS = 2;
/** How much of the last that a program prints as its error is kept, characters. */
const LONGEST = 10_000;
/** How long the rest of that may take once it has ended, ms. */
const PRINTED_MS = 500;
/** How long who else hears a signal may take to end this process, ms. */
const ENDING_MS = 500;

/** Those that were started and not ended. A process that ends takes them along. */
const running = new Set<NodeProcess>();
/** What ends a process without its event `exit`. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
let unwatch: (() => void) | undefined;

/** What is started. */
interface Program {
  /** The option that names the command. */
  readonly option: "run" | "restart";
  readonly command: string;
  /** The port at which it is asked; undefined for the first that it opens. */
  readonly port: number | undefined;
}

/** A program of Node that runs in one world: its clock and timers are the world's. */
export class NodeProcess {
  /** Where it takes requests by HTTP, in the order in which it began to. */
  readonly urls: string[] = [];
  /** How it ended; undefined as long as it runs. */
  ended: string | undefined;
  /** Why it cannot be asked where it listens first. */
  private refused: string | undefined;
  private printed = "";
  private socket: Socket | undefined;
  private readonly sockets = new Set<Socket>();
  /** Whether it, or what it started, has said that it is a program of Node. */
  private isNode = false;
  private last = 0;
  /** The time that it was last told, ms since the epoch. */
  toldMs = Number.NaN;
  private readonly asked = new Map<
    number,
    { resolve(reply: ProcessReply): void; reject(error: Error): void }
  >();
  private child: Child | undefined;
  private close = () => {};

  /** @param runOutside calls as code of no world: what is done here is nothing that the app does */
  constructor(
    readonly program: Program,
    private readonly runOutside: ReturnType<typeof bindToContext>,
  ) {}

  /**
   * Starts the program, and waits until it listens.
   * @param environment variables besides those of this process
   * @param goesOn is called as long as this goes on
   * @throws {InputError} if it ends before, or takes no requests by HTTP within 30 s
   */
  async start(
    start: Omit<ProcessStart, "path">,
    environment: Readonly<Record<string, string>>,
    goesOn: () => void,
  ): Promise<void> {
    running.add(this);
    watchEnd();
    const path = await this.listen();
    const { env, platform } = globalThis.process;
    const preload = String(threadFile(import.meta.url, "world-preload", "ts"));
    const { spawn } = neededModule<Processes>("node:child_process");
    const options: import("node:child_process").SpawnOptions = {
      shell: true,
      stdio: ["ignore", "ignore", "pipe"],
      // with a group of its own, what a shell or npm starts ends with it
      detached: platform !== "win32",
      env: {
        ...{ ...env, ...environment },
        NODE_OPTIONS: `${env.NODE_OPTIONS ?? ""} --import ${preload}`.trim(),
        [VARIABLE]: JSON.stringify({ ...start, path }),
      },
    };
    this.runOutside(undefined, [
      () => {
        this.child = spawn(this.program.command, options);
      },
    ]);
    const { child } = this;
    if (child === undefined) throw new Error("nothing was spawned");
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.printed = `${this.printed}${text}`.slice(-LONGEST);
    });
    const isPrinted = new Promise((resolve) => void child.stderr?.once("close", resolve));
    child.on("error", ({ message }) => this.noteEnd(`cannot be run: ${message}`));
    // not `close`: what it started may keep its pipes open
    child.on("exit", async (code, signal) => {
      await Promise.race([isPrinted, sleepRealTime(PRINTED_MS)]);
      const when = this.isNode && this.url === "" ? " before it took requests by HTTP" : "";
      this.noteEnd(`${exitWords(code, signal)}${when}`);
    });
    for (const endMs = realTimeMs() + START_MS; this.url === ""; await sleepRealTime(AGAIN_MS)) {
      goesOn();
      if ((this.ended ?? this.refused) === undefined && realTimeMs() < endMs) continue;
      const how = this.ended ?? this.refused ?? this.silent;
      const expected = this.isNode ? "" : "expected a command that starts a server in Node: ";
      await this.end();
      throw new InputError([this.program.option], `${expected}\`${this.program.command}\` ${how}`);
    }
  }

  /** Asks the process. @throws if it ends before it answers */
  ask(question: Omit<ProcessQuestion, "id">): Promise<ProcessReply> {
    const { socket } = this;
    if (socket === undefined || this.ended !== undefined) return Promise.reject(this.gone);
    const id = ++this.last;
    this.toldMs = question.nowMs;
    return new Promise((resolve, reject) => {
      this.asked.set(id, { resolve, reject });
      this.runOutside(undefined, [() => socket.write(`${JSON.stringify({ ...question, id })}\n`)]);
    });
  }

  /** Ends it, and waits until its port is free. */
  async end(): Promise<void> {
    this.abandon();
    while (this.ended === undefined) await sleepRealTime(AGAIN_MS);
    running.delete(this);
    if (running.size === 0) unwatch?.();
  }

  /** Ends it and all that it started, and removes the folder of their socket. */
  abandon(): void {
    this.kill();
    this.close();
  }

  private kill(): void {
    const { child } = this;
    if (child?.pid === undefined) {
      this.noteEnd("was not started");
      return;
    }
    try {
      if (globalThis.process.platform === "win32") child.kill("SIGKILL");
      else globalThis.process.kill(-child.pid, "SIGKILL");
    } catch {
      // all of it has ended
    }
  }

  /** Listens where only the process can know. @returns the path of the socket */
  private listen(): Promise<string> {
    const { mkdtempSync, rmSync } = neededModule<Files>("node:fs");
    const folder = mkdtempSync(`${neededModule<typeof import("node:os")>("node:os").tmpdir()}/ringback-`);
    const path =
      globalThis.process.platform === "win32"
        ? `\\\\.\\pipe\\${folder.split(/[/\\]/).at(-1)}`
        : `${folder}/world`;
    const server = neededModule<Net>("node:net").createServer((socket) => this.connected(socket));
    server.unref();
    this.close = () => {
      server.close();
      for (const socket of this.sockets) socket.destroy();
      rmSync(folder, { recursive: true, force: true });
    };
    return new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(path, () => resolve(path));
    });
  }

  private connected(socket: Socket): void {
    this.sockets.add(socket);
    this.isNode = true;
    socket.unref();
    socket.on("error", () => {}); // it closes then
    socket.on("close", () => {
      this.sockets.delete(socket);
      // mostly it ends, which says more
      if (socket === this.socket) void sleepRealTime(2 * PRINTED_MS).then(() => this.rejectAll());
    });
    const take = messageReader<ProcessReply | Listens>((message) => {
      if ("port" in message) return this.listens(socket, message);
      this.asked.get(message.id)?.resolve(message);
      this.asked.delete(message.id);
    });
    socket.setEncoding("utf8").on("data", take);
  }

  /** The first that listens, or does at the port that is named, is the program; others only start it. */
  private listens(socket: Socket, { port, address, isPlain }: Listens): void {
    const isAsked = this.url === "" && port === (this.program.port ?? port);
    if (!isPlain) {
      if (isAsked) this.refused ??= "takes HTTPS or HTTP/2, expected HTTP/1.1 without TLS";
      return;
    }
    const host = address === "::" || address === "0.0.0.0" ? "127.0.0.1" : address;
    this.urls.push(`http://${host.includes(":") ? `[${host}]` : host}:${port}`);
    if (isAsked) this.socket = socket;
  }

  /** The one of these that is asked; empty until it listens. */
  get url(): string {
    const { port } = this.program;
    return (port === undefined ? this.urls[0] : this.urls.find((url) => url.endsWith(`:${port}`))) ?? "";
  }

  /** That it takes no requests, as the end of a sentence. */
  private get silent(): string {
    const { port } = this.program;
    const at = port === undefined ? "" : ` at port ${port}`;
    const others = this.urls.length === 0 ? "" : `, only at ${this.urls.join(", ")}`;
    return `took no requests by HTTP${at} within ${START_MS / 1_000} s${others}`;
  }

  private noteEnd(how: string): void {
    const lines = this.printed.trim().split("\n");
    const printed =
      lines.findLast((line) => /^\w*Error\b/.test(line)) ?? lines.find(saysWhy) ?? lines.at(-1) ?? "";
    this.ended ??= printed === "" ? how : `${how}: ${printed}`;
    this.rejectAll();
  }

  private rejectAll(): void {
    for (const { reject } of this.asked.values()) reject(this.gone);
    this.asked.clear();
  }

  /** The error of who asks it when it has ended. */
  get gone(): Error {
    return new Error(`\`${this.program.command}\` ${this.ended ?? "has ended"}`);
  }
}

/** Whether npm says what is wrong in this line: it says more above, and gives advice below. */
const saysWhy = (line: string) => /^npm (?:error|ERR!) (?!code|errno|syscall|path)\S/.test(line);

/** Ends all when this process ends, by itself or by a signal. */
function watchEnd(): void {
  if (unwatch !== undefined) return;
  const own = globalThis.process;
  const endAll = () => {
    for (const each of running) each.abandon();
  };
  const leave = () => {
    endAll();
    unwatch?.();
  };
  const hear = (signal: NodeJS.Signals) => {
    leave();
    if (own.listenerCount(signal) === 0) return raise(signal);
    // who else hears it ends this process, or has left that to us
    const again = () => {
      leave();
      // who heard it once is busy with it
      if (own.listenerCount(signal) > 0) raise(signal);
    };
    realSetTimeout(again, ENDING_MS).unref();
  };
  unwatch = () => {
    unwatch = undefined;
    own.off("exit", endAll);
    for (const signal of signals) own.off(signal, hear);
  };
  own.on("exit", endAll);
  for (const signal of signals) own.on(signal, hear);
}

function raise(signal: NodeJS.Signals): void {
  const { kill, pid, platform } = globalThis.process;
  if (platform === "win32") kill(pid, signal);
  // where this process sends it to itself, Node prints a line about a debugger, as which our watchdog counts
  else
    neededModule<Processes>("node:child_process").spawnSync(`kill -s ${signal.slice(3)} ${pid}`, {
      shell: true,
    });
}
