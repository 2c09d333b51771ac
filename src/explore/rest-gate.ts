import type { Choices } from "../engine/choices.ts";
import { untilQuiet } from "../engine/quiet.ts";
import type { Simulator } from "../simulator.ts";

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
  private open: OpenRequest[] = [];
  private isGiving = false;
  private isClosed = false;
  private readonly serve: Simulator["fetch"];
  /** How many answers were held back when that was last looked at. */
  private heldBefore = 0;
  /** How many answers were given. */
  given = 0;

  constructor(
    private readonly simulator: Simulator,
    private readonly choices: Choices,
  ) {
    this.serve = simulator.fetch;
    // assigned, not defined: of an object whose properties change their kind V8 makes a dictionary
    Object.assign(simulator, { fetch: this.fetch });
    this.hearOfHeld();
  }

  /** An answer that is held back holds up no other. */
  private hearOfHeld(): void {
    void this.simulator.nextHeldAnswer().then(() => {
      if (this.isClosed) return;
      this.hearOfHeld();
      void this.giveAnswers();
    });
  }

  /** The world is over: whoever still waits for an answer gets none, and no error either. */
  close(): void {
    this.isClosed = true;
  }

  /** What the subject asked for and has not been answered, though time need not pass for it. */
  get waiting(): readonly string[] {
    return this.open.map(({ label }) => label).slice(this.simulator.heldAnswers);
  }

  /** Virtual time came to answers that were held back: resolves when the subject has them. Nothing where it did not. */
  untilGiven(): Promise<void> | undefined {
    const before = this.heldBefore;
    this.heldBefore = this.simulator.heldAnswers;
    return this.heldBefore < before ? this.giveHeld() : undefined;
  }

  private async giveHeld(): Promise<void> {
    while (this.waiting.length > 0) await untilQuiet();
    await untilQuiet();
    this.heldBefore = this.simulator.heldAnswers;
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
        const done = this.simulator.inside.engine.timeWaits.answer();
        entry.isServed = true;
        entry.give = () => {
          give();
          done();
        };
        void this.giveAnswers();
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
        const served = this.open.filter(({ isServed }) => isServed);
        const areOthersHeld = this.open.length - served.length <= this.simulator.heldAnswers;
        if (this.isClosed || served.length === 0 || !areOthersHeld) return;
        const chosen = served[this.chosen(served)];
        this.open = this.open.filter((each) => each !== chosen);
        this.given++;
        chosen?.give();
      }
    } finally {
      this.isGiving = false;
    }
  }

  private chosen([first, ...others]: readonly OpenRequest[]): number {
    // nothing is decided while nobody watches and nothing is planned
    if (first === undefined || others.length === 0 || !this.choices.isActive) return 0;
    const options = others.map(({ label }, index) => ({ is: "first", by: index + 1, of: label }));
    const at = this.simulator.timestamp - this.simulator.startTimestamp;
    const point = this.choices.pointAt({ what: "answer", at, of: first.label });
    return Math.min(this.choices.meet(point, options)?.by ?? 0, others.length);
  }
}
