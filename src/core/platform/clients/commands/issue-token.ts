import { object, text } from "../../../foundation/input-schemas.ts";
import { theClient } from "../../declare/description.ts";
import { defineCommand } from "../../guards/define-command.ts";
import type { Tokens } from "../tokens.ts";

/** Issues an access token. The client has already been authenticated. */
export const issueToken = defineCommand({
  summary: "issues an access token for a client",
  schema: object({
    /** The id of the client that the token is for. */
    client: text(),
  }),
  actor: theClient,
  describe: () => ({ kind: "rest", verb: "is given an access token" }),
  run: ({ tokens }: { readonly tokens: Tokens }, { client }) => tokens.issue(client),
  example: ({ services }) => ({ client: services.settings.clients[0]?.id ?? "" }),
});
