import { checksum } from "./failure-name.ts";
import { makeResultsFolder, resultsFolder } from "./failure-page.ts";
import {
  currentRun,
  type Files,
  isRunning,
  nodeModules,
  type Paths,
  warnInTests,
  writeAtomically,
} from "./node-files.ts";

/** Where notes are: in `ringback-results/notes/<run>/`, a file for each test file. */

/** The folder of notes in the folder for results. */
export const NOTES_FOLDER = "notes";
/** How the names of notes end. Jest watches files of JSON, and would run again whenever one is written. */
export const NOTES_ENDING = ".notes.jsonl";

/** How many letters of a path the name of its notes has: systems take 255 bytes. */
const MOST_LETTERS = 100;

/** Whose notes are written. */
export interface NotesPlace {
  /** The path of the test file, from where the tests run; null for a server. */
  readonly file: string | null;
}

/** Whether notes can be written here, and `RINGBACK_RESULTS` is not `off`. */
export function leavesNotes(): boolean {
  const node = nodeModules();
  return node !== undefined && resultsFolder(node.env) !== "off";
}

/**
 * Writes the notes of a test file or of a server. Those of runs that are over are deleted. If they cannot be written, a line on
 * stderr says so: no test fails for it.
 * @param file the path of the test file; null for a server
 * @param project the name of the runner's project, if it has one
 * @param notesOf makes the notes
 */
export function writeNotes(
  file: string | null,
  project: string | undefined,
  notesOf: (place: NotesPlace) => object,
): void {
  const node = nodeModules();
  if (node === undefined || !leavesNotes()) return;
  const folder = resultsFolder(node.env);
  const { fs, path, here, pid } = node;
  const relative = file === null ? null : path.relative(here, file);
  const name = relative === null ? `server-${pid}` : `${relative}${project ? `@${project}` : ""}`;
  try {
    const run = runName(fs, currentRun());
    const own = path.join(folder, NOTES_FOLDER, run);
    if (!fs.existsSync(own)) begin(fs, path, folder, run);
    const text = `${JSON.stringify(notesOf({ file: relative }))}\n`;
    writeAtomically(fs, path.join(own, `${fileNameOf(name)}${NOTES_ENDING}`), text);
  } catch (error) {
    warnInTests(`no notes for \`ringback unseen\`: ${String((error as Error).message)}`);
  }
}

/** The name of a file of notes. Its words may be those of another path, such as `a/b` and `a-b`; its checksum is not. */
function fileNameOf(name: string): string {
  return `${name.replaceAll(/[^\w.@-]+/g, "-").slice(-MOST_LETTERS)}-${checksum([name])}`;
}

/** Makes the folder of a run, and deletes those of runs that are over: two may go on beside each other. */
function begin(fs: Files, path: Paths, folder: string, run: string): void {
  makeResultsFolder(fs, path, folder);
  const all = path.join(folder, NOTES_FOLDER);
  fs.mkdirSync(path.join(all, run), { recursive: true });
  for (const each of fs.readdirSync(all))
    if (each !== run && !isGoingOn(fs, each))
      fs.rmSync(path.join(all, each), { recursive: true, force: true });
}

function isGoingOn(fs: Files, run: string): boolean {
  const pid = Number.parseInt(run, 10);
  return isRunning(pid) && runName(fs, pid) === run;
}

/** The name of a run: the id of the runner's process. In a container two runs may have the same, so Linux adds when it began. */
function runName(fs: Files, run: number): string {
  let status: string;
  try {
    status = fs.readFileSync(`/proc/${run}/stat`, "utf8");
  } catch {
    // another system, or the process is over
    return String(run);
  }
  // the name of the program, in brackets, may hold spaces; of the fields after it, the 20th is when it began
  const [, after = ""] = /.*\) (.*)/s.exec(status) ?? [];
  return `${run}-${after.split(" ")[19] ?? ""}`;
}
