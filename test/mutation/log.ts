import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** How a test noticed a mutant. */
export type Noticed =
  /** It failed. */
  | "failed"
  /** The mutant ran far too often, or the test never ended. */
  | "endless"
  /** The process ended, such as for want of memory. */
  | "ended"
  /** It failed, and fails from then on without the mutant too: the mutant spoiled what the module remembers. */
  | "spoiled";

/** A line of the log. */
type Entry =
  | { readonly killed: string; readonly by: string; readonly how: Noticed }
  /** A test is done: the CPU time that each mutant survived in it, ms. */
  | { readonly done: string; readonly survived: readonly (readonly [id: string, ms: number])[] }
  /** A run begins, or goes on with another budget: every test is looked at again. */
  | { readonly budgetMs: number }
  /** A test was left out, since it fails when it runs twice. */
  | { readonly unrepeatable: string }
  /** A test was left out, since it takes too long to run for each mutant. */
  | { readonly slow: string }
  /** Mutants that ran while a module was loaded. */
  | { readonly loaded: readonly string[] }
  /** The files of tests that a process is to run. */
  | { readonly files: readonly string[] }
  /** All tests of a file have run. */
  | { readonly over: string };

/** What is known of the mutants so far. Kept in a file, so that a new process goes on where one was stopped. */
export class MutationLog {
  readonly killed = new Map<string, { readonly by: string; readonly how: Noticed }>();
  readonly survivedMs = new Map<string, number>();
  /** The mutants that each test ran and did not notice. */
  readonly survivedIn = new Map<string, Set<string>>();
  /** The tests that are done in this run. */
  readonly tests = new Set<string>();
  /** The tests that were left out. */
  readonly skipped = new Map<string, "slow" | "unrepeatable">();
  readonly loaded = new Set<string>();
  /** The files of tests that the last process was to run, and has not. `undefined` while it has not said which. */
  unfinished: Set<string> | undefined;
  /** Whether the last mutant spoiled its process, so that another is needed. */
  isSpoiled = false;

  constructor(private readonly path: string) {
    if (!existsSync(path)) return;
    for (const line of readFileSync(path, "utf8").split("\n")) if (line !== "") this.take(JSON.parse(line));
  }

  add(entry: Entry): void {
    appendFileSync(this.path, `${JSON.stringify(entry)}\n`);
    this.take(entry);
  }

  private take(entry: Entry): void {
    this.isSpoiled = "how" in entry && entry.how === "spoiled";
    if ("killed" in entry) this.killed.set(entry.killed, entry);
    else if ("budgetMs" in entry) this.tests.clear();
    else if ("files" in entry) this.unfinished = new Set(entry.files);
    else if ("over" in entry) this.unfinished?.delete(entry.over);
    else if ("loaded" in entry) for (const id of entry.loaded) this.loaded.add(id);
    else if ("unrepeatable" in entry) this.skipped.set(entry.unrepeatable, "unrepeatable");
    else if ("slow" in entry) this.skipped.set(entry.slow, "slow");
    else this.takeDone(entry.done, entry.survived);
  }

  private takeDone(test: string, survived: readonly (readonly [id: string, ms: number])[]): void {
    this.tests.add(test);
    const ids = this.survivedIn.get(test) ?? new Set();
    for (const [id, ms] of survived) {
      this.survivedMs.set(id, (this.survivedMs.get(id) ?? 0) + ms);
      ids.add(id);
    }
    this.survivedIn.set(test, ids);
  }
}
