/** The state and its listeners. A class that needs only some fields takes a narrower type: `Store<RunState>`. */
export class Store<S extends object> {
  private readonly listeners = new Set<() => void>();

  constructor(public state: S) {}

  set(change: Partial<S>): void {
    this.state = { ...this.state, ...change };
    for (const listener of [...this.listeners]) listener();
  }

  follow(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }
}
