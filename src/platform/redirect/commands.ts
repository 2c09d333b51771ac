import * as v from "valibot";
import { e164, extension, object, text } from "../../engine/input.ts";
import { validEntries } from "../passthrough/passthrough.ts";

const optional = v.optional;

/** A value of a query: text, or what a program would rather write. */
const queryValue = v.union([v.string(), v.number(), v.boolean()], "expected text, a number or true");

/** The vendor's part of a redirected call. */
const vendorEntries = { from: e164(), to: e164(), vendorCallId: optional(text()) };

const parameterEntries = {
  extension: extension(),
  organisationId: optional(text()),
  /** Seconds, 5 to 60; out of range goes to the nearest bound. */
  nextOfferTimeout: optional(queryValue),
  /** 1 to 9; out of range is 5. */
  priority: optional(queryValue),
  /** What leads nowhere is ignored, so that nothing is wrong with these. */
  returnTo: optional(v.string("expected text")),
  /** A URL may be URL-encoded, as in a query. */
  returnToId: optional(v.string("expected text")),
  sendToVoicemail: optional(queryValue),
  /** Seconds, 10 to 70 for users and devices, 10 to 300 for teams; out of range goes to the nearest bound. */
  timeout: optional(queryValue),
};

/** Objects whose further keys are passthrough parameters, which start with `x-`. */
export function withPassthrough<const E extends v.ObjectEntries>(entries: E) {
  const known = { ...entries, passthroughParameters: optional(v.record(v.string(), v.string())) };
  return v.pipe(
    v.objectWithRest(known, v.unknown(), (issue) =>
      issue.expected === "Object" ? "expected an object" : "missing",
    ),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      for (const key of Object.keys(dataset.value)) {
        if (Object.hasOwn(known, key) || key.startsWith("x-")) continue;
        const path = [
          { type: "object" as const, origin: "key" as const, input: dataset.value, key, value: key },
        ];
        const expected = [...Object.keys(entries), "x-..."].join(", ");
        addIssue({ message: `unknown key, expected one of: ${expected}`, path: path as never });
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
export const dialLinkEntries = { user: text(), contactNumber: e164(), callerId: optional(e164()) };

export const redirectSchema = withPassthrough(redirectEntries);
export const connectApplicationSchema = object({
  extension: extension(),
  accountId: text(),
  parameters: optional(
    v.pipe(
      v.record(v.string(), v.unknown()),
      v.transform((given) => validEntries(given)),
    ),
  ),
  ...vendorEntries,
});
export const dialLinkSchema = withPassthrough({
  user: text(),
  contactNumber: e164(),
  callerId: optional(e164()),
});

export type RedirectArguments = v.InferOutput<typeof redirectSchema>;
export type ConnectApplicationArguments = v.InferOutput<typeof connectApplicationSchema>;
export type DialLinkArguments = v.InferOutput<typeof dialLinkSchema>;
