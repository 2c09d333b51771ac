import * as v from "valibot";
import { duration, list, object, oneOf, text, wholeNumber } from "../foundation/input-schemas.ts";
import { claimSchema } from "./claim-schema.ts";

/** The schemas of `questions` in a scenario file. */

const optional = v.optional;

const patchOperation = object({
  op: v.pipe(oneOf(["add", "remove", "replace"]), v.description("What is done there.")),
  path: v.pipe(text(), v.description("The place, such as `/steps/1/at`: steps count from 0.")),
  value: optional(v.pipe(v.unknown(), v.description("What stands there then."))),
});

const change = object({
  if: v.pipe(text(), v.description('The change in words, behind "would be right if".')),
  change: v.pipe(
    list(patchOperation),
    v.description("The change of the file, as JSON Patch (RFC 6902) writes it."),
  ),
});

export const choiceEntries = {
  text: v.pipe(text(), v.description("The answer in words.")),
  when: optional(v.unknown()),
  instead: optional(
    v.pipe(change, v.description("For a wrong choice, the change under which it would be right.")),
  ),
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
  choices: v.pipe(
    list(
      object({
        ...choiceEntries,
        when: optional(
          v.pipe(
            v.union([claimSchema, list(claimSchema)]),
            v.description("What the choice claims of the run: one claim, or a list of which all must hold."),
          ),
        ),
      }),
    ),
    v.description("What one can answer: two to six choices."),
  ),
});
