import { useActions, useAnswer } from "./context.ts";
import { clock } from "./format.ts";
import { Mark } from "./marks.tsx";
import { useSelect } from "./store.ts";

/** Lists what can be done instead at this instant. */
export function ForkTab() {
  const actions = useActions();
  const run = useSelect((state) => state.run?.number);
  const row = useSelect((state) => state.now);
  const atMs = useSelect((state) => state.run?.rows[state.now]?.atMs) ?? 0;
  const forks = useSelect((state) => state.forks);
  const { got: groups } = useAnswer("acts", run === undefined ? undefined : { run, row });
  return (
    <>
      <p>
        From <b class="num">{clock(atMs)}</b> on, what if…
      </p>
      {groups?.map(({ title, acts }) => (
        <section key={title}>
          <h2 class="group">{title}</h2>
          {acts.map((act) => (
            <button
              type="button"
              class="act"
              key={`${act.label} ${act.hint}`}
              onClick={() => void actions.fork(row, act)}
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
          {forks.map(({ run: number, label, atMs: from }) => (
            <button
              type="button"
              class="act"
              key={number}
              onClick={() => actions.compareWith(number, `Fork at ${clock(from)}`, label)}
            >
              <Mark name="event" />
              <span>{label}</span>
              <span class="mono">from {clock(from)}</span>
            </button>
          ))}
        </section>
      )}
      <p class="muted">A fork costs nothing: both runs share everything before it.</p>
    </>
  );
}
