import type { Mismatch } from "../../../core/scenario/compare.ts";
import type { StoryBranch } from "../../../stories/story-tree.ts";
import type { Lesson } from "../../lesson.ts";
import type { TextProblem, ToldTree } from "../../worker/protocol.ts";
import { thrownText } from "../common/format.ts";
import { lessons } from "../common/lessons.ts";
import type { Comparing, ComparingState } from "./comparing.ts";
import type { Links } from "./links.ts";
import type { Loading, PageRunState } from "./loading.ts";
import type { PlaybackState } from "./playback.ts";
import type { Runs } from "./runs.ts";
import type { Store } from "./store.ts";
import { notTeaching, type TeachingState } from "./teaching.ts";
import type { ViewState } from "./view.ts";

export interface PlaygroundState {
  readonly text: string;
  /** The name of the lesson that the editor began with; otherwise empty. */
  readonly lesson: string;
  /** The text that the verdict is about, and the text of the run that is shown. */
  readonly checkedText: string;
  readonly playedText: string;
  /** How often the text was edited since that run. */
  readonly editsSince: number;
  /** Whether the text has been newer than its verdict for so long that the page must say so. */
  readonly isBehind: boolean;
  readonly problems: readonly TextProblem[];
  /** How the run differs from what its scenario expects, and the whole comparison as text. */
  readonly mismatches: readonly Mismatch[];
  readonly report: string;
  readonly expects: boolean;
  /** The file that is being imported; empty if none is. */
  readonly importing: string;
  /** Why the last file could not be imported; empty if it could. */
  readonly fileProblem: string;
  /** What is wrong with the page's address; empty if nothing is. */
  readonly addressProblem: string;
  /** The problem to which the cursor was last sent. */
  readonly target: TextProblem | undefined;
  /** What can become of a text: undefined before somebody asks, and `told` before it is told. */
  readonly stories: { readonly text: string; readonly told?: ToldTree } | undefined;
}

export const emptyPlayground: PlaygroundState = {
  text: "",
  lesson: "",
  checkedText: "",
  playedText: "",
  editsSince: 0,
  isBehind: false,
  problems: [],
  mismatches: [],
  report: "",
  expects: false,
  importing: "",
  fileProblem: "",
  addressProblem: "",
  target: undefined,
  stories: undefined,
};

/** The state after a file was opened. */
const afterOpening = {
  problems: [],
  mismatches: [],
  report: "",
  expects: false,
  editsSince: 0,
  isBehind: false,
  importing: "",
  fileProblem: "",
  addressProblem: "",
  showsLessons: false,
  showsStories: false,
};

/** The largest file that the page imports, bytes. The command takes more. */
const MAX_FILE = 20_000_000;

/** The editor, and the runs of what is written in it. */
export class Playground {
  private typing = 0;
  private waiting = 0;
  private plays = 0;

  constructor(
    private readonly store: Store<
      PlaygroundState & PageRunState & ViewState & PlaybackState & TeachingState & ComparingState
    >,
    private readonly loading: Loading,
    private readonly runs: Runs,
    private readonly links: Links,
    private readonly comparing: Comparing,
  ) {}

  /** Stores the text, and plays it after a pause in typing. Two runs of older texts are no longer side by side. */
  edit(text: string): void {
    const { editsSince } = this.store.state;
    this.store.set({ text, editsSince: editsSince + 1, comparison: undefined, isComparing: false });
    clearTimeout(this.typing);
    this.typing = window.setTimeout(() => void this.play(), 300);
    if (this.waiting === 0)
      this.waiting = window.setTimeout(() => {
        this.waiting = 0;
        const { text: now, checkedText } = this.store.state;
        this.store.set({ isBehind: now !== checkedText });
      }, 1_000);
  }

  /** Moves the cursor to a problem. */
  goTo(problem: TextProblem): void {
    this.store.set({ target: { ...problem }, showsLessons: false, showsStories: false });
  }

  /** Replaces the text, and plays it. */
  async replaceText(text: string): Promise<void> {
    clearTimeout(this.typing);
    this.store.set({ text, comparison: undefined, isComparing: false });
    await this.play();
  }

  /** Shows what can become of the text, or the text again. */
  async toggleStories(): Promise<void> {
    const { showsStories } = this.store.state;
    this.store.set({ showsStories: !showsStories, showsLessons: false });
    const { text, stories } = this.store.state;
    if (!showsStories && !isInTree(text, stories?.told?.tree?.branches)) await this.tellStories();
  }

  /** Tells the stories of the text, also if it is one that the last tree has. */
  async tellStories(): Promise<void> {
    const { text, stories, data } = this.store.state;
    if (stories?.text === text) return;
    this.store.set({ stories: { text } });
    try {
      const told = await this.loading.ask("stories", { text, organisations: data.organisations ?? {} });
      if (this.store.state.stories?.text === text) this.store.set({ stories: { text, told } });
    } catch (error) {
      this.store.set({ stories: { text, told: { why: thrownText(error) } } });
    }
  }

  /** Goes back to the text of the run that is shown. */
  undo(): Promise<void> {
    return this.replaceText(this.store.state.playedText);
  }

  /** Writes what happens in the run into the text, as what it expects. */
  async expectRun(): Promise<void> {
    const { text, data } = this.store.state;
    const organisations = data.organisations ?? {};
    await this.replaceText(await this.loading.ask("expected", { text, organisations }));
  }

  /** Moves a step that stands in another list to the steps. */
  async moveStep({ path }: TextProblem): Promise<void> {
    const text = await this.loading.ask("stepMoved", { text: this.store.state.text, path });
    if (text === undefined) this.links.say("This step cannot be moved: give it a line of its own.");
    else await this.replaceText(text);
  }

  async chooseLesson(name: string): Promise<void> {
    const lesson = lessonNamed(name);
    if (lesson === undefined) return;
    this.store.set({
      lesson: lesson.name,
      text: lesson.text,
      showsLessons: false,
      showsStories: false,
      fileProblem: "",
      addressProblem: "",
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
      const texts = { text: yaml, checkedText: yaml, playedText: yaml };
      this.store.set({ ...fresh, ...texts, status: "shown", ...notTeaching });
      this.runs.show(run);
      if (last !== undefined) this.loading.forget(last);
      this.links.remember();
    } catch (error) {
      this.store.set({ importing: "", fileProblem: `${name}: ${thrownText(error)}` });
    }
  }

  async play(): Promise<void> {
    const number = ++this.plays;
    const { text, data } = this.store.state;
    try {
      const organisations = data.organisations ?? {};
      const { problems, mismatches, report, expects, run } = await this.loading.ask("play", {
        text,
        organisations,
      });
      if (number !== this.plays) return;
      const last = this.store.state.run?.number;
      this.store.set({ problems, checkedText: text, isBehind: false, status: "shown" });
      if (run === undefined) return;
      this.store.set({ mismatches, report, expects, playedText: text, editsSince: 0 });
      this.runs.show(run);
      if (last !== undefined) this.loading.forget(last);
    } catch (error) {
      this.runs.fail(error);
    }
  }

  /** Makes the change of the lesson's exercise, and shows the runs before and after it side by side. */
  async tryExercise(): Promise<void> {
    const lesson = lessonOf(this.store.state);
    if (lesson === undefined) return;
    clearTimeout(this.typing);
    const number = ++this.plays;
    const { data, run: shown } = this.store.state;
    const organisations = data.organisations ?? {};
    const { question, patch } = lesson.exercise;
    try {
      const text = await this.loading.ask("patched", { text: lesson.text, patch });
      const before = await this.loading.ask("play", { text: lesson.text, organisations });
      const { title: _, run, ...verdict } = await this.loading.ask("play", { text, organisations });
      if (number !== this.plays || run === undefined || before.run === undefined) return;
      const texts = { text, checkedText: text, playedText: text };
      this.store.set({ ...verdict, ...texts, editsSince: 0, isBehind: false, status: "shown" });
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
    const written =
      source?.scenario ??
      (run === undefined ? "" : await this.loading.ask("text", { run: run.number, as: "yaml" }));
    // not played: the run stays as it was recorded, until somebody edits or plays the text
    this.store.set({ text: written, playedText: written, checkedText: "", editsSince: 0 });
  }
}

/** A lesson by its name or its number, such as `3` and `03`. */
export function lessonNamed(name: string): Lesson | undefined {
  const number = name.padStart(2, "0");
  return lessons.find((each) => each.name === name || each.name.startsWith(`${number}-`));
}

/** Whether a text is that of a run in a tree. */
export function isInTree(text: string, branches: readonly StoryBranch[] = []): boolean {
  return branches.some(({ end, next }) => end?.text === text || isInTree(text, next));
}

/** The lesson that the editor began with. */
export function lessonOf({ lesson }: Pick<PlaygroundState, "lesson">): Lesson | undefined {
  return lesson === "" ? undefined : lessonNamed(lesson);
}

/** Whether a text is that of a lesson. Its file begins with a line for editors. */
export function isLessonText(lesson: Lesson, text: string): boolean {
  return text.endsWith(lesson.text);
}
