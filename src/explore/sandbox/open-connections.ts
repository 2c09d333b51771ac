import { openHandles } from "../../core/engine/node-handles.ts";

/** A connection, a process or a port of messages, as Node has it. */
interface Handle {
  readonly destroyed?: boolean;
  readonly localPort?: number;
  readonly remotePort?: number;
  /** Set for a connection that a server of this process took. */
  readonly server?: unknown;
}

/** Notices connections, processes and threads that were not there before, and may bring something at any moment. */
export class OpenConnections {
  private known = new WeakSet<object>(openHandles());

  /** Whether one leads out of this thread, or within it, to a server that it has. */
  get lead(): "out" | "within" | "nowhere" {
    const added = (openHandles() as Handle[]).filter(
      (each) => !this.known.has(each) && each.destroyed !== true,
    );
    if (added.length === 0) return "nowhere";
    const taken = added.filter(({ server }) => server != null);
    const isWithin = (each: Handle) =>
      each.server != null || taken.some((other) => other.remotePort === each.localPort);
    return added.every(isWithin) ? "within" : "out";
  }

  /** From now on, those that are open were there before. */
  forget(): void {
    this.known = new WeakSet<object>(openHandles());
  }
}
