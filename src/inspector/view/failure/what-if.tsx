import { type RequestFate, type RestFate, whyNotRest } from "../../model/fates.ts";
import { useSelect } from "../context.ts";
import type { LoadedRun } from "../state/loading.ts";
import type { TriedRequest } from "../state/tried.ts";
import { hasApp, words } from "../state/trying.ts";

type Fate = RequestFate | RestFate;
const fates: readonly RequestFate[] = ["lost", "unanswered", "duplicated"];
const restFates: readonly RestFate[] = ["503", "429", "slow", "tokenExpired"];

interface FatesProps {
  readonly of: TriedRequest;
  /** The run that has it. */
  readonly run: LoadedRun | undefined;
  pick(is: Fate): void;
}

/** Has something else become of a request. What makes no sense for it is not offered, with the reason. */
export function Fates({ of, run, pick }: FatesProps) {
  const isForApp = useSelect((state) => hasApp(state, run));
  const isRest = "restRow" in of.request;
  const whyNot = (is: RequestFate) => (isRest ? whyNotRest(of.reads === true, is) : undefined);
  const refused = new Map(isForApp ? [] : fates.map((is) => [is, whyNot(is)]));
  const reasons = [...new Set(refused.values())].filter((why) => why !== undefined);
  const open = fates.filter((is) => refused.get(is) === undefined);
  // only a client with a token can have it expire
  const ofApp = restFates.filter((is) => is !== "tokenExpired" || !of.what.includes(" /oauth/"));
  return (
    <>
      {(isForApp && isRest ? [...open, ...ofApp] : open).map((is: Fate) => (
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
export function WhatIf(props: FatesProps) {
  return (
    <details class="what-if">
      <summary>What if…</summary>
      <Fates {...props} />
    </details>
  );
}
