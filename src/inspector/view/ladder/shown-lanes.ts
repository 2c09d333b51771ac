import type { Lane } from "../../model/types.ts";
import type { Chosen } from "../state/chosen.ts";
import type { LoadedRun } from "../state/loading.ts";

/** A lane as it is shown: one of the run's, or one that represents many. */
export interface ShownLane extends Lane {
  /** How many lanes it represents, if more than one. */
  readonly represents?: number;
}

export interface ShownLanes {
  readonly list: readonly ShownLane[];
  /** The position of each of the run's lanes. */
  readonly positionOf: ReadonlyMap<string, number>;
}

/** More callers than this share a lane. */
const MAX_CALLERS = 6;
/** With more lanes than this, those without a part in the chosen call share one for each kind. */
const MAX_LANES = 24;

/**
 * The lanes of a run, with surplus ones folded into one.
 * @param isTight whether there is little room, so that all callers share a lane
 */
export function shownLanes({ summary, rows }: LoadedRun, chosen: Chosen, isTight = false): ShownLanes {
  const outside = summary.lanes.filter(({ kind }) => kind === "outside");
  const own =
    chosen &&
    new Set([...chosen].flatMap((record) => [...chooseLanes(rows, record, summary.records[record])]));
  const isMany = summary.lanes.length > MAX_LANES;
  const keeps = (lane: Lane) => {
    if (lane.kind === "outside")
      return outside.length <= (isTight ? 1 : MAX_CALLERS) || own?.has(lane.id) === true;
    return (
      !isMany || lane.kind === "platform" || lane.kind === "app" || own === undefined || own.has(lane.id)
    );
  };
  const counts = { outside: 0, other: 0 };
  for (const lane of summary.lanes) if (!keeps(lane)) counts[lane.kind === "outside" ? "outside" : "other"]++;
  const list: ShownLane[] = [];
  const positionOf = new Map<string, number>();
  const folded = new Map<Lane["kind"], number>();
  for (const lane of summary.lanes) {
    if (keeps(lane)) {
      positionOf.set(lane.id, list.push(lane) - 1);
      continue;
    }
    const kind = lane.kind === "outside" ? "outside" : "other";
    const known = folded.get(kind);
    const count = counts[kind];
    const position =
      known ??
      list.push({
        id: `folded ${kind}`,
        kind,
        name: kind === "outside" ? `${count} callers` : `${count} others`,
        short: `+${count}`,
        represents: count,
      }) - 1;
    folded.set(kind, position);
    positionOf.set(lane.id, position);
  }
  return { list, positionOf };
}

function chooseLanes(
  rows: LoadedRun["rows"],
  record: number,
  of: LoadedRun["summary"]["records"][number] | undefined,
): Set<string> {
  const found = new Set<string>(of?.people);
  for (let index = of?.fromRow ?? 0; index <= (of?.toRow ?? -1); index++) {
    const row = rows[index];
    if (row?.record !== record) continue;
    for (const lane of [row.source, ...row.targets]) found.add(lane);
  }
  return found;
}
