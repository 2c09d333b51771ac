import { isPromise } from "../engine/promises.ts";

/** Knows which requests are being handled, so that what a handler asks the REST API can say during which. */
export class OpenHandlers {
  /** Requests whose handlers have not answered yet. */
  private readonly open = new Set<string>();
  /** The request whose handler runs right now, before it first waits. */
  private running: string | undefined;

  /** Runs a handler. */
  run<T>(requestId: string, handler: () => T): T {
    const before = this.running;
    this.running = requestId;
    this.open.add(requestId);
    let isOpen = false;
    try {
      const returned = handler();
      isOpen = isPromise(returned);
      if (isPromise(returned)) {
        const close = () => this.open.delete(requestId);
        returned.then(close, close);
      }
      return returned;
    } finally {
      this.running = before;
      if (!isOpen) this.open.delete(requestId);
    }
  }

  /**
   * The request that is being handled; undefined if none is, or if it cannot be told which: once handlers wait, only one
   * of them may be open.
   */
  get current(): string | undefined {
    if (this.running !== undefined || this.open.size !== 1) return this.running;
    const [only] = this.open;
    return only;
  }
}
