import { theOutsider } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { aCustomer, numberOfAlice } from "../../guards/example.ts";
import { type Needs as CallerNeeds, withDeviatingCaller } from "../caller-deviations.ts";
import type { Calls } from "../calls.ts";
import { inboundSchema } from "../schemas.ts";

export const inbound = defineCommand({
  summary: "someone outside dials one of the organisation's numbers; `as` names the call for later steps",
  makes: "call",
  schema: inboundSchema,
  actor: theOutsider,
  describe: ({ to }) => ({ verb: "calls", mention: { number: to } }),
  enrich: withDeviatingCaller,
  run: ({ calls }: CallerNeeds & { readonly calls: Calls }, args) => calls.inbound(args),
  example: () => ({ from: aCustomer, to: numberOfAlice }),
});
