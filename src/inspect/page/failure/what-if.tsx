import { type RequestFate, whyNotRest } from "../../model/fates.ts";
import { words } from "../state/worlds.ts";
import type { TriedRequest } from "./tried.ts";

const fates: readonly RequestFate[] = ["lost", "unanswered", "duplicated"];

/** Has something else become of a request. What makes no sense for it is not offered, with the reason. */
export function Fates({ of, pick }: { of: TriedRequest; pick(is: RequestFate): void }) {
  const refused = new Map(
    fates.map((is) => [is, "restRow" in of.request ? whyNotRest(of.reads === true, is) : undefined]),
  );
  const reasons = [...new Set(refused.values())].filter((why) => why !== undefined);
  const open = fates.filter((is) => refused.get(is) === undefined);
  return (
    <>
      {open.map((is) => (
        <button type="button" class="mini" key={is} onClick={() => pick(is)}>
          {words[is]}
        </button>
      ))}
      {reasons.map((why) => (
        <p class="muted" key={why}>
          {fates
            .filter((is) => refused.get(is) === why)
            .map((is) => words[is])
            .join(", ")}
          : {why}
        </p>
      ))}
    </>
  );
}

/** The same, folded. */
export function WhatIf({ of, pick }: { of: TriedRequest; pick(is: RequestFate): void }) {
  return (
    <details class="what-if">
      <summary>What if…</summary>
      <Fates of={of} pick={pick} />
    </details>
  );
}
