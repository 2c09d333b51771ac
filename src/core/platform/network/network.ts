import { exactDurationText } from "../../foundation/instants.ts";
import { timedAnswer } from "../../network/answer.ts";
import { conditionsSchema, faultSchema } from "../../network/conditions.ts";
import { Network, newNetwork } from "../../network/network.ts";
import type { CoreServices } from "../base/core-services.ts";
import { theHost, thePlatform } from "../declare/description.ts";
import { command, defineService } from "../declare/service.ts";
import { conditionsWords, deviateSchema, faultWords, routeSchema } from "./commands.ts";

/** The network that carries requests to endpoints outside. The score says what follows when a request is over. */
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
  commands: {
    route: command(
      routeSchema,
      theHost,
      ({ status, after, url }) => ({
        verb: `answers ${status}${after > 0 ? ` after ${exactDurationText(after)}` : ""}`,
        aside: url,
      }),
      (it: Network, { url, ...answer }) => it.routes.addAnswer(url, timedAnswer(answer)),
    ),
    fault: command(faultSchema, theHost, faultWords, (it: Network, args) => it.setFault(args)),
    deviate: command(
      deviateSchema,
      thePlatform,
      ({ is, of }) => `${of} is to be ${is}`,
      (it: Network, args) => it.deviate(args),
    ),
    conditions: command(conditionsSchema, theHost, conditionsWords, (it: Network, args) =>
      it.conditions.set(args),
    ),
  },
});
