import { Network, newNetwork } from "../../network/network.ts";
import type { CoreServices } from "../base/core-services.ts";
import { defineService } from "../declare/service.ts";

/** The network that carries requests to endpoints. `requestOver` is raised when a request is over. */
export const network = defineService({
  init: newNetwork,
  create: ({ engine, settings, raise }: CoreServices, state) =>
    new Network(
      engine,
      {
        limitMs: settings.timing.endpointTimeout,
        ...settings.network,
        keepRequests: settings.keep.requests,
        done: (request, outcome) => raise.requestOver({ request, outcome }),
      },
      state,
    ),
  tasks: Network.tasks,
});
