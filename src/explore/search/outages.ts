import type { PossibleDeviation, ReachedPoint } from "../../core/engine/deviations.ts";

/**
 * Completes the deviation points of a run. Only now is it known when requests are sent later, and so how long an outage may
 * last: until each of these instants.
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

function isOfOutage({ options }: ReachedPoint): boolean {
  return options.some(({ is }) => is === "outage");
}
