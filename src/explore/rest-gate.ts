import type { Choices } from "../engine/choices.ts";
import type { Simulator } from "../simulator.ts";
import { untilQuiet } from "./real-time.ts";

/** A REST request of the subject whose answer it has not got yet. */
interface OpenRequest {
  readonly label: string;
  isServed: boolean;
  /** Gives the subject its answer. */
  give: () => void;
}

/**
 * Stands between the subject and the REST API. Each request is served when it is sent; the answers of those that are open
 * at the same time come back one by one, in the order of sending or in another that is chosen.
 */
export class RestGate {
  private readonly open: OpenRequest[] = [];
  private isGiving = false;
  private isClosed = false;
  private readonly serve: Simulator["fetch"];
  /** How many answers were given. */
  given = 0;

  constructor(
    private readonly simulator: Simulator,
    private readonly choices: Choices,
  ) {
    this.serve = simulator.fetch;
    Object.defineProperty(simulator, "fetch", { value: this.fetch, configurable: true });
  }

  /** The world is over: whoever still waits for an answer gets none, and no error either. */
  close(): void {
    this.isClosed = true;
  }

  /** What the subject asked for and has not been answered. */
  get waiting(): readonly string[] {
    return this.open.map(({ label }) => label);
  }

  private readonly fetch: Simulator["fetch"] = (input, init) => {
    const request = new Request(
      typeof input === "string" ? new URL(input, this.simulator.urls.api) : input,
      init,
    );
    const label = `${request.method} ${new URL(request.url).pathname}`;
    const served = this.serve(request);
    const entry: OpenRequest = { label, isServed: false, give: () => {} };
    this.open.push(entry);
    return new Promise((resolve, reject) => {
      const ready = (give: () => void) => {
        entry.isServed = true;
        entry.give = give;
        this.giveAnswers();
      };
      served.then(
        (answer) => ready(() => resolve(answer)),
        (thrown: unknown) => ready(() => reject(thrown)),
      );
    });
  };

  /** Once the subject can do nothing more without an answer, it gets one; and so on. */
  private async giveAnswers(): Promise<void> {
    if (this.isGiving) return;
    this.isGiving = true;
    try {
      for (;;) {
        await untilQuiet();
        if (this.isClosed || this.open.length === 0 || this.open.some(({ isServed }) => !isServed)) return;
        const [chosen] = this.open.splice(this.chosen(), 1);
        this.given++;
        chosen?.give();
      }
    } finally {
      this.isGiving = false;
    }
  }

  private chosen(): number {
    const [first, ...others] = this.open;
    // nothing is decided while nobody watches and nothing is planned
    if (first === undefined || others.length === 0 || !this.choices.isActive) return 0;
    const options = others.map(({ label }, index) => ({ is: "first", by: index + 1, of: label }));
    const at = this.simulator.timestamp - this.simulator.startTimestamp;
    const point = this.choices.pointAt({ what: "answer", at, of: first.label });
    return Math.min(this.choices.meet(point, options)?.by ?? 0, others.length);
  }
}
