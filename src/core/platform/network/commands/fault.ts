import { faultSchema } from "../../../network/conditions.ts";
import type { Network } from "../../../network/network.ts";
import { theHost } from "../../declare/description.ts";
import { spanText } from "../../declare/words.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { anEndpoint } from "../../guards/example.ts";

const failing = {
  refused: "refuses connections",
  refuse: "refuses connections",
  unanswered: "handles requests, and their answers are lost",
  timeout: "does not answer",
} as const;

export const fault = defineCommand({
  summary:
    "endpoints whose URLs start with `url` answer a status (default 503), `refused`, `unanswered` or `timeout` instead. It can be for so many times, for so long, and after so long. `times: 0` ends the fault. `{ url, latency, loss, duplicate, reorder }` is trouble by chance, `{ path, method, status, retryAfter, times, for, after }` is for [the REST API](rest.md#requests-and-faults)",
  schema: faultSchema,
  form: "a fault by rule",
  forms: {
    conditions: ["latency", "loss", "duplicate", "reorder"],
    restFault: ["path", "method", "retryAfter"],
  },
  actor: theHost,
  describe({ url, status, times, for: forMs }) {
    const doing = typeof status === "number" ? `answers ${status}` : failing[status];
    return { verb: `${doing}${spanText(times, "time", forMs)}`, aside: url };
  },
  run: ({ network }: { readonly network: Network }, args) => network.setFault(args),
  example: () => ({ url: anEndpoint, status: 503, times: 2 }),
});
