import {
  type AppDeviation,
  type RequestDeviation,
  type RestDeviation,
  restRefusal,
} from "../../model/forkable-requests.ts";
import { useSelect } from "../state/context.ts";
import type { DeviationTarget } from "../state/deviation-targets.ts";
import type { LoadedRun } from "../state/loading.ts";
import { deviationNames, hasApp } from "../state/try-request.ts";

const requestDeviations: readonly RequestDeviation[] = ["lost", "unanswered", "duplicated"];
const restDeviations: readonly RestDeviation[] = ["503", "429", "slow", "tokenExpired"];

interface DeviationProps {
  readonly target: DeviationTarget;
  /** The run that has it. */
  readonly run: LoadedRun | undefined;
  pick(is: AppDeviation): void;
}

/** Buttons to try a request's deviations. Those that make no sense are replaced by the reason. */
export function DeviationButtons({ target, run, pick }: DeviationProps) {
  const isForApp = useSelect((state) => hasApp(state, run));
  const isRest = "restRow" in target.request;
  const whyNot = (is: RequestDeviation) => (isRest ? restRefusal(target.reads === true, is) : undefined);
  const refused = new Map(isForApp ? [] : requestDeviations.map((is) => [is, whyNot(is)]));
  const reasons = [...new Set(refused.values())].filter((why) => why !== undefined);
  const open = requestDeviations.filter((is) => refused.get(is) === undefined);
  // only a client with a token can see it expire
  const ofApp = restDeviations.filter((is) => is !== "tokenExpired" || !target.what.includes(" /oauth/"));
  return (
    <>
      {(isForApp && isRest ? [...open, ...ofApp] : open).map((is: AppDeviation) => (
        <button type="button" class="mini" key={is} onClick={() => pick(is)}>
          {deviationNames[is]}
        </button>
      ))}
      {reasons.map((why) => (
        <p class="muted" key={why}>
          {requestDeviations
            .filter((is) => refused.get(is) === why)
            .map((is) => deviationNames[is])
            .join(", ")}
          : {why}
        </p>
      ))}
    </>
  );
}

/** Like `DeviationButtons`, folded. */
export function WhatIf(props: DeviationProps) {
  return (
    <details class="what-if">
      <summary>What if…</summary>
      <DeviationButtons {...props} />
    </details>
  );
}
