import type { Simulator } from "../../core/simulator/simulator.ts";
import { sleepRealTime } from "../../findings/real-time.ts";
import type { ExploredServer } from "./explored-server.ts";
import { OVER } from "./http-client.ts";

/** How long between two looks whether an instance is free, ms. */
const AGAIN_MS = 2;

/** The instances of a server, for which worlds queue. Each runs a world at a time. */
export class ServerQueue {
  private readonly free: ExploredServer[];
  /** The worlds that wait for one, in the order in which they began to. */
  private readonly waiting = new Set<Simulator>();
  /** What ends each world that has one. */
  private readonly endings = new Map<Simulator, () => Promise<void>>();

  constructor(
    /** Each of them, free or not. */
    readonly all: readonly ExploredServer[],
  ) {
    this.free = [...all];
  }

  /**
   * Waits until one is free for a world. To wait is no sign that its app hangs.
   * @param simulator that of the world
   * @throws if the world ends before
   */
  async take(simulator: Simulator): Promise<ExploredServer> {
    const { waiting, free } = this;
    waiting.add(simulator);
    for (; waiting.has(simulator); await sleepRealTime(AGAIN_MS)) {
      const [next] = waiting;
      const instance = next === simulator ? free.shift() : undefined;
      if (instance !== undefined) {
        waiting.delete(simulator);
        return instance;
      }
      simulator.services.engine.work.looks++;
    }
    throw new Error(OVER);
  }

  /**
   * Notes what ends a world that has one.
   * @param simulator that of the world
   * @param end ends its part in the server
   * @returns the same, for any number of calls: each waits until it has ended
   */
  note(simulator: Simulator, end: () => Promise<void>): () => Promise<void> {
    let ending: Promise<void> | undefined;
    const endOnce = () => {
      ending ??= end();
      return ending;
    };
    this.endings.set(simulator, endOnce);
    return endOnce;
  }

  /**
   * A world needs its instance no more.
   * @param simulator that of the world
   * @param instance the one that it had
   */
  giveBack(simulator: Simulator, instance: ExploredServer): void {
    if (this.endings.delete(simulator)) this.free.push(instance);
  }

  /**
   * Ends a world, also one whose app is still being built.
   * @param simulator that of the world
   */
  async end(simulator: Simulator): Promise<void> {
    this.waiting.delete(simulator);
    await this.endings.get(simulator)?.();
  }
}
