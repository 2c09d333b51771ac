import type { Deviation } from "../../core/engine/deviations.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { RestTransit } from "../../findings/rest-transit.ts";
import type { Integration } from "./integration.ts";

/** The integration, whose requests to the REST API are duplicated as planned. */
export function withRestTransit(integration: Integration<unknown>, planned: readonly Deviation[]) {
  let transit: RestTransit | undefined;
  let transited: Simulator | undefined;
  const subject = (simulator: Simulator, durable: unknown) => {
    // a subject that restarts is built again
    if (transited === simulator) return integration.subject(simulator, durable);
    transited = simulator;
    const own = new RestTransit(simulator, planned);
    const { fetch } = simulator;
    transit = own;
    const sendThroughTransit: Simulator["fetch"] = (input, init) =>
      own.send(
        new Request(typeof input === "string" ? new URL(input, simulator.urls.api) : input, init),
        fetch,
      );
    return integration.subject(Object.assign(simulator, { fetch: sendThroughTransit }), durable);
  };
  return { integration: { ...integration, subject }, mustBeOver: () => transit?.mustHaveMatchedAll() };
}
