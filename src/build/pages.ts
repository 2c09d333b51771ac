/**
 * npm runs `pages.ts mend` before it packs and `pages.ts restore` behind that. Pages are packed where they are, so their links are mended there, and
 * the pages as they were are kept in `node_modules/.cache` meanwhile.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { withoutDeadLinks } from "./packed-links.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const kept = join(root, "node_modules/.cache/pages-as-they-were.json");

/** A page as it was, and as it is packed. */
interface Mended {
  readonly path: string;
  readonly original: string;
  readonly mended: string;
}

/** Puts the pages back, also those of a packing that was broken off. A page that somebody has changed since stays. */
function restore(): void {
  if (!existsSync(kept)) return;
  for (const { path, original, mended } of JSON.parse(readFileSync(kept, "utf8")) as readonly Mended[]) {
    const page = join(root, path);
    const now = existsSync(page) ? readFileSync(page, "utf8") : undefined;
    if (now === mended) writeFileSync(page, original);
    else if (now !== original)
      process.stderr.write(`${path} has changed while the package was packed: look for links that it lost\n`);
  }
  rmSync(kept);
}

function mend(): void {
  const files = packedFiles();
  const pages = [...files]
    .filter((path) => path.endsWith(".md"))
    .map((path): Mended => {
      const before = readFileSync(join(root, path), "utf8");
      return { path, original: before, mended: withoutDeadLinks(path, before, files) };
    });
  const mended = pages.filter(({ original, mended }) => mended !== original);
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(kept, JSON.stringify(mended));
  for (const { path, mended: after } of mended) writeFileSync(join(root, path), after);
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
