import type { Deviations } from "../../core/engine/deviations.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";

/** A REST request of the subject that has no answer yet. */
interface OpenRequest {
  readonly label: string;
  /** Whether the subject sent it, not the scenario. */
  readonly isOfSubject: boolean;
  isServed: boolean;
  /** Passes the answer to the subject. */
  passAnswer: () => void;
  /** Reports that the subject has the answer. */
  done: () => void;
}

const nothing: readonly string[] = [];

/**
 * Passes the subject's requests to the REST API at once, and the answers of requests that are open at the same time one by
 * one: in the order of the requests, or in another that a deviation names.
 */
export class RestInterceptor {
  private open: OpenRequest[] = [];
  private isPassingAnswers = false;
  private isAwaitingHeld = false;
  private isClosed = false;
  private isHolding = false;
  /** How many answers were held at the last check. */
  private heldBefore = 0;
  /** How many answers were passed on. */
  passedAnswers = 0;
  /** How many requests the subject sent. */
  sent = 0;

  constructor(
    private readonly simulator: Simulator,
    private readonly choices: Deviations,
    /** Whether the request that is being sent is the subject's. */
    private readonly isOfSubject: () => boolean,
  ) {
    simulator.services.engine.probes.attach({ askRest: this.askRest });
  }

  /** Passes other answers on whenever the REST API holds one back. */
  private awaitHeldAnswers(): void {
    this.isAwaitingHeld = true;
    void this.simulator.services.restTraffic.nextHeld().then(() => {
      if (this.isClosed) return;
      this.awaitHeldAnswers();
      void this.passAnswers();
    });
  }

  /** Called at the end of the world. Open requests get neither an answer nor an error. */
  close(): void {
    this.isClosed = true;
  }

  /** Passes no answers on, until `abandon`. */
  hold(): void {
    this.isHolding = true;
  }

  /** Drops the subject's open requests: the subject is gone. Whoever comes after it gets answers again. */
  abandon(): void {
    for (const { isOfSubject, done } of this.open) if (isOfSubject) done();
    this.open = this.open.filter(({ isOfSubject }) => !isOfSubject);
    this.heldBefore = this.heldCount;
    this.isHolding = false;
    void this.passAnswers();
  }

  /** How many answers wait for virtual time. */
  private get heldCount(): number {
    return this.simulator.services.restTraffic.heldCount;
  }

  /** The subject's requests that could be answered without any time passing. */
  get waiting(): readonly string[] {
    if (this.open.length === 0) return nothing;
    return this.open.map(({ label }) => label).slice(this.heldCount);
  }

  /** If held answers are due now, resolves when the subject has them; otherwise returns undefined. */
  untilPassed(): Promise<void> | undefined {
    const before = this.heldBefore;
    this.heldBefore = this.heldCount;
    return this.heldBefore < before ? this.passHeldAnswers() : undefined;
  }

  private async passHeldAnswers(): Promise<void> {
    const { timeWaits } = this.simulator.services.engine.loop;
    while (this.waiting.length > 0) await timeWaits.untilQuiet();
    await timeWaits.untilQuiet();
    this.heldBefore = this.heldCount;
  }

  private readonly askRest = (request: Request, ask: () => Promise<Response>): Promise<Response> => {
    this.sent++;
    const label = `${request.method} ${new URL(request.url).pathname}`;
    if (!this.isAwaitingHeld) this.awaitHeldAnswers();
    const served = ask();
    const entry: OpenRequest = {
      ...{ label, isOfSubject: this.isOfSubject(), isServed: false },
      ...{ passAnswer: () => {}, done: () => {} },
    };
    this.open.push(entry);
    return new Promise((resolve, reject) => {
      const ready = (give: () => void) => {
        if (!this.open.includes(entry)) return; // it was abandoned
        entry.done = this.simulator.services.engine.loop.timeWaits.answer();
        entry.isServed = true;
        entry.passAnswer = give;
        void this.passAnswers();
      };
      served.then(
        (answer) => ready(() => resolve(answer)),
        (thrown: unknown) => ready(() => reject(thrown)),
      );
    });
  };

  /** Passes on one answer whenever the subject can do nothing more without one. */
  private async passAnswers(): Promise<void> {
    if (this.isPassingAnswers) return;
    this.isPassingAnswers = true;
    try {
      for (;;) {
        await this.simulator.services.engine.loop.timeWaits.untilQuiet();
        const served = this.open.filter(({ isServed }) => isServed);
        const areOthersHeld = this.open.length - served.length <= this.heldCount;
        if (this.isClosed || this.isHolding || served.length === 0 || !areOthersHeld) return;
        const chosen = served[this.chosen(served)];
        this.open = this.open.filter((each) => each !== chosen);
        this.passedAnswers++;
        chosen?.passAnswer();
        chosen?.done();
      }
    } finally {
      this.isPassingAnswers = false;
    }
  }

  private chosen([first, ...others]: readonly OpenRequest[]): number {
    // without an exploration or a planned deviation, the first
    if (first === undefined || others.length === 0 || !this.choices.isActive) return 0;
    const options = others.map(({ label }, index) => ({ is: "first", by: index + 1, of: label }));
    const at = this.simulator.timestamp - this.simulator.startTimestamp;
    const point = this.choices.numberPoint({ what: "answer", at, of: first.label });
    return Math.min(this.choices.deviationAt(point, options)?.by ?? 0, others.length);
  }
}
