import { object } from "../../../foundation/input-schemas.ts";
import { exactDurationText } from "../../../foundation/instants.ts";
import { answerEntries, timedAnswer } from "../../../network/answer.ts";
import { urlPrefix } from "../../../network/conditions.ts";
import type { Network } from "../../../network/network.ts";
import { theHost } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { anEndpoint } from "../../guards/example.ts";

export const route = defineCommand({
  summary: "what endpoints answer whose URLs start with `url`, and after how long",
  schema: object({
    /** The answer is for URLs that start like this. The longest matching start wins. */
    url: urlPrefix,
    ...answerEntries,
  }),
  actor: theHost,
  describe: ({ status, after, url }) => ({
    verb: `answers ${status}${after > 0 ? ` after ${exactDurationText(after)}` : ""}`,
    aside: url,
  }),
  run: ({ network }: { readonly network: Network }, { url, ...answer }) =>
    network.routes.addAnswer(url, timedAnswer(answer)),
  example: () => ({ url: anEndpoint, status: 204 }),
});
