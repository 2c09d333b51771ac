import type { PossibleDeviation, ReachedPoint } from "../../core/engine/deviations.ts";

/**
 * Adds outages of the app to the deviation points of a run. An outage may last until the instant of any later request, and only
 * now are these known. Those of a dependency last as long as they say.
 */
export function withOutages(points: readonly ReachedPoint[]): readonly ReachedPoint[] {
  const instants = [...new Set(points.filter(isOfOutage).map(({ point }) => point.at))];
  return points.map((each) => {
    if (!isOfOutage(each)) return each;
    const { point, options } = each;
    const outages: PossibleDeviation[] = instants
      .filter((atMs) => atMs > point.at)
      .map((atMs) => ({ is: "outage", after: atMs - point.at }));
    return { point, options: [...options.filter(({ is }) => is !== "outage"), ...outages] };
  });
}

function isOfOutage({ point, options }: ReachedPoint): boolean {
  return point.what !== "dependency" && options.some(({ is }) => is === "outage");
}
