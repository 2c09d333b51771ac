import { clock, counted } from "../common/format.ts";
import { Mark } from "../common/marks.tsx";
import { DeviationButtons } from "../failure/what-if.tsx";
import { useActions, useAnswer, useSelect } from "../state/context.ts";
import { deviationTargets } from "../state/deviation-targets.ts";

/** Lists what can be done instead at this instant. */
export function ForkTab() {
  const actions = useActions();
  const shown = useSelect((state) => state.run);
  const run = shown?.number;
  const row = useSelect((state) => state.now);
  const atMs = useSelect((state) => state.run?.rows[state.now]?.atMs) ?? 0;
  const forks = useSelect((state) => state.forks);
  const chosen = useSelect((state) => state.run?.rows[state.now]);
  const requests = chosen === undefined ? [] : deviationTargets(chosen);
  const { got: groups } = useAnswer("acts", run === undefined ? undefined : { run, row });
  return (
    <>
      <p>
        From <b class="num">{clock(atMs)}</b> on, what if…
      </p>
      {requests.length > 0 && (
        <section class="what-if">
          <h2 class="group">{counted(requests.length, "request")} of this step</h2>
          {requests.map((of, index) => (
            <div class="bar" key={index}>
              <span class="mono">{of.what}</span>
              <DeviationButtons
                target={of}
                run={shown}
                pick={(is) => void actions.comparing.request(of, is)}
              />
            </div>
          ))}
        </section>
      )}
      {groups?.map(({ title, acts }) => (
        <section key={title}>
          <h2 class="group">{title}</h2>
          {acts.map((act) => (
            <button
              type="button"
              class="act"
              key={`${act.label} ${act.hint}`}
              onClick={() => void actions.comparing.fork(row, act)}
            >
              <Mark name={act.kind} />
              <span>{act.label}</span>
              <span class="mono">{act.hint}</span>
            </button>
          ))}
        </section>
      ))}
      {groups?.length === 0 && <p class="muted">Nobody rings, nobody talks, and there is no webhook.</p>}
      {forks.length > 0 && (
        <section>
          <h2 class="group">Forks of this run</h2>
          {forks.map((fork) => (
            <button type="button" class="act" key={fork.run} onClick={() => actions.comparing.withFork(fork)}>
              <Mark name="event" />
              <span>{fork.label}</span>
              <span class="mono">from {clock(fork.atMs)}</span>
            </button>
          ))}
        </section>
      )}
      <p class="muted">A fork costs nothing: both runs share everything before it.</p>
    </>
  );
}
