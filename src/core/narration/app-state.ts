import { readErrorMessage } from "../foundation/errors.ts";
import { copyValue } from "../foundation/runtime-globals.ts";
import { isPromise } from "../foundation/values.ts";

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
    const state = show();
    if (!isPromise(state)) return textOf(state);
    state.then(undefined, () => {});
    return cannotBeShown(new Error("`show` returns a promise, which only explored worlds await"));
  } catch (thrown) {
    return cannotBeShown(thrown);
  }
}

function cannotBeShown(thrown: unknown): string {
  return `cannot be shown: ${readErrorMessage(thrown)}`;
}

/** The longest text of a state. */
const LONGEST_TEXT = 2_000;
/** The deepest level of nested collections that is shown. */
const DEEPEST_TEXT = 4;

/** A value as a tree of texts, as it was at one moment. Plain data. */
export interface ValueTree {
  /** The text of a value without parts; for one with parts, what encloses them: `{}` or `[]`. */
  readonly text: string;
  /** Its parts in order; undefined for a value without parts. */
  readonly parts?: readonly ValuePart[];
}

/** A part of a value. */
export interface ValuePart {
  /** Its name; undefined for an item of a list or a set. */
  readonly key: string | undefined;
  readonly value: ValueTree;
}

/** The state of an app as it was read at one moment. */
export interface ShownState {
  /** Undefined if nothing can show it. */
  readonly tree: ValueTree | undefined;
  /**
   * Whether `tree` has everything. An instance of a class without fields has its data elsewhere, such as in private fields, and a
   * tree shows nothing of it.
   */
  readonly isWhole: boolean;
  /** Why it could not be read, in words. */
  readonly failure?: string;
}

/**
 * The state of an app: what `show` returns, or else the app itself, if it can be cloned. There is no tree of an app that
 * cannot, such as one with functions, and of one whose data nobody sees.
 * @param deepest how many levels of nested collections are read. Default: those that are shown
 * @returns a promise if `show` does
 */
export function shownState<T>(
  subject: T,
  show: ((subject: T) => unknown) | undefined,
  deepest: number = DEEPEST_TEXT,
): ShownState | Promise<ShownState> {
  const read = (state: unknown): ShownState => ({
    tree: state === undefined ? undefined : valueTree(state, deepest),
    isWhole: state !== undefined && isSeen(show === undefined ? subject : state, new Set()),
  });
  const fails = (thrown: unknown): ShownState => ({
    tree: { text: cannotBeShown(thrown) },
    isWhole: false,
    failure: readErrorMessage(thrown),
  });
  try {
    const state = show === undefined ? cloned(subject) : show(subject);
    return isPromise(state) ? Promise.resolve(state).then(read).catch(fails) : read(state);
  } catch (thrown) {
    return fails(thrown);
  }
}

/** Whether no part of a value is hidden. @param above values that are looked at already, as they may refer to each other */
function isSeen(value: unknown, above: Set<unknown>): boolean {
  if (typeof value !== "object" || value === null || above.has(value)) return true;
  above.add(value);
  const isIn = (parts: Iterable<unknown>) => [...parts].every((each) => isSeen(each, above));
  if (Array.isArray(value) || value instanceof Set) return isIn(value);
  if (value instanceof Map) return isIn([...value].flat());
  if (value instanceof Date || ArrayBuffer.isView(value)) return true;
  const fields = Object.values(value);
  return fields.length > 0 ? isIn(fields) : !isOfClass(value);
}

/** Whether a value is an instance of a class, of whichever realm. */
function isOfClass(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== null && Object.getPrototypeOf(prototype) !== null;
}

/**
 * The fields of an app that are data, where it has others that are not, such as functions: what can be seen of one that
 * `stateTreeOf` cannot show. Undefined if there are none.
 * @param deepest how many levels of nested collections are read
 */
export function readDataFields(subject: unknown, deepest: number): ValueTree | undefined {
  if (typeof subject !== "object" || subject === null) return undefined;
  const parts = Object.keys(subject).flatMap((key): ValuePart[] => {
    const value = dataIn(subject, key);
    return value === undefined ? [] : [{ key, value: valueTree(value, deepest) }];
  });
  return parts.length === 0 ? undefined : { text: "{}", parts };
}

/** A copy of a field's value; undefined if it is no data, or cannot be read. */
function dataIn(subject: object, key: string): unknown {
  try {
    return cloned(Reflect.get(subject, key));
  } catch {
    return undefined; // a getter that throws shows nothing
  }
}

/** A value as text, truncated. */
export function textOf(value: unknown): string {
  return treeText(valueTree(value, DEEPEST_TEXT));
}

/** A tree as text, truncated. */
export function treeText(tree: ValueTree): string {
  const text = wholeText(tree);
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

/** A copy of an app; undefined if it has parts that are no data, or none that can be seen. */
function cloned(subject: unknown): unknown {
  try {
    return hasNothingToSee(subject) ? undefined : copyValue(subject);
  } catch {
    return undefined; // it holds functions: only `show` can tell its state
  }
}

/** Whether something is an object without fields, as one is whose state is private, or in variables of a function. */
function hasNothingToSee(data: unknown): boolean {
  if (typeof data !== "object" || data === null || Object.keys(data).length > 0) return false;
  return !(Array.isArray(data) || data instanceof Map || data instanceof Set || data instanceof Date);
}

function wholeText({ text, parts }: ValueTree): string {
  if (parts === undefined) return text;
  const inside = parts.map(({ key, value }) => (key === undefined ? "" : `${key}: `) + wholeText(value));
  return `${text[0]}${inside.join(", ")}${text[1]}`;
}

/** @param deepest how many levels of nested collections are read */
function valueTree(value: unknown, deepest: number, within: readonly object[] = []): ValueTree {
  if (typeof value === "string") return { text: JSON.stringify(value) };
  if (typeof value !== "object" || value === null) return { text: String(value) };
  if (value instanceof Date)
    return { text: Number.isNaN(value.getTime()) ? String(value) : value.toISOString() };
  if (within.length === deepest || within.includes(value)) return { text: "…" };
  const below = (each: unknown) => valueTree(each, deepest, [...within, value]);
  const item = (each: unknown): ValuePart => ({ key: undefined, value: below(each) });
  if (Array.isArray(value)) return { text: "[]", parts: value.map(item) };
  if (value instanceof Set) return { text: "{}", parts: [...value].map(item) };
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  const keyText = (key: unknown) => (typeof key === "string" ? key : wholeText(below(key)));
  return { text: "{}", parts: entries.map(([key, each]) => ({ key: keyText(key), value: below(each) })) };
}
