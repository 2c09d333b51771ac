import { fill } from "../inspect/fill.ts";
import { hasTemplate } from "../inspect/template.ts";
import type { JournalDocument } from "../options.ts";
import type { MatcherContext } from "./matching.ts";

/** A failed run: a simulator, or the journal of one. */
export interface FailedRun {
  journal(): JournalDocument;
}

/** The files of a failure. Paths are relative to the folder in which the tests run. */
export interface Results {
  /** The path of the journal. `ringback replay` runs it again. */
  readonly journal: string;
  /** The path of the inspector's page; undefined in a clone of ringback where the page is not built. */
  readonly page: string | undefined;
}

/** The folder for results. `RINGBACK_RESULTS` names another; `off` writes nothing. */
const USUAL_FOLDER = "ringback-results";
const LONGEST_NAME = 100;

/** The parts of Node that are used. Looked up at run time, since tests also run in browsers. */
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

/** The names in use, and their runs. A second failure of a run writes its files again. */
const names = new Map<string, WeakRef<FailedRun>>();

/**
 * Writes the files of a failure into `ringback-results/`: the journal and the inspector's page of the run. Any
 * further file belongs here and into `Results`.
 * @param problem the failure, for the page
 * @returns undefined if nothing can be written: in a browser, or with `RINGBACK_RESULTS=off`
 * @throws any error of writing
 */
export function writeResults(run: FailedRun, test: MatcherContext, problem: string): Results | undefined {
  const node = (globalThis as { process?: Node }).process;
  const [fs, path] = [node?.getBuiltinModule?.("node:fs"), node?.getBuiltinModule?.("node:path")];
  const folder = node?.env?.RINGBACK_RESULTS || USUAL_FOLDER;
  if (node === undefined || fs === undefined || path === undefined || folder === "off") return undefined;
  fs.mkdirSync(folder, { recursive: true });
  // results do not belong into a repository
  const ignore = path.join(folder, ".gitignore");
  if (!fs.existsSync(ignore)) fs.writeFileSync(ignore, "*\n");
  const file = path.basename(test.testPath ?? "").replace(/\.[cm]?[jt]sx?$/, "");
  const name = nameFor(run, `${file} ${test.currentTestName ?? ""}`);
  const journal = run.journal();
  const paths = {
    journal: path.join(folder, `${name}.journal.json`),
    page: hasTemplate() ? path.join(folder, `${name}.html`) : undefined,
  };
  fs.writeFileSync(paths.journal, `${JSON.stringify(journal)}\n`);
  if (paths.page !== undefined) {
    const title = test.currentTestName ?? file;
    const shown = { name: title, journal, problems: [withoutColours(problem)] };
    fs.writeFileSync(paths.page, fill({ version: 1, mode: "inspect", title, runs: [shown] }));
  }
  return paths;
}

function withoutColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes that colour a terminal begin with one
  return text.replace(/\u001b\[[\d;]*m/g, "");
}

/** Makes a file's name of a test's, with a number if a test has several simulators. */
function nameFor(run: FailedRun, test: string): string {
  const words = test.normalize("NFC").replaceAll(/[^\p{L}\p{N}.]+/gu, "-");
  const base = words.slice(0, LONGEST_NAME).replaceAll(/^[-.]+|[-.]+$/g, "") || "run";
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`;
    const owner = names.get(name)?.deref();
    if (owner !== undefined && owner !== run) continue;
    names.set(name, new WeakRef(run));
    return name;
  }
}
