import { object, text } from "../../foundation/input-schemas.ts";

export const userOfLocationSchema = object({
  /** The location's id. */
  location: text(),
  /** The user, by id or e-mail address. */
  user: text(),
});
