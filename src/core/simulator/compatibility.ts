import { InputError, type Keys } from "../foundation/errors.ts";

/**
 * The version of the platform's rules. The same seed and commands give the same run only by the same rules, so
 * journals, corpus files and results carry it. Files without one have version 1.
 */
export const RULES = 2;

/** The changed rules of each version. `CHANGELOG.md` says what to do about each. */
const changes: Readonly<Record<number, readonly string[]>> = {
  2: [
    "isConference counts only those on the bridge at the same time",
    "calls from inside that nobody took have the status unanswered",
    "silence in voicemail is no message: timing.voicemailSilence",
    "a message to so many contacts that no user fits is refused",
    "who blind-transfers a call is not rung for it by that transfer",
    "an internal call that an outside number joins has that number",
    "a contact without a name is called by its number",
    "a record shows its people as they are at the event's instant",
    "a recording's URL is no longer valid at its last instant",
  ],
};

/**
 * Refuses files of other rules, which would give another run.
 * @param given the file's version; undefined if it has none
 * @param what the kind of file, such as `journal`
 * @throws {InputError} naming the rules that changed in between
 */
export function mustFollowRules(given: number | undefined, what: string, keys: Keys): void {
  const version = given ?? 1;
  if (version === RULES) return;
  const by = given === undefined ? "the rules before there was a version" : `version ${version} of the rules`;
  if (version > RULES)
    throw new InputError(
      keys,
      `this ${what} was written by ${by}, which this version does not support: update ringback`,
    );
  const changed = Object.entries(changes)
    .filter(([since]) => Number(since) > version)
    .flatMap(([, lines]) => lines);
  throw new InputError(
    keys,
    `this ${what} was written by ${by}, and ringback now plays version ${RULES}. What changed: ${changed.join("; ")}. CHANGELOG.md says what to do about each`,
  );
}
