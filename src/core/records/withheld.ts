/** Replaces the number of a caller who withholds it. */
export const ANONYMOUS = "anonymous";

/** The name of such a caller. */
export const ANONYMOUS_NAME = "Anonymous";
