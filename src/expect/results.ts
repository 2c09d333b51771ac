import type { Simulator } from "../simulator.ts";
import type { MatcherContext } from "./matching.ts";

/** What a failure left in files; paths are from the folder that the tests run in. */
export interface Results {
  /** The journal: `ringback replay` runs it again. */
  readonly journal: string;
}

/** What is written to, named by `RINGBACK_RESULTS`; `off`: nothing. */
const USUAL_FOLDER = "ringback-results";
const LONGEST_NAME = 100;

/** What is used of Node, asked for at run time: tests also run in browsers. */
interface Node {
  readonly env: Readonly<Record<string, string | undefined>>;
  getBuiltinModule?(id: "node:fs"): Files | undefined;
  getBuiltinModule?(id: "node:path"): Paths | undefined;
}

interface Files {
  mkdirSync(folder: string, options: { recursive: true }): unknown;
  existsSync(path: string): boolean;
  writeFileSync(path: string, text: string): void;
}

interface Paths {
  join(...parts: string[]): string;
  basename(path: string): string;
}

/** The names that are taken, and by whom: a second failure of a run writes its file anew. */
const names = new Map<string, WeakRef<Simulator>>();

/**
 * Writes what a failure leaves for a look at it, into `ringback-results/`. The one place where that is done: whatever is
 * written besides, such as a page, belongs here and into `Results`.
 * @returns undefined where there is nowhere to write: in a browser, or with `RINGBACK_RESULTS=off`
 * @throws what writing fails with
 */
export function writeResults(sim: Simulator, test: MatcherContext): Results | undefined {
  const node = (globalThis as { process?: Node }).process;
  const [fs, path] = [node?.getBuiltinModule?.("node:fs"), node?.getBuiltinModule?.("node:path")];
  const folder = node?.env?.RINGBACK_RESULTS || USUAL_FOLDER;
  if (node === undefined || fs === undefined || path === undefined || folder === "off") return undefined;
  fs.mkdirSync(folder, { recursive: true });
  // what a failed run leaves is not for a repository
  const ignore = path.join(folder, ".gitignore");
  if (!fs.existsSync(ignore)) fs.writeFileSync(ignore, "*\n");
  const file = path.basename(test.testPath ?? "").replace(/\.[cm]?[jt]sx?$/, "");
  const journal = path.join(folder, `${nameFor(sim, `${file} ${test.currentTestName ?? ""}`)}.journal.json`);
  fs.writeFileSync(journal, `${JSON.stringify(sim.journal())}\n`);
  return { journal };
}

/** A file's name made of a test's, a number after it where one test has several simulators. */
function nameFor(sim: Simulator, test: string): string {
  const words = test.normalize("NFC").replaceAll(/[^\p{L}\p{N}.]+/gu, "-");
  const base = words.slice(0, LONGEST_NAME).replaceAll(/^[-.]+|[-.]+$/g, "") || "run";
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`;
    const owner = names.get(name)?.deref();
    if (owner !== undefined && owner !== sim) continue;
    names.set(name, new WeakRef(sim));
    return name;
  }
}
