import { type AsyncStorage, asyncModule } from "../foundation/async-hooks.ts";
import { isPromise } from "../foundation/values.ts";

/** Knows which requests are being handled, so that what a handler asks the REST API can say during which. */
export class OpenHandlers {
  /** Requests whose handlers promised an answer; true if Node follows what the handler leaves for later. */
  private readonly open = new Map<string, boolean>();
  /** The request whose handler runs right now, before it first waits. */
  private running: string | undefined;
  /** Follows handlers through what they wait for. Made when first needed. */
  private following: AsyncStorage<string> | undefined;

  /** A handler is about to run. */
  enter(requestId: string): void {
    this.running = requestId;
  }

  /** A handler has returned, perhaps with a promise of its answer, or thrown. */
  leave(requestId: string, returned: unknown): void {
    this.running = undefined;
    if (!isPromise(returned)) return;
    this.open.set(requestId, this.mustFollow);
    const close = () => this.close(requestId);
    returned.then(close, close);
  }

  /**
   * Whether a handler must be run by `follow`, since others are open. Following slows every promise down, and a handler
   * that is open alone needs none.
   */
  get mustFollow(): boolean {
    return asyncModule !== undefined && this.open.size > 0;
  }

  /** Runs a handler, and lets Node follow it through what it waits for. */
  follow<T>(requestId: string, handler: () => T): T {
    if (asyncModule === undefined) return handler();
    this.following ??= new asyncModule.AsyncLocalStorage();
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
