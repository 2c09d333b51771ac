import { isRestart } from "../../../network/request-deviations.ts";
import { theClientBy } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import type { RestTraffic } from "../rest-traffic.ts";
import { restServedSchema } from "../schemas.ts";

/** How many characters of a refusal's reason are shown. */
const LONGEST_REASON = 120;

/**
 * Only `sim.fetch` gives this. In timelines: `asks GET /calls: 429 (fault)`, `asks POST /webhooks: 400 (url: missing)`,
 * `asks GET /users?mail=x: 200 (ignores mail)`. If it gave commands, `gets the answer to POST /messages: 201`.
 */
export const restServed = defineCommand({
  summary: "a request to the REST API was answered",
  schema: restServedSchema,
  actor: theClientBy,
  describe({ method, path, status, answer, fault, deviation, lost, ignored = [], asked, after: laterMs }) {
    const isRestarting = deviation !== undefined && isRestart(deviation);
    const ofExploration = isRestarting ? "the app restarts" : deviation && "deviation";
    const instead = fault === undefined ? ofExploration : "fault";
    if (isRestarting && status === 0)
      return { kind: "rest", verb: "asks", detail: `${method} ${path}: ${instead}` };
    const unknown = ignored.length === 0 ? undefined : `ignores ${ignored.join(", ")}`;
    if (lost !== undefined)
      return { kind: "rest", verb: "asks", detail: `${method} ${path}: ${lost}`, why: instead, laterMs };
    const why = instead ?? (status < 400 ? unknown : refusalIn(answer));
    const verb = asked === undefined ? "asks" : "gets the answer to";
    return { kind: "rest", verb, detail: `${method} ${path}`, status, why, laterMs };
  },
  run: ({ restTraffic }: { readonly restTraffic: RestTraffic }, args) => restTraffic.record(args),
  example: () => ({ method: "GET", path: "/users", body: "", status: 200, answer: "{}" }),
});

/** The reason in the body of an error answer. */
function refusalIn(answer: string): string | undefined {
  const [, quoted] =
    /"(?:message|error_description)":("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-f]{4}))*")/iu.exec(answer) ??
    [];
  if (quoted === undefined) return undefined;
  const said = String(JSON.parse(quoted));
  return said.length > LONGEST_REASON ? `${said.slice(0, LONGEST_REASON)}…` : said;
}
