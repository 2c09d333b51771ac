import type { Lesson } from "../../lesson.ts";
import type { TextProblem } from "../../worker/protocol.ts";
import { messageOf } from "../format.ts";
import { lessons } from "../lessons.ts";
import type { Comparing } from "./comparing.ts";
import type { Links } from "./links.ts";
import type { Loading, RunState } from "./loading.ts";
import type { PlaybackState } from "./playback.ts";
import type { Runs } from "./runs.ts";
import type { Store } from "./store.ts";
import { notTeaching, type TeachingState } from "./teaching.ts";
import type { ViewState } from "./view.ts";

export interface PlaygroundState {
  readonly text: string;
  /** The name of the lesson that the editor began with; otherwise empty. */
  readonly lesson: string;
  readonly problems: readonly TextProblem[];
  readonly mismatches: readonly string[];
  /** Whether the run is older than the text, which has a problem. */
  readonly isStale: boolean;
  /** The file that is being imported; empty if none is. */
  readonly importing: string;
  /** Why the last file could not be imported; empty if it could. */
  readonly fileProblem: string;
}

export const emptyPlayground: PlaygroundState = {
  text: "",
  lesson: "",
  problems: [],
  mismatches: [],
  isStale: false,
  importing: "",
  fileProblem: "",
};

/** The state after a file was opened. */
const afterOpening = {
  problems: [],
  mismatches: [],
  isStale: false,
  importing: "",
  fileProblem: "",
  showsLessons: false,
};

/** The largest file that the page imports, bytes. The command takes more. */
const MAX_FILE = 20_000_000;

/** The editor, and the runs of what is written in it. */
export class Playground {
  private typing = 0;
  private plays = 0;

  constructor(
    private readonly store: Store<PlaygroundState & RunState & ViewState & PlaybackState & TeachingState>,
    private readonly loading: Loading,
    private readonly runs: Runs,
    private readonly links: Links,
    private readonly comparing: Comparing,
  ) {}

  /** Stores the text, and plays it after a pause in typing. */
  edit(text: string): void {
    this.store.set({ text });
    clearTimeout(this.typing);
    this.typing = window.setTimeout(() => void this.play(), 300);
  }

  async chooseLesson(name: string): Promise<void> {
    const lesson = lessonNamed(name);
    if (lesson === undefined) return;
    this.store.set({
      lesson: lesson.name,
      text: lesson.text,
      showsLessons: false,
      fileProblem: "",
      now: -1,
      follows: false,
      record: undefined,
      query: "",
      ...notTeaching,
    });
    await this.play();
    this.links.remember();
  }

  /** Shows the run of a file: a scenario, or a capture, which is imported here in the page. */
  async openFile(file: File): Promise<void> {
    const { name, size } = file;
    const number = ++this.plays;
    clearTimeout(this.typing);
    if (size > MAX_FILE) {
      const problem = `the file has ${Math.ceil(size / 1e6)} MB, and the page takes up to 20: use \`ringback inspect ${name}\``;
      this.store.set({ fileProblem: `${name}: ${problem}` });
      return;
    }
    const text = await file.text();
    const fresh = { ...afterOpening, lesson: "", now: -1, follows: false, record: undefined, query: "" };
    if (/\.ya?ml$/i.test(name)) {
      this.store.set({ ...fresh, text });
      await this.play();
      return;
    }
    this.store.set({ importing: name, fileProblem: "" });
    try {
      const { run, yaml } = await this.loading.ask("importCapture", { text, title: name });
      if (number !== this.plays) return;
      const last = this.store.state.run?.number;
      this.store.set({ ...fresh, text: yaml, status: "shown", ...notTeaching });
      this.runs.show(run);
      if (last !== undefined) this.loading.forget(last);
      this.links.remember();
    } catch (error) {
      this.store.set({ importing: "", fileProblem: `${name}: ${messageOf(error)}` });
    }
  }

  async play(): Promise<void> {
    const number = ++this.plays;
    const { text, data } = this.store.state;
    try {
      const { problems, mismatches, run } = await this.loading.ask("play", {
        text,
        organisations: data.organisations ?? {},
      });
      if (number !== this.plays) return;
      const last = this.store.state.run?.number;
      const isStale = run === undefined && last !== undefined;
      this.store.set({ problems, mismatches, isStale, status: "shown" });
      if (run === undefined) return;
      this.runs.show(run);
      if (last !== undefined) this.loading.forget(last);
    } catch (error) {
      this.runs.fail(error);
    }
  }

  /** Makes the change of the lesson's exercise, and shows the runs before and after it side by side. */
  async tryExercise(): Promise<void> {
    const lesson = lessons.find(({ name }) => name === this.store.state.lesson);
    if (lesson === undefined) return;
    clearTimeout(this.typing);
    const number = ++this.plays;
    const { data, run: shown } = this.store.state;
    const organisations = data.organisations ?? {};
    const { question, patch } = lesson.exercise;
    try {
      const text = await this.loading.ask("patched", { text: lesson.text, patch });
      const before = await this.loading.ask("play", { text: lesson.text, organisations });
      const { problems, mismatches, run } = await this.loading.ask("play", { text, organisations });
      if (number !== this.plays || run === undefined || before.run === undefined) return;
      this.store.set({ text, problems, mismatches, isStale: false, status: "shown" });
      this.runs.show(run);
      if (shown !== undefined) this.loading.forget(shown.number);
      await this.comparing.withBefore(before.run, question.replaceAll("`", ""));
    } catch (error) {
      this.runs.fail(error);
    }
  }

  /** Fills the empty editor with a scenario that does what the run did. */
  async fillEditor(): Promise<void> {
    const { run, source, text } = this.store.state;
    if (text !== "") return;
    if (source?.scenario !== undefined) this.store.set({ text: source.scenario });
    else if (run !== undefined)
      this.store.set({ text: await this.loading.ask("text", { run: run.number, as: "yaml" }) });
  }
}

/** A lesson by its name or its number; otherwise the first. */
export function lessonNamed(name: string | undefined): Lesson | undefined {
  return lessons.find((each) => each.name === name || each.name.startsWith(`${name}-`)) ?? lessons[0];
}
