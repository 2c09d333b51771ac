import type { OfferedAct } from "../../model/acts.ts";
import type { AppDeviation } from "../../model/forkable-requests.ts";
import { clock, thrownText } from "../common/format.ts";
import type { ServerState } from "../common/live.ts";
import type { DeviationTarget } from "./deviation-targets.ts";
import type { Links } from "./links.ts";
import type { LoadedRun, Loading, PageRunState } from "./loading.ts";
import type { Store } from "./store.ts";
import { deviationNames, markWithoutApp, tryRequest, tryVerdict } from "./try-request.ts";

/** Two runs side by side. */
export interface Comparison {
  readonly title: string;
  readonly note: string;
  /** The other run; undefined for expected events. */
  readonly other: LoadedRun | undefined;
  readonly events: readonly { readonly type: string; readonly atMs: number }[] | undefined;
  /** Whether the other run is the one before a change, which stands on the left. */
  readonly isBefore?: boolean;
  /** Whether the other run is a fork, which can be opened and forked again. */
  readonly isFork?: boolean;
  /** The fields in which their events differ, if all steps are the same. */
  readonly data?: readonly string[];
}

/** A fork that was tried. */
interface ForkEntry {
  readonly run: number;
  readonly label: string;
  readonly atMs: number;
}

/** A fork that is shown as a run of its own. */
interface OpenedFork {
  /** The acts that led to it, in order. */
  readonly label: string;
  /** The run that is no fork. */
  readonly base: number;
}

export interface ComparingState {
  readonly comparison: Comparison | undefined;
  readonly isComparing: boolean;
  readonly forks: readonly ForkEntry[];
  /** The fork that is shown in place of the run that it left; undefined for a run that is no fork. */
  readonly opened: OpenedFork | undefined;
}

export const notComparing: ComparingState = {
  comparison: undefined,
  isComparing: false,
  forks: [],
  opened: undefined,
};

/** Compares the run with its forks, with other runs and with expected events. */
export class Comparing {
  constructor(
    private readonly store: Store<ComparingState & PageRunState & ServerState & { readonly isOpen: boolean }>,
    private readonly loading: Loading,
    private readonly links: Links,
  ) {}

  /** Forks the run at a row, and compares the fork. */
  async fork(row: number, act: OfferedAct): Promise<void> {
    const atMs = this.store.state.run?.rows[row]?.atMs ?? 0;
    await this.addFork(act.label, atMs, async ({ number: run }) => {
      const number = await this.loading.ask("fork", { run, row, act });
      markWithoutApp(this.loading.run(number));
      return { number };
    });
  }

  /** Forks the run with a deviation of a request, and compares the fork. */
  async request({ request, what, atMs }: DeviationTarget, is: AppDeviation): Promise<void> {
    const label = `${what}: ${deviationNames[is]}`;
    await this.addFork(label, atMs, async (run) => {
      const { run: number, played } = await tryRequest(this.store, this.loading, run, request, is);
      return { number, about: played && `${label}. ${tryVerdict(played)}` };
    });
  }

  private async addFork(
    label: string,
    atMs: number,
    make: (run: LoadedRun) => Promise<{ number: number; about?: string | undefined }>,
  ): Promise<void> {
    const { run } = this.store.state;
    if (run === undefined) return;
    try {
      const { number, about = label } = await make(run);
      const fork = { run: number, label: about, atMs };
      this.store.set({ forks: [...this.store.state.forks, fork] });
      this.withFork(fork);
    } catch (error) {
      this.links.say(thrownText(error));
    }
  }

  withFork({ run, label, atMs }: ForkEntry): void {
    const other = this.loading.run(run);
    const title = `Fork at ${clock(atMs)}`;
    if (other !== undefined) this.show({ title, note: label, other, events: undefined, isFork: true });
  }

  /** Compares with a journal or a golden stream from a file. */
  async withText(name: string, text: string): Promise<void> {
    try {
      const { run } = this.store.state;
      if (run === undefined) return;
      const other = await this.loading.ask("other", { run: run.number, text, title: name });
      if (other.events === undefined) this.withRun(other.run, name, "another journal");
      else this.withEvents(name, other.events);
    } catch (error) {
      this.links.say(`${name}: ${thrownText(error)}`);
    }
  }

  /** Compares with the run or events that the page contains for it. */
  async compareWithGiven(): Promise<void> {
    const { compare } = this.store.state.data;
    if (compare?.journal !== undefined) {
      const { journal, name: title } = compare;
      const number = await this.loading.ask("open", { journal, title, problems: [] });
      this.withRun(number, title, "another run");
    } else if (compare?.events !== undefined) this.withEvents(compare.name, compare.events);
  }

  /** Compares the run of a changed scenario with the run before the change. */
  async withBefore(number: number, about: string): Promise<void> {
    const { run } = this.store.state;
    const other = this.loading.run(number);
    if (run === undefined || other === undefined) return;
    const data = await this.loading.ask("dataChanges", { run: number, other: run.number });
    this.show({ title: "After the change", note: about, other, events: undefined, isBefore: true, data });
  }

  toggle(): void {
    this.store.set({ isComparing: !this.store.state.isComparing });
  }

  private withRun(number: number, title: string, about: string): void {
    const other = this.loading.run(number);
    if (other !== undefined) this.show({ title, note: about, other, events: undefined });
  }

  private withEvents(title: string, events: readonly { type: string; createdTimestamp: number }[]): void {
    const startMs = this.store.state.run?.summary.startMs ?? 0;
    const lines = events.map(({ type, createdTimestamp }) => ({ type, atMs: createdTimestamp - startMs }));
    this.show({ title, note: "the events that were expected", other: undefined, events: lines });
  }

  private show(comparison: Comparison): void {
    this.store.set({ comparison, isComparing: true, isOpen: false });
  }
}
