import { nodeModule } from "../../core/foundation/node-module.ts";
import { counted } from "../../core/platform/declare/words.ts";
import { runningTest } from "../../findings/running-test.ts";
import type { ForgedRequests } from "../run/forged-report.ts";
import { type Untried, untriedText } from "./untried.ts";

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
  readonly forged: Pick<ForgedRequests, "requests" | "answered"> | undefined;
  readonly failures: readonly object[];
  readonly known: readonly object[];
  readonly untried: Untried;
}

/** An exploration in a line: `142 worlds, 24 forged; not tried: restarts (give \`durable\`)`. */
export function summaryLine({ worlds, complete, forged, failures, known, untried }: Summarized): string {
  const forgeries = forged?.requests ?? 0;
  const answered = forged?.answered.length ?? 0;
  const parts = [
    `${counted(worlds, "world")}${complete ? "" : " (not all of them)"}`,
    ...(forgeries === 0 ? [] : [`${forgeries} forged${answered === 0 ? "" : ` (${answered} answered 2xx)`}`]),
    ...(failures.length === 0 ? [] : [counted(failures.length, "failure")]),
    ...(known.length === 0 ? [] : [`${known.length} known`]),
  ];
  const not = untriedText(untried);
  return `${parts.join(", ")}${not === "" ? "" : `; not tried: ${not}`}`;
}

/**
 * Prints an exploration in a line, on the standard error of Node: runners hide what passes, and so what was not tried. The
 * standard output may be a report that a program reads.
 * @param name what the line begins with: the test in which it ran, or the scenario
 */
export function printSummary(result: Summarized, name = runningTest()?.names?.at(-1) ?? result.title): void {
  const process = nodeModule<Process>("node:process");
  if (process === undefined || process.env[SUMMARY] === "off") return;
  process.stderr.write(`ringback: ${name}: ${summaryLine(result)}\n`);
}
