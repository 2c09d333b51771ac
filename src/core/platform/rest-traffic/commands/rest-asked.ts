import * as v from "valibot";
import { object, text } from "../../../foundation/input-schemas.ts";
import { theClientBy } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import type { RestTraffic } from "../rest-traffic.ts";

/** Only `sim.fetch` gives this. In timelines: `asks POST /messages`; what the request does stands below. */
export const restAsked = defineCommand({
  summary: "a request to the REST API is about to give its first command",
  schema: object({
    /** The method, such as `POST`. */
    method: text(),
    /** The path with its query, such as `/messages`. */
    path: text(),
    /** The client whose access token the request has. */
    by: v.optional(text()),
    /** The id of the platform's own request whose handler asks, such as a delivery to a webhook. */
    during: v.optional(text()),
  }),
  actor: theClientBy,
  describe: ({ method, path }) => ({ kind: "rest", verb: "asks", detail: `${method} ${path}` }),
  run: ({ restTraffic }: { readonly restTraffic: RestTraffic }): number => restTraffic.countAsked(),
  example: () => ({ method: "POST", path: "/messages" }),
});
