/**
 * The kinds of points at which a run may legally go another way. `assumption`, `unspecified` and `calendar` hold for a whole
 * run, so no run reaches them: explorations set them before its start.
 */
export type DeviationPointKind =
  | "attempt"
  | "request"
  | "overlap"
  | "timer"
  | "rest"
  | "answer"
  | "dependency"
  | "wait"
  | "caller"
  | "calendar"
  | "assumption"
  | "unspecified";

/** A moment at which the platform or the network may legally do something else. Plain data. */
export interface DeviationPoint {
  /** What may happen differently. */
  readonly what: DeviationPointKind;
  /** When the run reaches this point, ms from its start. */
  readonly at: number;
  /**
   * What the point is about: the type of the event, the data action, the timer, the method and path of the REST
   * request, the dependency and what it is asked, how long the app waits, the number that calls, or the name of the assumption.
   */
  readonly of: string;
  /** For an attempt: the webhook's id. */
  readonly webhook?: string | undefined;
  /** For an attempt: its number within the delivery, 1 for the first. */
  readonly number?: number | undefined;
  /** The point's number among those with the same fields above, 1 for the first. */
  readonly nth: number;
  /** The URL that a request goes to. It is not used to tell points apart. */
  readonly to?: string | undefined;
}

/** A deviation point without its number among like points. */
export type UnnumberedDeviationPoint = Omit<DeviationPoint, "nth">;

/** The option that a run takes at a deviation point. Plain data. */
export interface Deviation extends Omit<DeviationPoint, "nth" | "to"> {
  /** The point's number among those that are otherwise alike. Default 1. */
  readonly nth?: number | undefined;
  /** The option that is taken. */
  readonly is: string;
  /** How much later the second of two requests arrives, or how long a client is told to wait, ms. */
  readonly after?: number | undefined;
  /** After how many other requests a late request arrives. */
  readonly by?: number | undefined;
}

/** Called at each deviation point, with the options that are possible there. */
export type DeviationPointListener = (point: DeviationPoint, options: readonly PossibleDeviation[]) => void;

/** Picks a deviation at a point for which none is planned. Returns undefined to let the usual happen. */
export type DeviationPicker = (
  point: DeviationPoint,
  options: readonly PossibleDeviation[],
) => PossibleDeviation | undefined;

/**
 * One thing that may happen at a deviation point. `of` is set only if it differs from the point's, such as the
 * timer that goes first.
 */
export type PossibleDeviation = Pick<Deviation, "is" | "after" | "by"> & { readonly of?: string };

/** A deviation point that a run reached, and what may happen there. */
export interface ReachedPoint {
  readonly point: DeviationPoint;
  readonly options: readonly PossibleDeviation[];
}

/**
 * Whether endpoints see the same with either of two options. `together`: only if the other deviations of the same
 * instant change in the same way.
 */
export type Equivalence = "yes" | "together" | "no";

/** The planned deviations of a run, and the deviation points that it reached. */
export class Deviations {
  private listener: DeviationPointListener | undefined;
  private picker: DeviationPicker | undefined;
  /** Deviations with whose other options endpoints would have seen something else. */
  private readonly distinct = new Map<Deviation, Equivalence>();
  /** The instant whose points are counted. */
  private countedAt = -1;
  /** How many agenda items had run when the order of timers was last chosen. */
  timersDecidedAt = -1;

  /** What the picker decided, in order. */
  readonly chosen: Deviation[] = [];
  /** All planned and chosen deviations. */
  private readonly all: Deviation[];

  constructor(
    private planned: readonly Deviation[] = [],
    /** How many like points of this instant were reached, by what they have in common. Counting starts with the first plan. */
    private readonly counts = new Map<string, number>(),
  ) {
    this.all = [...planned];
  }

  /** Whether there is a listener, a picker or a planned deviation. */
  get isActive(): boolean {
    return this.listener !== undefined || this.picker !== undefined || this.planned.length > 0;
  }

  /** Whether there is a listener or a picker. */
  get isExplored(): boolean {
    return this.listener !== undefined || this.picker !== undefined;
  }

  /** The planned deviations whose deviation point the run has not reached. */
  get unmet(): readonly Deviation[] {
    return this.planned;
  }

  /** Plans a deviation. The run takes it when it reaches the deviation point. */
  plan(deviation: Deviation): void {
    this.all.push(deviation);
    this.planned = [...this.planned, deviation];
  }

  /** Calls back at every further deviation point. Returns a function that stops this. */
  watch(listener: DeviationPointListener): () => void {
    this.listener = listener;
    return () => {
      this.listener = undefined;
    };
  }

  /** Lets someone decide at every further deviation point. `chosen` lists the decisions. */
  decideBy(picker: DeviationPicker): void {
    this.picker = picker;
  }

  /** Numbers a point among like points. */
  numberPoint(point: UnnumberedDeviationPoint): DeviationPoint {
    const numbered = this.nextPoint(point);
    this.counts.set(kindKey(point), numbered.nth);
    return numbered;
  }

  /** The point with the number that it would get, before it is known to be one. */
  nextPoint(point: UnnumberedDeviationPoint): DeviationPoint {
    if (point.at !== this.countedAt) this.counts.clear(); // points of earlier instants are past
    this.countedAt = point.at;
    const nth = (this.counts.get(kindKey(point)) ?? 0) + 1;
    // new fields first: a leading spread gives each object a hidden class of its own in V8
    return { nth, ...point };
  }

  /** The deviation that is planned at a point. */
  plannedAt(point: DeviationPoint, options: readonly PossibleDeviation[]): Deviation | undefined {
    return this.planned.find((each) => matches(each, point, options));
  }

  /**
   * Called when the run reaches a deviation point.
   * @param choosable those of the options that can be chosen where none is planned
   * @returns the deviation to take, if any
   */
  deviationAt(
    point: DeviationPoint,
    options: readonly PossibleDeviation[],
    choosable = options,
  ): Deviation | undefined {
    this.listener?.(point, options);
    if (this.planned.length > 0) {
      const deviation = this.plannedAt(point, options);
      if (deviation !== undefined) {
        this.planned = this.planned.filter((each) => each !== deviation);
        return deviation;
      }
    }
    const option = this.picker?.(point, choosable);
    if (option === undefined) return undefined;
    const { to: _, ...fields } = point;
    const chosen = { ...fields, ...option };
    this.all.push(chosen);
    this.chosen.push(chosen);
    return chosen;
  }

  /**
   * Whether endpoints would have seen the same with other forms of a deviation: refused or rejected instead of lost,
   * later instead of late.
   * @param index the deviation's index among all that were planned
   */
  equivalenceOf(index: number): Equivalence {
    const deviation = this.all[index];
    return deviation === undefined ? "no" : (this.distinct.get(deviation) ?? "yes");
  }

  /**
   * Notes that endpoints would see something else with other forms of this deviation.
   * @param equivalence `together` if they would not, provided those of the same instant change alike
   */
  distinguish(deviation: Deviation, equivalence: Exclude<Equivalence, "yes"> = "no"): void {
    this.distinct.set(deviation, equivalence);
  }

  fork(): Deviations {
    return this.load(this.save());
  }

  /** The planned deviations and the count of points, for `load`, which copies them. */
  save() {
    const { planned, counts, timersDecidedAt, countedAt } = this;
    return { planned, counts, timersDecidedAt, countedAt };
  }

  /** @returns the saved deviations, without a listener and a picker */
  load({ planned, counts, timersDecidedAt, countedAt }: ReturnType<Deviations["save"]>): Deviations {
    const loaded = new Deviations(planned, new Map(counts));
    loaded.timersDecidedAt = timersDecidedAt;
    loaded.countedAt = countedAt;
    return loaded;
  }
}

/** What points have in common that are numbered together. */
function kindKey({ what, of, webhook, number }: UnnumberedDeviationPoint): string {
  return `${what} ${isOrder(what) ? "" : of} ${webhook} ${number}`;
}

/** Whether a deviation is about the order of several things. */
export function isOrder(what: DeviationPointKind): boolean {
  return what === "timer" || what === "answer";
}

/** Whether a deviation holds for a whole run. */
export function isOfWholeRun({ what }: Pick<Deviation, "what">): boolean {
  return what === "assumption" || what === "unspecified" || what === "calendar";
}

/** Whether two deviations are at the same request, timer or answer. One without a webhook is at any webhook's. */
export function isSamePoint(one: Deviation, other: Deviation): boolean {
  const keyOf = ({ what, at, of, number = 1, nth = 1 }: Deviation) =>
    [what === "overlap" ? "attempt" : what, at, of, number, nth].join();
  const isOfBoth = one.webhook === undefined || other.webhook === undefined || one.webhook === other.webhook;
  return keyOf(one) === keyOf(other) && isOfBoth;
}

function matches(
  deviation: Deviation,
  point: DeviationPoint,
  options: readonly PossibleDeviation[],
): boolean {
  const { what, at, of, webhook, number = 1, nth = 1, is, by } = deviation;
  if (what !== point.what || at !== point.at || nth !== point.nth) return false;
  if (isOrder(what)) return options.some((option) => option.of === of && option.by === by);
  if (of !== point.of || !options.some((option) => option.is === is)) return false;
  return (webhook === undefined || webhook === point.webhook) && number === (point.number ?? 1);
}
