import type { Deviation } from "../../core/engine/deviations.ts";
import { isOfEndedRequest } from "../../core/engine/http-connections.ts";
import { CommandError } from "../../core/foundation/errors.ts";
import { identityOf, WorldError } from "../../findings/property-failure.ts";
import { type EndedWorldError, unhandledFailure } from "./ended-worlds.ts";
import { warn } from "./watchdog.ts";
import type { WorldContext } from "./world-context.ts";

/** Whether something uses the simulator of a world that is over, or hears that its connection is closed: what its app left behind concerns no other world. */
export function isOfEndedWorld(thrown: unknown): boolean {
  return (thrown instanceof CommandError && thrown.code === "disposed") || isOfEndedRequest(thrown);
}

/** What the worlds of an exploration throw when they are over. */
export class EndedWorldErrors {
  private found: EndedWorldError[] = [];
  private isEnded = false;
  private readonly saidWhenEnded = new Set<string>();

  /** A world whose late errors are kept here. @param deviations those of the scenario that is explored */
  newWorld(deviations: readonly Deviation[] | undefined): WorldContext & { isOver: boolean } {
    const known = new Set<string>();
    return {
      isOver: false,
      onLateError: (error, isRejected) => {
        if (error instanceof WorldError || isOfEndedWorld(error)) return;
        const failure = unhandledFailure(error, isRejected);
        // what comes after the exploration is said once, not for each world
        const said = this.isEnded ? this.saidWhenEnded : known;
        if (said.has(identityOf(failure))) return;
        said.add(identityOf(failure));
        if (!this.isEnded) this.found.push({ failure, deviations });
        else warn(`${failure.property}, when the exploration is over: ${failure.message}`);
      },
    };
  }

  /** What was found since this was last asked. */
  take(): readonly EndedWorldError[] {
    return this.found.splice(0);
  }

  /** The exploration is over: what comes now is a warning. */
  end(): void {
    this.isEnded = true;
  }
}
