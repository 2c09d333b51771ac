import { checksum } from "./failure-name.ts";
import { resultsFolder } from "./failure-page.ts";
import { currentRun, type Files, nodeModules, warn, writeAtomically } from "./node-files.ts";

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
 * Writes the notes of a test file or of a server. Those of older runs are deleted. If they cannot be written, a line on stderr says so: no test
 * fails for it.
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
    const own = path.join(folder, NOTES_FOLDER, runName(fs));
    if (!fs.existsSync(own)) begin(fs, path.join, folder, runName(fs));
    const text = `${JSON.stringify(notesOf({ file: relative }))}\n`;
    writeAtomically(fs, path.join(own, `${fileNameOf(name)}${NOTES_ENDING}`), text);
  } catch (error) {
    warn(`no notes for \`ringback unseen\`: ${String((error as Error).message)}`);
  }
}

/** The name of a file of notes. Its words may be those of another path, such as `a/b` and `a-b`; its checksum is not. */
function fileNameOf(name: string): string {
  return `${name.replaceAll(/[^\w.@-]+/g, "-").slice(-MOST_LETTERS)}-${checksum([name])}`;
}

/** Makes the folder of a run, and deletes those of older ones. */
function begin(fs: Files, join: (...parts: string[]) => string, folder: string, run: string): void {
  const all = join(folder, NOTES_FOLDER);
  fs.mkdirSync(join(all, run), { recursive: true });
  // results do not belong into a repository
  const ignore = join(folder, ".gitignore");
  if (!fs.existsSync(ignore)) fs.writeFileSync(ignore, "*\n");
  for (const each of fs.readdirSync(all))
    if (each !== run) fs.rmSync(join(all, each), { recursive: true, force: true });
}

/** The name of a run: the id of the runner's process. In a container two runs may have the same, so Linux adds when it began. */
function runName(fs: Files): string {
  const run = currentRun();
  const status = `/proc/${run}/stat`;
  if (!fs.existsSync(status)) return String(run);
  // the name of the program, in brackets, may hold spaces; of the fields after it, the 20th is when it began
  const [, after = ""] = /.*\) (.*)/s.exec(fs.readFileSync(status, "utf8")) ?? [];
  return `${run}-${after.split(" ")[19] ?? ""}`;
}
