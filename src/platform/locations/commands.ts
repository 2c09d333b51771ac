import * as v from "valibot";
import { object, text } from "../../engine/input.ts";
import { locationEntries } from "../organisation/schema.ts";

/** Without an id, one is made. */
export const createLocationSchema = object({ id: v.optional(text()), ...locationEntries });
export type CreateLocationArguments = v.InferOutput<typeof createLocationSchema>;

/** `user` is an id or an e-mail address. */
export const userOfLocationSchema = object({ location: text(), user: text() });
export type UserOfLocationArguments = v.InferOutput<typeof userOfLocationSchema>;
