/** A moment of the run, to tell what someone began to wait for since. */
export interface TimeMark {
  readonly serial: number;
  readonly timers: ReadonlySet<object> | undefined;
}

/** What came of asking someone. */
export type Reply = { readonly answer: unknown } | { readonly thrown: unknown };

/** What an endpoint, a handler or a callback promised. */
export class Promised {
  /** Undefined until it is there. */
  reply: Reply | undefined;
  /** Resolves when it is there. */
  readonly settling: Promise<void>;
  /** What only the passing of virtual time brings, and whoever promised may wait for. */
  waitsFor: ReadonlySet<object> = new Set();

  /**
   * @param inWords who promised; called only if someone asks
   * @param mark when they were asked
   * @param isReal it settles in real time, whatever the virtual one
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
