import { object, text } from "../../../foundation/input-schemas.ts";
import { thePlatform } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import type { Flows } from "../flows.ts";
import { decisionEntries, decisionProblems, decisionWords } from "../schemas.ts";

/** Says what a flow does with the calls that return to it from now on. */
export const takeBack = defineCommand({
  summary:
    "a flow takes back the calls that return to its id: it redirects them (`{ extension, ... }`), hangs up, or says nothing",
  schema: object({
    /** The id of the flow, task queue or application: the `returnToId` of redirects. */
    id: text(),
    ...decisionEntries,
  }),
  actor: thePlatform,
  describe: (args) => decisionWords(`takes back calls that return to ${args.id}, and`, args),
  validate: (_services, args) => decisionProblems(args),
  run: ({ flows }: { readonly flows: Flows }, { id, ...decision }) => flows.takeBack(id, decision),
  example: () => ({ id: "FW1", redirect: { extension: "102" } }),
});
