import * as v from "valibot";
import { callerNumber, e164, extension, text } from "../../foundation/input-schemas.ts";
import { validEntries } from "../passthrough/passthrough.ts";

const optional = v.optional;

/** A value of a query. A program may give a number or a boolean instead of text. */
const queryValue = v.union([v.string(), v.number(), v.boolean()], "expected text, a number or true");

/** The carrier's part of a redirected call. */
export const vendorEntries = {
  /** The caller's number, E.164; or a short code of 3 to 8 digits, or `anonymous` for a withheld number. */
  from: callerNumber(),
  /** The number that was called, E.164. */
  to: e164(),
  /** The vendor's id for the call. @default a new one, from the seed */
  vendorCallId: optional(text()),
};

const parameterEntries = {
  /** The extension number of the entry that the call is for. */
  extension: extension(),
  /** The organisation's id. @default this organisation's */
  organisationId: optional(text()),
  /** Seconds before the next tier of a team is rung, 5 to 60. A value out of range becomes the nearest bound. */
  nextOfferTimeout: optional(queryValue),
  /** The priority in a team's queue, 1 (first) to 9. A value out of range becomes 5. @default 5 */
  priority: optional(queryValue),
  /**
   * Where an unanswered call returns to: `flow`, `taskQueue`, `postEndpoint` or `application`. Anything else is
   * ignored.
   */
  returnTo: optional(v.string("expected text")),
  /** The id of that place. For `postEndpoint`, an https URL, which may be URL-encoded. */
  returnToId: optional(v.string("expected text")),
  /** `true` sends the call to voicemail without ringing; anything else rings. */
  sendToVoicemail: optional(queryValue),
  /**
   * Seconds to wait for an answer, 10 to 70 for users and devices, 10 to 300 for teams. A value out of range becomes
   * the nearest bound.
   */
  timeout: optional(queryValue),
};

/** An object whose other keys are passthrough parameters, which start with `x-`. */
export function withPassthrough<const E extends v.ObjectEntries>(entries: E) {
  const known = {
    ...entries,
    /**
     * Text values whose names start with `x-`. They may also be given directly beside the other keys. At most 1000
     * bytes in all.
     */
    passthroughParameters: optional(v.record(v.string(), v.string())),
  };
  return v.pipe(
    v.objectWithRest(known, v.unknown(), (issue) =>
      issue.expected === "Object" ? "expected an object" : "missing",
    ),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      for (const key of Object.keys(dataset.value)) {
        if (Object.hasOwn(known, key) || key.startsWith("x-")) continue;
        const place: v.ObjectPathItem = {
          type: "object",
          origin: "key",
          input: dataset.value,
          key,
          value: key,
        };
        const expected = [...Object.keys(entries), "x-..."].join(", ");
        addIssue({ message: `unknown key, expected one of: ${expected}`, path: [place] });
      }
    }),
    v.transform((given) => {
      const entry = ([key]: [string, unknown]) => !key.startsWith("x-");
      const own = Object.fromEntries(Object.entries(given).filter(entry)) as typeof given;
      const passthroughParameters = { ...validEntries(given.passthroughParameters), ...validEntries(given) };
      return { ...own, passthroughParameters };
    }),
  );
}

export const redirectEntries = { ...parameterEntries, ...vendorEntries };
export const dialLinkEntries = {
  /** The user who dials, by id or e-mail address. */
  user: text(),
  /** The outside number to call, E.164; needed unless `link` says it. */
  contactNumber: optional(e164()),
  /**
   * The organisation's number to call from, E.164.
   * @default the user's first number, otherwise the organisation's first
   */
  callerId: optional(e164()),
  /**
   * A URL of any scheme and host whose query has `contactNumber`, `callerId` and `x-` parameters, in place of these.
   * Other parameters are ignored.
   */
  link: optional(text()),
};

export const redirectSchema = withPassthrough(redirectEntries);
export type RedirectArguments = v.InferOutput<typeof redirectSchema>;
