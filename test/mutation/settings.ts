/** What the process that starts the tests tells the one that runs them. */
export interface Settings {
  /** The mutants to try. */
  readonly wanted: readonly string[];
  /** How long a mutant is tried that no test notices, CPU ms. */
  readonly budgetMs: number;
  /** The longest that a test may take to be run for each mutant, CPU ms. */
  readonly longestMs: number;
  /** The path of the log. */
  readonly log: string;
  /** The path of the file that names the mutant being tried. */
  readonly heartbeat: string;
  /** The path of the instrumented sources. */
  readonly sources: string;
  /** Which test files to run, as globs. */
  readonly tests: readonly string[];
  /** Whether nobody has named the tests: then those that take long are left out. */
  readonly areUsual: boolean;
  /** The folders whose mutants are tried. Tests in folders of the same name run first. */
  readonly folders: readonly string[];
}
