import type { AppRun, RunSource } from "../../data.ts";
import type { AppDeviation } from "../../model/forkable-requests.ts";
import { clock, thrownText } from "../common/format.ts";
import type { ServerState } from "../common/live.ts";
import type { DeviationTarget } from "./deviation-targets.ts";
import type { Links } from "./links.ts";
import type { LoadedRun, Loading, PageRunState } from "./loading.ts";
import type { Store } from "./store.ts";
import { deviationNames, tryRequest } from "./try-request.ts";

/** A world with a deviation that was tried. */
export interface TriedWorld {
  readonly run: LoadedRun;
  /** `call.ended at 1:05: lost`. */
  readonly title: string;
  /** How the app reacted; undefined if it did not run. */
  readonly played: AppRun | undefined;
}

export interface WorldsState {
  /** Whether the page shows the failing world instead of the steps of its run. */
  readonly showsWorld: boolean;
  /** The nearest world in which the property holds. */
  readonly passing: LoadedRun | undefined;
  readonly tried: TriedWorld | undefined;
}

export const noWorlds: WorldsState = { showsWorld: false, passing: undefined, tried: undefined };

/** The nearest passing world, and worlds in which deviations are tried. */
export class Worlds {
  constructor(
    private readonly store: Store<WorldsState & PageRunState & ServerState>,
    private readonly loading: Loading,
    private readonly links: Links,
  ) {}

  /** Opens the nearest world of a failure in which its property holds. */
  async open({ world }: RunSource): Promise<void> {
    if (world?.nearest === undefined) return;
    const { journal, without } = world.nearest;
    const number = await this.loading.ask("open", { journal, title: `Not: ${without}`, problems: [] });
    this.store.set({ passing: this.loading.run(number) });
  }

  /** Tries a deviation, in addition to those already tried in the run. */
  async try({ request, what, atMs }: DeviationTarget, is: AppDeviation, run: LoadedRun): Promise<void> {
    const { tried: before } = this.store.state;
    try {
      const { run: number, played } = await tryRequest(this.store, this.loading, run, request, is);
      const tried = this.loading.run(number);
      const title = `${what} at ${clock(atMs)}: ${deviationNames[is]}`;
      const whole = before?.run === run ? `${before.title}; ${title}` : title;
      if (tried !== undefined) this.store.set({ tried: { run: tried, title: whole, played } });
    } catch (error) {
      this.links.say(thrownText(error));
    }
  }

  back(): void {
    this.store.set({ tried: undefined });
  }
}
