/**
 * `ringback/vitest`: importing it adds matchers for simulators to Vitest's `expect`. Snapshots show simulators as
 * timelines, and events as JSON with keys in a fixed order.
 */
import { afterEach, beforeEach, expect, vi } from "vitest";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { type FailureDetails, rerunText } from "../explain.ts";
import { matchers } from "../matchers.ts";
import type { RingbackMatchers } from "../matching.ts";
import { RecentSimulators } from "../recent-simulators.ts";
import { type SharedTime, shareTimeWith } from "../shared-time.ts";
import { snapshotSerializer } from "../snapshot.ts";

export type { DataMatch, RingbackMatchers, SilenceOptions, StreamLine } from "../matching.ts";
export type { SharedTime } from "../shared-time.ts";

// Vitest 4 and 5 declare `Matchers` differently, but both take the assertions of Chai, and make promises of them
declare global {
  namespace Chai {
    interface Assertion extends RingbackMatchers {}
  }
}

/**
 * Gives the app under test the time of a simulator, by Vitest's fake timers. Turns fake timers on if they are off;
 * `vi.useRealTimers()` ends it. An endpoint may wait for a timer before it answers, but not for one that repeats:
 * then `advance` fails at once.
 * @param sim the simulator whose time both have
 * @example
 * import { vi } from "vitest";
 * import { shareTime } from "ringback/vitest";
 *
 * const time = shareTime(sim);
 * const later = new Promise((resolve) => setTimeout(() => resolve(new Date().toISOString()), 20_000));
 * await time.advance("PT1M");
 * await later; // => "2026-07-01T00:00:20.000Z"
 * vi.useRealTimers();
 */
export function shareTime(sim: Simulator): SharedTime {
  return shareTimeWith(sim, vi);
}

expect.extend(matchers);
expect.addSnapshotSerializer(snapshotSerializer);

const recent = new RecentSimulators();
beforeEach(({ task }) => recent.startTest(task.id));
// writes the runs of any failing test, and adds their files to its failure
afterEach(({ task }) => {
  recent.endTest();
  const [error] = task.result?.errors ?? [];
  if (task.result?.state !== "fail" || error === undefined) return;
  const test = { currentTestName: fullName(task), testPath: task.file.filepath };
  if (recent.isExplorationError(error.message)) return;
  for (const sim of recent.list()) {
    const text = rerunText(test, sim, failedBy(error));
    // a matcher of ours may have added it already
    if (!error.message.includes(text)) error.message += `\n\n${text}`;
  }
});

/** The failure of an assertion. Vitest has turned both values into texts by now. */
function failedBy({
  message,
  expected,
  actual,
}: {
  readonly message: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
}): FailureDetails {
  const hasBoth = typeof expected === "string" && typeof actual === "string";
  return { problem: message, difference: hasBoth ? { expected, received: actual } : undefined };
}

/** A test's name as Vitest shows it: its suites and its own. */
function fullName({ name, suite }: { readonly name: string; readonly suite?: unknown }): string {
  const outer = suite as { readonly name: string; readonly suite?: unknown } | undefined;
  return outer === undefined || outer.name === "" ? name : `${fullName(outer)} > ${name}`;
}
