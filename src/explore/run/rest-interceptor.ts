import type { Deviations } from "../../core/engine/deviations.ts";
import { whoseCode } from "../../core/engine/whose-code.ts";
import { never } from "../../core/foundation/values.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";

/** A REST request of the app that has no answer yet. */
interface OpenRequest {
  readonly label: string;
  /** Whether the app sent it, not the scenario. */
  readonly isOfApp: boolean;
  isServed: boolean;
  /** Passes the answer to the app. */
  passAnswer: () => void;
  /** Reports that the app has the answer. */
  done: () => void;
}

/**
 * Passes the app's requests to the REST API at once, and the answers of requests that are open at the same time one by
 * one: in the order of the requests, or in another that a deviation names.
 */
export class RestInterceptor {
  private open: OpenRequest[] = [];
  private isPassingAnswers = false;
  private isAwaitingHeld = false;
  private isClosed = false;
  private isHolding = false;
  /** How many answers were passed on. */
  passedAnswers = 0;
  /** How many of them at which instant. */
  private atOnce = { count: 0, atMs: 0 };
  /** How many requests the app sent. */
  sent = 0;

  constructor(
    private readonly simulator: Simulator,
    private readonly choices: Deviations,
    /** Whether the request that is being sent is the app's. */
    private readonly isOfApp: () => boolean,
    /** Called before an answer is passed on. @param atOnce how many it makes at this instant. @returns whether it may be */
    private readonly mayPass: (atOnce: number) => boolean,
  ) {
    simulator.services.engine.probes.attach({ askRest: this.askRest });
  }

  /** Passes other answers on whenever the REST API holds one back. */
  private awaitHeldAnswers(): void {
    this.isAwaitingHeld = true;
    void this.simulator.services.restTraffic.untilNextHeld().then(() => {
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

  /** Drops the app's open requests: the app is gone. Whoever comes after it gets answers again. */
  abandon(): void {
    for (const { isOfApp, done } of this.open) if (isOfApp) done();
    this.open = this.open.filter(({ isOfApp }) => !isOfApp);
    this.simulator.services.engine.work.abandonRequests();
    this.isHolding = false;
    void this.passAnswers();
  }

  /** How many answers wait for virtual time. */
  private get heldCount(): number {
    return this.simulator.services.restTraffic.heldCount;
  }

  private readonly askRest = (request: Request, ask: () => Promise<Response>): Promise<Response> => {
    // what an app still does after its world
    if (this.isClosed) return never();
    if (whoseCode() === "property") return ask();
    this.sent++;
    const label = `${request.method} ${new URL(request.url).pathname}`;
    if (!this.isAwaitingHeld) this.awaitHeldAnswers();
    const served = ask();
    const entry: OpenRequest = {
      ...{ label, isOfApp: this.isOfApp(), isServed: false },
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

  /** Passes on one answer whenever the app can do nothing more without one. */
  private async passAnswers(): Promise<void> {
    if (this.isPassingAnswers) return;
    this.isPassingAnswers = true;
    try {
      for (;;) {
        await this.simulator.services.engine.work.untilQuiet();
        const served = this.open.filter(({ isServed }) => isServed);
        const areOthersHeld = this.open.length - served.length <= this.heldCount;
        if (this.isClosed || this.isHolding || served.length === 0 || !areOthersHeld) return;
        if (!this.mayPass(this.countAtOnce())) return this.hold();
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

  /** Counts an answer with those before it at the same instant. */
  private countAtOnce(): number {
    const { timestamp: atMs } = this.simulator;
    if (atMs !== this.atOnce.atMs) this.atOnce = { count: 0, atMs };
    return ++this.atOnce.count;
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
