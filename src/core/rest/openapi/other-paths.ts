import type { Dialect } from "../../platform/declare/settings.ts";
import type { Urls } from "../../platform/declare/urls.ts";
import { type AskAgain, eventsByCommands } from "./paths.ts";

/** Describes what is served besides the API: the token endpoint and the redirect handler. */
export function otherPaths({ vendor }: Dialect, urls: Urls): Record<string, unknown> {
  return {
    "/oauth/token": { servers: [{ url: urls.auth }], ...tokenPath },
    "/telephony/redirect": { servers: [{ url: urls.redirect }], ...redirectPath(vendor) },
  };
}

const text = { type: "string" } as const;
const textThatIs = (description: string) => ({ ...text, description });
const wholeNumber = (minimum: number, maximum: number) => ({ type: "integer", minimum, maximum });

/** Describes errors whose bodies have a schema. */
const errorsOf =
  (schema: object) =>
  (description: string, askAgain: AskAgain = "no") => ({
    description,
    content: { "application/json": { schema } },
    "x-ask-again": askAgain,
  });

const error = errorsOf({ $ref: "#/components/schemas/Error" });

const credentials = {
  type: "object",
  properties: {
    client_id: textThatIs("The client's id."),
    client_secret: textThatIs("The client's secret."),
    grant_type: { const: "client_credentials", description: "Always `client_credentials`." },
  },
  required: ["client_id", "client_secret", "grant_type"],
} as const;

const tokenError = errorsOf({
  type: "object",
  properties: {
    error: {
      enum: ["invalid_request", "invalid_client", "unsupported_grant_type", "temporarily_unavailable"],
      type: "string",
      description: "The kind of error, for programs.",
    },
    error_description: textThatIs("What is wrong, for people."),
  },
  required: ["error", "error_description"],
  additionalProperties: false,
});

const tokenPath = {
  post: {
    operationId: "createToken",
    tags: ["Authentication"],
    summary: "Ask for an access token",
    description: "By client credentials. A JSON body is still accepted, but deprecated.",
    security: [],
    requestBody: {
      required: true,
      content: {
        "application/x-www-form-urlencoded": { schema: credentials },
        "application/json": { schema: { ...credentials, deprecated: true } },
      },
    },
    responses: {
      200: {
        description: "OK",
        content: {
          "application/json": {
            schema: {
              type: "object",
              properties: {
                access_token: textThatIs("What requests carry in their `authorization` header."),
                token_type: { const: "Bearer", description: "Always `Bearer`." },
                expires_in: { type: "number", description: "How long the token is valid, seconds." },
              },
              required: ["access_token", "token_type", "expires_in"],
              additionalProperties: false,
            },
          },
        },
      },
      400: tokenError("Something is wrong with the request"),
      401: tokenError("Unknown client, or not its secret"),
      429: tokenError("Too many requests", "after retry-after"),
      "5XX": tokenError("The service has a fault; ask again later", "later"),
    },
    "x-events": [],
  },
};

/** The rest of a parameter's schema, and whether it must be there. */
type QuerySchema = { readonly required?: boolean } & Readonly<Record<string, unknown>>;

function redirectPath(vendor: string): Record<string, unknown> {
  const query = (name: string, description: string, { required = false, ...schema }: QuerySchema = {}) => ({
    name,
    in: "query",
    required,
    description,
    schema: { ...text, ...schema },
  });
  return {
    post: {
      operationId: "redirectCall",
      tags: ["Redirect"],
      summary: "Hand a call over to an entry of the directory",
      description:
        "Query parameters must be in alphabetical order, passthrough parameters (`x-…`) included. The answer has the vendor join its call to the conference of that name.",
      security: [],
      parameters: [
        query("extension", "The extension number of the entry that the call is for", { required: true }),
        query("from", "The caller's number, E.164, where there is no body"),
        query(
          "nextOfferTimeout",
          "Seconds before the next tier of a team is rung; the nearest bound if out of range",
          wholeNumber(5, 60),
        ),
        query("organisationId", "The organisation's id", { required: true }),
        query("parentCallId", "The vendor's id of the call, where there is no body"),
        query("priority", "The priority in a team's queue, 1 is first", {
          ...wholeNumber(1, 9),
          default: 5,
        }),
        query("returnTo", "What an unanswered call returns to; anything else is ignored", {
          enum: ["flow", "taskQueue", "postEndpoint", "application"],
        }),
        query("returnToId", "The id of that place; for `postEndpoint`, an https URL"),
        query("sendToVoicemail", "`true` never rings the target"),
        query(
          "timeout",
          "Seconds to wait for an answer; the nearest bound if out of range. Users and devices have at most 70",
          wholeNumber(10, 300),
        ),
        query("to", "The number that was called, E.164, where there is no body"),
        {
          name: `x-${vendor}-signature`,
          in: "header",
          description: "The vendor's signature, where there is a secret for it",
          schema: text,
        },
      ],
      requestBody: {
        required: false,
        description: "What the vendor says of its call. Without a body it may stand in the query.",
        content: {
          "application/x-www-form-urlencoded": {
            schema: {
              type: "object",
              properties: {
                parentCallId: textThatIs("The vendor's id of the call."),
                from: textThatIs("The caller's number, E.164."),
                to: textThatIs("The number that was called, E.164."),
              },
              required: ["parentCallId", "from", "to"],
            },
          },
        },
      },
      responses: {
        200: { description: "OK", content: { "text/xml": { schema: text } } },
        400: error("A required parameter is missing"),
        403: error("Parameters out of order, or a wrong signature"),
        404: error("Unknown extension or organisation"),
        413: error("The body is over 6 MB"),
        415: error("The body is not a form"),
        429: error("Too many requests", "after retry-after"),
        "5XX": error("The service has a fault; ask again later", "later"),
      },
      "x-events": eventsByCommands(["redirect"]),
    },
  };
}
