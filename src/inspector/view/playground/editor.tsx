import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { lessonNumber } from "../../lesson.ts";
import { lessons } from "../common/lessons.ts";
import { Icon, Mark } from "../common/marks.tsx";
import { isBlank } from "../state/actions.ts";
import { useActions, useSelect } from "../state/context.ts";
import { isLessonText, lessonOf } from "../state/playground.ts";
import type { CodeEditor } from "./any-editor.ts";
import { downloads } from "./download.ts";
import { createPlainEditor } from "./plain-editor.ts";
import { Stories } from "./stories.tsx";

/** The playground's left side: lessons, what to notice, the scenario. */
export function Editor() {
  const showsLessons = useSelect((state) => state.showsLessons);
  const showsStories = useSelect((state) => state.showsStories);
  return (
    <section class="editor" aria-label="Scenario">
      <LessonBar />
      <FileProblem />
      {showsLessons ? <LessonList /> : showsStories ? <Stories /> : <Code />}
      {!showsLessons && <Foot />}
    </section>
  );
}

/** What became of a file that was opened or dropped. */
function FileProblem() {
  const importing = useSelect((state) => state.importing);
  const problem = useSelect((state) => state.fileProblem);
  const addressProblem = useSelect((state) => state.addressProblem);
  if (importing !== "")
    return (
      <div class="notice" role="status">
        <Mark name="timer" />
        <span>Importing {importing} in this page</span>
      </div>
    );
  if (problem === "" && addressProblem !== "")
    return (
      <div class="notice bad" role="alert">
        <Mark name="failed" />
        <span>{addressProblem}</span>
      </div>
    );
  if (problem === "") return null;
  return (
    <div class="notice bad" role="alert">
      <Mark name="failed" />
      <span>
        <b>This file cannot be opened.</b> {problem}
      </span>
    </div>
  );
}

function FileChoice() {
  const actions = useActions();
  return (
    <label
      class="mini"
      title="A capture of webhook requests, or a scenario. It stays in this page. You can also drop it here."
    >
      Open a capture…
      <input
        type="file"
        class="sr"
        accept=".jsonl,.json,.har,.txt,.yaml,.yml"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          event.currentTarget.value = "";
          if (file !== undefined) void actions.playground.openFile(file);
        }}
      />
    </label>
  );
}

function LessonBar() {
  const actions = useActions();
  const known = useSelect(lessonOf);
  const text = useSelect((state) => state.text);
  const showsStories = useSelect((state) => state.showsStories);
  const showsLessons = useSelect((state) => state.showsLessons);
  /** Nothing has been played yet that could be asked about. */
  const isEmpty = useSelect(({ run }) => run === undefined);
  const isEdited = known !== undefined && !isLessonText(known, text);
  const isOwn = known === undefined || (isEdited && titleOf(text) !== known.title);
  const title = isOwn
    ? titleOf(text) || "A scenario of your own"
    : `${lessonNumber(known.name)} · ${known.question}`;
  return (
    <div class="lesson-bar">
      <div>
        {known !== undefined && isEdited && (
          <button
            type="button"
            class="button plain"
            aria-label={`Back to lesson ${Number(lessonNumber(known.name))}`}
            onClick={() => void actions.playground.chooseLesson(known.name)}
          >
            <Icon d="m10 4-4 4 4 4" />
            Lesson {Number(lessonNumber(known.name))}
          </button>
        )}
        {lessons.length === 0 ? (
          <b class="lesson-name">{title}</b>
        ) : (
          <button
            type="button"
            class="button lesson-name"
            aria-expanded={showsLessons}
            onClick={() => actions.view.toggle("showsLessons")}
          >
            <span title={title}>
              <span class="sr">Lessons. Now: </span>
              {title}
              {isEdited && !isOwn ? " (edited)" : ""}
            </span>
            <Icon d="m4 6 4 4 4-4" />
          </button>
        )}
        <button
          type="button"
          class="button"
          aria-pressed={showsStories}
          title="What else can become of it"
          onClick={() => void actions.playground.toggleStories()}
        >
          Stories
        </button>
        <button
          type="button"
          class="button"
          aria-pressed={false}
          disabled={isEmpty}
          onClick={() => void actions.teaching.begin()}
        >
          Teach
        </button>
        <button
          type="button"
          class="button"
          title="Copies a link that asks the questions and shows no answer before"
          onClick={() => void actions.links.share("alone")}
        >
          Class link
        </button>
        <button
          type="button"
          class="button"
          disabled={isEmpty}
          onClick={() => void actions.teaching.openSheet()}
        >
          Sheet
        </button>
      </div>
      {known !== undefined && !isEdited && !showsLessons && !showsStories && (
        <div class="note" role="region" aria-label="What to notice" tabindex={0}>
          <Mark name="info" />
          <span>
            <b>What to notice.</b> {known.notice}
            <span class="exercise">
              <b>What if?</b> {known.exercise.question.replaceAll("`", "")}
              <button type="button" class="button" onClick={() => void actions.playground.tryExercise()}>
                Try it
              </button>
            </span>
          </span>
        </div>
      )}
    </div>
  );
}

/** The title of a scenario, from its text. */
function titleOf(text: string): string {
  return (/^scenario:[ \t]*(.+)$/m.exec(text)?.[1] ?? "").trim().replace(/^(["'])(.*)\1$/, "$2");
}

/** The list of lessons by their questions, and a filter, which looks at their answers too. */
function LessonList() {
  const actions = useActions();
  const lesson = useSelect((state) => state.lesson);
  const [query, setQuery] = useState("");
  const field = useRef<HTMLInputElement>(null);
  // at once, since the next keys are meant for it
  useLayoutEffect(() => field.current?.focus(), []);
  const words = query.toLowerCase().split(/\s+/);
  const shown = lessons.filter(({ name, question, title, notice }) =>
    words.every((word) => `${name} ${question} ${title} ${notice}`.toLowerCase().includes(word)),
  );
  return (
    <div
      class="lessons"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        actions.view.toggle("showsLessons");
      }}
    >
      <label class="search">
        <span class="sr">Filter lessons</span>
        <input
          ref={field}
          value={query}
          placeholder="Filter: voicemail, retry, team"
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
      </label>
      <ul aria-label="Lessons">
        {shown.map(({ name, question }) => (
          <li key={name}>
            <button
              type="button"
              aria-current={name === lesson ? "true" : undefined}
              onClick={() => void actions.playground.chooseLesson(name)}
            >
              {lessonNumber(name)} · {question}
            </button>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p class="muted">No lesson has all these words.</p>}
    </div>
  );
}

function Code() {
  const actions = useActions();
  const holder = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor | undefined>(undefined);
  const text = useSelect((state) => state.text);
  const problems = useSelect((state) => state.problems);
  const mismatches = useSelect((state) => state.mismatches);
  const target = useSelect((state) => state.target);
  const theme = useSelect((state) => state.theme);
  useEffect(() => {
    const parent = holder.current;
    if (parent === null) return undefined;
    const make = globalThis.ringbackEditor ?? createPlainEditor;
    editor.current = make(parent, text, {
      changed: (next) => actions.playground.edit(next),
      moveStep: (problem) => void actions.playground.moveStep(problem),
    });
    return () => editor.current?.end();
  }, []);
  // the present text: an effect runs after the next frame, and the user may have typed meanwhile
  useEffect(() => editor.current?.setText(actions.state.text), [text]);
  useEffect(() => {
    // those of an older text may stand at another line
    const { checkedText, playedText } = actions.state;
    if (text === checkedText) editor.current?.setProblems(problems, text === playedText ? mismatches : []);
  }, [problems, mismatches, text]);
  useEffect(() => {
    if (target !== undefined) editor.current?.goTo(target);
  }, [target]);
  useEffect(() => editor.current?.setTheme(theme), [theme]);
  return <div class="code" ref={holder} />;
}

function Foot() {
  const seed = useSelect((state) => (isBlank(state) ? undefined : state.run?.summary.seed));
  return (
    <div class="editor-foot">
      <FileChoice />
      <Download />
      <span class="grow" />
      {seed !== undefined && <span class="muted num">seed {seed}</span>}
    </div>
  );
}

function Download() {
  const actions = useActions();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const box = button.current?.getBoundingClientRect();
  return (
    <>
      <button type="button" class="mini" ref={button} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Download
      </button>
      {isOpen && (
        <div
          class="popover menu"
          role="group"
          aria-label="Download as"
          style={{
            left: `min(${box?.left ?? 0}px, calc(100vw - 248px))`,
            bottom: `${globalThis.innerHeight - (box?.top ?? 0) + 6}px`,
          }}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.preventDefault();
            setOpen(false);
            button.current?.focus();
          }}
        >
          {Object.entries(downloads()).map(([name, save]) => (
            <button
              type="button"
              key={name}
              onClick={() => {
                setOpen(false);
                save(actions).catch((error: Error) => actions.links.say(error.message));
              }}
            >
              {name}
            </button>
          ))}
        </div>
      )}
    </>
  );
}
