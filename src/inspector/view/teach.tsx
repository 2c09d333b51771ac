import { useLayoutEffect, useRef } from "preact/hooks";
import { useActions, useSelect } from "./context.ts";
import { clock } from "./format.ts";
import { Mark } from "./marks.tsx";

/** The open question, over the curtain. */
export function Question({ top, left }: { top: number; left: number }) {
  const actions = useActions();
  const teaching = useSelect((state) => state.teaching);
  const question = teaching?.questions[teaching.at];
  const atMs = useSelect((state) =>
    question === undefined ? 0 : (state.run?.rows[question.row]?.atMs ?? 0),
  );
  const panel = useRef<HTMLDivElement>(null);
  // the focus moves to the question: otherwise Enter on the button that began the lesson would end it
  useLayoutEffect(() => panel.current?.focus(), [question]);
  if (teaching === undefined || question === undefined) return null;
  const { isRevealed, picked, at, questions } = teaching;
  const isLast = at === questions.length - 1;
  return (
    <div
      class="question"
      ref={panel}
      tabindex={-1}
      role="group"
      aria-labelledby="question"
      style={{ left: `${left}px`, top: `max(12px, min(${Math.round(top)}px, calc(100% - 390px)))` }}
    >
      <div class="muted num">
        Question {at + 1} of {questions.length}, at {clock(atMs)}
      </div>
      <h2 id="question">{question.text}</h2>
      <p class="muted">{question.situation}</p>
      {question.choices.map((choice, index) => {
        const isRight = isRevealed && index === question.right;
        return (
          <button
            type="button"
            class={isRight ? "choice right" : "choice"}
            key={choice}
            aria-pressed={picked === index}
            onClick={() => actions.teaching.pick(index)}
          >
            <kbd>{index + 1}</kbd>
            <span class="grow">{choice}</span>
            {isRight && <Mark name="answer" />}
            {isRight && <span class="sr">right</span>}
            {isRevealed && picked === index && index !== question.right && <Mark name="failed" />}
          </button>
        );
      })}
      {isRevealed && question.because !== "" && (
        <p role="status" class="group">
          {question.choices[question.right]}: {question.because}.
        </p>
      )}
      <footer>
        <button type="button" class="button primary" onClick={() => actions.teaching.reveal()}>
          {!isRevealed ? "Reveal" : isLast ? "Done" : "Next question"}
        </button>
        <button type="button" class="button plain" onClick={() => actions.teaching.stop()}>
          Stop teaching
        </button>
      </footer>
    </div>
  );
}

/** The mark of an answer. An unanswered question is neither right nor wrong. */
function markOf(pick: boolean | undefined): "info" | "answer" | "failed" {
  return pick === undefined ? "info" : pick ? "answer" : "failed";
}

/** Shown instead of the editor while a class is taught: the questions and how they were answered. */
export function TeachPanel({ title, notice }: { title: string; notice: string }) {
  const teaching = useSelect((state) => state.teaching);
  if (teaching === undefined) return null;
  const isOver = teaching.at === teaching.questions.length - 1 && teaching.isRevealed;
  return (
    <div class="teach-panel" role="region" aria-label="Lesson" tabindex={0}>
      <h2>{title}</h2>
      {isOver && <p>{notice}</p>}
      <ol>
        {teaching.questions.map(({ text, row }, index) => {
          const pick = teaching.picks[index];
          const isNow = index === teaching.at;
          const isDone = index < teaching.at || (isNow && teaching.isRevealed);
          return (
            <li key={row} class={isNow ? "on" : ""} aria-current={isNow ? "step" : undefined}>
              <Mark name={isDone ? markOf(pick) : isNow ? "command" : "idle"} />
              <span>{text}</span>
              {isDone && (
                <span class="num">{pick === undefined ? "revealed" : pick ? "right" : "wrong"}</span>
              )}
            </li>
          );
        })}
      </ol>
      <p class="muted">
        The scenario and everything after the question are covered. <kbd>1</kbd> to <kbd>4</kbd> choose,{" "}
        <kbd>Enter</kbd> reveals.
      </p>
    </div>
  );
}
