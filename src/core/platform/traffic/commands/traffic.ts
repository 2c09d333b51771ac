import { exactDurationText } from "../../../foundation/instants.ts";
import { thePlatform } from "../../declare/description.ts";
import { drawnText } from "../../declare/words.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { numberOfAlice } from "../../guards/example.ts";
import { trafficSchema } from "../../organisation/behaviour.ts";
import type { Traffic } from "../traffic.ts";

export const traffic = defineCommand({
  summary: "calls from outside begin at intervals, for a while",
  schema: trafficSchema,
  actor: thePlatform,
  describe: ({ to, every, for: forMs }) => ({
    subject: "calls",
    verb: "to",
    mention: { number: to },
    detail: `begin every ${drawnText(every)}, for ${exactDurationText(forMs)}`,
  }),
  run: ({ traffic }: { readonly traffic: Traffic }, args) => traffic.begin(args),
  example: () => ({ to: numberOfAlice, every: "PT1M", for: "PT5M" }),
});
