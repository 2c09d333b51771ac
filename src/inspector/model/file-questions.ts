import { checkQuestions } from "../../core/scenario/check-questions.ts";
import type { QuestionChoice, Scenario, ScenarioQuestion } from "../../core/scenario/scenario.ts";
import type { Question, Questions } from "./question.ts";
import type { Recording } from "./recording.ts";

/** The questions of a scenario file, as *Teach* asks them. Those that are not true of the run are left out. */
export function fileQuestions(recording: Recording, scenario: Scenario): Questions {
  const untrue = new Set(checkQuestions(scenario).map(({ path }) => path.replace(/\..*$/, "")));
  // a file may have them in another order, a run goes on
  const asked = scenario.questions
    .filter((_, index) => !untrue.has(`questions[${index}]`))
    .sort((one, other) => one.atMs - other.atMs);
  const rows = asked.map(({ atMs }) => lastShownRow(recording, atMs));
  const list = asked.map((question, index): Question => {
    const row = rows[index] ?? -1;
    // the rows up to the next question that stands later
    const next = rows.slice(index + 1).find((each) => each > row) ?? recording.rows.length - 1;
    const isLastThere = rows[index + 1] === undefined || (rows[index + 1] ?? 0) > row;
    return { ...wordsOf(question), atMs: question.atMs, row, answerRow: isLastThere ? next : row };
  });
  const people = asked.flatMap(({ choices }) => choices.flatMap(peopleIn));
  const known = recording.simulator.directory.list().filter(({ id }) => people.includes(id));
  return { list, lanes: recording.recorder.lanes.listWith(known.map(({ id }) => id)), left: untrue.size };
}

function wordsOf({ ask, choices, right, because }: ScenarioQuestion) {
  return {
    text: ask,
    choices: choices.map(({ text }) => text),
    right,
    because,
    instead: choices.map((choice) => choice.instead?.if),
  };
}

/** The last row before an instant, or the steps that are played at it and what stands before them. */
function lastShownRow({ rows }: Recording, atMs: number): number {
  const first = rows.findIndex((row) => row.atMs >= atMs);
  if (first < 0) return rows.length - 1;
  let row = first;
  while (rows[row]?.atMs === atMs && rows[row]?.command !== undefined) row++;
  return row - 1;
}

/** Whom a choice names. */
function peopleIn({ when }: QuestionChoice): string[] {
  return when.flatMap((claim) =>
    ["rings", "talks", "waits", "voicemail", "free"].flatMap((word) =>
      typeof claim[word] === "string" ? [claim[word]] : [],
    ),
  );
}
