import type { Option } from "../engine/choices.ts";
import type { Met } from "./world.ts";

/**
 * Completes the choice points of a run. Only now is it known when requests are sent later, and so how long an outage may
 * last: until each of these instants.
 */
export function withOutages(met: readonly Met[]): readonly Met[] {
  const instants = [...new Set(met.filter(isOfOutage).map(({ point }) => point.at))];
  return met.map((each) => {
    if (!isOfOutage(each)) return each;
    const { point, options } = each;
    const outages: Option[] = instants
      .filter((atMs) => atMs > point.at)
      .map((atMs) => ({ is: "outage", after: atMs - point.at }));
    return { point, options: [...options.filter(({ is }) => is !== "outage"), ...outages] };
  });
}

function isOfOutage({ options }: Met): boolean {
  return options.some(({ is }) => is === "outage");
}
