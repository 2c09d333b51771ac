import { createContext } from "preact";
import { useContext, useLayoutEffect, useState } from "preact/hooks";
import type { PageData, RunSource } from "../data.ts";
import type { Question } from "../model/questions.ts";
import type { Row, RunShape } from "../model/types.ts";
import type { TextProblem } from "../worker/protocol.ts";
import type { LiveState } from "./live.ts";
import type { Tone } from "./tones.ts";

export type Tab = "payload" | "delivery" | "machine" | "why" | "fork";

/** A run as it has come so far. */
export interface LoadedRun {
  readonly number: number;
  readonly shape: RunShape;
  readonly rows: readonly Row[];
  readonly isWhole: boolean;
}

/** Two runs side by side. */
export interface Comparison {
  readonly title: string;
  readonly about: string;
  /** The number of the other run; undefined for expected events. */
  readonly other: LoadedRun | undefined;
  readonly events: readonly { readonly type: string; readonly atMs: number }[] | undefined;
}

/** Something that was tried. */
export interface ForkEntry {
  readonly run: number;
  readonly label: string;
  readonly atMs: number;
}

export interface Teaching {
  readonly questions: readonly Question[];
  /** The question that is asked now. */
  readonly at: number;
  readonly picked: number | undefined;
  readonly isRevealed: boolean;
  /** What was picked for each question so far. */
  readonly picks: readonly (boolean | undefined)[];
}

/** The last row that may be seen: while a question is open, nothing behind it can be. */
export function limitOf(teaching: Teaching | undefined): number {
  const question = teaching?.questions[teaching.at];
  if (teaching === undefined || question === undefined) return Number.POSITIVE_INFINITY;
  return teaching.isRevealed ? question.reveals : question.row;
}

/** All that the page shows follows from this. */
export interface State {
  readonly data: PageData;
  readonly mode: "inspect" | "play";
  readonly status: "waiting" | "shown" | "failed";
  /** How far the replay is, 0 to 1. */
  readonly progress: number;
  readonly error: string;
  /** The worker does not answer. */
  readonly isDead: boolean;
  readonly source: RunSource | undefined;
  readonly run: LoadedRun | undefined;
  /** The row that is looked at: the instant. */
  readonly now: number;
  /** The ladder keeps the row in sight: from when someone chose one. */
  readonly follows: boolean;
  readonly tab: Tab;
  /** The place of the chosen call or conversation. */
  readonly record: number | undefined;
  readonly query: string;
  readonly hidden: ReadonlySet<Tone>;
  readonly onlyFailures: boolean;
  readonly foldGaps: boolean;
  /** Steps that repeat the one before are one row. */
  readonly foldRepeats: boolean;
  readonly endpoints: boolean;
  /** Long runs: a row for each call, and the failures. */
  readonly folded: boolean;
  readonly theme: "light" | "dark";
  readonly comparison: Comparison | undefined;
  readonly isComparing: boolean;
  readonly forks: readonly ForkEntry[];
  readonly whyQuestion: string | undefined;
  readonly machine: string | undefined;
  readonly isOpen: boolean;
  readonly hasDrawer: boolean;
  readonly showsKeys: boolean;
  /** The list of lessons is there in place of the editor. */
  readonly showsLessons: boolean;
  readonly playing: boolean;
  readonly speed: number;
  /** The editor. */
  readonly text: string;
  readonly lesson: string;
  readonly problems: readonly TextProblem[];
  readonly mismatches: readonly string[];
  readonly isStale: boolean;
  readonly teaching: Teaching | undefined;
  /** How the page stands with its server; undefined for a page from a file. */
  readonly live: LiveState | undefined;
  /** Said to everyone, also to those who listen. */
  readonly toast: string;
}

/** The state, and who wants to hear of it. */
export class Store {
  private readonly listeners = new Set<() => void>();

  constructor(public state: State) {}

  set(change: Partial<State>): void {
    this.state = { ...this.state, ...change };
    for (const listener of [...this.listeners]) listener();
  }

  follow(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }
}

export const StoreContext = createContext<Store | undefined>(undefined);

export function useStore(): Store {
  const store = useContext(StoreContext);
  if (store === undefined) throw new Error("no store here");
  return store;
}

/** A part of the state; whoever asks is drawn again when it changes. */
export function useSelect<T>(select: (state: State) => T): T {
  const store = useStore();
  const [, redraw] = useState({});
  const value = select(store.state);
  useLayoutEffect(() => {
    let last = value;
    return store.follow(() => {
      const next = select(store.state);
      if (Object.is(next, last)) return;
      last = next;
      redraw({});
    });
  });
  return value;
}
