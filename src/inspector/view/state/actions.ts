import { shownTheme } from "../../../look/theme.ts";
import type { PageData, RunSource } from "../../data.ts";
import type { Lesson } from "../../lesson.ts";
import { lessons } from "../common/lessons.ts";
import type { ServerState } from "../common/live.ts";
import { readHash } from "../common/share.ts";
import { Comparing, type ComparingState, notComparing } from "./comparing.ts";
import { Links, type LinksState, noMessage } from "./links.ts";
import { initialRunState, Loading, type PageRunState } from "./loading.ts";
import { notPlaying, Playback, type PlaybackState } from "./playback.ts";
import {
  emptyPlayground,
  isLessonText,
  lessonNamed,
  Playground,
  type PlaygroundState,
} from "./playground.ts";
import { initialServerState, isBusy, Runs } from "./runs.ts";
import { Store } from "./store.ts";
import { notTeaching, Teaching, type TeachingState } from "./teaching.ts";
import { initialView, View, type ViewState } from "./view.ts";
import { noWorlds, Worlds, type WorldsState } from "./worlds.ts";

/** Everything that the page shows follows from this. Each part declares its own fields. */
export type PageState = PageRunState &
  ServerState &
  ViewState &
  PlaybackState &
  ComparingState &
  TeachingState &
  PlaygroundState &
  LinksState &
  WorldsState;

/** Whether one view takes the whole page: the overview of many calls, or the failure of an exploration. */
export function isWide({ mode, showsCalls, showsWorld }: PageState): boolean {
  return mode === "inspect" && (showsCalls || showsWorld);
}

/** Whether the playground's editor is empty, so that there is no run to speak of. */
export function isBlank({ mode, text }: PageState): boolean {
  return mode === "play" && text.trim() === "";
}

/**
 * Everything that can be done on the page, by part. Components and keys call these methods; nothing else changes the
 * state. What concerns several parts is here.
 */
export class PageActions {
  readonly store: Store<PageState>;
  readonly loading: Loading;
  readonly links: Links;
  readonly view: View;
  readonly playback: Playback;
  readonly comparing: Comparing;
  readonly teaching: Teaching;
  readonly runs: Runs;
  readonly playground: Playground;
  readonly worlds: Worlds;

  constructor(data: PageData, mode: PageState["mode"], worker: string) {
    const store = new Store<PageState>({
      ...initialRunState(data),
      ...initialServerState(data.live !== undefined),
      ...initialView(mode, shownTheme()),
      ...notPlaying,
      ...notComparing,
      ...notTeaching,
      ...emptyPlayground,
      ...noMessage,
      ...noWorlds,
    });
    this.store = store;
    this.loading = new Loading(store, worker);
    this.links = new Links(store);
    this.view = new View(store, this.links);
    this.playback = new Playback(store, this.links);
    this.comparing = new Comparing(store, this.loading, this.links);
    this.teaching = new Teaching(store, this.loading, this.links);
    this.runs = new Runs(store, this.loading, this.links);
    this.worlds = new Worlds(store, this.loading, this.links);
    this.playground = new Playground(store, this.loading, this.runs, this.links, this.comparing);
  }

  get state(): PageState {
    return this.store.state;
  }

  /** Opens what the page contains, or what its address names. */
  async start(): Promise<void> {
    const shared = await readHash(location.hash);
    if (shared.theme !== undefined) this.store.set({ theme: shared.theme });
    if (shared.problem !== undefined) this.links.say(shared.problem);
    const { data } = this.state;
    const [first] = data.runs;
    const { now, tab, record } = shared;
    // an address that names a step or a call leads to it, and not to the failure or the overview
    const isNamed = now !== undefined || record !== undefined;
    if (shared.codes === true) {
      this.store.set({ showsCodes: true });
      return;
    }
    const teach = shared.teach ?? (data.teach === true ? "alone" : undefined);
    // nobody sees the run before the first question
    if (teach !== undefined) this.store.set({ cover: "The questions come." });
    if (teach !== undefined && shared.isUnread === true) {
      this.store.set({ cover: `${shared.problem} Ask for the link again.` });
      return;
    }
    if (shared.scenario !== undefined) {
      const organisations = { ...data.organisations, ...shared.organisations };
      this.store.set({ mode: "play", text: shared.scenario, lesson: "", data: { ...data, organisations } });
      await this.playground.play();
    } else if (data.mode === "play") {
      const written = first?.scenario;
      const lesson =
        written === undefined
          ? this.lessonAsked(shared.lesson)
          : lessons.find((each) => isLessonText(each, written));
      const text = lesson?.text ?? written ?? "";
      this.store.set({ mode: "play", text, lesson: lesson?.name ?? "" });
      await this.playground.play();
    } else if (first !== undefined) await this.openSource(first, !isNamed);
    this.runs.live?.start();
    if (teach !== undefined) {
      await this.teaching.begin(teach);
      this.store.set({ cover: "" });
      return;
    }
    if (now !== undefined) this.playback.select(now);
    if (isNamed) this.store.set({ showsCalls: false });
    if (tab !== undefined) this.store.set({ tab });
    if (record !== undefined && this.state.run?.summary.records[record] !== undefined)
      this.store.set({ record });
    await this.comparing.compareWithGiven();
  }

  /** The lesson that an address names; the first, with a message, if there is none. */
  private lessonAsked(name: string | undefined): Lesson | undefined {
    const [first] = lessons;
    if (name === undefined || first === undefined) return first;
    const lesson = lessonNamed(name);
    if (lesson === undefined)
      this.store.set({
        addressProblem: `There is no lesson ${name.slice(0, 40)}: they are 1 to ${lessons.length}. This is lesson 1.`,
      });
    return lesson ?? first;
  }

  /** Shows one of the page's runs: at its failure, if an exploration found one and the page was not asked for a step. */
  async openSource(source: RunSource, atFailure = true): Promise<void> {
    this.store.set({
      ...noWorlds,
      showsWorld: atFailure && source.world !== undefined,
      source,
      status: "waiting",
      progress: 0,
      run: undefined,
      now: -1,
      follows: false,
      record: undefined,
      forks: [],
    });
    const { journal, name: title, problems = [], scenario, capture, world, states } = source;
    if (journal !== undefined) {
      const open = { journal, title, problems, scenario, capture, states: world?.received ?? states };
      await this.runs.open(open);
      await this.worlds.open(source);
    } else {
      this.store.set({ text: scenario ?? "" });
      await this.playground.play();
    }
  }

  /** Shows the fork that is compared in place of its run, so that it can be looked at and forked again. */
  openFork(): void {
    const { comparison, run, opened } = this.state;
    if (comparison?.other === undefined || run === undefined) return;
    const label = opened === undefined ? comparison.note : `${opened.label}, then ${comparison.note}`;
    this.runs.show(comparison.other.number);
    this.store.set({ opened: { label, base: opened?.base ?? run.number } });
  }

  /** Shows the run again that a fork left. */
  closeFork(): void {
    const { opened } = this.state;
    if (opened !== undefined) this.runs.show(opened.base);
  }

  /** Starts another worker after one has died, and plays the run again. */
  async restart(): Promise<void> {
    this.store.set({ isDead: false, error: "", status: "waiting", run: undefined, ...notComparing });
    const { source, mode, now } = this.state;
    if (this.runs.live !== undefined && mode === "inspect") this.runs.live.start();
    else if (mode === "inspect" && source !== undefined) await this.openSource(source);
    else await this.playground.play();
    this.playback.select(now);
  }

  /** Shows the steps of a call, at a row. */
  openCall(record: number, row: number): void {
    this.store.set({ record: record < 0 ? undefined : record, folded: true, showsCalls: false });
    this.playback.select(row);
  }

  /** Asks why something did not happen at an instant. */
  askWhyNot(atMs: number, question: string): void {
    const { run } = this.state;
    this.playback.select(Math.max(0, run?.rows.findLastIndex((row) => row.atMs <= atMs) ?? 0));
    this.view.tab("why");
    this.view.question(question);
  }

  /** Shows a step of the failing world in the ladder. */
  showStep(row: number): void {
    this.store.set({ showsWorld: false, showsCalls: false });
    this.playback.select(row);
  }

  setMode(mode: PageState["mode"]): void {
    this.store.set({ showsWorld: false, mode, isComparing: false, hasDrawer: false, isOpen: false });
    if (mode === "play") void this.playground.fillEditor();
    this.links.remember();
  }

  /** Closes what lies on top first. */
  escape(): void {
    const { showsKeys, isComparing, isOpen, hasDrawer, teaching, run } = this.state;
    if (showsKeys) this.store.set({ showsKeys: false });
    else if (hasDrawer) this.store.set({ hasDrawer: false });
    else if (isOpen) this.store.set({ isOpen: false });
    else if (isComparing) this.store.set({ isComparing: false });
    else if (teaching === undefined && isBusy(run)) this.store.set({ showsCalls: true, record: undefined });
    else if (teaching?.isAlone !== true || teaching.isOver) this.teaching.stop();
  }
}
