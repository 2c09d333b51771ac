import type { AskedQuestion } from "../../model/asked-questions.ts";
import { useActions, useAnswer, useSelect, useTurn } from "../state/context.ts";
import { usePeople } from "../state/use-people.ts";
import { Instant } from "./instant.tsx";

/** Questions that what happened suggests, each answered in one step; and who is free at the chosen instant. */
export function AskPane() {
  const actions = useActions();
  const run = useSelect((state) => state.run);
  const isInspected = useSelect((state) => state.mode === "inspect" && state.teaching === undefined);
  const isTurn = useTurn(run, 4);
  const { got: asked } = useAnswer(
    "asked",
    run === undefined || !isTurn || !isInspected ? undefined : { run: run.number },
  );
  if (run === undefined || !isInspected) return null;
  const answer = ({ row, answer }: AskedQuestion) => {
    actions.playback.select(row);
    if ("act" in answer) void actions.comparing.fork(row, answer.act);
    else if ("tab" in answer) actions.view.tab(answer.tab);
    else {
      // the question is about the call of its row
      actions.store.set({ record: undefined });
      actions.view.tab("why");
      actions.view.question(answer.why);
    }
  };
  return (
    <div class="section ask">
      <h2>Ask</h2>
      <WhoIsFree />
      {asked?.map((question) => (
        <button type="button" class="link" key={question.text} onClick={() => answer(question)}>
          {question.text}
        </button>
      ))}
    </div>
  );
}

/** Everybody's state at the chosen instant, or at another one that is typed; those who are free first. */
function WhoIsFree() {
  const run = useSelect((state) => state.run);
  const row = useSelect((state) => state.now);
  const people = usePeople();
  const atMs = run?.rows[row]?.atMs;
  if (run === undefined || atMs === undefined) return null;
  const free = people?.filter(({ is }) => is === "free") ?? [];
  const others = people?.filter(({ is }) => is !== "free") ?? [];
  return (
    <div class="who-is-free">
      <Instant label="Who was free at" />
      <p>
        <b>{free.map(({ name }) => name).join(", ") || "Nobody"}</b>
      </p>
      <ul>
        {others.map(({ id, name, does }) => (
          <li key={id}>
            {name}: {does}
          </li>
        ))}
      </ul>
    </div>
  );
}
