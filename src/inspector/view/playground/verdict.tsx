import { lessonNumber } from "../../lesson.ts";
import { clock } from "../common/format.ts";
import { lessons } from "../common/lessons.ts";
import { Mark } from "../common/marks.tsx";
import { Printed } from "../common/printed.tsx";
import { useActions, useSelect } from "../state/context.ts";
import { isLessonText, lessonOf } from "../state/playground.ts";
import { ageText, isOld, placeOf, type VerdictKind, writeVerdict } from "../state/verdict-words.ts";

/** The verdict about the text in the editor, with what to do next: the only place of the playground that says it. */
export function VerdictBar() {
  const hasRun = useSelect((state) => state.status === "shown");
  const isImported = useSelect((state) => state.run?.summary.capture !== undefined);
  const kind = useSelect((state) => writeVerdict(state).kind);
  const mark = useSelect((state) => writeVerdict(state).mark);
  const title = useSelect((state) => writeVerdict(state).title);
  const text = useSelect((state) => writeVerdict(state).text);
  if (!hasRun || kind === "empty") return null;
  // an imported capture has a verdict of its own, until its scenario is edited
  if (isImported && kind !== "unreadable" && kind !== "changed") return null;
  return (
    <section class={`verdict ${kind}`} aria-label="Verdict">
      <Mark name={mark} />
      <div class="said" role="status">
        <b>{title}</b> <span>{text}</span>
      </div>
      {kind === "differs" && <Report />}
      <NextActions kind={kind} />
    </section>
  );
}

/** The expected and the actual stream side by side. */
function Report() {
  const report = useSelect((state) => state.report);
  return (
    <details>
      <summary>All of it</summary>
      <Printed>{report}</Printed>
    </details>
  );
}

function NextActions({ kind }: { kind: VerdictKind }) {
  const { playground } = useActions();
  const first = useSelect((state) => state.problems[0]);
  const canUndo = useSelect((state) => state.playedText !== "" && state.playedText !== state.text);
  switch (kind) {
    case "unreadable":
      return (
        <div class="next">
          {first !== undefined && <Do what={`Go to line ${first.line}`} go={() => playground.goTo(first)} />}
          {canUndo && <Do what="Undo to the last run" go={() => playground.undo()} />}
        </div>
      );
    case "changed":
    case "recorded":
      return (
        <div class="next">
          <Do what="Run the text" go={() => playground.play()} />
        </div>
      );
    case "differs":
      return (
        <div class="next">
          <WhyNot />
          <Do what="Expect what happened" go={() => playground.expectRun()} />
        </div>
      );
    case "open":
      return (
        <div class="next">
          <Do what="Expect what happened" go={() => playground.expectRun()} />
          <NextLesson />
        </div>
      );
    case "expected":
      return (
        <div class="next">
          <NextLesson />
        </div>
      );
    case "empty":
      return null;
  }
}

function Do({ what, go }: { what: string; go(): unknown }) {
  return (
    <button type="button" class="button" onClick={() => void go()}>
      {what}
    </button>
  );
}

/** Asks why the first expected event did not come at its instant. */
function WhyNot() {
  const actions = useActions();
  const expected = useSelect((state) =>
    state.mismatches[0]?.of === "events" ? state.mismatches[0].expected : undefined,
  );
  const place = placeOf(expected);
  if (place === undefined) return null;
  return (
    <Do
      what={`Why not at ${clock(place.atMs)}?`}
      go={() => actions.askWhyNot(place.atMs, `event ${place.type}`)}
    />
  );
}

/** From a lesson on to the next. From an edited one, the bar above the editor leads back. */
function NextLesson() {
  const { playground } = useActions();
  const lesson = useSelect(lessonOf);
  const isEdited = useSelect(({ text }) => lesson !== undefined && !isLessonText(lesson, text));
  const next = lesson && lessons[lessons.indexOf(lesson) + 1];
  if (next === undefined || isEdited) return null;
  return (
    <Do what={`Lesson ${Number(lessonNumber(next.name))}`} go={() => playground.chooseLesson(next.name)} />
  );
}

/** Says of the run below that it is older than the text. */
export function AgeNotice() {
  const isShown = useSelect((state) => state.mode === "play" && isOld(state));
  const age = useSelect(ageText);
  if (!isShown) return null;
  return (
    <div class="notice">
      <Mark name="retry" />
      <b>{age}</b>
    </div>
  );
}

/** What to do with an empty editor. */
export function Invitation() {
  const { playground } = useActions();
  const [first] = lessons;
  return (
    <div class="waiting invitation">
      <b>Write what happens, and see what the platform does.</b>
      <span>
        Begin with a call, open a lesson, or drop a file here: a scenario, or a capture of webhook requests.
      </span>
      <div>
        <Do what="Begin with a call" go={() => playground.replaceText(smallest)} />
        {first !== undefined && <Do what="Open lesson 1" go={() => playground.chooseLesson(first.name)} />}
      </div>
    </div>
  );
}

const smallest = `scenario: My first call
steps:
  - { at: PT0S, inbound: { as: c1, from: "+6421555001", to: "+6495550100" } }
  - { at: PT6S, answer: { call: c1, by: alice } }
  - { at: PT1M, hangup: { call: c1, by: caller } }
`;
