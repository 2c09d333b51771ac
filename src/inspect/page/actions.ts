import type { JournalDocument } from "../../index.ts";
import type { PageData, RunSource } from "../data.ts";
import type { Lesson } from "../lesson.ts";
import type { Act } from "../model/acts.ts";
import {
  type Bar,
  type Hold,
  isFailure,
  type Lane,
  type Row,
  type RunLists,
  type RunRecord,
  type RunShape,
} from "../model/types.ts";
import type { Piece } from "../worker/protocol.ts";
import { Client } from "./client.ts";
import { type Layout, layOut, shownRows } from "./layout.ts";
import { lessons } from "./lessons.ts";
import { Live, type LiveState } from "./live.ts";
import { pack, readHash, writeHash } from "./share.ts";
import { type Comparison, type LoadedRun, limitOf, type State, Store, type Tab } from "./store.ts";
import type { Tone } from "./tones.ts";

/** A run with more rows than this opens folded. */
const FOLDS_FROM = 20_000;

/**
 * Everything that can be done on the page. Components and keys call these methods; nothing else changes the state.
 */
export class Actions {
  readonly store: Store;
  private readonly client: Client;
  private readonly coming = new Map<number, ComingRun>();
  private mainRun: number | undefined;
  private timer = 0;
  private typing = 0;
  private playNumber = 0;
  readonly live: Live | undefined;

  constructor(data: PageData, worker: string) {
    const theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    this.store = new Store(initialState(data, theme));
    this.client = new Client(worker, {
      shape: (run, shape) => this.coming.set(run, newRun(run, shape)),
      piece: (run, piece, isWhole) => this.take(run, piece, isWhole),
      progress: (progress) => this.store.set({ progress }),
      died: (why) => this.store.set({ isDead: true, error: why, playing: false }),
    });
    if (data.live === undefined) return;
    this.live = new Live({
      state: (change) => this.heardLive(change),
      journal: (journal) => this.follow(journal),
      isBusy: () => this.isLookingBeside(),
    });
    // an update that was held back is shown once nothing else is looked at
    this.store.follow(() => {
      if (this.state.live?.isHeld && !this.isLookingBeside()) this.live?.release();
    });
  }

  get state(): State {
    return this.store.state;
  }

  /** Opens what the page contains, or what its address names. */
  async start(): Promise<void> {
    const shared = await readHash(location.hash);
    if (shared.theme !== undefined) this.store.set({ theme: shared.theme });
    if ("problem" in shared && shared.problem !== undefined) this.say(shared.problem);
    const { data } = this.state;
    const [first] = data.runs;
    if (shared.scenario !== undefined) {
      this.store.set({ mode: "play", text: shared.scenario, lesson: "" });
      await this.play();
    } else if (data.mode === "play") {
      // a lesson's file begins with a line for editors
      const lesson =
        first?.scenario === undefined
          ? lessonNamed(shared.lesson)
          : lessons.find(({ text }) => first.scenario?.endsWith(text));
      const text = lesson?.text ?? first?.scenario ?? "";
      this.store.set({ mode: "play", text, lesson: lesson?.name ?? "" });
      await this.play();
    } else if (first !== undefined) await this.openSource(first);
    this.live?.start();
    this.goTo(shared);
    await this.compareAsGiven();
  }

  /** Shows one of the page's runs. */
  async openSource(source: RunSource): Promise<void> {
    this.store.set({
      source,
      status: "waiting",
      progress: 0,
      run: undefined,
      now: -1,
      follows: false,
      record: undefined,
      forks: [],
    });
    const { journal, name, problems = [] } = source;
    if (journal !== undefined) await this.open(journal, name, problems);
    else {
      this.store.set({ text: source.scenario ?? "" });
      await this.play();
    }
  }

  /** Shows the server's run as it is now. A view of the end stays at the end. */
  private async follow(journal: JournalDocument): Promise<void> {
    const { run, now, record, folded, data, isDead } = this.state;
    if (isDead) return;
    const number = await this.client.ask("open", { journal, title: data.title, problems: [] });
    const next = this.coming.get(number)?.run;
    const seen = run?.rows[now];
    const isSameRun =
      seen !== undefined && next?.rows[now]?.atMs === seen.atMs && next.rows[now]?.subject === seen.subject;
    const wasAtEnd = run === undefined || now >= run.rows.length - 1;
    if (wasAtEnd || !isSameRun) this.store.set({ now: -1 });
    this.show(number);
    if (isSameRun) this.store.set({ record, folded });
    if (run !== undefined) this.forget(run.number);
  }

  private heardLive(change: Partial<LiveState>): void {
    const { live } = this.state;
    if (live !== undefined) this.store.set({ live: { ...live, ...change } });
  }

  /** Whether something is open that a newer run would close. */
  private isLookingBeside(): boolean {
    const { isComparing, teaching, playing, mode } = this.state;
    return isComparing || teaching !== undefined || playing || mode === "play";
  }

  /** Moves time on the server. */
  async advance(duration: string): Promise<void> {
    try {
      await this.live?.advance(duration);
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error));
    }
  }

  async open(journal: JournalDocument, title: string, problems: readonly string[] = []): Promise<void> {
    try {
      this.mainRun = undefined;
      this.show(await this.client.ask("open", { journal, title, problems }));
    } catch (error) {
      this.fail(error);
    }
  }

  /** Starts another worker after one has died, and plays the run again. */
  async restart(): Promise<void> {
    this.store.set({
      isDead: false,
      error: "",
      status: "waiting",
      run: undefined,
      forks: [],
      comparison: undefined,
      isComparing: false,
    });
    const { source, mode, now } = this.state;
    if (this.live !== undefined && mode === "inspect") this.live.start();
    else if (mode === "inspect" && source !== undefined) await this.openSource(source);
    else await this.play();
    this.select(now);
  }

  readonly ask: Client["ask"] = (name, given) => this.client.ask(name, given);

  private show(run: number): void {
    const loaded = this.coming.get(run)?.run;
    if (loaded === undefined) return;
    this.mainRun = run;
    const folded = loaded.rows.length > FOLDS_FROM;
    // a run that is opened for the first time shows its end, where everything has happened
    const last = Math.max(0, loaded.rows.length - 1);
    const isNew = this.state.now < 0;
    const now = isNew ? last : Math.min(this.state.now, last);
    this.store.set({
      // the panel beside the list is about the row in sight
      follows: isNew || this.state.follows,
      run: loaded,
      status: "shown",
      isStale: false,
      folded,
      now,
      forks: [],
      comparison: undefined,
      isComparing: false,
      teaching: undefined,
    });
    document.title = `${loaded.shape.title} · ringback`;
  }

  private take(run: number, piece: Piece, isWhole: boolean): void {
    const coming = this.coming.get(run);
    if (coming === undefined) return;
    const { rows, records, lanes, bars, holds } = coming;
    // lists that grow: copying them for each piece would take a long run's time squared
    rows.push(...piece.rows);
    records.push(...piece.records);
    lanes.push(...piece.lanes);
    bars.push(...piece.bars);
    holds.push(...piece.holds);
    coming.run = { ...coming.run, isWhole };
    if (run === this.mainRun) this.store.set({ run: coming.run });
  }

  private fail(error: unknown): void {
    if (this.state.isDead) return;
    this.store.set({ status: "failed", error: error instanceof Error ? error.message : String(error) });
  }

  // Time

  select(row: number): void {
    const { run } = this.state;
    if (run === undefined || run.rows.length === 0) return;
    const now = Math.max(0, Math.min(run.rows.length - 1, row));
    if (now === this.state.now && this.state.follows) return;
    this.store.set({ now, follows: true });
    this.remember();
  }

  /** Goes to the next or the previous shown row. */
  step(by: 1 | -1): void {
    this.to(by, () => true);
  }

  /** Goes to the next or the previous shown failure; from the last one to the first. */
  failure(by: 1 | -1): void {
    const { now, run } = this.state;
    if (this.to(by, isFailure)) return;
    const isRound = this.to(by, isFailure, by > 0 ? -1 : (run?.rows.length ?? 0));
    if (!isRound) this.say("Nothing that is shown failed.");
    else if (this.state.now === now) this.say("This is the only failure that is shown.");
  }

  sameRecord(by: 1 | -1): void {
    const { run, now } = this.state;
    const record = run?.rows[now]?.record;
    this.to(by, (row) => row.record === record);
  }

  private to(by: 1 | -1, fits: (row: Row) => boolean, from = this.state.now): boolean {
    const { run } = this.state;
    if (run === undefined) return false;
    const { visible, placeOf } = this.layout(run);
    const limit = Math.min(limitOf(this.state.teaching), run.rows.length - 1);
    const isBeyond = from > limit;
    const now = isBeyond ? limit : from;
    const at = placeOf[now] ?? -1;
    for (
      let place = by > 0 ? at + 1 : visible[at] === now && !isBeyond ? at - 1 : at;
      place >= 0 && place < visible.length;
      place += by
    ) {
      const row = run.rows[visible[place] ?? -1];
      if (row === undefined || row.index > limit) break;
      if (!fits(row)) continue;
      this.select(row.index);
      return true;
    }
    return false;
  }

  /** What the shown rows depend on. Kept while it stays the same, for someone who holds an arrow key. */
  private layout(run: LoadedRun): Layout {
    const { query, hidden, onlyFailures, folded, record, foldRepeats, foldGaps } = this.state;
    const of = [run, query, hidden, onlyFailures, folded, folded ? record : undefined, foldRepeats];
    if (this.laidOut === undefined || this.laidOut.of.some((each, at) => each !== of[at]))
      this.laidOut = { of, layout: layOut(run, shownRows(run, this.state), foldGaps, 28) };
    return this.laidOut.layout;
  }
  private laidOut: { readonly of: readonly unknown[]; readonly layout: Layout } | undefined;

  togglePlay(): void {
    if (this.state.playing) this.pause();
    else {
      const { run, now } = this.state;
      if (run !== undefined && now >= run.rows.length - 1) this.select(0);
      this.store.set({ playing: true });
      this.tick();
    }
  }

  setSpeed(speed: number): void {
    this.store.set({ speed });
  }

  private pause(): void {
    clearTimeout(this.timer);
    this.store.set({ playing: false });
  }

  /** Plays at a multiple of the run's speed. A pause takes a second at most. */
  private tick(): void {
    const { run, now, speed } = this.state;
    const [here, next] = [run?.rows[now], run?.rows[now + 1]];
    if (here === undefined || next === undefined) {
      this.pause();
      return;
    }
    const wait = Math.min(1_000, Math.max(speed >= 100 ? 16 : 120, (next.atMs - here.atMs) / speed));
    this.timer = window.setTimeout(() => {
      if (!this.state.playing) return;
      if (this.to(1, () => true)) this.tick();
      else this.pause();
    }, wait);
  }

  // What is shown

  choose(record: number | undefined): void {
    this.store.set({ record: record === this.state.record ? undefined : record });
    this.remember();
  }

  tab(tab: Tab): void {
    this.store.set({ tab, isOpen: true });
    this.remember();
  }

  filter(query: string): void {
    this.store.set({ query });
  }

  toggleKind(kind: Tone): void {
    const hidden = new Set(this.state.hidden);
    if (!hidden.delete(kind)) hidden.add(kind);
    this.store.set({ hidden });
  }

  toggle(
    what:
      | "onlyFailures"
      | "foldGaps"
      | "foldRepeats"
      | "endpoints"
      | "folded"
      | "hasDrawer"
      | "showsKeys"
      | "showsLessons",
  ): void {
    this.store.set({ [what]: !this.state[what] });
  }

  toggleTheme(): void {
    this.store.set({ theme: this.state.theme === "dark" ? "light" : "dark" });
  }

  openDetail(): void {
    this.store.set({ isOpen: true });
  }

  /** Closes what lies on top first. */
  escape(): void {
    const { showsKeys, isComparing, teaching, isOpen, hasDrawer } = this.state;
    if (showsKeys) this.store.set({ showsKeys: false });
    else if (hasDrawer) this.store.set({ hasDrawer: false });
    else if (isOpen) this.store.set({ isOpen: false });
    else if (isComparing) this.store.set({ isComparing: false });
    else if (teaching !== undefined) this.stopTeaching();
  }

  setMode(mode: "inspect" | "play"): void {
    this.store.set({ mode, isComparing: false, hasDrawer: false, isOpen: false });
    if (mode === "play" && this.state.text === "") void this.textOfRun();
    this.remember();
  }

  /** The text of a scenario that does what the run did, for the editor. */
  private async textOfRun(): Promise<void> {
    const { run, source } = this.state;
    if (source?.scenario !== undefined) this.store.set({ text: source.scenario });
    else if (run !== undefined)
      this.store.set({ text: await this.client.ask("text", { run: run.number, as: "yaml" }) });
  }

  // Forks and comparisons

  async fork(row: number, act: Act): Promise<void> {
    const { run } = this.state;
    const at = run?.rows[row];
    if (run === undefined || at === undefined) return;
    try {
      const number = await this.client.ask("fork", { run: run.number, row, act });
      const forks = [...this.state.forks, { run: number, label: act.label, atMs: at.atMs }];
      this.store.set({ forks });
      this.compareWith(
        number,
        `Fork at ${Math.floor(at.atMs / 60_000)}:${String(Math.floor(at.atMs / 1000) % 60).padStart(2, "0")}`,
        act.label,
      );
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error));
    }
  }

  compareWith(number: number, title: string, about: string): void {
    const other = this.coming.get(number)?.run;
    if (other === undefined) return;
    this.showComparison({ title, about, other, events: undefined });
  }

  showComparison(comparison: Comparison): void {
    this.store.set({ comparison, isComparing: true, isOpen: false });
  }

  toggleCompare(): void {
    this.store.set({ isComparing: !this.state.isComparing });
  }

  /** Compares with a journal or a golden stream from a file. */
  async compareWithText(name: string, text: string): Promise<void> {
    try {
      const { run } = this.state;
      if (run === undefined) return;
      const other = await this.client.ask("other", { run: run.number, text, title: name });
      if (other.events === undefined) this.compareWith(other.run, name, "another journal");
      else this.compareWithEvents(name, other.events);
    } catch (error) {
      this.say(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private compareWithEvents(
    name: string,
    events: readonly { type: string; createdTimestamp: number }[],
  ): void {
    const startMs = this.state.run?.shape.startMs ?? 0;
    const lines = events.map(({ type, createdTimestamp }) => ({ type, atMs: createdTimestamp - startMs }));
    this.showComparison({
      title: name,
      about: "the events that were expected",
      other: undefined,
      events: lines,
    });
  }

  private async compareAsGiven(): Promise<void> {
    const { compare } = this.state.data;
    if (compare?.journal !== undefined) {
      const { journal, name: title } = compare;
      const number = await this.client.ask("open", { journal, title, problems: [] });
      this.compareWith(number, title, "another run");
    } else if (compare?.events !== undefined) this.compareWithEvents(compare.name, compare.events);
  }

  // The playground

  /** Notes a change of the text, and plays it when nobody has typed for a moment. */
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
      now: -1,
      follows: false,
      record: undefined,
      teaching: undefined,
      query: "",
    });
    await this.play();
    this.remember();
  }

  async play(): Promise<void> {
    const number = ++this.playNumber;
    const { text, data } = this.state;
    try {
      const { problems, mismatches, run } = await this.client.ask("play", {
        text,
        organisations: data.organisations ?? {},
      });
      if (number !== this.playNumber) return;
      const last = this.state.run?.number;
      this.store.set({
        problems,
        mismatches,
        isStale: run === undefined && this.state.run !== undefined,
        status: "shown",
      });
      if (run === undefined) return;
      this.show(run);
      if (last !== undefined) this.forget(last);
    } catch (error) {
      this.fail(error);
    }
  }

  private forget(run: number): void {
    this.coming.delete(run);
    void this.client.ask("close", { run });
  }

  // Teaching

  async teach(): Promise<void> {
    const { run, teaching } = this.state;
    if (teaching !== undefined) {
      this.stopTeaching();
      return;
    }
    if (run === undefined) return;
    const questions = await this.client.ask("questions", { run: run.number });
    const [first] = questions;
    if (first === undefined) {
      this.say("Nothing in this run makes a question.");
      return;
    }
    this.pause();
    this.store.set({
      now: first.row,
      teaching: { questions, at: 0, picked: undefined, isRevealed: false, picks: [] },
      query: "",
      hidden: new Set(),
      onlyFailures: false,
      folded: false,
      isComparing: false,
    });
  }

  pick(choice: number): void {
    const { teaching } = this.state;
    if (teaching !== undefined && !teaching.isRevealed)
      this.store.set({ teaching: { ...teaching, picked: choice } });
  }

  /** Shows the answer, then the next question. */
  reveal(): void {
    const { teaching } = this.state;
    const question = teaching?.questions[teaching.at];
    if (teaching === undefined || question === undefined) return;
    if (!teaching.isRevealed) {
      const isRight = teaching.picked === undefined ? undefined : teaching.picked === question.right;
      const picks = [...teaching.picks];
      picks[teaching.at] = isRight;
      this.store.set({ now: question.reveals, teaching: { ...teaching, isRevealed: true, picks } });
      return;
    }
    const next = teaching.questions[teaching.at + 1];
    if (next === undefined) this.stopTeaching();
    else
      this.store.set({
        now: next.row,
        teaching: { ...teaching, at: teaching.at + 1, picked: undefined, isRevealed: false },
      });
  }

  stopTeaching(): void {
    this.store.set({ teaching: undefined });
  }

  // Sharing

  say(toast: string): void {
    this.store.set({ toast });
    window.setTimeout(() => {
      if (this.state.toast === toast) this.store.set({ toast: "" });
    }, 6_000);
  }

  async copy(text: string, what: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.say(`Copied ${what}.`);
    } catch {
      // not every browser lets a page from a file write to the clipboard; then the text is shown to be selected
      this.say(`This browser does not let the page copy ${what}.`);
    }
  }

  async share(): Promise<void> {
    const { text, run, now } = this.state;
    const hash = await pack({ scenario: text, seed: run?.shape.seed, now });
    // the link says the instant too, and must not be written over by it
    clearTimeout(this.hashTimer);
    history.replaceState(null, "", hash);
    await this.copy(location.href, "the link");
  }

  /** Keeps the instant in the address, so that a reload returns to it. */
  private remember(): void {
    clearTimeout(this.hashTimer);
    this.hashTimer = window.setTimeout(() => history.replaceState(null, "", writeHash(this.state)), 150);
  }
  private hashTimer = 0;

  private goTo({
    now,
    tab,
    record,
  }: {
    now?: number | undefined;
    tab?: Tab | undefined;
    record?: number | undefined;
  }): void {
    if (now !== undefined) this.select(now);
    if (tab !== undefined) this.store.set({ tab });
    if (record !== undefined && this.state.run?.shape.records[record] !== undefined)
      this.store.set({ record });
  }
}

/** A run whose lists are not complete yet. */
interface ComingRun {
  run: LoadedRun;
  readonly rows: Row[];
  readonly records: RunRecord[];
  readonly lanes: Lane[];
  readonly bars: Bar[];
  readonly holds: Hold[];
}

function newRun(number: number, shape: Omit<RunShape, keyof RunLists>): ComingRun {
  const lists: Pick<ComingRun, keyof RunLists> = { records: [], lanes: [], bars: [], holds: [] };
  const rows: Row[] = [];
  return { ...lists, rows, run: { number, shape: { ...shape, ...lists }, rows, isWhole: false } };
}

function lessonNamed(name: string | undefined): Lesson | undefined {
  return lessons.find((each) => each.name === name || each.name.startsWith(`${name}-`)) ?? lessons[0];
}

function initialState(data: PageData, theme: "light" | "dark"): State {
  return {
    data,
    mode: data.mode,
    status: "waiting",
    progress: 0,
    error: "",
    isDead: false,
    source: undefined,
    run: undefined,
    now: -1,
    follows: false,
    tab: "payload",
    record: undefined,
    query: "",
    hidden: new Set(),
    onlyFailures: false,
    foldGaps: true,
    foldRepeats: true,
    endpoints: false,
    folded: false,
    theme,
    comparison: undefined,
    isComparing: false,
    forks: [],
    whyQuestion: undefined,
    machine: undefined,
    isOpen: false,
    hasDrawer: false,
    showsKeys: false,
    showsLessons: false,
    playing: false,
    speed: 10,
    text: "",
    lesson: "",
    problems: [],
    mismatches: [],
    isStale: false,
    teaching: undefined,
    live:
      data.live === undefined
        ? undefined
        : { is: "connecting", problem: "", timestamp: undefined, isHeld: false },
    toast: "",
  };
}
