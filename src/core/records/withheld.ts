/** Replaces the number of a caller who withholds it. */
export const ANONYMOUS = "anonymous";

/** What carriers send most often in place of a number that is withheld: `ANONYMOUS` on the keys of a telephone. */
export const WITHHELD_NUMBER = "+266696687";

/** What else they send: the word on the keys of a telephone. */
const codes: readonly string[] = [
  WITHHELD_NUMBER,
  "+7378742833", // RESTRICTED
  "+2562533", // BLOCKED
  "+8656696", // UNKNOWN
  "+86282452253", // UNAVAILABLE
];

/** A caller's number, or `anonymous` for the codes that mean that it is withheld. */
export function callerOrAnonymous(from: string): string {
  return codes.includes(from) ? ANONYMOUS : from;
}

/** The name of such a caller. */
export const ANONYMOUS_NAME = "Anonymous";
