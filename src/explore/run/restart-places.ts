import type { DeviationPoint, ReachedPoint } from "../../core/engine/deviations.ts";
import type { Engine } from "../../core/engine/engine.ts";

type Parts = Pick<Engine<never, never>, "deviations" | "now" | "options">;

/** Whether the app is to restart before it asks a file or a service: a poller asks as often as the other end wants. */
export function isRestartPlace({ what, of }: Pick<DeviationPoint, "of" | "what">): boolean {
  return what === "wait" && !of.endsWith(" ms");
}

/** Of a piece of work, the app may end before so many of what it asks first, and before the last. */
const FIRST_ONES = 3;

const options = [{ is: "restarted" }] as const;
const uncounted: object = {};
const nothing: ReachedPoint["options"] = Object.freeze([]);

/** Before these it does not end: what only reads leaves nothing half done that was not before. */
const reads: ReadonlySet<string> = new Set(["access", "lstat", "readFile", "readdir", "stat"]);

/**
 * What the app asks files and other services as deviation points: it may restart before each, so that nothing is asked any more. They are
 * counted where the app asks, as when it is answered differs from run to run. How often an app asks may differ too: see `isRestartPlace`.
 */
export class RestartPlaces {
  /** Whether the app has asked something since something last reached it before which it may end, there or in work that is alike. */
  isAny = false;
  /** The points of what it has asked since. */
  private asked: DeviationPoint[] = [];
  /** Before which of them it may end first, 1 for the first. */
  private first = Number.POSITIVE_INFINITY;
  /** The points before which it does not end after all. */
  private readonly left = new Set<object>();

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
    if (question === undefined) return;
    this.left.add(question);
    this.asked = this.asked.filter((each) => each !== question);
  }

  /** Something reaches the app, which may ask. @param first before which of what it asks it may end first */
  begin(first: number): void {
    this.leaveOut();
    this.asked = [];
    this.isAny = false;
    this.first = first;
  }

  /**
   * Notes that the app asks.
   * @param of the function by which it does
   * @param isPart whether it is a part of what it has asked before: to end there is to end before the whole
   * @returns undefined if it ends before that
   */
  ask(of: string, isPart: boolean): object | undefined {
    const { deviations, now, options: start } = this.engine;
    if (reads.has(of)) return uncounted;
    const mayEnd = this.mayEnd();
    this.isAny ||= mayEnd && !isPart;
    if (!deviations.isActive || !mayEnd) return uncounted;
    const point = deviations.numberPoint({ what: "wait", at: now - start.startMs, of });
    if (isPart) return uncounted;
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

  private leaveOut(): void {
    const last = this.asked.at(-1);
    this.asked.forEach((point, index) => {
      const isOfFirst = index < FIRST_ONES || point === last;
      if (index + 1 < this.first || !isOfFirst) this.left.add(point);
    });
  }
}
