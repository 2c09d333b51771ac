import * as v from "valibot";
import { object, text } from "../../foundation/input-schemas.ts";
import { locationEntries } from "../organisation/schema.ts";

export const createLocationSchema = object({
  /** The location's id; default: a new one. */
  id: v.optional(text()),
  ...locationEntries,
});
export type CreateLocationArguments = v.InferOutput<typeof createLocationSchema>;

export const userOfLocationSchema = object({
  /** The location's id. */
  location: text(),
  /** The user, by id or e-mail address. */
  user: text(),
});
export type UserOfLocationArguments = v.InferOutput<typeof userOfLocationSchema>;
