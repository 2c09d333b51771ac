import { type FailureDetails, lastFailure, rerunText } from "./explain.ts";
import type { MatcherContext } from "./matching.ts";
import type { Ownership, RecentSimulator } from "./recent-simulators.ts";

const heading: Readonly<Record<Ownership, string>> = {
  own: "",
  perhaps: "Of this test, or of one that ran at the same time:\n",
  outside: "Made outside of tests:\n",
};

/**
 * Adds to the message of a failed test how to run its simulators again and look at them, and writes the files for that.
 * @param details of the failure; its problem is the message
 */
export function withRuns(
  test: MatcherContext,
  simulators: readonly RecentSimulator[],
  details: FailureDetails,
): string {
  let message = details.problem;
  for (const { sim, ownership } of simulators) {
    // a matcher of ours has added it, perhaps by the name of a test that ran at the same time
    const { problem } = lastFailure(sim) ?? {};
    if (problem !== undefined && message.startsWith(`${problem}\n`)) continue;
    const text = rerunText(test, sim, { ...details, problem: message });
    if (!message.includes(text)) message += `\n\n${heading[ownership]}${text}`;
  }
  return message;
}
