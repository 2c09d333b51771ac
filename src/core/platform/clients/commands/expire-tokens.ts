import { object } from "../../../foundation/input-schemas.ts";
import { thePlatform } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import type { Tokens } from "../tokens.ts";

export const expireTokens = defineCommand({
  summary: "every access token that was issued so far expires",
  schema: object({}),
  actor: thePlatform,
  describe: () => ({ subject: "every access token", verb: "expires" }),
  run: ({ tokens }: { readonly tokens: Tokens }) => tokens.expireAll(),
  example: () => ({}),
});
