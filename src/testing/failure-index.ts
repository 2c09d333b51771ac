import type { ListedFailure } from "../inspector/data.ts";
import { fillShared, VIEWER_FILE, viewerText } from "../inspector/viewer.ts";
import { type Files, type Paths, writeAtomically } from "./node-files.ts";

/** The page that lists all failures of a folder. */
export const INDEX_FILE = "index.html";
/** The end of the names of the files that the list is made of, one for each failure. */
export const ENTRY = ".failure.jsonl";

/**
 * Adds a failure to the list. Test files run in several processes, which may be listing failures at the same moment, so
 * the list is written again until it has them all.
 * @returns the path of the list
 */
export function listFailure(
  fs: Files,
  path: Paths,
  folder: string,
  name: string,
  failure: Omit<ListedFailure, "atMs">,
): string {
  writeAtomically(fs, path.join(folder, `${name}${ENTRY}`), `${JSON.stringify(failure)}\n`);
  const index = path.join(folder, INDEX_FILE);
  for (let previous = ""; ; ) {
    const failures = readFailures(fs, path, folder);
    const page = fillShared({ version: 1, mode: "failures", title: "Failures", runs: [], failures });
    if (page === previous) return index;
    writeAtomically(fs, index, page);
    previous = page;
  }
}

/** The failures of a folder, the newest first. Those whose page was deleted are left out. */
function readFailures(fs: Files, path: Paths, folder: string): ListedFailure[] {
  return fs
    .readdirSync(folder)
    .filter((file) => file.endsWith(ENTRY))
    .sort()
    .map((file) => {
      const entry = path.join(folder, file);
      const { mtimeMs } = fs.statSync(entry);
      return { ...JSON.parse(fs.readFileSync(entry, "utf8")), atMs: Math.floor(mtimeMs) } as ListedFailure;
    })
    .filter(({ page }) => fs.existsSync(path.join(folder, page)))
    .sort((a, b) => b.atMs - a.atMs);
}

/** The folders whose viewer is this version's. */
const foldersWithViewer = new Set<string>();

/** Writes the viewer that all pages of a folder share. */
export function writeViewer(fs: Files, path: Paths, folder: string): void {
  const file = path.join(folder, VIEWER_FILE);
  if (foldersWithViewer.has(folder) && fs.existsSync(file)) return;
  const text = viewerText();
  if (!fs.existsSync(file) || fs.readFileSync(file, "utf8") !== text) writeAtomically(fs, file, text);
  foldersWithViewer.add(folder);
}
