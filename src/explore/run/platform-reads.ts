import type { Simulator } from "../../core/simulator/simulator.ts";

/** What is being checked, if anything. */
type Checking = "nothing" | "during" | "at the end";

/** The fields of a delivery that say how its attempts went, which the endpoint does not see. */
const attemptFields: ReadonlySet<string | symbol> = new Set([
  "attempts",
  "nextAttemptAt",
  "nextAttemptTimestamp",
]);

/**
 * Notices whether a property reads what may differ between worlds in which the subject sees the same: how attempts
 * went, the journal and what is made from it, what is scheduled, and the instant at which a world ends.
 */
export class PlatformReads {
  isRead = false;
  checking: Checking = "nothing";

  constructor(simulator: Simulator) {
    simulator.onRead((what) => {
      if (this.checking === "at the end" || what === "records") this.note();
    });
    // assigned, not defined: V8 makes a dictionary of an object whose property descriptors change
    Object.assign(simulator, {
      network: this.watched(simulator.network, (key) => key === "requests"),
      webhooks: this.watchedWebhooks(simulator.webhooks),
    });
  }

  private note(): void {
    if (this.checking !== "nothing") this.isRead = true;
  }

  private watchedWebhooks(webhooks: Simulator["webhooks"]): Simulator["webhooks"] {
    const shown = <T extends object>(delivery: T): T =>
      this.checking === "nothing" ? delivery : this.watched(delivery, (key) => attemptFields.has(key));
    return this.watched(webhooks, () => false, {
      deliveries: (id: string) => webhooks.deliveries(id).map(shown),
      delivery: (id: string) => shown(webhooks.delivery(id)),
    });
  }

  /** An object that notes when certain fields are read, or all are listed. */
  private watched<T extends object>(
    target: T,
    isNoted: (key: string | symbol) => boolean,
    instead: Partial<Record<string | symbol, unknown>> = {},
  ): T {
    return new Proxy(target, {
      get: (_, key) => {
        if (isNoted(key)) this.note();
        if (Object.hasOwn(instead, key)) return instead[key];
        const value: unknown = Reflect.get(target, key, target);
        // methods reach private fields, which a proxy does not have
        return typeof value === "function" ? value.bind(target) : value;
      },
      ownKeys: () => {
        if (Object.hasOwn(target, "attempts")) this.note();
        return Reflect.ownKeys(target);
      },
    });
  }
}
