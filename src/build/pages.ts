/**
 * npm runs `pages.ts mend` before it packs and `pages.ts restore` behind that. Pages are packed where they are, so their links are mended there, and
 * the pages as they were are kept in `node_modules/.cache` meanwhile.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { withoutDeadLinks } from "./packed-links.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const kept = join(root, "node_modules/.cache/pages-as-they-were");

/** Puts the pages back, also those of a packing that was broken off. */
function restore(): void {
  if (!existsSync(kept)) return;
  cpSync(kept, root, { recursive: true });
  rmSync(kept, { recursive: true });
}

function mend(): void {
  const files = packedFiles();
  for (const path of files) {
    if (!path.endsWith(".md")) continue;
    const before = readFileSync(join(root, path), "utf8");
    const after = withoutDeadLinks(path, before, files);
    if (after === before) continue;
    mkdirSync(dirname(join(kept, path)), { recursive: true });
    writeFileSync(join(kept, path), before);
    writeFileSync(join(root, path), after);
  }
}

/** The paths of the files that npm packs. */
function packedFiles(): ReadonlySet<string> {
  const options = {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 << 20,
    shell: process.platform === "win32",
  } as const;
  const report = execFileSync("npm", ["pack", "--dry-run", "--ignore-scripts", "--json"], options);
  const [packed] = JSON.parse(report) as [{ files: { path: string }[] }];
  return new Set(packed.files.map(({ path }) => path));
}

restore();
if (process.argv[2] === "mend") mend();
