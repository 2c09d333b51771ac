import { whoeverFrom } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import { aCustomer } from "../../guards/example.ts";
import type { Redirect } from "../redirect.ts";
import { redirectSchema } from "../schemas.ts";

export const redirect = defineCommand({
  summary: "another voice application hands a call over",
  makes: "call",
  schema: redirectSchema,
  actor: whoeverFrom,
  describe: ({ extension }) => ({ verb: "is redirected to", mention: { called: extension } }),
  run: ({ redirect }: { readonly redirect: Redirect }, args) => redirect.redirect(args),
  example: () => ({ from: aCustomer, to: "+6495559999", extension: "101" }),
});
