import type { ListedFailure } from "../inspector/data.ts";
import { fillShared, VIEWER_FILE, viewerText } from "../inspector/viewer.ts";
import { type Files, type Paths, writeWhole } from "./node-files.ts";

/** The page that lists all failures of a folder. */
export const INDEX_FILE = "index.html";
/** The end of the names of the files that the list is made of, one for each failure. */
const ENTRY = ".failure.json";

/**
 * Lists a failure beside those that are there already. Test files run in several processes, and any of them may be
 * listing a failure at this moment: so the list is made again until it has all that is there.
 * @returns the path of the list
 */
export function listFailure(
  fs: Files,
  path: Paths,
  folder: string,
  name: string,
  failure: Omit<ListedFailure, "atMs">,
): string {
  writeWhole(fs, path.join(folder, `${name}${ENTRY}`), `${JSON.stringify(failure)}\n`);
  const index = path.join(folder, INDEX_FILE);
  for (let written = ""; ; ) {
    const failures = listedIn(fs, path, folder);
    const page = fillShared({ version: 1, mode: "failures", title: "Failures", runs: [], failures });
    if (page === written) return index;
    writeWhole(fs, index, page);
    written = page;
  }
}

/** The failures of a folder, the newest first. Those whose page was deleted are left out. */
function listedIn(fs: Files, path: Paths, folder: string): ListedFailure[] {
  return fs
    .readdirSync(folder)
    .filter((file) => file.endsWith(ENTRY))
    .sort()
    .map((file) => {
      const own = path.join(folder, file);
      const { mtimeMs } = fs.statSync(own);
      return { ...JSON.parse(fs.readFileSync(own, "utf8")), atMs: Math.floor(mtimeMs) } as ListedFailure;
    })
    .filter(({ page }) => fs.existsSync(path.join(folder, page)))
    .sort((a, b) => b.atMs - a.atMs);
}

/** The folders whose viewer is this version's. */
const written = new Set<string>();

/** Writes the viewer that all pages of a folder share. */
export function writeViewer(fs: Files, path: Paths, folder: string): void {
  const file = path.join(folder, VIEWER_FILE);
  if (written.has(folder) && fs.existsSync(file)) return;
  const text = viewerText();
  if (!fs.existsSync(file) || fs.readFileSync(file, "utf8") !== text) writeWhole(fs, file, text);
  written.add(folder);
}
