import { counted } from "../../core/platform/declare/words.ts";
import { type Forgery, forgeryText } from "./forgery.ts";

/** What an exploration tried with forged requests. */
export interface ForgedRequests {
  /** How many worlds had a forged request. They are not counted among the worlds of the bound. */
  readonly worlds: number;
  /** How many forged requests were tried: a kind for a type of event at a URL counts as one. */
  readonly requests: number;
  /** The forged requests that the app believed. */
  readonly believed: readonly Forgery[];
  /** Those that it answered 2xx although nothing shows that it believed them: it may do so before it looks. */
  readonly answered: readonly Forgery[];
  /** Those that it answered 2xx, where neither its state nor a property tells whether it believed them. */
  readonly unclear: readonly Forgery[];
  /** What `show` threw in place of showing the state; undefined if it did not. */
  readonly showFailure?: string;
  /** Whether the app looked at signatures, or no webhook reached it. */
  readonly isLookedAt: boolean;
  /** Why not all were tried; undefined if all were. */
  readonly leftOut: string | undefined;
}

const NOT_LOOKED_AT =
  "signatures were not looked at, so forged requests were not tried: `forged: true` (`--forged`) tries them";

/** The part of a report about forged requests. */
export function forgedText({
  worlds,
  requests,
  believed,
  answered,
  unclear,
  showFailure,
  isLookedAt,
  leftOut,
}: ForgedRequests): string[] {
  if (!isLookedAt) return [NOT_LOOKED_AT];
  if (worlds === 0) return leftOut === undefined ? [] : [`forged requests were not tried: ${leftOut}`];
  const found =
    believed.length > 0
      ? `the app believes ${believed.length}`
      : unclear.length > 0
        ? `nothing tells whether the app believes ${unclear.length}`
        : answered.length > 0
          ? `the app answered ${answered.length} of them 2xx, and ends as without them`
          : "the app believes none";
  const rest = leftOut === undefined ? "" : `; not all were tried: ${leftOut}`;
  return [
    `forged requests: ${requests} in ${counted(worlds, "more world")}, ${found}${rest}`,
    ...unclear.map(
      (each) =>
        `  answered 2xx: ${forgeryText(each)}; no state and no property tells whether it was believed: ${askForShow(showFailure)}`,
    ),
  ];
}

/** What lets the app's state tell what a forged request did. @param failure what `show` throws, if it does */
export function askForShow(failure: string | undefined): string {
  return failure === undefined
    ? "give `show`"
    : `\`show\` throws ${JSON.stringify(failure.split("\n", 1)[0])}`;
}
