import type { AskedWhy, WhyAnswer } from "../../model/why-answer.ts";
import { clock, counted } from "../common/format.ts";
import { Mark } from "../common/marks.tsx";
import { useActions, useAnswer, useSelect } from "../state/context.ts";
import { GoTo } from "./go-to.tsx";
import { Instant } from "./instant.tsx";

/** Why something did not happen, and what would have made it happen. */
export function WhyTab() {
  const actions = useActions();
  const run = useSelect((state) => state.run?.number);
  const row = useSelect((state) => state.now);
  const chosen = useSelect((state) => state.whyQuestion);
  const record = useSelect((state) => state.record);
  const { got: questions } = useAnswer("whyQuestions", run === undefined ? undefined : { run, row, record });
  const question = questions?.find(({ id }) => id === chosen) ?? questions?.[0];
  const { got: answer } = useAnswer(
    "why",
    run === undefined || question === undefined ? undefined : { run, row, question: question.id },
  );
  if (questions === undefined) return null;
  const groups = [...new Set(questions.map(({ group }) => group))];
  if (question === undefined) return <p class="muted">Everything that this page can ask about happened.</p>;
  return (
    <>
      <Instant label="At" />
      <label>
        <span>Why did this not happen?</span>
        <select
          class="select"
          value={question.id}
          onChange={(event) => actions.view.question(event.currentTarget.value)}
        >
          {groups.map((group) => (
            <optgroup key={group} label={group}>
              {questions.filter((each) => each.group === group).map(option)}
            </optgroup>
          ))}
        </select>
      </label>
      <ol class="causes">
        {answer?.causes.map(({ kind, title, text, row: at, repeatRows = [] }, index) => (
          <li key={index}>
            <Mark name={kind} />
            <b>{title}</b>
            <p>{text}</p>
            <div class="shows">
              {[at, ...repeatRows].map((each) => (
                <GoTo key={each} row={each} />
              ))}
            </div>
          </li>
        ))}
      </ol>
      {answer !== undefined && <Remedies answer={answer} />}
    </>
  );
}

function option({ id, text }: AskedWhy) {
  return (
    <option key={id} value={id}>
      {text}
    </option>
  );
}

function Remedies({ answer: { remedies, failedCount } }: { answer: WhyAnswer }) {
  const actions = useActions();
  if (remedies.length === 0)
    return failedCount === 0 ? null : (
      <p class="muted">{counted(failedCount, "other thing")} tried on a fork, none was enough.</p>
    );
  return (
    <div class="card">
      <h3>
        <Mark name="answer" />
        What would be enough
      </h3>
      <p class="muted">Each was tried on a fork. Choose one to see the two runs side by side.</p>
      {remedies.map(({ row, act, atMs }, index) => (
        <button type="button" class="act" key={index} onClick={() => void actions.comparing.fork(row, act)}>
          <Mark name={act.kind} />
          <span>{act.label}</span>
          <span class="mono">{clock(atMs)}</span>
        </button>
      ))}
    </div>
  );
}
