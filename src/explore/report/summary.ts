import { nodeModule } from "../../core/foundation/node-module.ts";
import { counted } from "../../core/platform/declare/words.ts";
import { thrownAt } from "../../findings/code-place.ts";
import { runningTest } from "../../findings/running-test.ts";
import type { ForgedRequests } from "../run/forged-report.ts";
import { type Untried, untriedTexts } from "./untried.ts";

/** The environment variable that turns the line of each exploration off. */
const SUMMARY = "RINGBACK_SUMMARY";

/** The parts of Node's process that are used. */
interface Process {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stderr: { write(text: string): unknown };
}

/** What the line tells of the result of an exploration. */
interface Summarized {
  readonly title: string;
  readonly worlds: number;
  readonly complete: boolean;
  /** How many requests the app received or sent. */
  readonly requests: number;
  readonly forged: Pick<ForgedRequests, "requests" | "believed" | "answered"> | undefined;
  readonly failures: readonly object[];
  readonly known: readonly object[];
  readonly untried: Untried;
}

/** An exploration in a line: `142 worlds, 24 forged; not tried: restarts (give \`durable\`)`. */
export function summaryLine(result: Summarized): string {
  const { worlds, complete, requests, failures, known, untried } = result;
  const parts = [
    `${counted(worlds, "world")}${complete ? "" : " (not all of them)"}`,
    ...(worlds > 0 && requests === 0 ? [NO_REQUEST] : []),
    ...forgedPart(result),
    ...(failures.length === 0 ? [] : [counted(failures.length, "failure")]),
    ...(known.length === 0 ? [] : [`${known.length} known`]),
  ];
  return [parts.join(", "), ...untriedTexts(untried)].join("; ");
}

/** What is said where nothing passed between the platform and the app. */
export const NO_REQUEST = "the app received and sent no request";

/** `21 forged (7 believed, 14 answered 2xx)`. */
function forgedPart({ forged }: Summarized): string[] {
  if (forged === undefined || forged.requests === 0) return [];
  const { requests, believed, answered } = forged;
  const found = [
    ...(believed.length === 0 ? [] : [`${believed.length} believed`]),
    ...(answered.length === 0 ? [] : [`${answered.length} answered 2xx`]),
  ];
  return [`${requests} forged${found.length === 0 ? "" : ` (${found.join(", ")})`}`];
}

/**
 * Finds what the line of an exploration in code begins with: the test in which it ran. Where the runner tells no name, several
 * tests may explore one scenario, so it is the scenario and the line that explores.
 * @param stack the stack of the code that explores
 */
export function findTitle({ title }: Summarized, stack: string): string {
  const running = runningTest();
  const place = running === undefined ? undefined : thrownAt(stack);
  return running?.names?.at(-1) ?? (place === undefined ? title : `${title} (${place})`);
}

/**
 * Prints an exploration in a line, on the standard error of Node: runners hide what passes, and so what was not tried. The
 * standard output may be a report that a program reads.
 * @param name what the line begins with
 */
export function printSummary(result: Summarized, name: string): void {
  const process = nodeModule<Process>("node:process");
  if (process === undefined || process.env[SUMMARY] === "off") return;
  process.stderr.write(`ringback: ${name}: ${summaryLine(result)}\n`);
}
