import { nodeModule } from "../foundation/node-module.ts";
import { isPromise } from "../foundation/values.ts";

/** What Node's `AsyncLocalStorage` does that is needed here. */
interface Following {
  run<T>(requestId: string, handler: () => T): T;
  getStore(): string | undefined;
  disable(): void;
}

const hooks = nodeModule<{ AsyncLocalStorage: new () => Following }>("node:async_hooks");

/** Knows which requests are being handled, so that what a handler asks the REST API can say during which. */
export class OpenHandlers {
  /** Requests whose handlers promised an answer; true if Node follows what the handler leaves for later. */
  private readonly open = new Map<string, boolean>();
  /** The request whose handler runs right now, before it first waits. */
  private running: string | undefined;
  /** Follows handlers through what they wait for. Made when first needed. */
  private following: Following | undefined;

  /** Runs a handler. */
  run<T>(requestId: string, handler: () => T): T {
    const before = this.running;
    this.running = requestId;
    // following slows every promise down, and a handler that is open alone needs none
    const isFollowed = hooks !== undefined && this.open.size > 0;
    try {
      const returned = isFollowed ? this.follow(hooks, requestId, handler) : handler();
      if (isPromise(returned)) {
        this.open.set(requestId, isFollowed);
        const close = () => this.close(requestId);
        returned.then(close, close);
      }
      return returned;
    } finally {
      this.running = before;
    }
  }

  private follow<T>(
    { AsyncLocalStorage }: NonNullable<typeof hooks>,
    requestId: string,
    handler: () => T,
  ): T {
    this.following ??= new AsyncLocalStorage();
    return this.following.run(requestId, handler);
  }

  private close(requestId: string): void {
    this.open.delete(requestId);
    if (this.open.size === 0) this.following?.disable();
  }

  /**
   * The request that is being handled; undefined if none is. Where handlers cannot be followed, as in browsers, also
   * undefined while several wait.
   */
  get current(): string | undefined {
    if (this.running !== undefined || this.open.size === 0) return this.running;
    const followed = this.following?.getStore();
    if (followed !== undefined && this.open.has(followed)) return followed;
    const others = [...this.open].filter(([, isFollowed]) => !isFollowed);
    return others.length === 1 ? others[0]?.[0] : undefined;
  }
}
