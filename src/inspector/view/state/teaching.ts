import { counted } from "../../../core/platform/declare/words.ts";
import type { Question } from "../../model/question.ts";
import type { Lane } from "../../model/types.ts";
import type { TeachMode } from "../common/share.ts";
import type { Links } from "./links.ts";
import type { Loading, PageRunState } from "./loading.ts";
import type { Store } from "./store.ts";
import type { ViewState } from "./view.ts";

/** The questions of a class, and the answers so far. */
export interface TeachingSession {
  readonly questions: readonly Question[];
  /** The lanes of all who take part or occur in a choice. */
  readonly lanes: readonly Lane[];
  /** The index of the present question. */
  readonly at: number;
  readonly picked: number | undefined;
  readonly isRevealed: boolean;
  /** The choice for each question so far. */
  readonly picks: readonly (boolean | undefined)[];
  /** Whether one learner answers alone: a wrong answer may be tried again, and there is a code at the end. */
  readonly isAlone: boolean;
  /** The choices that were tried for the present question and are wrong. */
  readonly wrong: readonly number[];
  /** For each question so far the try at which it was right, 1 for the first; 0 if its answer was shown. */
  readonly tries: readonly number[];
  /** Whether all questions are over, and the code is shown. */
  readonly isOver: boolean;
  /** Whether choosing counts a raised hand. */
  readonly countsHands: boolean;
  /** The index of the choice of each hand for the present question, in the order in which they were counted. */
  readonly hands: readonly number[];
}

export interface TeachingState {
  readonly teaching: TeachingSession | undefined;
  /** The questions of the sheet that is shown; undefined if none is. */
  readonly sheet: readonly Question[] | undefined;
}

export const notTeaching: TeachingState = { teaching: undefined, sheet: undefined };

/** The last row that may be seen. While a question is open, rows behind it are hidden; after the last one, none is. */
export function limitOf(teaching: TeachingSession | undefined): number {
  const question = teaching?.questions[teaching.at];
  if (teaching === undefined || teaching.isOver || question === undefined) return Number.POSITIVE_INFINITY;
  return teaching.isRevealed ? question.answerRow : question.row;
}

/** The fields of other parts that teaching changes. */
interface OtherFields {
  readonly now: number;
  readonly playing: boolean;
  readonly isComparing: boolean;
}

/** Asks a class what happens next. */
export class Teaching {
  constructor(
    private readonly store: Store<TeachingState & PageRunState & ViewState & OtherFields>,
    private readonly loading: Loading,
    private readonly links: Links,
  ) {}

  /** Shows the questions as a sheet to print. */
  async openSheet(): Promise<void> {
    const { run } = this.store.state;
    if (run === undefined) return;
    const { list } = await this.loading.ask("questions", { run: run.number });
    if (list.length === 0) this.links.say("This run has nothing to ask about.");
    else this.store.set({ sheet: list });
  }

  closeSheet(): void {
    this.store.set({ sheet: undefined });
  }

  /** Begins with the first question. @param mode whether a class answers, or one who is alone */
  async begin(mode: TeachMode = "class"): Promise<void> {
    const { run } = this.store.state;
    if (run === undefined) return;
    const { list: questions, lanes, left } = await this.loading.ask("questions", { run: run.number });
    if (left > 0)
      this.links.say(
        `${counted(left, "question")} left out: not true of this run. \`ringback check\` says why.`,
      );
    const [first] = questions;
    if (first === undefined) {
      if (left === 0) this.links.say("This run has nothing to ask about.");
      return;
    }
    this.store.set({
      now: Math.max(0, first.row),
      playing: false,
      teaching: {
        ...{ questions, lanes, at: 0, picked: undefined, isRevealed: false, picks: [] },
        ...{ countsHands: false, hands: [] },
        ...{ isAlone: mode === "alone", wrong: [], tries: [], isOver: false },
      },
      query: "",
      hidden: new Set(),
      onlyFailures: false,
      folded: false,
      isComparing: false,
    });
  }

  /** Chooses an answer, or counts a hand for it. */
  pick(choice: number): void {
    this.changeUnanswered(({ countsHands, hands, wrong }) => {
      if (countsHands) return { hands: [...hands, choice] };
      return wrong.includes(choice) ? {} : { picked: choice };
    });
  }

  /** Begins to count hands, or forgets those that were counted. */
  toggleHands(): void {
    this.changeUnanswered(({ isAlone, countsHands }) =>
      isAlone ? {} : { countsHands: !countsHands, hands: [], picked: undefined },
    );
  }

  /** Takes the last hand back. */
  takeHandBack(): void {
    this.changeUnanswered(({ hands }) => ({ hands: hands.slice(0, -1) }));
  }

  /** Changes the session while a question waits for its answer. */
  private changeUnanswered(change: (teaching: TeachingSession) => Partial<TeachingSession>): void {
    const { teaching } = this.store.state;
    if (teaching === undefined || teaching.isRevealed) return;
    this.store.set({ teaching: { ...teaching, ...change(teaching) } });
  }

  /** Shows the answer, then the next question. */
  reveal(): void {
    const { teaching } = this.store.state;
    const question = teaching?.questions[teaching.at];
    if (teaching === undefined || question === undefined) return;
    if (!teaching.isRevealed) {
      this.answer(teaching, question);
      return;
    }
    if (teaching.at + 1 < teaching.questions.length) this.goTo(teaching, teaching.at + 1);
    else if (teaching.isAlone) this.store.set({ teaching: { ...teaching, isOver: true } });
    else this.stop();
  }

  /** Gives up: shows the answer of a question that one alone has tried in vain. */
  show(): void {
    const { teaching } = this.store.state;
    const question = teaching?.questions[teaching.at];
    if (teaching === undefined || question === undefined || teaching.isRevealed) return;
    this.open({ ...teaching, picked: undefined }, question, 0);
  }

  private answer(teaching: TeachingSession, question: Question): void {
    const { picked, wrong, isAlone } = teaching;
    if (!isAlone || picked === question.right) this.open(teaching, question, wrong.length + 1);
    else if (picked !== undefined)
      this.store.set({ teaching: { ...teaching, wrong: [...wrong, picked], picked: undefined } });
  }

  /** @param number at which try it was right; 0 if it was not */
  private open(teaching: TeachingSession, question: Question, number: number): void {
    const { picked, at } = teaching;
    const [picks, tries] = [[...teaching.picks], [...teaching.tries]];
    picks[at] = picked === undefined ? undefined : picked === question.right && teaching.wrong.length === 0;
    tries[at] = picked === question.right ? number : 0;
    this.store.set({ now: question.answerRow, teaching: { ...teaching, isRevealed: true, picks, tries } });
  }

  /** Goes back to the question before, as it was answered. */
  back(): void {
    const { teaching } = this.store.state;
    if (teaching === undefined || teaching.at === 0) return;
    this.goTo(teaching, teaching.at - 1);
  }

  private goTo(teaching: TeachingSession, at: number): void {
    const question = teaching.questions[at];
    if (question === undefined) return;
    const isRevealed = at < teaching.picks.length;
    const now = Math.max(0, isRevealed ? question.answerRow : question.row);
    this.store.set({
      now,
      teaching: { ...teaching, at, picked: undefined, isRevealed, hands: [], wrong: [] },
    });
  }

  stop(): void {
    this.store.set(notTeaching);
  }
}
