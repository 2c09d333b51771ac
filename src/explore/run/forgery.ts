import { SIGNATURE_TOLERANCE_MS } from "../../core/network/webhook-signature.ts";

/** The age of a signature that is 1 ms too old. */
export const STALE_MS = SIGNATURE_TOLERANCE_MS + 1;

/** An age that a check refuses which rounds to whole seconds, and takes what is 1 ms too old. */
export const BEYOND_ROUNDING_MS = STALE_MS + 1_000;

/**
 * How a request of a webhook is forged. `unsigned`: without a signature. `wrongSecret`: signed with another secret.
 * `cutSignature`: with the beginning of the right signature. `emptySignature`: with a signature without a digest, or without
 * anything. `unsetSecret`: signed with an empty secret, or with the text `undefined`, as of a variable that is not set. All of
 * these have another id and number. `changedBody`: the true id and headers, another number, before the true request. `stale`:
 * the true request, which comes only when its signature is 1 ms too old.
 */
export type ForgedKind =
  | "unsigned"
  | "wrongSecret"
  | "changedBody"
  | "stale"
  | "cutSignature"
  | "emptySignature"
  | "unsetSecret";

export const forgedKinds: readonly ForgedKind[] = [
  "unsigned",
  "wrongSecret",
  "changedBody",
  "stale",
  "cutSignature",
  "emptySignature",
  "unsetSecret",
];

/** Those of another event, which may come one after the other in one world. */
export const strangeKinds: readonly ForgedKind[] = forgedKinds.filter(
  (each) => each !== "changedBody" && each !== "stale",
);

/** A forged request, in place of or beside the first true one of its type. */
export interface Forgery {
  /** The webhook's URL. */
  readonly to: string;
  /** The type of event. */
  readonly type: string;
  /** How it is forged. */
  readonly is: ForgedKind;
}

/** A world with a forged request, or one to compare it with. Plain data. */
export interface ForgedWorld extends Forgery {
  /**
   * `forged`: the request. `nothing`: none, so only what is stale is missing. `nonsense`: one that is as wrong and says
   * something else, so it shows what an app does that refuses. In place of a changed body it comes behind the true one, so
   * that its id cannot keep that out. `otherNonsense`: with another id, before the true one.
   */
  readonly sends: "forged" | "nothing" | "nonsense" | "otherNonsense";
  /** Further kinds that are sent after it, each about another event. */
  readonly more: readonly ForgedKind[];
  /** Whether only the last of several requests of its kind is sent. */
  readonly isLast?: boolean | undefined;
  /** Whether the true request never comes, so that what is forged cannot be hidden behind it. What is stale is another event then. */
  readonly isAlone: boolean;
  /** Whether the app is a server, which does not have the world's time. */
  readonly isServer: boolean;
  /** The age of what is stale, in ms; undefined for the least by which a request tells that it is too old. */
  readonly ageMs?: number | undefined;
}

/** How a forged request is wrong, as a clause. */
const clauses: Readonly<Record<ForgedKind, string>> = {
  unsigned: "arrives that is not signed",
  wrongSecret: "arrives that is signed with another secret",
  changedBody: "arrives whose body was changed after it was signed",
  stale: `arrives more than ${SIGNATURE_TOLERANCE_MS.toLocaleString("en")} ms after it was signed`,
  cutSignature: "arrives with only the beginning of its signature",
  emptySignature: "arrives whose signature is empty",
  unsetSecret: "arrives that is signed with an empty secret, or with the text undefined",
};

/** What a forged request is, as a clause: `a call.ended arrives that is not signed`. */
export function forgeryClause({ type, is }: Forgery): string {
  return `a ${type} ${clauses[is]}`;
}

/** What the app's check may have missed. */
const advice: Partial<Readonly<Record<ForgedKind, string>>> = {
  stale: `A signature is valid for ${SIGNATURE_TOLERANCE_MS.toLocaleString("en")} ms and not for one more: a check that rounds to whole seconds may take this one.`,
  cutSignature: "A check that compares only as many characters as it was given may take this one.",
  emptySignature:
    "A check that skips an empty signature, or compares only as many characters as it was given, may take this one.",
  unsetSecret:
    "A check whose secret, or one of whose secrets, is a variable that is not set may take this one.",
};

/**
 * What the app's check may have missed, as a sentence; undefined where that is plain.
 * @param takesOlder whether the app also takes what is older than rounding explains
 */
export function forgeryAdvice({ is }: Forgery, takesOlder: boolean): string | undefined {
  return is === "stale" && takesOlder ? undefined : advice[is];
}

/** A forged request as deviations are written: `wrongSecret(call.ended)`. */
export function forgeryText({ type, is }: Forgery): string {
  return `${is}(${type})`;
}
