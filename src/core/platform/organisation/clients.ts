import * as v from "valibot";
import { list, object, oneOf, text } from "../../foundation/input-schemas.ts";

/** What a client may do: `read` alone refuses every request that changes something. */
export type Scope = "read" | "write";

/** An API key of the account portal, with which a program asks for access tokens. */
export interface Client {
  /** The id with which the client asks for tokens. */
  readonly id: string;
  /** The secret with which the client asks for tokens. */
  readonly secret: string;
  /** What the client may do. @default everything */
  readonly scopes?: readonly Scope[];
}

/** The secrets of the platform's clients and of its carrier. */
export interface Credentials {
  /** The id with which the first client asks for tokens. */
  readonly clientId: string;
  /** The secret with which the first client asks for tokens. */
  readonly clientSecret: string;
  /** The secret with which the carrier signs requests: `dialect.vendorSecret`, else one that follows from the seed. */
  readonly vendorSecret: string;
}

const scopes = v.optional(v.pipe(list(oneOf(["read", "write"])), v.nonEmpty("expected at least one scope")));

const client = object({
  /** The id that the client asks for tokens with. */
  id: text(),
  /** The secret that the client asks for tokens with. */
  secret: text(),
  /** What the client may do: `["read"]` gets 403 on every request that changes something. Default: everything. */
  scopes,
});

export const clientsSchema = v.pipe(
  list(client),
  v.nonEmpty("expected at least one client"),
  v.check(
    (clients) => new Set(clients.map(({ id }) => id)).size === clients.length,
    "expected a different id for each",
  ),
);
