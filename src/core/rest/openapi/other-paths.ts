import type { Dialect } from "../../platform/declare/settings.ts";
import type { Urls } from "../../platform/declare/urls.ts";

/** Describes what is served besides the API: the token endpoint and the redirect handler. */
export function otherPaths({ vendor }: Dialect, urls: Urls): Record<string, unknown> {
  return {
    "/oauth/token": { servers: [{ url: urls.auth }], ...tokenPath },
    "/telephony/redirect": { servers: [{ url: urls.redirect }], ...redirectPath(vendor) },
  };
}

const text = { type: "string" } as const;
const textThatIs = (description: string) => ({ ...text, description });
const error = { content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } } };

const credentials = {
  type: "object",
  properties: {
    client_id: textThatIs("The client's id."),
    client_secret: textThatIs("The client's secret."),
    grant_type: { const: "client_credentials", description: "Always `client_credentials`." },
  },
  required: ["client_id", "client_secret", "grant_type"],
} as const;

const tokenError = {
  content: {
    "application/json": {
      schema: {
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
      },
    },
  },
};

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
      400: { description: "Something is wrong with the request", ...tokenError },
      401: { description: "Unknown client, or not its secret", ...tokenError },
      429: { description: "Too many requests", ...tokenError },
      "5XX": { description: "The service has a fault; ask again later", ...tokenError },
    },
  },
};

function redirectPath(vendor: string): Record<string, unknown> {
  const query = (name: string, description: string, required = false) => ({
    name,
    in: "query",
    required,
    description,
    schema: text,
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
        query("extension", "Whose", true),
        query("from", "The caller's number, E.164, where there is no body"),
        query("nextOfferTimeout", "Seconds, 5 to 60, before the next users of a team are offered the call"),
        query("organisationId", "The account", true),
        query("parentCallId", "The vendor's id of the call, where there is no body"),
        query("priority", "1 (highest) to 9; default 5"),
        query("returnTo", "flow, taskQueue, postEndpoint or application"),
        query("returnToId", "Where an unanswered call goes back to"),
        query("sendToVoicemail", "`true` never rings the target"),
        query("timeout", "Seconds to wait for an answer: users and devices 10 to 70, teams 10 to 300"),
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
        400: { description: "A required parameter is missing", ...error },
        403: { description: "Parameters out of order, or a wrong signature", ...error },
        404: { description: "Unknown extension or organisation", ...error },
        413: { description: "The body is over 6 MB", ...error },
        415: { description: "The body is not a form", ...error },
        429: { description: "Too many requests", ...error },
        "5XX": { description: "The service has a fault; ask again later", ...error },
      },
    },
  };
}
