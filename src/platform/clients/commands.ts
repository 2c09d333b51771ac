import * as v from "valibot";
import { list, object, text } from "../../engine/input.ts";

/** An API key of the account portal, with which a program asks for access tokens. */
export interface Client {
  /** The id with which the client asks for tokens. */
  readonly clientId: string;
  /** The secret with which the client asks for tokens. */
  readonly clientSecret: string;
}

export const clientsSchema = v.pipe(
  list(
    object({
      /** The id that the client asks for tokens with. */
      clientId: text(),
      /** The secret that the client asks for tokens with. */
      clientSecret: text(),
    }),
  ),
  v.nonEmpty("expected at least one client"),
  v.check(
    (clients) => new Set(clients.map(({ clientId }) => clientId)).size === clients.length,
    "expected a different clientId for each",
  ),
);

/** Issues an access token. The client has already been authenticated. */
export const issueTokenSchema = object({
  /** The id of the client that the token is for. */
  client: text(),
});
export type IssueTokenArguments = v.InferOutput<typeof issueTokenSchema>;

/** Expires every access token issued so far. */
export const expireTokensSchema = object({});
