/**
 * `ringback/vitest`: importing it adds matchers for simulators to Vitest's `expect`. Snapshots show simulators as
 * timelines, and events as JSON with keys in a fixed order.
 */
import {
  afterAll,
  afterEach,
  beforeEach,
  expect,
  onTestFailed,
  onTestFinished,
  type RunnerTestCase,
  type TestContext,
  vi,
} from "vitest";
import { lineIn } from "../../core/foundation/caller.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import type { FailureDetails } from "../explain.ts";
import { withRuns } from "../failed-test.ts";
import { matchers } from "../matchers.ts";
import type { RingbackMatchers } from "../matching.ts";
import { NoteTaker } from "../received-notes.ts";
import { type RecentSimulator, RecentSimulators, type SuiteAround } from "../recent-simulators.ts";
import { type SharedTime, shareTimeWith } from "../shared-time.ts";
import { snapshotSerializer } from "../snapshot.ts";

export type { DataMatch, FixtureOptions, RingbackMatchers, SilenceOptions, StreamLine } from "../matching.ts";
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

const recent = new RecentSimulators(reportIfTestFails);
const worker = () =>
  (
    globalThis as {
      __vitest_worker__?: { filepath?: string; config?: { name?: string; testNamePattern?: unknown } };
    }
  ).__vitest_worker__;
const notes = new NoteTaker({
  file: () => worker()?.filepath,
  project: () => worker()?.config?.name,
  isFiltered: () => worker()?.config?.testNamePattern !== undefined,
  tests: () => recent.innermost(),
  isRunning: (test) => recent.isRunning(test),
});
notes.listen();
afterAll(() => notes.write());
beforeEach(({ task }) => recent.startTest(task.id, listSuites(task)));
// writes the runs of any failing test, and adds their files to its failure
afterEach(async (context) => {
  const { task } = context;
  recent.endTest(task.id);
  report(task, recent.listFor(task.id));
  await annotatePages(context);
});

/**
 * With `isolate: false` this module is loaded once for many files, but hooks are those of the file that loaded it. In the other
 * files each simulator that a test makes is reported, and noted, by itself.
 */
function reportIfTestFails(sim: Simulator): void {
  try {
    onTestFinished(() => {
      notes.end(sim);
      notes.write();
    });
    onTestFailed(async (context) => {
      report(context.task, [{ sim, ownership: "own" }]);
      await annotatePages(context);
    });
  } catch {
    // no test runs: the simulator is made in `beforeAll`, or while tests are collected
  }
}

type Task = Pick<RunnerTestCase, "id" | "name" | "suite" | "file" | "result">;

/** How many errors of a test were reported. A test that is tried again keeps those of earlier tries. */
const reported = new WeakMap<object, number>();

function report(task: Task, simulators: readonly RecentSimulator[]): void {
  const errors = task.result?.errors ?? [];
  const earlier = Math.min(reported.get(task) ?? 0, Math.max(errors.length - 1, 0));
  const error = errors[earlier];
  if (task.result?.state !== "fail" || error === undefined || recent.isExplorationError(error.message))
    return;
  reported.set(task, errors.length);
  const test = { currentTestName: fullName(task), testPath: task.file.filepath };
  if (errors.slice(0, earlier).some((each) => isSameRun(each.message, error.message))) {
    error.message = `${error.message.split("\n", 1)[0]}\n\nThe run is the one above, of the first try.`;
    return;
  }
  const line = lineIn(error.stack, task.file.filepath);
  error.message = withRuns(test, simulators, { ...failedBy(error), ...(line === undefined ? {} : { line }) });
}

/** The pages that each test is annotated with. */
const annotated = new WeakMap<object, Set<string>>();

/** Links the pages that a failure names, for reporters that show annotations. Vitest takes them while a test runs. */
async function annotatePages({ task, annotate }: Pick<TestContext, "task" | "annotate">): Promise<void> {
  const { result } = task;
  if (result?.state !== "fail") return;
  const messages = (result.errors ?? []).map(({ message }) => message);
  const known = annotated.get(task) ?? new Set();
  annotated.set(task, known);
  for (const [, page = ""] of messages.join("\n").matchAll(PAGE)) {
    if (known.has(page)) continue;
    known.add(page);
    // it looks at the state at once, and its reporters hear of the annotation later
    result.state = "run";
    const given = annotate(`This page shows the run: ${page}`, "ringback");
    result.state = "fail";
    await given;
  }
}

/** How a failure's message names a page. */
const PAGE = /^(?:This page shows it:\n)? +(?:page: )?(\S.*[.]html)$/gm;

/** Whether two failures tell the same: they differ at most in the files that were written. */
function isSameRun(one: string, other: string): boolean {
  const [told, again] = [one, other].map((message) => message.split(FILES, 1)[0]);
  return one.includes(FILES) && told === again?.trimEnd();
}

/** What the part of a message begins with that names the files of a run. */
const FILES = "\n\nSeed: ";

/** The suites around a test, the innermost last. */
function listSuites({ suite, file }: Task): SuiteAround[] {
  const all: NonNullable<Task["suite"]>[] = [];
  for (let each = suite; each !== undefined; each = each.suite) all.unshift(each);
  if (all[0]?.id !== file.id) all.unshift(file);
  return all.map(({ id, result }) => ({ id, startedMs: result?.startTime ?? 0 }));
}

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
