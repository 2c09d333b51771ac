import { untilQuiet } from "../../core/engine/quiet.ts";
import { sleepRealTime } from "../../findings/real-time.ts";

/** How to find out that a server only waits for answers. */
export type Handshake =
  /** Asks the server. Returns how many answers it waits for, or undefined while it is busy. */
  | { readonly isIdle: () => Promise<{ readonly waiting: number } | undefined> }
  /** How long it must send nothing, in wall-clock ms. */
  | { readonly silenceMs: number };

/** A request of the server that was not served. */
interface Arrived {
  /** Orders requests that arrived at the same time. */
  readonly key: string;
  serve(): void;
}

/** The wall-clock time between two questions to a busy server, ms. */
const AGAIN_MS = 1;
/**
 * Silence is awaited in so many parts. If the machine pauses this process, requests that arrived meanwhile are not read yet,
 * so a pause counts as only one part.
 */
const PARTS_OF_SILENCE = 5;

/**
 * Holds the requests of a server, to the REST API and to its dependencies, until the server only waits for answers. Then all of them have
 * arrived, and are served in an order that does not depend on which was faster.
 */
export class Quiescence {
  private arrived: Arrived[] = [];
  /** How many requests of the server have no answer. */
  private open = 0;
  /** How many of its own answers its world has not taken. */
  private untaken = 0;
  /** Whether the server may have started something since it last only waited. */
  private isChanged = true;
  private isOver = false;
  private running: Promise<void> | undefined;
  /** How often the server has restarted. */
  private restarts = 0;
  /** Resolves when the server that restarts is there again. */
  private restarting: Promise<void> | undefined;

  /** What the server does by itself. */
  private readonly begun = new Set<Promise<unknown>>();

  constructor(
    private readonly handshake: Handshake,
    /** How many answers to its requests are held back. */
    private readonly heldCount: () => number,
  ) {}

  /** Ends with the world. */
  end(): void {
    this.isOver = true;
    this.arrived = [];
  }

  /** Forgets the requests of a server that restarts. @param isBack resolves when it is there again */
  restart(isBack: Promise<void>): void {
    this.restarts++;
    this.arrived = [];
    this.begun.clear();
    this.open = 0;
    this.isChanged = true;
    const over = () => {
      this.restarting = undefined;
    };
    this.restarting = isBack.then(over, over);
  }

  /** Serves a request of the server once all that it sends at the same time have arrived. */
  async ask(request: Request, serve: () => Promise<Response>): Promise<Response> {
    const { restarts } = this;
    this.open++;
    this.isChanged = true;
    const body = await request.clone().text();
    const key = `${request.method} ${new URL(request.url).pathname} ${new URL(request.url).search} ${body}`;
    try {
      return await new Promise<Response>((resolve, reject) => {
        this.arrived.push({ key, serve: () => void serve().then(resolve, reject) });
        void this.settle();
      });
    } finally {
      // also where the connection is lost
      if (restarts === this.restarts) this.open--;
      this.isChanged = true;
    }
  }

  /** The server does something by itself. */
  begin(work: Promise<unknown>): void {
    this.isChanged = true;
    this.begun.add(work);
    work.catch(() => {}); // awaited when it is settled
  }

  /** Resolves when the server only waits for answers, and every request of it has been served. */
  settle(): Promise<void> {
    this.running ??= this.settleNow().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  /** Resolves when the server has also received every answer that is not held back. */
  async drain(): Promise<void> {
    this.isChanged = true;
    do await this.settle();
    while (!this.isOver && !this.isDrained);
  }

  /** Whether each answer that the server waits for is held back. */
  get isDrained(): boolean {
    return this.open <= this.heldCount();
  }

  /** The server has answered a request: resolves when its world takes the answer. */
  async take(): Promise<void> {
    this.untaken++;
    try {
      await this.drain();
    } finally {
      this.untaken--;
    }
  }

  /** As `settle`, and the world has taken what the server has answered: else the system decides which of the two is first. */
  async untilTaken(): Promise<void> {
    for (let isTaken = false; !isTaken; ) {
      await this.settle();
      isTaken = this.isOver || this.untaken === 0 || !this.isDrained;
      await untilQuiet();
    }
  }

  private async settleNow(): Promise<void> {
    await untilQuiet();
    while (!this.isOver && this.isChanged) {
      await this.restarting;
      this.isChanged = false;
      for (const work of this.begun) {
        this.begun.delete(work);
        const { restarts } = this;
        await work.catch((error: unknown) => {
          if (restarts === this.restarts && !this.isOver) throw error;
        });
      }
      await this.untilIdle();
      const arrived = this.arrived.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
      this.arrived = [];
      for (const { serve } of arrived) serve();
    }
  }

  private async untilIdle(): Promise<void> {
    const { handshake } = this;
    if ("silenceMs" in handshake) {
      for (let parts = 0; parts < PARTS_OF_SILENCE && !this.isOver; parts++) {
        await sleepRealTime(handshake.silenceMs / PARTS_OF_SILENCE);
        if (this.isChanged) [this.isChanged, parts] = [false, -1];
      }
      return;
    }
    while (!this.isOver) {
      const { restarts } = this;
      const idle = await handshake.isIdle().catch((error: unknown) => {
        if (restarts === this.restarts) throw error;
        return this.restarting?.then(() => undefined);
      });
      // one of its requests may not have arrived yet
      if (idle !== undefined && idle.waiting <= this.open) return;
      await sleepRealTime(AGAIN_MS);
    }
  }
}
