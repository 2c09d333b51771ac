import { timedAnswer } from "../../network/answer.ts";
import { conditionsSchema, faultSchema } from "../../network/conditions.ts";
import { Network, newNetwork } from "../../network/network.ts";
import type { Base } from "../base.ts";
import { capability, command } from "../capability.ts";
import { deviateSchema, routeSchema } from "./commands.ts";

/** The network that carries requests to endpoints outside. The score says what follows when a request is over. */
export const network = capability({
  begin: newNetwork,
  make: ({ engine, settings, tell }: Base, state) =>
    new Network(
      engine,
      {
        limitMs: settings.timing.endpointTimeout,
        ...settings.network,
        keepRequests: settings.keep.requests,
        done: (request, outcome) => tell("requestOver", { request, outcome }),
      },
      state,
    ),
  tasks: (it) => it.tasks,
  commands: {
    route: command(routeSchema, (it: Network, { url, ...answer }) => it.routeTo(url, timedAnswer(answer))),
    fault: command(faultSchema, (it: Network, args) => it.setFault(args)),
    deviate: command(deviateSchema, (it: Network, args) => it.deviate(args)),
    conditions: command(conditionsSchema, (it: Network, args) => it.conditions.set(args)),
  },
});
