import { exactDurationText } from "../../../foundation/instants.ts";
import { thePlatform } from "../../declare/description.ts";
import { spanText } from "../../declare/words.ts";
import { defineCommand } from "../../guards/define-command.ts";
import type { RestTraffic } from "../rest-traffic.ts";
import { restFaultSchema } from "../schemas.ts";

const failing = {
  refused: "refuses connections",
  refuse: "refuses connections",
  unanswered: "handles requests, and their answers are lost",
  timeout: "does not answer",
} as const;

export const restFault = defineCommand({
  summary:
    "the REST API answers a status (default 503) instead, refuses, loses its answer, or answers late: see [Requests and faults](rest.md#requests-and-faults)",
  schema: restFaultSchema,
  form: "a fault of the REST API",
  now: "fault",
  actor: thePlatform,
  describe({ path, method, status, retryAfter, times, for: forMs, after }) {
    if (times === 0) return { subject: "the REST API", verb: "answers as usual" };
    const subject = [method, path ?? "the REST API"].filter(Boolean).join(" ");
    const back = retryAfter === undefined ? "" : ` (retry after ${exactDurationText(retryAfter)})`;
    const span = spanText(times, "time", forMs);
    if (typeof status === "string") return { subject, verb: `${failing[status]}${span}` };
    const how = status === undefined && after ? "late" : `${status ?? 503}${back}`;
    return { subject, verb: `is answered ${how}${span}` };
  },
  run: ({ restTraffic }: { readonly restTraffic: RestTraffic }, args) => restTraffic.fault(args),
  example: () => ({ status: 503, times: 1 }),
});
