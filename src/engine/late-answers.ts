import type { Promised, Reply } from "./promised.ts";

interface Late {
  /** The request that it is the answer to; undefined where nobody waits for one. */
  readonly key: string | undefined;
  readonly promised: Promised;
}

/**
 * What time does not wait for: the answers of real endpoints where time goes on by itself, and handlers that wait for virtual
 * time. In the order in which they were asked: of what comes between two steps of the run, it is taken in that order.
 */
export class LateAnswers {
  private all: Late[] = [];

  get size(): number {
    return this.all.length;
  }

  /** Those that are not there yet. */
  get open(): Promised[] {
    return this.all.map(({ promised }) => promised).filter(({ reply }) => reply === undefined);
  }

  get(key: string | undefined): Promised | undefined {
    return key === undefined ? undefined : this.all.find((each) => each.key === key)?.promised;
  }

  add(promised: Promised, key: string | undefined): void {
    this.all.push({ key, promised });
  }

  /** Takes out those that are there. */
  takeSettled(): { readonly key: string | undefined; readonly reply: Reply }[] {
    const settled = this.all.flatMap(({ key, promised: { reply } }) =>
      reply === undefined ? [] : [{ key, reply }],
    );
    if (settled.length > 0) this.all = this.all.filter(({ promised }) => promised.reply === undefined);
    return settled;
  }

  /** A fork hears the same answers of real endpoints. It has no callbacks, so that handlers of the first one do not go on. */
  fork(): LateAnswers {
    const copy = new LateAnswers();
    copy.all = this.all.filter(({ promised }) => promised.isReal);
    return copy;
  }
}
