/** The state that Vitest keeps of its thread or process. It is private to Vitest, so each field may be missing. Tried with 4.1. */
interface VitestState {
  readonly filepath?: unknown;
  readonly ctx?: { readonly projectName?: unknown } | undefined;
  readonly current?: VitestTask | undefined;
}

interface VitestTask {
  readonly name?: unknown;
  readonly suite?: VitestTask | undefined;
  readonly timeout?: unknown;
  readonly result?: {
    readonly startTime?: unknown;
    readonly retryCount?: unknown;
    readonly repeatCount?: unknown;
  };
}

/** The running test as Vitest's state has it. `started` is undefined for a second try, whose start Vitest does not tell. */
export function vitestTest(globals: object) {
  const { __vitest_worker__: state } = globals as { readonly __vitest_worker__?: VitestState };
  const task = state?.current;
  if (task === undefined || task === null) return undefined;
  const { startTime, retryCount = 0, repeatCount = 0 } = task.result ?? {};
  const isFirstTry = retryCount === 0 && repeatCount === 0;
  return {
    file: state?.filepath,
    project: state?.ctx?.projectName,
    names: namesOf(task),
    timeout: task.timeout,
    started: isFirstTry ? startTime : undefined,
  };
}

/** The names of a test's suites and its own, from the outside in. */
function namesOf({ name, suite }: VitestTask): unknown[] {
  return [...(suite ? namesOf(suite) : []), name];
}
