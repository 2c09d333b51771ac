import * as v from "valibot";
import { duration, list, object, oneOf, text, wholeNumber } from "../foundation/input-schemas.ts";
import { claimSchema } from "./claim-schema.ts";

/** The schemas of `questions` in a scenario file. */

const optional = v.optional;

const patchOperation = object({
  /** What is done there. */
  op: oneOf(["add", "remove", "replace"]),
  /** The place, such as `/steps/1/at`: steps count from 0. */
  path: text(),
  /** What stands there then. */
  value: optional(v.unknown()),
});

const change = object({
  /** The change in words, behind "would be right if". */
  if: text(),
  /** The change of the file, as JSON Patch (RFC 6902) writes it. */
  change: list(patchOperation),
});

export const choiceEntries = {
  /** The answer in words. */
  text: text(),
  /** What the choice claims of the run: one claim, or a list of which all must hold. */
  when: optional(v.unknown()),
  /** For a wrong choice, the change under which it would be right. */
  instead: optional(change),
};

export const questionEntries = {
  /** What is asked. */
  ask: text(),
  /** Where in the run it is asked, from the start: what comes from then on is the answer. @default PT0S */
  at: optional(duration()),
  /** What one can answer: two to six choices. */
  choices: list(v.unknown()),
  /** The number of the right choice, 1 for the first. */
  right: wholeNumber(1),
  /** Why it is right. */
  because: text(),
};

/** The schema of a question, for the editor. */
export const questionSchema = object({
  ...questionEntries,
  choices: list(object({ ...choiceEntries, when: optional(v.union([claimSchema, list(claimSchema)])) })),
});
