import { nodeModule } from "../../core/foundation/node-module.ts";

/** A connection, a process, a thread or a server, as Node has it. */
interface Handle {
  readonly destroyed?: boolean;
  readonly localPort?: number;
  readonly remotePort?: number;
  /** Set for a connection that a server of this process took. */
  readonly server?: unknown;
  /** Set for a server: it brings nothing by itself. */
  readonly listening?: boolean;
}

/** Notices connections, processes and threads that were not there before, and may bring something at any moment. */
export class OpenConnections {
  private known = new WeakSet<object>(activeHandles());

  /** Whether one leads out of this thread, or within it, to a server that it has. */
  get lead(): "out" | "within" | "nowhere" {
    const added = activeHandles().filter(
      (each) => !this.known.has(each) && each.destroyed !== true && each.listening === undefined,
    );
    if (added.length === 0) return "nowhere";
    const taken = added.filter(({ server }) => server != null);
    const isWithin = (each: Handle) =>
      each.server != null || taken.some((other) => other.remotePort === each.localPort);
    return added.every(isWithin) ? "within" : "out";
  }

  /** From now on, those that are open were there before. */
  forget(): void {
    this.known = new WeakSet<object>(activeHandles());
  }
}

function activeHandles(): readonly Handle[] {
  const { _getActiveHandles: handles } =
    nodeModule<{ _getActiveHandles?(): readonly Handle[] }>("node:process") ?? {};
  return handles?.() ?? [];
}
