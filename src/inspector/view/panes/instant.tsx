import { timeOfDay } from "../common/format.ts";
import { useActions, useSelect } from "../state/context.ts";

/** The chosen instant, by the organisation's clock. Another one goes to the last row at or before it. */
export function Instant({ label }: { label: string }) {
  const actions = useActions();
  const run = useSelect((state) => state.run);
  const atMs = useSelect((state) => state.run?.rows[state.now]?.atMs);
  if (run === undefined || atMs === undefined) return null;
  const { number, summary } = run;
  const go = async (field: HTMLInputElement) => {
    const problem = await actions.loading.ask("rowAt", { run: number, text: field.value }).then(
      (row) => {
        actions.playback.select(row);
        return "";
      },
      (error: Error) => error.message,
    );
    field.setCustomValidity(problem);
    field.reportValidity();
  };
  return (
    <label>
      <span>{label}</span>
      <input
        key={atMs}
        class="select num"
        defaultValue={timeOfDay(summary, atMs)}
        placeholder="10:03, 0:20"
        onChange={(event) => void go(event.currentTarget)}
      />
    </label>
  );
}
