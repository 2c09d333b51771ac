import { useMemo } from "preact/hooks";
import { type DeliveryHistory, deliveryHistories } from "../../model/delivery-histories.ts";
import { findOutages, isDoubled, mainOutage, type Outage } from "../../model/incident.ts";
import { deliveriesText, outageEffect, outageTime, outageVerb } from "../../model/incident-words.ts";
import { showsFailure } from "../../model/types.ts";
import { timeOfDay } from "../common/format.ts";
import { Mark } from "../common/marks.tsx";
import { useActions, useSelect, useTurn } from "../state/context.ts";
import type { LoadedRun } from "../state/loading.ts";
import { laneName } from "./calls.ts";

/** What happened, in one sentence: the cause first. */
export function Headline({
  run,
  histories,
  outage,
}: {
  run: LoadedRun;
  histories: readonly DeliveryHistory[];
  outage: Outage | undefined;
}) {
  if (outage !== undefined) {
    const { summary } = run;
    const timeText = (atMs: number) => timeOfDay(summary, atMs);
    return (
      <>
        {laneName(run, outage.lane)} <em>{outageVerb(outage)}</em> {outageTime(outage, timeText)}, so{" "}
        {outageEffect(outage)}.
      </>
    );
  }
  return <>{deliveriesText(histories)}</>;
}

/** Above the steps of a run in which a delivery went wrong: the cause, and a way from one failure to the next. */
export function HeadlineCause() {
  const run = useSelect((state) => state.run);
  const isShown = useSelect(
    ({ mode, showsCalls, showsWorld, source, opened, isComparing, teaching }) =>
      ![mode !== "inspect", showsCalls, showsWorld, isComparing, teaching, opened, source?.failure].some(
        Boolean,
      ),
  );
  const isTurn = useTurn(run, 3);
  if (run?.isWhole !== true || !isShown || !isTurn) return null;
  return <WholeCause run={run} />;
}

function WholeCause({ run }: { run: LoadedRun }) {
  const actions = useActions();
  const now = useSelect((state) => state.now);
  const { histories, outage, failures } = useMemo(() => {
    const histories = deliveryHistories(run).filter(({ lane }) => lane !== "");
    return {
      histories,
      outage: mainOutage(findOutages(histories), histories),
      failures: run.rows.filter(showsFailure).map(({ index }) => index),
    };
  }, [run]);
  if (!histories.some(wentWrong)) return null;
  const place = failures.indexOf(now);
  return (
    <div class="notice cause">
      <Mark name="retry" />
      <p class="grow">
        <Headline run={run} histories={histories} outage={outage} />
      </p>
      {failures.length > 1 && (
        <>
          <span class="num">
            {place < 0 ? `${failures.length} failures` : `${place + 1} of ${failures.length}`}
          </span>
          <button type="button" class="button" onClick={() => actions.playback.failure(1)}>
            Next
          </button>
        </>
      )}
    </div>
  );
}

function wentWrong(history: DeliveryHistory): boolean {
  return isDoubled(history) || history.attempts.some(({ kind }) => kind === "failed" || kind === "lost");
}
