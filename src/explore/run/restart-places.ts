import type { DeviationPoint, ReachedPoint } from "../../core/engine/deviations.ts";
import type { Engine } from "../../core/engine/engine.ts";
import type { UseKind } from "../../core/engine/whose-code.ts";

type Parts = Pick<Engine<never, never>, "deviations" | "now" | "options" | "work">;

/** Whether the app is to restart before it asks a file or a service: a poller asks as often as the other end wants. */
export function isRestartPlace({ what, of }: Pick<DeviationPoint, "of" | "what">): boolean {
  return what === "wait" && !of.endsWith(" ms");
}

/** Of a piece of work, the app may end before so many of what it asks first, and before the last. */
const FIRST_ONES = 3;

const options = [{ is: "restarted" }] as const;
const uncounted: object = {};
const nothing: ReachedPoint["options"] = Object.freeze([]);

/** Before which of what a request leads to the app may end first: before the first, it ends as it does at the request. */
export const OF_REQUEST = 2;

/**
 * What the app asks files and other services as deviation points: it may restart before each, so that nothing is asked any more. They are
 * counted where the app asks, as when it is answered differs from run to run. How often an app asks may differ too: see `isRestartPlace`.
 * Once it waits for two services at once, what it asks on their answers is no place: in which order that is, the machine decides.
 */
export class RestartPlaces {
  /** The points of what it has asked since. */
  private asked: DeviationPoint[] = [];
  /** Before which of them it may end first, 1 for the first. */
  private first = Number.POSITIVE_INFINITY;
  /** The points before which it does not end after all. */
  private readonly left = new Set<object>();
  /** How often it has asked since. */
  private count = 0;
  /** What it has only read since it last asked anything else. */
  private readonly read = new Set<string>();
  /** What it has asked before which it ends in no world, where it had asked or waited before. */
  private readonly passed = new Set<string>();
  /** Whether it has asked something where it may not end, as it waited for two services at once before. */
  isInChains = false;

  /**
   * @param mayEnd whether the app may be restarted now
   * @param end restarts it
   */
  constructor(
    private readonly engine: Parts,
    private readonly mayEnd: () => boolean,
    private readonly end: () => void,
  ) {}

  /** Notes that the app asks the REST API or a dependency, which have points of their own. @param question what it asks by `fetch`, if that led there */
  isElsewhere(question: object | undefined): void {
    if (question === undefined) {
      this.count++;
      return;
    }
    this.left.add(question);
    this.asked = this.asked.filter((each) => each !== question);
  }

  /** What it has asked before which it ends in no world, in the order of the alphabet. */
  get notInterrupted(): readonly string[] {
    this.endReading();
    return [...this.passed].sort();
  }

  /** Something reaches the app, which may ask. @param first before which of what it asks it may end first */
  begin(first: number): void {
    this.leaveOut();
    this.endReading();
    this.count = 0;
    this.asked = [];
    this.first = first;
    this.engine.work.chains?.forget();
  }

  /**
   * Notes that the app asks.
   * @param of the function by which it does
   * @param how how it asks: to end before a part is to end before the whole, and what only reads leaves nothing half done that was not before
   * @returns undefined if it ends before that
   */
  ask(of: string, how: UseKind): object | undefined {
    const { deviations, now, options: start, work } = this.engine;
    const mayEnd = this.mayEnd();
    const isInChains = how === "place" && work.chains?.areThere === true;
    const as = isInChains ? "part" : how;
    if (isInChains && mayEnd) this.isInChains = true;
    if (mayEnd) this.notePassed(of, as);
    if (as === "reading" || as === "other") return uncounted;
    if (!deviations.isActive || !mayEnd) return uncounted;
    const point = deviations.numberPoint({ what: "wait", at: now - start.startMs, of });
    if (as === "part") return uncounted;
    const count = this.asked.push(point);
    const isOfFirst = count >= this.first && count <= FIRST_ONES;
    if (deviations.deviationAt(point, options, isOfFirst ? options : nothing) === undefined) return point;
    this.end();
    return undefined;
  }

  /** What may deviate at each point: nothing at most of many in one piece of work. All stay, as further worlds count them. */
  offered(points: readonly ReachedPoint[]): readonly ReachedPoint[] {
    this.begin(Number.POSITIVE_INFINITY);
    if (this.left.size === 0) return points;
    return points.map((each) => (this.left.has(each.point) ? { ...each, options: nothing } : each));
  }

  /** Notes before what it does not end. At the first of what a request leads to it ends by the restart at the request. */
  private notePassed(of: string, as: UseKind): void {
    const isTried = this.count++ === 0 && this.first === OF_REQUEST;
    if (as === "place") this.read.clear();
    else if (as === "reading" && !isTried) this.read.add(of);
    else if (as === "other" && !isTried) this.passed.add(of);
  }

  /** Nothing came after what it has read: no world has let it end there. */
  private endReading(): void {
    for (const each of this.read) this.passed.add(each);
    this.read.clear();
  }

  private leaveOut(): void {
    const last = this.asked.at(-1);
    this.asked.forEach((point, index) => {
      const isOfFirst = index < FIRST_ONES || point === last;
      if (index + 1 < this.first || !isOfFirst) this.left.add(point);
    });
  }
}
