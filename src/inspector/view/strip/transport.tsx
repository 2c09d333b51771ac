import { clock, exactClock, timeOfDay } from "../common/format.ts";
import { Icon } from "../common/marks.tsx";
import { useActions, useSelect } from "../state/context.ts";

const speeds = [1, 10, 100, 1000];

/** The instant, and the buttons that move it. */
export function Transport() {
  const actions = useActions();
  const row = useSelect((state) => state.run?.rows[state.now]);
  const summary = useSelect((state) => state.run?.summary);
  const count = useSelect((state) => state.run?.rows.length) ?? 0;
  const speed = useSelect((state) => state.speed);
  return (
    <div class="transport">
      <div class="clock">
        <b title={summary?.zone}>{summary === undefined ? "" : timeOfDay(summary, row?.atMs ?? 0)}</b>
        <span>
          {exactClock(row?.atMs ?? 0).replace(/\.000$/, "")} of {clock(summary?.endMs ?? 0)} · step{" "}
          {row === undefined ? 0 : (row.index + 1).toLocaleString("en")}
          {count >= 10_000 ? "" : ` of ${count.toLocaleString("en")}`}
        </span>
      </div>
      <Buttons />
      <div class="hints">
        <span>
          <kbd>←</kbd> <kbd>→</kbd> step
        </span>
        <span class="hide-medium">
          <kbd>F</kbd> failure
        </span>
        <select
          class="select speed"
          aria-label="Speed"
          value={String(speed)}
          onChange={(event) => actions.playback.setSpeed(Number(event.currentTarget.value))}
        >
          {speeds.map((each) => (
            <option key={each} value={String(each)}>
              ×{each}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}

function Buttons() {
  const actions = useActions();
  const playing = useSelect((state) => state.playing);
  const showsKeys = useSelect((state) => state.showsKeys);
  return (
    <div class="buttons">
      <FailureButton by={-1} />
      <button
        type="button"
        class="button square"
        aria-label="Step back"
        onClick={() => actions.playback.step(-1)}
      >
        <Icon d="m10 3-5 5 5 5" />
      </button>
      <button
        type="button"
        class="button square go"
        aria-label={playing ? "Pause" : "Play"}
        onClick={() => actions.playback.togglePlay()}
      >
        <Icon fill d={playing ? "M4 3h3v10H4zM9 3h3v10H9z" : "M4.5 2.500v11L13.5 8z"} />
      </button>
      <button
        type="button"
        class="button square"
        aria-label="Step forward"
        onClick={() => actions.playback.step(1)}
      >
        <Icon d="m6 3 5 5-5 5" />
      </button>
      <FailureButton by={1} />
      <button
        type="button"
        class="button square"
        aria-label="Keys"
        aria-expanded={showsKeys}
        onClick={() => actions.view.toggle("showsKeys")}
      >
        ?
      </button>
    </div>
  );
}

/** A button with the failure's mark and an arrow, unlike the buttons to the start and the end of the run. */
function FailureButton({ by }: { by: 1 | -1 }) {
  const actions = useActions();
  const [name, key, round] =
    by > 0
      ? ["Next failure", "F", "after the last the first"]
      : ["Previous failure", "Shift F", "before the first the last"];
  return (
    <button
      type="button"
      class="button square"
      aria-label={name}
      title={`${name} (${key}); ${round}`}
      onClick={() => actions.playback.failure(by)}
    >
      <svg class="mark" viewBox="0 0 16 16" aria-hidden="true">
        <use href="#mark-failed" x={by > 0 ? 0 : 5} y="2.5" width="11" height="11" />
        <path
          d={by > 0 ? "m12.5 4.5 3 3.5-3 3.5" : "m3.5 4.5-3 3.5 3 3.5"}
          fill="none"
          stroke="currentColor"
          stroke-width="1.6"
          stroke-linecap="round"
          stroke-linejoin="round"
        />
      </svg>
    </button>
  );
}
