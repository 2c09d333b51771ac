import type { Actions } from "./actions.ts";

/** Handles keys. Keys that are typed into a field are left to the field. */
export function handleKeys(actions: Actions): void {
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return;
    if (isField(target)) {
      if (event.key === "Escape" && !target.closest(".code")) target.blur();
      return;
    }
    if (actions.state.teaching !== undefined && teachingKey(actions, event)) {
      event.preventDefault();
      return;
    }
    // a button handles Enter and Space itself, and a list of tabs its arrows
    if (event.key === " " && target.closest("button, summary, select") !== null) return;
    if (event.key.startsWith("Arrow") && target.closest("[role=tablist], select") !== null) return;
    const act = keys[event.key] ?? (event.key.length === 1 ? keys[event.key.toLowerCase()] : undefined);
    if (act !== undefined) {
      event.preventDefault();
      act(actions);
    } else if (/^\d$/.test(event.key)) {
      event.preventDefault();
      chooseRecord(actions, Number(event.key));
    }
  });
}

function isField(target: HTMLElement): boolean {
  if (target.closest(".code") !== null) return true;
  return (
    target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== "range")
  );
}

function teachingKey(actions: Actions, { key, target }: KeyboardEvent): boolean {
  const choices = actions.state.teaching?.questions[actions.state.teaching.at]?.choices.length ?? 0;
  if (/^[1-9]$/.test(key) && Number(key) <= choices) actions.pick(Number(key) - 1);
  else if (key === "Enter" && (target as HTMLElement).closest("button, select") === null) actions.reveal();
  else return false;
  return true;
}

function chooseRecord(actions: Actions, digit: number): void {
  const { run, record } = actions.state;
  if (digit === 0) actions.choose(record);
  else if (run?.shape.records[digit - 1] !== undefined && record !== digit - 1) actions.choose(digit - 1);
}

const keys: Readonly<Record<string, (actions: Actions) => void>> = {
  ArrowRight: (actions) => actions.step(1),
  ArrowDown: (actions) => actions.step(1),
  j: (actions) => actions.step(1),
  ArrowLeft: (actions) => actions.step(-1),
  ArrowUp: (actions) => actions.step(-1),
  k: (actions) => actions.step(-1),
  Home: (actions) => actions.select(0),
  End: (actions) => actions.select(Number.MAX_SAFE_INTEGER),
  f: (actions) => actions.failure(1),
  F: (actions) => actions.failure(-1),
  " ": (actions) => actions.togglePlay(),
  "]": (actions) => actions.sameRecord(1),
  "[": (actions) => actions.sameRecord(-1),
  z: (actions) => actions.toggle("foldGaps"),
  r: (actions) => actions.toggle("foldRepeats"),
  e: (actions) => actions.toggle("endpoints"),
  m: (actions) => actions.tab("machine"),
  w: (actions) => actions.tab("why"),
  b: (actions) => actions.tab("fork"),
  c: (actions) => actions.toggleCompare(),
  "?": (actions) => actions.toggle("showsKeys"),
  "/": () => document.getElementById("filter")?.focus(),
  Escape: (actions) => actions.escape(),
};

/** The texts of the list of keys. */
export const keyList: readonly (readonly [string, readonly string[]])[] = [
  ["Step", ["←", "→", "J", "K"]],
  ["First, last", ["Home", "End"]],
  ["Failure", ["F", "⇧F"]],
  ["Play, pause", ["Space"]],
  ["Same call", ["[", "]"]],
  ["Filter", ["/"]],
  ["Choose a call", ["1", "…", "9"]],
  ["All calls", ["0"]],
  ["Fold pauses, repeats", ["Z", "R"]],
  ["Endpoints", ["E"]],
  ["Machine", ["M"]],
  ["Why not?", ["W"]],
  ["Fork, compare", ["B", "C"]],
  ["Close", ["Esc"]],
];
