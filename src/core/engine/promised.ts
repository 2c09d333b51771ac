/** A moment of the run. It tells what somebody began to wait for since then. */
export interface TimeMark {
  readonly serial: number;
  readonly timers: ReadonlySet<object> | undefined;
}

/** The result or the error. */
export type Reply = { readonly answer: unknown } | { readonly thrown: unknown };

/** The reply of an endpoint, and when it was called. */
export type TimedReply = Reply & { readonly mark: TimeMark };

/** A promise of an endpoint, a handler or a callback. */
export class Promised {
  /** Undefined until the promise settles. */
  reply: Reply | undefined;
  /** Resolves when the promise settles. */
  readonly settling: Promise<void>;
  /** The waits for virtual time that the promise may depend on. */
  waitsFor: ReadonlySet<object> = new Set();

  /**
   * @param describe names the endpoint, handler or callback; called only for a message
   * @param mark when it was called
   * @param isReal the promise settles in real time, not by virtual time
   */
  constructor(
    promise: unknown,
    readonly describe: () => string,
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
