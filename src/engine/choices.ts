/** Where a run may legally go on in another way than it usually does. */
export type ChoiceKind = "attempt" | "request" | "overlap" | "timer" | "rest" | "answer";

/** A moment at which the platform or the network may legally do something else. Plain data. */
export interface ChoicePoint {
  readonly what: ChoiceKind;
  /** From the start of the run, ms. */
  readonly at: number;
  /** The type of the event, the data action, the timer, or the method and path of the REST request. */
  readonly of: string;
  /** The webhook's id, for an attempt. */
  readonly webhook?: string | undefined;
  /** Which attempt of its delivery it is, 1 for the first. */
  readonly number?: number | undefined;
  /** Which of those that are alike in all of the above, 1 for the first. */
  readonly nth: number;
  /** The URL that a request goes to. It does not tell points apart. */
  readonly to?: string | undefined;
}

/** A choice point that is still to be told from others like it. */
export type Place = Omit<ChoicePoint, "nth">;

/** One of the options of a choice point, as the run takes it. Plain data. */
export interface Deviation extends Omit<ChoicePoint, "nth" | "to"> {
  readonly nth?: number | undefined;
  /** What happens instead of the usual. */
  readonly is: string;
  /** How much later the second of two arrives, or how long a client is told to wait, ms. */
  readonly after?: number | undefined;
  /** After how many other requests a late one arrives. */
  readonly by?: number | undefined;
}

/** Sees each choice point as the run comes to it, with the deviations that are possible there. */
export type ChoiceWatcher = (point: ChoicePoint, options: readonly Option[]) => void;

/** Decides at a choice point for which nothing is planned; undefined: the usual happens. */
export type Chooser = (point: ChoicePoint, options: readonly Option[]) => Option | undefined;

/** What of a deviation is not in its point. `of` only where it says more, such as which timer goes first. */
export type Option = Pick<Deviation, "is" | "after" | "by"> & { readonly of?: string };

/** `together`: only if the others of the same instant take that form too. */
export type Alikeness = "yes" | "together" | "no";

/** The deviations that a run is to take, and the choice points that it came to. */
export class Choices {
  private watcher: ChoiceWatcher | undefined;
  private chooser: Chooser | undefined;
  /** Deviations of which another option, in the place of theirs, would have shown the endpoints something else. */
  private readonly distinct = new Map<Deviation, Alikeness>();
  /** How many agenda items had run when the order of timers was last decided. */
  timersDecidedAt = -1;

  /** What was decided on the way, without a plan. */
  readonly chosen: Deviation[] = [];
  /** All that were ever planned. */
  private readonly all: Deviation[];

  constructor(
    private planned: readonly Deviation[] = [],
    /** How often a point was met that is like another. Counted from the first plan on. */
    private readonly counts = new Map<string, number>(),
  ) {
    this.all = [...planned];
  }

  /** Somebody wants to know of choice points, decides at them, or has planned what to do at one. */
  get isActive(): boolean {
    return this.watcher !== undefined || this.chooser !== undefined || this.planned.length > 0;
  }

  /** Somebody explores what may happen: watches choice points, or decides at them. */
  get isExplored(): boolean {
    return this.watcher !== undefined || this.chooser !== undefined;
  }

  /** The planned deviations whose choice point the run has not come to. */
  get unmet(): readonly Deviation[] {
    return this.planned;
  }

  /** Has the run take this deviation when it comes to its choice point. */
  plan(deviation: Deviation): void {
    this.all.push(deviation);
    this.planned = [...this.planned, deviation];
  }

  /** Calls back at every further choice point. Returns what ends that. */
  watch(watcher: ChoiceWatcher): () => void {
    this.watcher = watcher;
    return () => {
      this.watcher = undefined;
    };
  }

  /** Has someone decide at every further choice point. `chosen` has what they decide. */
  decideBy(chooser: Chooser): void {
    this.chooser = chooser;
  }

  /** Tells a place from others like it that the run came to before. */
  pointAt(place: Place): ChoicePoint {
    const key = `${place.what} ${place.at} ${isOrder(place.what) ? "" : place.of} ${place.webhook} ${place.number}`;
    const nth = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, nth);
    // first what is new: a spread in front makes V8 begin a hidden class for each
    return { nth, ...place };
  }

  /** The run came to a choice point. @returns the deviation that was planned for it, if any */
  meet(point: ChoicePoint, options: readonly Option[]): Deviation | undefined {
    this.watcher?.(point, options);
    if (this.planned.length > 0) {
      const deviation = this.planned.find((each) => isAt(each, point, options));
      if (deviation !== undefined) {
        this.planned = this.planned.filter((each) => each !== deviation);
        return deviation;
      }
    }
    const option = this.chooser?.(point, options);
    if (option === undefined) return undefined;
    const { to: _, ...place } = point;
    const chosen = { ...place, ...option };
    this.all.push(chosen);
    this.chosen.push(chosen);
    return chosen;
  }

  /**
   * Whether the endpoints would have seen the same with other forms of a deviation: refused or rejected instead of lost,
   * later instead of late.
   * @param index its place among all that were planned
   */
  alikeness(index: number): Alikeness {
    const deviation = this.all[index];
    return deviation === undefined ? "no" : (this.distinct.get(deviation) ?? "yes");
  }

  /** Other forms of this deviation would have shown, or would not have if those of the same instant change alike. */
  distinguish(deviation: Deviation, alikeness: Exclude<Alikeness, "yes"> = "no"): void {
    this.distinct.set(deviation, alikeness);
  }

  fork(): Choices {
    const copy = new Choices(this.planned, new Map(this.counts));
    copy.timersDecidedAt = this.timersDecidedAt;
    return copy;
  }
}

/** Whether it is about which of several goes first. */
function isOrder(what: ChoiceKind): boolean {
  return what === "timer" || what === "answer";
}

function isAt(deviation: Deviation, point: ChoicePoint, options: readonly Option[]): boolean {
  const { what, at, of, webhook, number = 1, nth = 1, is, by } = deviation;
  if (what !== point.what || at !== point.at || nth !== point.nth) return false;
  if (isOrder(what)) return options.some((option) => option.of === of && option.by === by);
  if (of !== point.of || !options.some((option) => option.is === is)) return false;
  return (webhook === undefined || webhook === point.webhook) && number === (point.number ?? 1);
}
