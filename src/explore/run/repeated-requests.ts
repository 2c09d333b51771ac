import type { Deviation, ReachedPoint } from "../../core/engine/deviations.ts";
import { whoseCode } from "../../core/engine/whose-code.ts";
import type { CommandArguments } from "../../core/platform/catalogue/run-command.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";

/** So many of a row of like requests may deviate: the first ones and the last one. */
const FIRST_ONES = 2;
const nothing: ReachedPoint["options"] = Object.freeze([]);

/** A request, and those before it that were asked and answered alike. */
interface Row {
  readonly answer: string;
  /** Their deviation points, as keys. */
  readonly points: string[];
}

/** Tells the app's requests to the REST API that are asked and answered as the one before was, as those of a poller are. */
export class RepeatedRequests {
  /** The newest row of each request. */
  private readonly rows = new Map<string, Row>();
  private readonly counts = new Map<string, number>();
  /** The points of rows that are over, but for the first and the last ones. */
  private readonly left = new Set<string>();

  /** @param onNews called when a request is answered that is new, or otherwise than the one before */
  constructor(
    private readonly simulator: Simulator,
    private readonly onNews: () => void,
  ) {
    simulator.services.engine.probes.attach({ commandRun: this.commandRun });
  }

  /**
   * What may deviate at each point: nothing at most of many requests that are alike. Which these are follows from the whole run, so
   * their points stay: a world with one deviation more has the same points up to it.
   */
  offered(points: readonly ReachedPoint[]): readonly ReachedPoint[] {
    const left = new Set(this.left);
    for (const row of this.rows.values()) leaveOut(row, left);
    if (left.size === 0) return points;
    return points.map((each) =>
      each.point.what === "rest" && left.has(keyOf(each.point)) ? { ...each, options: nothing } : each,
    );
  }

  private readonly commandRun = (name: string, args: unknown): void => {
    if (name !== "restServed" || whoseCode() === "property") return;
    const { method, path, body, status, answer } = args as CommandArguments<"restServed">;
    const { now, options } = this.simulator.services.engine;
    const place = { at: now - options.startMs, of: `${method} ${path.replace(/\?.*/, "")}` };
    const at = `${place.at} ${place.of}`;
    const nth = (this.counts.get(at) ?? 0) + 1;
    this.counts.set(at, nth);
    this.note(`${method} ${path} ${body}`, `${status} ${answer}`, keyOf({ ...place, nth }));
  };

  private note(asked: string, answer: string, point: string): void {
    const row = this.rows.get(asked);
    if (row?.answer === answer) {
      row.points.push(point);
      return;
    }
    if (row !== undefined) leaveOut(row, this.left);
    this.rows.set(asked, { answer, points: [point] });
    this.onNews();
  }
}

function leaveOut({ points }: Row, left: Set<string>): void {
  for (const each of points.slice(FIRST_ONES, -1)) left.add(each);
}

function keyOf({ at, of, nth }: Pick<Deviation, "at" | "of" | "nth">): string {
  return `${at} ${of} ${nth}`;
}
