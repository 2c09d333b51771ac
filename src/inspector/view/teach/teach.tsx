import { useLayoutEffect, useRef } from "preact/hooks";
import { logo } from "../../../look/logo.ts";
import { lessonNumber } from "../../lesson.ts";
import { clock } from "../common/format.ts";
import { Mark } from "../common/marks.tsx";
import { useActions, useSelect } from "../state/context.ts";
import { lessonOf } from "../state/playground.ts";

/**
 * A class is asked what happens next: the run up to the question at the left, large, and the question at the right. No
 * title and no outline is shown, since those of lessons are answers.
 */

/** Above the run: which lesson it is, the questions by number, and the keys. */
export function TeachHeader() {
  const actions = useActions();
  const lesson = useSelect(lessonOf);
  const teaching = useSelect((state) => state.teaching);
  if (teaching === undefined) return null;
  const { questions, at, picks, isRevealed, countsHands } = teaching;
  return (
    <header class="teach-bar">
      <span class="teach-brand" dangerouslySetInnerHTML={{ __html: `${logo}ringback` }} />
      <h1 class="teach-where">
        {lesson === undefined ? "What happens next?" : `Lesson ${lessonNumber(lesson.name)}`}
      </h1>
      <ol class="teach-numbers" aria-label="Questions">
        {questions.map(({ row, answerRow }, index) => {
          const isNow = index === at;
          const isOver = index < picks.length || (isNow && isRevealed);
          return (
            <li
              key={`${index} ${row} ${answerRow}`}
              class={isNow ? "now" : isOver ? "over" : ""}
              aria-current={isNow ? "step" : undefined}
            >
              {index + 1}
              {isOver && <span class="sr">, {pickText(picks[index])}</span>}
            </li>
          );
        })}
      </ol>
      <span class="grow" />
      <span class="teach-keys">
        <kbd>1</kbd>…<kbd>{questions[at]?.choices.length ?? 4}</kbd> {countsHands ? "a hand" : "choose"}{" "}
        <kbd>{countsHands ? "⌫" : "H"}</kbd> {countsHands ? "one less" : "hands"} <kbd>Enter</kbd>{" "}
        {isRevealed ? "goes on" : "reveals"} <kbd>←</kbd> back <kbd>Esc</kbd> stop
      </span>
      <button type="button" class="button plain" onClick={() => actions.teaching.stop()}>
        Stop teaching
      </button>
    </header>
  );
}

/** An unanswered question is neither right nor wrong. */
function pickText(pick: boolean | undefined): string {
  return pick === undefined ? "revealed" : pick ? "right" : "wrong";
}

/** The open question, beside the run. */
export function Question() {
  const actions = useActions();
  const teaching = useSelect((state) => state.teaching);
  const question = teaching?.questions[teaching.at];
  const panel = useRef<HTMLElement>(null);
  // the focus moves to the question: otherwise Enter on the button that began the lesson would end it
  useLayoutEffect(() => panel.current?.focus(), [question]);
  if (teaching === undefined || question === undefined) return null;
  const { isRevealed, picked, at, questions, countsHands, hands } = teaching;
  const showsHands = isRevealed ? hands.length > 0 : countsHands;
  const isLast = at === questions.length - 1;
  const instead = picked === undefined ? undefined : question.instead?.[picked];
  return (
    <section class="question" ref={panel} tabindex={-1} aria-labelledby="question">
      <p class="question-number">
        Question {at + 1} of {questions.length}, at {clock(question.atMs)}
      </p>
      <h2 id="question">{question.text}</h2>
      {question.choices.map((choice, index) => {
        const isRight = isRevealed && index === question.right;
        return (
          <button
            type="button"
            class={isRight ? "choice right" : isRevealed ? "choice wrong" : "choice"}
            key={choice}
            aria-pressed={showsHands ? undefined : picked === index}
            onClick={() => actions.teaching.pick(index)}
          >
            <kbd>{index + 1}</kbd>
            <span class="grow">{choice}</span>
            {showsHands && <Hands count={hands.filter((each) => each === index).length} />}
            {isRight && <Mark name="answer" />}
            {isRight && <span class="sr">right</span>}
            {isRevealed && picked === index && !isRight && <Mark name="failed" />}
          </button>
        );
      })}
      {isRevealed && (
        <p role="status" class="because">
          <b>{question.choices[question.right]?.replace(/\.$/, "")}.</b> {question.because}
          {instead !== undefined && ` “${question.choices[picked ?? 0]}” would be right if ${instead}.`}
        </p>
      )}
      <footer>
        <button type="button" class="button primary" onClick={() => actions.teaching.reveal()}>
          {!isRevealed ? "Reveal" : isLast ? "Done" : "Next question"}
        </button>
        {!isRevealed && (
          <button
            type="button"
            class="button"
            aria-pressed={countsHands}
            aria-keyshortcuts="h"
            onClick={() => actions.teaching.toggleHands()}
          >
            Count hands
          </button>
        )}
      </footer>
    </section>
  );
}

/** How many of the class raised a hand for a choice. */
function Hands({ count }: { count: number }) {
  return (
    <span class="hands">
      {count}
      <span class="sr"> {count === 1 ? "hand" : "hands"}</span>
    </span>
  );
}
