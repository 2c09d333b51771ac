import { counted } from "../../../core/platform/declare/words.ts";
import type { Question } from "../../model/question.ts";
import type { Lane } from "../../model/types.ts";
import type { Links } from "./links.ts";
import type { Loading, RunState } from "./loading.ts";
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
  /** Whether choosing counts a raised hand. */
  readonly countsHands: boolean;
  /** The index of the choice of each hand for the present question, in the order in which they were counted. */
  readonly hands: readonly number[];
}

export interface TeachingState {
  readonly teaching: TeachingSession | undefined;
}

export const notTeaching: TeachingState = { teaching: undefined };

/** The last row that may be seen. While a question is open, rows behind it are hidden. */
export function limitOf(teaching: TeachingSession | undefined): number {
  const question = teaching?.questions[teaching.at];
  if (teaching === undefined || question === undefined) return Number.POSITIVE_INFINITY;
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
    private readonly store: Store<TeachingState & RunState & ViewState & OtherFields>,
    private readonly loading: Loading,
    private readonly links: Links,
  ) {}

  /** Begins with the first question. */
  async begin(): Promise<void> {
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
    this.changeUnanswered(({ countsHands, hands }) =>
      countsHands ? { hands: [...hands, choice] } : { picked: choice },
    );
  }

  /** Begins to count hands, or forgets those that were counted. */
  toggleHands(): void {
    this.changeUnanswered((teaching) => ({
      countsHands: !teaching.countsHands,
      hands: [],
      picked: undefined,
    }));
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
      const isRight = teaching.picked === undefined ? undefined : teaching.picked === question.right;
      const picks = [...teaching.picks];
      picks[teaching.at] = isRight;
      this.store.set({ now: question.answerRow, teaching: { ...teaching, isRevealed: true, picks } });
      return;
    }
    if (teaching.at + 1 >= teaching.questions.length) this.stop();
    else this.goTo(teaching, teaching.at + 1);
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
    this.store.set({ now, teaching: { ...teaching, at, picked: undefined, isRevealed, hands: [] } });
  }

  stop(): void {
    this.store.set(notTeaching);
  }
}
