import { InputError, readErrorMessage } from "../../core/foundation/errors.ts";
import { omit } from "../../core/foundation/values.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { realTimeMs, sleepRealTime } from "../../findings/real-time.ts";
import { timeOfCaller } from "../sandbox/virtual-clock.ts";
import type { bindToContext } from "../sandbox/world-context.ts";
import { DependencyProxies } from "./dependency-proxies.ts";
import { type HttpAnswer, HttpClient, OVER, type Sent } from "./http-client.ts";
import { NoAnswer } from "./no-answer.ts";
import { NodeProcess } from "./node-process.ts";
import { SENT } from "./process-messages.ts";
import { runShellCommand } from "./restart-command.ts";
import { ServerProcess } from "./server-process.ts";
import { WorldAddress } from "./world-address.ts";

/** The headers of a request whose body is JSON. */
export const jsonHeaders: Readonly<Record<string, string>> = { "content-type": "application/json" };

/** What a server is told of its world. */
export interface ServerWorld {
  readonly api: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly dependencies: Readonly<Record<string, string>> | undefined;
}

/** Headers of answers of Node's server: they differ from run to run, or are of one connection. */
const ofNode = ["date", "connection", "keep-alive"];

/** How long to wait for a server that ended, ms, and how long between two attempts. */
const BACK_MS = 5_000;
/** How long a restart may take, ms. */
const RESTART_MS = 30_000;
const AGAIN_MS = 50;

/** One instance of a server. It runs one world at a time. */
export class ExploredServer {
  client: HttpClient;
  readonly rest = new WorldAddress();
  readonly dependencies: DependencyProxies;
  /** The request at which its connection broke; undefined once it answers again. */
  brokeAt: string | undefined;
  /** How many requests to it have no answer. */
  sending = 0;
  /** How often it was restarted. */
  restarts = 0;
  /** The program that was started for a world, if one was, once it listens. */
  program: ServerProcess | undefined;
  /** The same, from its start on. */
  private started: NodeProcess | undefined;

  /** Whether a program was started that does not listen yet. */
  get isStarting(): boolean {
    return this.started !== undefined && this.program === undefined;
  }

  /** The port at which a program is asked; undefined for the first that it opens. */
  private readonly port: number | undefined;

  /** @param runOutside calls as code of no world: a program that is started is no process of the app */
  constructor(
    public url: string,
    dependencies: Readonly<Record<string, string>>,
    private readonly runOutside: ReturnType<typeof bindToContext>,
  ) {
    this.port = Number(new URL(url).port || 80) || undefined;
    this.client = new HttpClient(url);
    this.dependencies = new DependencyProxies(dependencies);
  }

  /**
   * Starts a program as the server of a world, in the place of the one before.
   * @param option the option that names the command
   * @param begins called with what it begins by a timer
   * @throws {InputError} if it does not listen
   */
  async startProgram(
    option: "run" | "restart",
    command: string,
    simulator: Simulator,
    world: ServerWorld,
    begins: (work: Promise<unknown>) => void,
  ): Promise<void> {
    await this.endProgram();
    const { api, clientId, clientSecret, dependencies = {} } = world;
    const named = Object.entries(dependencies).map(([name, url]) => [keyOfDependency(name), url]);
    const program = new NodeProcess({ option, command, port: this.port }, this.runOutside);
    this.started = program;
    const apart = [api, ...Object.values(dependencies)].map((url) => new URL(url).host);
    await program.start(
      { nowMs: simulator.timestamp, seed: simulator.seed, apart, port: this.port },
      {
        ...{ RINGBACK_API: api, RINGBACK_CLIENT_ID: clientId, RINGBACK_CLIENT_SECRET: clientSecret },
        ...Object.fromEntries(named),
      },
      () => simulator.services.engine.work.looks++,
    );
    this.program = new ServerProcess(program, timeOfCaller(), () => simulator.timestamp, begins);
    this.url = program.url;
    this.client = new HttpClient(program.url);
    this.brokeAt = undefined;
  }

  /**
   * Sends a request.
   * @throws {RestartedMeanwhile} if it was restarted, {NoAnswer} if it closes the connection, or an error that says why it cannot be reached
   */
  async send(path: string, sent: Sent): Promise<HttpAnswer> {
    const { client, url, restarts, program } = this;
    this.sending++;
    try {
      if (program === undefined) return await client.send(path, sent);
      await program.tell();
      const answer = await client.send(path, { ...sent, headers: { ...sent.headers, [SENT]: "1" } });
      return { ...answer, headers: omit(answer.headers, ...ofNode) };
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      const request = `${sent.method} ${path}`;
      if (restarts !== this.restarts) throw new RestartedMeanwhile(message);
      if (message !== OVER) this.brokeAt ??= request;
      // the address of a program is another one in each run
      const server = program === undefined ? `the server at ${url}` : "the server";
      const how = code === undefined ? "" : ((await program?.howItEnded()) ?? "");
      if (message === "socket hang up")
        throw new NoAnswer(
          `${request}: ${server} closed the connection without an answer, as one does that fails at a request${how}`,
        );
      const why = program === undefined ? message : message.replace(/ \S+:\d+$/, "");
      throw new Error(`${request}: ${server} cannot be reached: ${why}${how}`);
    } finally {
      this.sending--;
    }
  }

  /** Ends the program, if there is one. */
  async endProgram(): Promise<void> {
    const { program, started } = this;
    this.program = undefined;
    this.started = undefined;
    if (started === undefined) return;
    this.client.disconnect();
    program?.forget();
    await started.end();
  }

  /**
   * Runs the command that restarts the server, and waits until it answers again, whatever it answers.
   * @param path the path that is asked
   * @param goesOn is called as long as this goes on
   * @throws {InputError} if the command fails, or the server does not answer within 30 s
   */
  async restart(command: string, path: string, goesOn: () => void): Promise<void> {
    const endMs = realTimeMs() + RESTART_MS;
    const run = runShellCommand(command, { RINGBACK_SERVER: this.url });
    let ended: string | undefined;
    void run.ended.then((problem) => {
      ended = problem;
    });
    for (; ended === undefined; goesOn()) {
      if (realTimeMs() > endMs) {
        run.kill();
        throw new InputError(["restart"], `\`${command}\` did not end within ${RESTART_MS / 1_000} s`);
      }
      await sleepRealTime(AGAIN_MS);
    }
    if (ended !== "") throw new InputError(["restart"], `\`${command}\` ${ended}`);
    this.client.disconnect();
    for (; ; goesOn())
      try {
        await this.client.send(path, { method: "GET", headers: {}, body: "" });
        break;
      } catch (error) {
        if (realTimeMs() > endMs)
          throw new InputError(
            ["restart"],
            `the server at ${this.url} does not answer after \`${command}\`: ${readErrorMessage(error)}`,
          );
        await sleepRealTime(AGAIN_MS);
      }
    this.brokeAt = undefined;
  }

  /** Waits up to 5 s until a server that ended answers again, in case something restarts it. */
  async isBack(reset: string): Promise<void> {
    // counted in attempts: if the machine pauses this process, the server may be up when it goes on
    for (let left = BACK_MS / AGAIN_MS; this.brokeAt !== undefined && left > 0; left--) {
      try {
        await this.client.send(reset, { method: "POST", headers: jsonHeaders, body: "{}" });
        this.brokeAt = undefined;
      } catch {
        await sleepRealTime(AGAIN_MS); // it is not up yet
      }
    }
  }
}

/** The variable of the environment in which a program finds the address of a dependency. */
export const keyOfDependency = (name: string): string =>
  `RINGBACK_DEPENDENCY_${name.toUpperCase().replace(/\W/g, "_")}`;

/** @throws {InputError} for an address at which no started program can be: only its port counts */
export function mustNamePort(address: string): void {
  if (URL.canParse(address)) {
    const { href, hostname, port } = new URL(address);
    const isLoopback = ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
    const plain = port === "" ? `http://${hostname}/` : `http://${hostname}:${port}/`;
    if (isLoopback && port !== "0" && href === plain) return;
  }
  throw new InputError(
    ["url"],
    `expected an address such as http://127.0.0.1:3000, of which the port counts, got ${address}`,
  );
}

/** Thrown if the connection of a request broke because the server was restarted. */
export class RestartedMeanwhile extends Error {
  override readonly name = "RestartedMeanwhile";
}
