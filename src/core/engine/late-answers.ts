import type { Promised, Reply } from "./promised.ts";

interface Late {
  /** The request that it answers; undefined for a handler, whose result nobody awaits. */
  readonly key: string | undefined;
  readonly promised: Promised;
}

/**
 * Promises that time does not wait for: answers of real endpoints in real time, and handlers that wait for virtual
 * time. Those that settle between two steps are taken in the order of their calls.
 */
export class LateAnswers {
  private all: Late[] = [];

  get size(): number {
    return this.all.length;
  }

  /** The promises that have not settled. */
  get open(): Promised[] {
    return this.all.map(({ promised }) => promised).filter(({ reply }) => reply === undefined);
  }

  /** The promises of real endpoints that have not settled. */
  get openReal(): Promised[] {
    return this.open.filter(({ isReal }) => isReal);
  }

  get(key: string | undefined): Promised | undefined {
    return key === undefined ? undefined : this.all.find((each) => each.key === key)?.promised;
  }

  add(promised: Promised, key: string | undefined): void {
    this.all.push({ key, promised });
  }

  /** Removes and returns the settled ones. */
  takeSettled(): { readonly key: string | undefined; readonly reply: Reply }[] {
    const settled = this.all.flatMap(({ key, promised: { reply } }) =>
      reply === undefined ? [] : [{ key, reply }],
    );
    if (settled.length > 0) this.all = this.all.filter(({ promised }) => promised.reply === undefined);
    return settled;
  }

  /** A copy with the promises of real endpoints, for a fork, which does not wait for handlers. */
  fork(): LateAnswers {
    const copy = new LateAnswers();
    copy.all = this.all.filter(({ promised }) => promised.isReal);
    return copy;
  }
}
