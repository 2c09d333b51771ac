import { useMemo } from "preact/hooks";
import { type Chosen, chosenIn } from "./chosen.ts";
import { useSelect } from "./context.ts";

/** The calls that are chosen in the run that is shown; undefined if all are shown alike. */
export function useChosen(): Chosen {
  const run = useSelect((state) => state.run);
  const record = useSelect((state) => state.record);
  const isAlone = useSelect((state) => state.isAlone);
  return useMemo(() => chosenIn(run, { record, isAlone }), [run, record, isAlone]);
}
