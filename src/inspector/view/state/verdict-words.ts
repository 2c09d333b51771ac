import type { Mismatch } from "../../../core/scenario/compare.ts";
import type { MarkName } from "../../../look/marks.ts";
import type { RunSummary } from "../../model/types.ts";
import { clock, counted, lengthText } from "../common/format.ts";
import type { PlaygroundState } from "./playground.ts";

/** What the page says of the text in its editor. There is one verdict at a time. */

/** What is true of the text. Of several, the first. */
export type VerdictKind =
  /** Nothing is written. */
  | "empty"
  /** It cannot be read, or a step cannot be played. */
  | "unreadable"
  /** It is newer than the run for longer than a moment. */
  | "changed"
  /** The run was recorded, and the text made from it. */
  | "recorded"
  | "differs"
  | "expected"
  /** It expects nothing. */
  | "open";

export interface Verdict {
  readonly kind: VerdictKind;
  readonly mark: MarkName;
  /** The verdict in two or three words, and what is behind it. */
  readonly title: string;
  readonly text: string;
}

/** What a verdict is about. */
export interface VerdictInput
  extends Pick<PlaygroundState, "text" | "checkedText" | "isBehind" | "problems" | "mismatches" | "expects"> {
  readonly run: { readonly summary: Pick<RunSummary, "eventCount" | "endMs"> } | undefined;
}

/** @param who what expects the events that stand in no line */
export function writeVerdict(state: VerdictInput, who = "The scenario"): Verdict {
  const { text, checkedText, isBehind, problems, mismatches, expects, run } = state;
  const [problem] = problems;
  const [mismatch] = mismatches;
  const summary = run?.summary;
  const size =
    summary === undefined
      ? ""
      : `${counted(summary.eventCount, "event")} in ${lengthText(summary.endMs)} of platform time.`;
  if (text.trim() === "") return { kind: "empty", mark: "info", title: "Nothing is written yet.", text: "" };
  if (isBehind)
    return { kind: "changed", mark: "retry", title: "The text has changed since this run.", text: "" };
  if (problem !== undefined)
    return {
      kind: "unreadable",
      mark: "retry",
      title:
        problems.length === 1
          ? `Not run: line ${problem.line} has a mistake.`
          : `Not run: ${counted(problems.length, "mistake")}, the first in line ${problem.line}.`,
      text: "",
    };
  if (checkedText === "")
    return { kind: "recorded", mark: "info", title: "The run as it was recorded.", text: size };
  if (mismatch !== undefined)
    return {
      kind: "differs",
      mark: "failed",
      title: differenceTitle(mismatch),
      text: `${differenceText(mismatch, who)}${mismatches.length > 1 ? ` ${mismatches.length - 1} more.` : ""}`,
    };
  if (!expects) return { kind: "open", mark: "info", title: "Nothing is expected yet.", text: size };
  return { kind: "expected", mark: "answer", title: "As expected.", text: size };
}

const nouns = { events: "Event", attempts: "Attempt", steps: "Step" } as const;

function differenceTitle({ of, index, actual }: Mismatch): string {
  if (actual === undefined) return `${nouns[of]} missing.`;
  return `${nouns[of]} ${index + 1} differs.`;
}

/** A difference in one sentence: `Line 6 expects call.not_answered at 0:20, and it came at 0:30, 10 s late.` */
function differenceText({ of, line, expected, actual, problem }: Mismatch, who: string): string {
  const where = line === undefined ? "" : `Line ${line}`;
  const [wanted, seen] = [placeOf(expected), placeOf(actual)];
  if (of !== "events" || (wanted === undefined && seen === undefined))
    return [where, expected ?? actual ?? "", problem].filter(Boolean).join(": ");
  if (wanted === undefined) return `${seen?.type} came at ${clock(seen?.atMs ?? 0)}: ${problem}.`;
  const begin = `${where === "" ? who : where} expects ${wanted.type} at ${clock(wanted.atMs)}`;
  if (seen === undefined) return `${begin}: ${problem}.`;
  if (seen.type !== wanted.type) return `${begin}, and ${seen.type} came at ${clock(seen.atMs)}.`;
  const offMs = seen.atMs - wanted.atMs;
  if (offMs === 0) return `${where}, ${wanted.type}: ${problem}.`;
  return `${begin}, and it came at ${clock(seen.atMs)}, ${lengthText(Math.abs(offMs))} ${offMs > 0 ? "late" : "early"}.`;
}

/** The most lines of which a difference is explained in the editor. */
const MAX_DIFFERENCES = 20;

/** The first differences that belong to a line of the text, for the editor. */
export function lineDifferences(mismatches: readonly Mismatch[]): { line: number; text: string }[] {
  return mismatches.slice(0, MAX_DIFFERENCES).flatMap((mismatch) => {
    const { line } = mismatch;
    return line === undefined ? [] : [{ line, text: lineText(mismatch) }];
  });
}

/** A difference for its own line in the editor: `expected 0:20, came at 0:30`. */
function lineText({ of, expected, actual, problem }: Mismatch): string {
  const [wanted, seen] = [placeOf(expected), placeOf(actual)];
  if (of !== "events" || wanted === undefined || seen === undefined || wanted.type !== seen.type)
    return problem;
  if (wanted.atMs === seen.atMs) return problem;
  return `expected ${clock(wanted.atMs)}, came at ${clock(seen.atMs)}`;
}

/** The instant and the type of an event's line, such as `PT20S call.answered`. */
export function placeOf(
  line: string | undefined,
): { readonly atMs: number; readonly type: string } | undefined {
  const [, seconds, type] = /^PT(-?[\d.]+)S ([\w.]+)/.exec(line ?? "") ?? [];
  return seconds === undefined || type === undefined
    ? undefined
    : { atMs: Math.round(Number(seconds) * 1_000), type };
}

/** Whether the run that is shown is older than the text. */
export function isOld({
  text,
  playedText,
  problems,
  isBehind,
  run,
}: PlaygroundState & Pick<VerdictInput, "run">): boolean {
  return run !== undefined && text.trim() !== "" && text !== playedText && (problems.length > 0 || isBehind);
}

/** How old the run is: `The last run that worked, 4 edits ago`. */
export function ageText({ editsSince }: PlaygroundState): string {
  return editsSince === 0
    ? "The last run that worked"
    : `The last run that worked, ${counted(editsSince, "edit")} ago`;
}
