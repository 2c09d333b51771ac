/** The state that Jest keeps of its process. It is private to Jest, so each field may be missing. Tried with 30.5. */
interface JestState {
  readonly testTimeout?: unknown;
  readonly testNamePattern?: unknown;
  readonly currentlyRunningTest?: JestTest | null | undefined;
}

interface JestTest {
  readonly name?: unknown;
  readonly parent?: JestTest | undefined;
  readonly timeout?: unknown;
  readonly startedAt?: unknown;
}

/** The description of the symbol of Jest's state. Nothing else tells the symbol from others. */
const STATE_SYMBOL = "JEST_STATE_SYMBOL";
/** The name of the outermost suite, which stands for the file. */
const FILE_SUITE = "ROOT_DESCRIBE_BLOCK";

function stateIn(globals: object): JestState | undefined {
  const symbol = Object.getOwnPropertySymbols(globals).find(
    ({ description }) => description === STATE_SYMBOL,
  );
  return symbol === undefined
    ? undefined
    : ((globals as Readonly<Record<symbol, unknown>>)[symbol] as JestState | undefined);
}

/** Whether Jest runs only the tests whose names match a pattern. */
export function isFilteredByJest(globals: object): boolean {
  const pattern = stateIn(globals)?.testNamePattern;
  return pattern !== undefined && pattern !== null;
}

/** The running test as Jest's state has it. */
export function jestTest(globals: object) {
  const symbols = globals as Readonly<Record<symbol, unknown>>;
  const state = stateIn(globals);
  const test = state?.currentlyRunningTest;
  if (test === undefined || test === null) return undefined;
  const matchers = symbols[Symbol.for("$$jest-matchers-object")] as
    | { readonly state?: { readonly testPath?: unknown } }
    | undefined;
  return {
    file: matchers?.state?.testPath,
    // projects often differ in their environment, and nothing tells a project's name
    project: "document" in globals ? "dom" : undefined,
    names: namesOf(test).filter((name) => name !== FILE_SUITE),
    timeout: test.timeout ?? state?.testTimeout,
    started: test.startedAt,
  };
}

/** The names of a test's suites and its own, from the outside in. */
function namesOf({ name, parent }: JestTest): unknown[] {
  return [...(parent ? namesOf(parent) : []), name];
}
