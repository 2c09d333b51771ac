import type { PageActions } from "../state/actions.ts";

/** Handles keys. Keys that are typed into a field are left to the field. */
export function handleKeys(actions: PageActions): void {
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
    // one who is asked alone has no other keys, since they lead to the answers
    const { teaching } = actions.state;
    if (teaching?.isAlone === true && !teaching.isOver) return;
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

function teachingKey(actions: PageActions, { key, target }: KeyboardEvent): boolean {
  const choices = actions.state.teaching?.questions[actions.state.teaching.at]?.choices.length ?? 0;
  if (/^[1-9]$/.test(key) && Number(key) <= choices) actions.teaching.pick(Number(key) - 1);
  else if (actions.state.teaching?.isOver === true) return false;
  else if (key === "Enter" && (target as HTMLElement).closest("button, select") === null)
    actions.teaching.reveal();
  else if (key === "ArrowLeft") actions.teaching.back();
  else if (key.toLowerCase() === "h") actions.teaching.toggleHands();
  else if (key === "Backspace") actions.teaching.takeHandBack();
  else return false;
  return true;
}

function chooseRecord(actions: PageActions, digit: number): void {
  const { run, record } = actions.state;
  if (digit === 0) actions.view.choose(record);
  else if (run?.summary.records[digit - 1] !== undefined && record !== digit - 1)
    actions.view.choose(digit - 1);
}

const keys: Readonly<Record<string, (actions: PageActions) => void>> = {
  ArrowRight: (actions) => actions.playback.step(1),
  ArrowDown: (actions) => actions.playback.step(1),
  j: (actions) => actions.playback.step(1),
  ArrowLeft: (actions) => actions.playback.step(-1),
  ArrowUp: (actions) => actions.playback.step(-1),
  k: (actions) => actions.playback.step(-1),
  Home: (actions) => actions.playback.select(0),
  End: (actions) => actions.playback.select(Number.MAX_SAFE_INTEGER),
  f: (actions) => actions.playback.failure(1),
  F: (actions) => actions.playback.failure(-1),
  " ": (actions) => actions.playback.togglePlay(),
  "]": (actions) => actions.playback.sameRecord(1),
  "[": (actions) => actions.playback.sameRecord(-1),
  z: (actions) => actions.view.toggle("foldGaps"),
  r: (actions) => actions.view.toggle("foldRepeats"),
  e: (actions) => actions.view.toggle("endpoints"),
  g: (actions) => actions.view.toggle("isAlone"),
  m: (actions) => actions.view.tab("machine"),
  w: (actions) => actions.view.tab("why"),
  b: (actions) => actions.view.tab("fork"),
  c: (actions) => actions.comparing.toggle(),
  "?": (actions) => actions.view.toggle("showsKeys"),
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
  ["Its journey, or it alone", ["G"]],
  ["Fold pauses, repeats", ["Z", "R"]],
  ["Endpoints", ["E"]],
  ["Machine", ["M"]],
  ["Why not?", ["W"]],
  ["Fork, compare", ["B", "C"]],
  ["Close", ["Esc"]],
];
