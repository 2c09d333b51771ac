import { messageOf } from "../foundation/errors.ts";

/** A state of an app. */
export interface AppState {
  /** When, ms from the start. */
  readonly at: number;
  readonly state: string;
}

/** The most states that are kept. */
const MOST_STATES = 1_000;

/** The states of an app during a run, each different from the one before. */
export class AppStates {
  private states: readonly AppState[] = [];

  /**
   * @param show returns the state
   * @param nowMs the instant, ms from the start
   */
  constructor(
    readonly show: () => unknown,
    private readonly nowMs: () => number,
  ) {
    this.update();
  }

  /** Adds the state, if it has changed. */
  update(): void {
    const state = readState(this.show);
    if (state === this.states.at(-1)?.state) return;
    this.states = [...this.states, { at: this.nowMs(), state }].slice(-MOST_STATES);
  }

  /** The newest states, oldest first. */
  all(): readonly AppState[] {
    this.update();
    return this.states;
  }
}

/** The state as text, or why `show` failed: an observer must not end the run. */
function readState(show: () => unknown): string {
  try {
    return textOf(show());
  } catch (thrown) {
    return `cannot be shown: ${messageOf(thrown)}`;
  }
}

/** The longest text of a state. */
const LONGEST_TEXT = 2_000;
/** The deepest level of nested collections that is shown. */
const DEEPEST_TEXT = 4;

/**
 * The state of an app as text: what `show` returns, or else the subject itself, if it can be cloned. Undefined for a
 * subject that cannot, such as one with functions, and for one whose data nobody sees.
 */
export function stateOf<T>(subject: T, show: ((subject: T) => unknown) | undefined): string | undefined {
  let isUnknown = false;
  const text = readState(() => {
    const state = show === undefined ? cloned(subject) : show(subject);
    isUnknown = state === undefined;
    return state;
  });
  return isUnknown ? undefined : text;
}

/** A value as text, truncated. */
export function textOf(value: unknown): string {
  const text = valueText(value, 0);
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

/** A copy of a subject; undefined if it has parts that are no data, or none that can be seen. */
function cloned(subject: unknown): unknown {
  try {
    return hasNothingToSee(subject) ? undefined : structuredClone(subject);
  } catch {
    return undefined; // it holds functions: only `show` can tell its state
  }
}

/** Whether something is an object without fields, as one is whose state is private, or in variables of a function. */
function hasNothingToSee(data: unknown): boolean {
  if (typeof data !== "object" || data === null || Object.keys(data).length > 0) return false;
  return !(Array.isArray(data) || data instanceof Map || data instanceof Set || data instanceof Date);
}

function valueText(value: unknown, depth: number): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? String(value) : value.toISOString();
  if (depth === DEEPEST_TEXT) return "…";
  const below = (each: unknown) => valueText(each, depth + 1);
  if (Array.isArray(value)) return `[${value.map(below).join(", ")}]`;
  if (value instanceof Set) return `{${[...value].map(below).join(", ")}}`;
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  const keyed = (key: unknown) => (typeof key === "string" ? key : below(key));
  return `{${entries.map(([key, each]) => `${keyed(key)}: ${below(each)}`).join(", ")}}`;
}
