import * as v from "valibot";
import { isRecord } from "../../foundation/values.ts";
import { validEntries } from "./passthrough.ts";

/**
 * An object, or a query string to decode. Invalid entries are ignored, never refused:
 * docs/fidelity/calls.md#passthrough-parameters.
 */
export const passthrough = v.pipe(
  v.custom<Readonly<Record<string, unknown>> | string>(() => true),
  v.metadata({ type: ["object", "string"] }),
  v.transform((given) => validEntries(given)),
);

/**
 * The same in a JSON body, where text is no query string: an object, and anything else is ignored, as if nothing was
 * given.
 */
export const passthroughOfBody = v.pipe(
  v.custom<Readonly<Record<string, unknown>>>(() => true),
  v.metadata({ type: "object", additionalProperties: true }),
  v.transform((given) => validEntries(isRecord(given) ? given : {})),
);
