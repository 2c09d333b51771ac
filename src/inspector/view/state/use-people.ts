import { useAnswer, useSelect } from "./context.ts";

/** What everybody does at the chosen instant; undefined until it is known. */
export function usePeople() {
  const run = useSelect((state) => state.run?.number);
  const row = useSelect((state) => state.now);
  return useAnswer("people", run === undefined ? undefined : { run, row }).got;
}
