import { clock } from "../common/format.ts";
import { useActions, useSelect } from "../state/context.ts";

/** A button that goes to a row, with its time. */
export function GoTo({ row, atMs }: { row: number | undefined; atMs?: number }) {
  const actions = useActions();
  const at = useSelect((state) => (row === undefined ? undefined : state.run?.rows[row]?.atMs));
  if (row === undefined || at === undefined) return null;
  return (
    <button type="button" class="mini num" onClick={() => actions.playback.select(row)}>
      Show {clock(atMs ?? at)}
    </button>
  );
}
