import type {
  Deviation,
  DeviationPoint,
  PossibleDeviation,
  ReachedPoint,
} from "../../core/engine/deviations.ts";
import { type Bound, isWithinBound } from "../../findings/bound.ts";

/** A deviation at its point. */
export interface DeviationChoice {
  readonly deviation: Deviation;
  /** Identifies it among all choices. */
  readonly key: string;
  /** The same as a number from 1 on; 0 if there are too many. */
  readonly id: number;
  /** Shared by the choices of its point that may look the same to the app. */
  readonly equivalenceKey: string;
  /** Its index in `all`. */
  readonly index: number;
  /** All choices at this point, in order. Those that may look the same are next to each other. */
  readonly all: readonly DeviationChoice[];
}

/** How many deviation points are cached. Even 100,000 worlds of a plain call reach only 100. */
const POINTS_KEPT = 1_000;

/** Lists the choices at a point. Most worlds reach the same points, so the lists are cached. */
export class DeviationChoices {
  private readonly cached = new Map<string, readonly DeviationChoice[]>();
  private readonly keys = new WeakMap<readonly PossibleDeviation[], string>();
  private ids = 0;

  constructor(private readonly bound: Bound) {}

  at(reached: ReachedPoint): readonly DeviationChoice[] {
    const key = `${pointKey(reached.point)} ${reached.point.to}\n${this.keyOf(reached.options)}`;
    const before = this.cached.get(key);
    if (before !== undefined) return before;
    const isKept = this.cached.size < POINTS_KEPT;
    const choices = this.make(reached, isKept);
    if (isKept) this.cached.set(key, choices);
    return choices;
  }

  private make({ point, options }: ReachedPoint, isKept: boolean): readonly DeviationChoice[] {
    const { to: _, ...place } = point;
    const key = pointKey(point);
    const all: DeviationChoice[] = [];
    for (const option of groupedByClass(point.what, options))
      if (isWithinBound(this.bound, point, option))
        all.push({
          deviation: { ...place, ...option },
          key: `${key} ${optionKey(option)}\n`,
          id: isKept ? ++this.ids : 0,
          equivalenceKey: `${key} ${findEquivalenceClass(point.what, option)}\n`,
          index: all.length,
          all,
        });
    return all;
  }

  /** The options of most points are the same list. */
  private keyOf(options: readonly PossibleDeviation[]): string {
    let key = this.keys.get(options);
    if (key === undefined) {
      key = options.map(optionKey).join();
      this.keys.set(options, key);
    }
    return key;
  }
}

const failures: readonly string[] = ["lost", "refused", "rejected"];

/** The class of options that may look the same to the app. A run shows whether they do. */
function findEquivalenceClass(what: string, option: PossibleDeviation): string {
  if (option.is === "late") return "late";
  if (what === "dependency") {
    if (option.is === "503" || option.is === "429") return "status";
    if (option.is === "refused" || option.is === "outage") return "down";
  }
  return what === "attempt" && failures.includes(option.is) ? "fails" : optionKey(option);
}

/** Options in order, each followed by the others of its class. */
function groupedByClass(what: string, options: readonly PossibleDeviation[]): readonly PossibleDeviation[] {
  const groups = new Map<string, PossibleDeviation[]>();
  for (const option of options) {
    const group = findEquivalenceClass(what, option);
    const others = groups.get(group);
    if (others === undefined) groups.set(group, [option]);
    else others.push(option);
  }
  return [...groups.values()].flat();
}

function pointKey({ what, at, of, webhook, number, nth }: DeviationPoint): string {
  return `${what} ${at} ${of} ${webhook} ${number} ${nth}`;
}

function optionKey({ is, after, by, of }: PossibleDeviation): string {
  return `${is} ${after} ${by} ${of}`;
}
