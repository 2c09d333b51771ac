import * as v from "valibot";
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
