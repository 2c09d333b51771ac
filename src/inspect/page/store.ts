import { createContext } from "preact";
import { useContext, useLayoutEffect, useState } from "preact/hooks";
import type { PageData, RunSource } from "../data.ts";
import type { Question } from "../model/questions.ts";
import type { Row, RunShape } from "../model/types.ts";
import type { TextProblem } from "../worker/protocol.ts";
import type { LiveState } from "./live.ts";
import type { Tone } from "./tones.ts";

export type Tab = "payload" | "delivery" | "machine" | "why" | "fork";

/** A run, as far as it has been loaded. */
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
  /** The other run; undefined for expected events. */
  readonly other: LoadedRun | undefined;
  readonly events: readonly { readonly type: string; readonly atMs: number }[] | undefined;
}

/** A fork that was tried. */
export interface ForkEntry {
  readonly run: number;
  readonly label: string;
  readonly atMs: number;
}

export interface Teaching {
  readonly questions: readonly Question[];
  /** The index of the present question. */
  readonly at: number;
  readonly picked: number | undefined;
  readonly isRevealed: boolean;
  /** The choice for each question so far. */
  readonly picks: readonly (boolean | undefined)[];
}

/** The last row that may be seen. While a question is open, rows behind it are hidden. */
export function limitOf(teaching: Teaching | undefined): number {
  const question = teaching?.questions[teaching.at];
  if (teaching === undefined || question === undefined) return Number.POSITIVE_INFINITY;
  return teaching.isRevealed ? question.reveals : question.row;
}

/** Everything that the page shows follows from this. */
export interface State {
  readonly data: PageData;
  readonly mode: "inspect" | "play";
  readonly status: "waiting" | "shown" | "failed";
  /** How much of the run has been replayed, 0 to 1. */
  readonly progress: number;
  readonly error: string;
  /** Whether the worker does not answer. */
  readonly isDead: boolean;
  readonly source: RunSource | undefined;
  readonly run: LoadedRun | undefined;
  /** The row at the present instant. */
  readonly now: number;
  /** Whether the ladder keeps the row in sight, as it does once someone has chosen one. */
  readonly follows: boolean;
  readonly tab: Tab;
  /** The index of the chosen call or conversation. */
  readonly record: number | undefined;
  readonly query: string;
  readonly hidden: ReadonlySet<Tone>;
  readonly onlyFailures: boolean;
  readonly foldGaps: boolean;
  /** Whether steps that repeat the one before share a row. */
  readonly foldRepeats: boolean;
  readonly endpoints: boolean;
  /** Whether only the calls' first rows and the failures are shown, for long runs. */
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
  /** Whether the list of lessons is shown instead of the editor. */
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
  /** The connection to the page's server; undefined for a page from a file. */
  readonly live: LiveState | undefined;
  /** A message for everyone, also announced to screen readers. */
  readonly toast: string;
}

/** The state and its followers. */
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

/** A part of the state. The calling component is drawn again when it changes. */
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
