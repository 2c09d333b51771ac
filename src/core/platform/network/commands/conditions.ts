import { conditionsSchema } from "../../../network/conditions.ts";
import type { Network } from "../../../network/network.ts";
import { theHost } from "../../declare/description.ts";
import { drawnText } from "../../declare/words.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { anEndpoint } from "../../guards/example.ts";

export const conditions = defineCommand({
  summary:
    "requests to `url` take time, get lost, come twice or are overtaken, by chance; with `url` alone nothing does",
  schema: conditionsSchema,
  form: "a fault by chance",
  now: "fault",
  actor: theHost,
  describe({ url, latency, loss = 0, duplicate = 0, reorder = 0 }) {
    const percent = (chance: number, what: string) =>
      chance > 0 ? `${what} ${Math.round(chance * 100)}%` : "";
    const texts = [
      latency === undefined ? "" : `latency ${drawnText(latency)}`,
      percent(loss, "loss"),
      percent(duplicate, "twice"),
      percent(reorder, "held back"),
    ].filter((each) => each !== "");
    return { verb: `is reached with ${texts.join(", ") || "no trouble"}`, aside: url };
  },
  run: ({ network }: { readonly network: Network }, args) => network.conditions.set(args),
  example: () => ({ url: anEndpoint, loss: 0.5 }),
});
