import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { logo } from "../../../look/logo.ts";
import { lessonNumber } from "../../lesson.ts";
import { lessonCode } from "../../lesson-code.ts";
import { clock } from "../common/format.ts";
import { Mark } from "../common/marks.tsx";
import { useActions, useSelect } from "../state/context.ts";
import { lessonOf } from "../state/playground.ts";
import type { TeachingSession } from "../state/teaching.ts";

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
  const { questions, at, picks, isRevealed, countsHands, isAlone } = teaching;
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
      {!teaching.isOver && (
        <span class="teach-keys">
          <kbd>1</kbd>…<kbd>{questions[at]?.choices.length ?? 4}</kbd> {countsHands ? "a hand" : "choose"}{" "}
          {!isAlone && (
            <>
              <kbd>{countsHands ? "⌫" : "H"}</kbd> {countsHands ? "one less" : "hands"}{" "}
            </>
          )}
          <kbd>Enter</kbd> {isRevealed ? "goes on" : isAlone ? "answers" : "reveals"} <kbd>←</kbd> back
          {!isAlone && (
            <>
              {" "}
              <kbd>Esc</kbd> stop
            </>
          )}
        </span>
      )}
      {!isAlone && (
        <button type="button" class="button plain" onClick={() => actions.teaching.stop()}>
          Stop teaching
        </button>
      )}
    </header>
  );
}

/** An unanswered question is neither right nor wrong. */
function pickText(pick: boolean | undefined): string {
  return pick === undefined ? "revealed" : pick ? "right" : "wrong";
}

/** The open question, beside the run. */
export function QuestionPane() {
  const actions = useActions();
  const teaching = useSelect((state) => state.teaching);
  const question = teaching?.questions[teaching.at];
  const panel = useRef<HTMLElement>(null);
  // the focus moves to the question: otherwise Enter on the button that began the lesson would end it
  useLayoutEffect(() => panel.current?.focus(), [question]);
  if (teaching === undefined || question === undefined) return null;
  if (teaching.isOver) return <Over session={teaching} panel={panel} />;
  const { isRevealed, picked, at, questions, countsHands, hands, isAlone, wrong } = teaching;
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
        const isTried = wrong.includes(index);
        return (
          <button
            type="button"
            class={isRight ? "choice right" : isRevealed || isTried ? "choice wrong" : "choice"}
            aria-disabled={isTried || undefined}
            key={choice}
            aria-pressed={showsHands ? undefined : picked === index}
            onClick={() => actions.teaching.pick(index)}
          >
            <kbd>{index + 1}</kbd>
            <span class="grow">{choice}</span>
            {showsHands && <Hands count={hands.filter((each) => each === index).length} />}
            {isRight && <Mark name="answer" />}
            {isRight && <span class="sr">right</span>}
            {((isRevealed && picked === index && !isRight) || isTried) && <Mark name="failed" />}
            {isTried && <span class="sr">tried, not so</span>}
          </button>
        );
      })}
      {!isRevealed && wrong.length > 0 && (
        <p role="status" class="because">
          “{question.choices[wrong.at(-1) ?? 0]?.replace(/\.$/, "")}” is not so. Try again.
        </p>
      )}
      {isRevealed && (
        <p role="status" class="because">
          <b>{question.choices[question.right]?.replace(/\.$/, "")}.</b> {question.because}
          {instead !== undefined && ` “${question.choices[picked ?? 0]}” would be right if ${instead}.`}
        </p>
      )}
      <footer>
        <button
          type="button"
          class="button primary"
          // not `disabled`, which takes the focus and in some browsers the keys
          aria-disabled={(isAlone && !isRevealed && picked === undefined) || undefined}
          onClick={() => actions.teaching.reveal()}
        >
          {!isRevealed ? (isAlone ? "Answer" : "Reveal") : isLast ? "Done" : "Next question"}
        </button>
        {isAlone && !isRevealed && wrong.length > 0 && (
          <button type="button" class="button" onClick={() => actions.teaching.show()}>
            Show the answer
          </button>
        )}
        {!isAlone && !isRevealed && (
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

/** The end for one who is alone: the code to hand in. */
function Over({ session, panel }: { session: TeachingSession; panel: RefObject<HTMLElement | null> }) {
  const actions = useActions();
  const { questions, tries } = session;
  const code = lessonCode(
    questions.map(({ text }) => text),
    tries,
  );
  const right = tries.filter((each) => each === 1).length;
  return (
    <section class="question" ref={panel} tabindex={-1} aria-labelledby="question">
      <h2 id="question">Your code</h2>
      <p class="lesson-code" role="status">
        {code}
      </p>
      <p class="because">
        {right} of {questions.length} right at the first try. Hand in the code: it says at which try each
        answer was right, and nothing of you.
      </p>
      <footer>
        <button
          type="button"
          class="button primary"
          onClick={() => void actions.links.copy(code, "the code")}
        >
          Copy the code
        </button>
        <button type="button" class="button" onClick={() => actions.teaching.stop()}>
          See the run
        </button>
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
