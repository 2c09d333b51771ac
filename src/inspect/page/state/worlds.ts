import type { RunSource } from "../../data.ts";
import type { RequestFate } from "../../model/fates.ts";
import type { TriedRequest } from "../failure/tried.ts";
import { clock, messageOf } from "../format.ts";
import type { Links } from "./links.ts";
import type { LoadedRun, Loading, RunState } from "./loading.ts";
import type { Store } from "./store.ts";

/** A world in which something else became of a request. */
export interface TriedWorld {
  readonly run: LoadedRun;
  /** `call.ended at 1:05: lost`. */
  readonly title: string;
}

export interface WorldsState {
  /** Whether the page tells the failure that an exploration found, instead of the steps of its run. */
  readonly showsWorld: boolean;
  /** The nearest world in which the property holds. */
  readonly passing: LoadedRun | undefined;
  readonly tried: TriedWorld | undefined;
}

export const noWorlds: WorldsState = { showsWorld: false, passing: undefined, tried: undefined };

/** The worlds beside the one that fails. */
export class Worlds {
  constructor(
    private readonly store: Store<WorldsState & RunState>,
    private readonly loading: Loading,
    private readonly links: Links,
  ) {}

  /** Opens the nearest world of a failure in which its property holds. */
  async open({ world }: RunSource): Promise<void> {
    this.store.set({ ...noWorlds, showsWorld: world !== undefined });
    if (world?.nearest === undefined) return;
    const { journal, without } = world.nearest;
    const number = await this.loading.ask("open", { journal, title: `Not: ${without}`, problems: [] });
    this.store.set({ passing: this.loading.run(number) });
  }

  /** Has something else become of a request, and plays the rest anew. */
  async try({ request, what, atMs }: TriedRequest, is: RequestFate): Promise<void> {
    const { run } = this.store.state;
    if (run === undefined) return;
    try {
      const number = await this.loading.ask("deviate", { run: run.number, request, is });
      const tried = this.loading.run(number);
      if (tried !== undefined)
        this.store.set({ tried: { run: tried, title: `${what} at ${clock(atMs)}: ${words[is]}` } });
    } catch (error) {
      this.links.say(messageOf(error));
    }
  }

  back(): void {
    this.store.set({ tried: undefined });
  }
}

/** The words for what becomes of a request. */
export const words: Readonly<Record<RequestFate, string>> = {
  lost: "lost",
  unanswered: "answer lost",
  duplicated: "twice",
};
