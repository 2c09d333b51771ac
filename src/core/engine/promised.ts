/** A moment of the run, used to tell what someone began to wait for since then. */
export interface TimeMark {
  readonly serial: number;
  readonly timers: ReadonlySet<object> | undefined;
}

/** What was returned or thrown. */
export type Reply = { readonly answer: unknown } | { readonly thrown: unknown };

/** The reply of an endpoint, and when it was asked. */
export type TimedReply = Reply & { readonly mark: TimeMark };

/** A promise of an endpoint, a handler or a callback. */
export class Promised {
  /** Undefined until the promise settles. */
  reply: Reply | undefined;
  /** Resolves when the promise settles. */
  readonly settling: Promise<void>;
  /** What the promise may wait for that only virtual time brings. */
  waitsFor: ReadonlySet<object> = new Set();

  /**
   * @param inWords names who promised; called only when a message needs it
   * @param mark when they were asked
   * @param isReal the promise settles in real time, not by virtual time
   */
  constructor(
    promise: unknown,
    readonly inWords: () => string,
    public mark: TimeMark,
    readonly isReal: boolean,
  ) {
    this.settling = Promise.resolve(promise).then(
      (answer) => {
        this.reply = { answer };
      },
      (thrown: unknown) => {
        this.reply = { thrown };
      },
    );
  }
}
