import { useState } from "preact/hooks";
import { whatIfUpText } from "../../model/incident-words.ts";
import { thrownText } from "../common/format.ts";
import { useActions, useSelect } from "../state/context.ts";
import type { LoadedRun } from "../state/loading.ts";
import { laneName } from "./calls.ts";

/** Plays the run again with a host up, and says what that changes. */
export function WhatIfUpButton({ run, lane }: { run: LoadedRun; lane: string }) {
  const actions = useActions();
  const opened = useSelect((state) => state.opened);
  const [said, setSaid] = useState<{ text: string; run: number | undefined } | undefined>(undefined);
  const [isPlaying, setPlaying] = useState(false);
  const name = laneName(run, lane);
  const play = async () => {
    setPlaying(true);
    try {
      const { run: number, answer } = await actions.loading.ask("whatIfUp", { run: run.number, host: lane });
      setSaid({ text: whatIfUpText(name, answer), run: number });
    } catch (error) {
      setSaid({ text: thrownText(error), run: undefined });
    }
    setPlaying(false);
  };
  const show = (number: number) => {
    actions.runs.show(number);
    actions.store.set({ opened: { label: `${name} is up`, base: opened?.base ?? run.number } });
  };
  return (
    <span class="what-if" role="status">
      {said === undefined ? (
        <button type="button" class="link" disabled={isPlaying} onClick={() => void play()}>
          {isPlaying ? "Playing the run again" : `What if ${name} had been up?`}
        </button>
      ) : (
        said.text
      )}{" "}
      {said?.run !== undefined && (
        <button type="button" class="link" onClick={() => said.run !== undefined && show(said.run)}>
          Show that run
        </button>
      )}
    </span>
  );
}
