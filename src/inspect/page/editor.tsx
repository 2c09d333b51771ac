import { useEffect, useRef, useState } from "preact/hooks";
import { type CodeEditor, createCodeEditor } from "./code-editor.ts";
import { useActions } from "./context.ts";
import { downloads } from "./download.ts";
import { counted } from "./format.ts";
import { lessons } from "./lessons.ts";
import { Mark } from "./marks.tsx";
import { useSelect } from "./store.ts";
import { TeachPanel } from "./teach.tsx";

/** The playground's left side: lessons, what to notice, the scenario. */
export function Editor() {
  const lesson = useSelect((state) => state.lesson);
  const isTeaching = useSelect((state) => state.teaching !== undefined);
  const known = lessons.find(({ name }) => name === lesson);
  return (
    <section class="editor" aria-label="Scenario">
      <LessonBar />
      {isTeaching ? <TeachPanel title={known?.title ?? "This run"} notice={known?.notice ?? ""} /> : <Code />}
      {!isTeaching && <Foot />}
    </section>
  );
}

function LessonBar() {
  const actions = useActions();
  const lesson = useSelect((state) => state.lesson);
  const text = useSelect((state) => state.text);
  const isTeaching = useSelect((state) => state.teaching !== undefined);
  const known = lessons.find(({ name }) => name === lesson);
  const isEdited = known !== undefined && known.text !== text;
  return (
    <div class="lesson-bar">
      <div>
        <select
          class="select"
          aria-label="Lesson"
          value={lesson}
          onChange={(event) => void actions.chooseLesson(event.currentTarget.value)}
        >
          {known === undefined && <option value={lesson}>A scenario of your own</option>}
          {lessons.map(({ name, title }) => (
            <option key={name} value={name}>
              {name.replace(/-.*/, "")} · {title}
              {isEdited && name === lesson ? " (edited)" : ""}
            </option>
          ))}
        </select>
        <button type="button" class="button" aria-pressed={isTeaching} onClick={() => void actions.teach()}>
          Teach
        </button>
      </div>
      {known !== undefined && !isTeaching && (
        <div class="note">
          <Mark name="info" />
          <span>
            <b>What to notice.</b> {known.notice}
          </span>
        </div>
      )}
    </div>
  );
}

function Code() {
  const actions = useActions();
  const holder = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor | undefined>(undefined);
  const text = useSelect((state) => state.text);
  const problems = useSelect((state) => state.problems);
  const theme = useSelect((state) => state.theme);
  useEffect(() => {
    const parent = holder.current;
    if (parent === null) return undefined;
    editor.current = createCodeEditor(parent, text, (changed) => actions.edit(changed));
    return () => editor.current?.end();
  }, []);
  useEffect(() => editor.current?.setText(text), [text]);
  useEffect(() => editor.current?.setProblems(problems), [problems, text]);
  useEffect(() => editor.current?.setTheme(theme), [theme]);
  return <div class="code" ref={holder} />;
}

function Foot() {
  const problems = useSelect((state) => state.problems);
  const seed = useSelect((state) => state.run?.shape.seed);
  const [first] = problems;
  return (
    <div class="editor-foot">
      <Mark name={first === undefined ? "delivered" : "failed"} />
      <span role="status" class="grow">
        {first === undefined ? (
          "No problems"
        ) : (
          <>
            <b>{counted(problems.length, "problem")}</b>, line {first.line}: {first.message}
          </>
        )}
      </span>
      <Download />
      {seed !== undefined && <span class="muted num hide-narrow">seed {seed}</span>}
    </div>
  );
}

function Download() {
  const actions = useActions();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const place = button.current?.getBoundingClientRect();
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
            left: `${place?.left ?? 0}px`,
            bottom: `${globalThis.innerHeight - (place?.top ?? 0) + 6}px`,
          }}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.preventDefault();
            setOpen(false);
            button.current?.focus();
          }}
        >
          {Object.entries(downloads).map(([name, save]) => (
            <button
              type="button"
              key={name}
              onClick={() => {
                setOpen(false);
                save(actions).catch((error: Error) => actions.say(error.message));
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
