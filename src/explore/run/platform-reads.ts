import type { PlatformRead } from "../../core/engine/probe.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";

/** What is being checked, if anything. */
type Checking = "nothing" | "during" | "at the end";

/**
 * Notices whether a property, or the app in a handler or a timer, reads what may differ between worlds in which the app sees the same: the outcomes of
 * attempts, the journal and what is made from it, the agenda, and the instant at which a world ends.
 */
export class PlatformReads {
  isRead = false;
  checking: Checking = "nothing";

  constructor(simulator: Simulator) {
    simulator.services.engine.probes.attach({ platformRead: this.note });
  }

  private readonly note = (what: PlatformRead): void => {
    // worlds that share what the app sees share their instants, except for their end
    if (what !== "clock" || this.checking === "at the end") this.isRead = true;
  };
}
