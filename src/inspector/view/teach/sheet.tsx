import type { Question } from "../../model/question.ts";
import type { PageRow } from "../../model/types.ts";
import { clock } from "../common/format.ts";
import { useActions, useSelect } from "../state/context.ts";

/** The questions of a run for A4 paper, and behind them their answers on a page of their own. */
export function Sheet() {
  const actions = useActions();
  const questions = useSelect((state) => state.sheet);
  const run = useSelect((state) => state.run);
  if (questions === undefined || run === undefined) return null;
  return (
    <main class="sheet">
      <div class="sheet-acts">
        <button type="button" class="button primary" onClick={() => globalThis.print()}>
          Print
        </button>
        <button type="button" class="button" onClick={() => actions.teaching.closeSheet()}>
          Back
        </button>
      </div>
      <section aria-labelledby="sheet-questions">
        <p class="sheet-name">
          Name <span />
        </p>
        <h1 id="sheet-questions">What happens?</h1>
        {questions.map((question, place) => (
          <article key={place}>
            <Story rows={run.rows} from={questions[place - 1]?.row ?? -1} question={question} />
            <h2>
              {place + 1}. {question.text}
            </h2>
            <ul>
              {question.choices.map((choice) => (
                <li key={choice}>{choice}</li>
              ))}
            </ul>
          </article>
        ))}
      </section>
      <section class="sheet-answers" aria-labelledby="sheet-answers">
        <h1 id="sheet-answers">Answers</h1>
        <ol>
          {questions.map(({ text, choices, right, because }, place) => (
            <li key={place}>
              {text} <b>{choices[right]}</b> {because}
            </li>
          ))}
        </ol>
      </section>
    </main>
  );
}

/** What people do from the question before up to this one. */
function Story({ rows, from, question }: { rows: readonly PageRow[]; from: number; question: Question }) {
  const steps = rows.filter(
    ({ index, command }) => index > from && index <= question.row && command !== undefined,
  );
  if (steps.length === 0) return null;
  return (
    <table>
      <tbody>
        {steps.map(({ index, atMs, subject, verb, detail }) => (
          <tr key={index}>
            <th>{clock(atMs)}</th>
            <td>{[subject, verb, detail].filter((part) => part !== "").join(" ")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
