import { object, text } from "../../../foundation/input-schemas.ts";
import { theParty } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { aCustomer } from "../../guards/example.ts";
import type { Flows } from "../flows.ts";
import { decisionEntries, decisionProblems, decisionWords } from "../schemas.ts";

/** Takes back one call that has returned. */
export const takeBackCall = defineCommand({
  summary: "one call that has returned is taken back: the same; `as` names the call that it goes on as",
  makes: "call",
  schema: object({
    /** The call that returned, by its id. */
    call: text(),
    ...decisionEntries,
  }),
  actor: theParty,
  describe: (args) => decisionWords("is taken back, and the flow", args),
  validate: (_services, args) => decisionProblems(args),
  run: ({ flows }: { readonly flows: Flows }, { call, ...decision }) => flows.takeBackCall(call, decision),
  example(before) {
    const way = { extension: "101", returnTo: "flow", returnToId: "FW1" };
    const call = before.command("redirect", { ...way, from: aCustomer, to: "+6495559999" });
    before.advance("PT30S");
    return { call, redirect: { extension: "102" } };
  },
});
