import type { IncomingMessage } from "node:http";
import { readInput } from "../core/foundation/input-schemas.ts";
import { realClearTimeout, realSetTimeout } from "../core/foundation/real-functions.ts";
import type { Urls } from "../core/platform/declare/urls.ts";
import { readJournal } from "../core/simulator/options.ts";
import { replay, type Simulator } from "../core/simulator/simulator.ts";
import { newToken } from "./access.ts";
import { CONTROL_PREFIX, type ControlledWorlds } from "./control-plane.ts";
import { ControlError } from "./errors.ts";
import { type RunHost, ServedRun } from "./served-run.ts";
import { SERVER, type ServerWorldLimits, type WorldInput, worldSchema } from "./world-input.ts";

/** A world: a run of its own below the server's URL. */
interface World {
  readonly run: ServedRun;
  readonly timer: ReturnType<typeof realSetTimeout>;
  /** How many requests to it are under way. */
  open: number;
}

/** The worlds of a server: runs that a test makes for itself, each with its own time, seed and token. */
export class ServerWorlds implements ControlledWorlds {
  private readonly worlds = new Map<string, World>();
  /** How many there have been. The id of each is its number, so that those that are gone are known without a list. */
  private made = 0;

  constructor(
    /** The server's own run. */
    private readonly own: ServedRun,
    private readonly host: RunHost,
    private readonly limits: ServerWorldLimits,
  ) {}

  async create(input: unknown): Promise<{ id: string; url: string; token: string }> {
    const asked = readInput(worldSchema, input);
    const { worlds: most, worldIdle } = this.limits;
    if (this.worlds.size >= most)
      throw new ControlError(
        429,
        "too_many_worlds",
        `expected at most ${most} worlds at once: delete one, or start the server with more (--worlds)`,
      );
    const id = String(++this.made);
    const [url, token] = [`${this.own.url}/w/${id}`, newToken()];
    const run = new ServedRun(this.host, { worldToken: token });
    const timer = realSetTimeout(() => this.endIfIdle(id), worldIdle);
    timer.unref();
    // in its place from here on, so that those that begin at the same time count
    this.worlds.set(id, { run, timer, open: 1 });
    try {
      await run.begin(url, (urls) => this.simulatorFor(asked, urls));
    } catch (error) {
      realClearTimeout(timer);
      this.worlds.delete(id);
      throw error;
    }
    this.leave(id);
    return { id, url, token };
  }

  list() {
    const worlds = [...this.worlds].flatMap(([id, { run }]) => {
      const { url, simulator } = run;
      return simulator === undefined ? [] : [{ id, url, now: simulator.now.toISO() }];
    });
    return { worlds, limit: this.limits.worlds };
  }

  async delete(id: string): Promise<{ deleted: string }> {
    await this.end(id, this.worldNamed(id));
    return { deleted: id };
  }

  /** Answers a request to a world. */
  async answer(id: string, request: Request, incoming: IncomingMessage): Promise<Response> {
    const world = this.worldNamed(id);
    world.open++;
    try {
      return await world.run.answer(request, incoming);
    } finally {
      this.leave(id);
    }
  }

  /** Ends all worlds. */
  async endAll(): Promise<void> {
    await Promise.all([...this.worlds].map(([id, world]) => this.end(id, world)));
  }

  private async end(id: string, { run, timer }: World): Promise<void> {
    this.worlds.delete(id);
    realClearTimeout(timer);
    await run.end();
    run.simulator?.dispose();
  }

  /** A request to a world is over: from now on it may be idle. */
  private leave(id: string): void {
    const world = this.worlds.get(id);
    if (world === undefined) return;
    world.open--;
    world.timer.refresh();
  }

  private endIfIdle(id: string): void {
    const world = this.worlds.get(id);
    if (world === undefined) return;
    // someone waits for an answer, or follows its events
    if (world.open > 0 || world.run.streams.count > 0) world.timer.refresh();
    else void this.end(id, world);
  }

  /** @throws {ControlError} 410 for a world that is gone, 404 for one that never was */
  private worldNamed(id: string): World {
    const world = this.worlds.get(id);
    if (world !== undefined) return world;
    if (/^[1-9]\d*$/.test(id) && Number(id) <= this.made)
      throw new ControlError(
        410,
        "gone",
        `the world ${id} is gone: it was deleted, or nobody asked it for long`,
      );
    throw new ControlError(
      404,
      "not_found",
      `there is no world ${id}; POST ${CONTROL_PREFIX}worlds makes one`,
    );
  }

  private async simulatorFor(asked: WorldInput, urls: Urls): Promise<Simulator> {
    const { scenario, seed, from, at } = asked;
    if (scenario === undefined && from === undefined && at === undefined)
      return this.own.fresh(seed === undefined ? {} : { seed }, urls);
    if (scenario !== undefined) return lookedBack(await this.played(scenario, seed, urls), at);
    if (typeof from === "object") return lookedBack(this.replayed(from), at);
    const source = from === undefined || from === SERVER ? this.own : this.worldNamed(from).run;
    return source.clock.run((simulator) => (at === undefined ? simulator.fork() : simulator.at(at)));
  }

  /** A scenario, played to its end as `ringback run` plays it. */
  private async played(scenario: string | object, seed: WorldInput["seed"], urls: Urls): Promise<Simulator> {
    // loaded here, because few servers need them
    const { parseScenario } = await import("../core/scenario/parse.ts");
    const { runOn } = await import("../core/scenario/run.ts");
    const { Source } = await import("../core/scenario/source.ts");
    const { simulator } = this.own;
    const { allowLocal } = simulator.options;
    const { phoneNumbers } = simulator.services.settings;
    const text = typeof scenario === "string" ? scenario : JSON.stringify(scenario);
    const read = parseScenario(text, { allowLocal, phoneNumbers });
    // what the server keeps, its clients and its names are its own, unless the scenario has names
    const { retain, clients, urls: _, dialect, ...options } = read.options;
    const named = Object.hasOwn(new Source(text).value as object, "dialect") ? { dialect } : {};
    const changes = { ...options, ...named };
    this.own.mustNotRaiseLimits(changes);
    const begun = this.own.fresh({ ...changes, ...(seed === undefined ? {} : { seed }) }, urls);
    return runOn(begun, read).simulator;
  }

  private replayed(given: object): Simulator {
    const journal = readJournal(given);
    const { urls, ...options } = journal.options;
    this.own.mustNotRaiseLimits(options);
    return replay(journal, { phoneNumbers: this.own.simulator.services.settings.phoneNumbers });
  }
}

/** A run as it was at an instant; undefined for its end. */
function lookedBack(simulator: Simulator, at: number | undefined): Simulator {
  if (at === undefined) return simulator;
  const earlier = simulator.at(at);
  simulator.dispose();
  return earlier;
}
