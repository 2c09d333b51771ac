import type { Turn } from "./dependency-proxies.ts";
import type { Quiescence } from "./quiescence.ts";

/** The requests of a server in one world, to the REST API and to dependencies, and what they tell of its work. */
export class ServerRequests {
  /** How many of the platform's requests the server has not answered. */
  private unanswered = 0;
  /** How many of its own requests have no answer. */
  private asking = 0;
  private hasAnswered = false;
  /** Whether it was seen to ask after it had answered a request. */
  worksLater = false;
  /** Resolves when its next request may be served. Used without `idle` and `silence`. */
  private turn = Promise.resolve();

  constructor(private readonly quiescence: Quiescence | undefined) {}

  /** The server gets a request of the platform. */
  noteReceived(): void {
    this.unanswered++;
  }

  /** The server has answered one. */
  noteAnswered(): void {
    this.unanswered--;
    this.hasAnswered = true;
    if (this.unanswered === 0 && this.asking > 0) this.worksLater = true;
  }

  /** The server restarts: its open requests hold nobody up. */
  restart(): void {
    this.turn = Promise.resolve();
  }

  /** Serves a request of the server. */
  async serve(request: Request, turn: Turn): Promise<Response> {
    if (this.hasAnswered && this.unanswered === 0) this.worksLater = true;
    this.asking++;
    try {
      return await this.inTurn(request, turn);
    } finally {
      this.asking--;
    }
  }

  /**
   * Requests that are open at the same time may arrive in another order in each run. Only with `idle` or `silence` are they
   * known; otherwise they are answered one after the other, except while an answer is held back.
   */
  private async inTurn(request: Request, { serve, untilHeld }: Turn): Promise<Response> {
    if (this.quiescence !== undefined) return this.quiescence.ask(request, serve);
    const before = this.turn;
    let next = () => {};
    this.turn = new Promise((resolve) => {
      next = resolve;
    });
    await before;
    void untilHeld().then(next);
    try {
      return await serve();
    } finally {
      next();
    }
  }
}
