import type { Deviation } from "../../core/engine/deviations.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { RestTransit } from "../../findings/rest-transit.ts";
import type { ExploredApp } from "./explored-app.ts";

/** The app, whose requests to the REST API are duplicated as planned. */
export function withRestTransit(explored: ExploredApp<unknown>, planned: readonly Deviation[]) {
  let transit: RestTransit | undefined;
  let transited: Simulator | undefined;
  const app = (simulator: Simulator, durable: unknown) => {
    // an app that restarts is built again
    if (transited === simulator) return explored.app(simulator, durable);
    transited = simulator;
    const own = new RestTransit(simulator, planned);
    const { fetch } = simulator;
    transit = own;
    const sendThroughTransit: Simulator["fetch"] = (input, init) =>
      own.send(
        new Request(typeof input === "string" ? new URL(input, simulator.urls.api) : input, init),
        fetch,
      );
    return explored.app(Object.assign(simulator, { fetch: sendThroughTransit }), durable);
  };
  return { explored: { ...explored, app }, mustBeOver: () => transit?.mustHaveMatchedAll() };
}
