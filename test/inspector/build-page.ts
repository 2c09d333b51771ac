import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const built = `${root}dist/inspect.html`;

/** Builds the page before the tests that make pages, and only if a source is newer than the last build. */
export default async function buildPage(): Promise<void> {
  const sources = ["src", "machines", "scenarios", "package-lock.json"].map((name) => join(root, name));
  if (existsSync(built) && newest(sources) < statSync(built).mtimeMs) return;
  // load the compilers only when needed: loading takes as long as running them
  const { buildPage } = await import("../../src/inspector/build/page.ts");
  mkdirSync(join(root, "dist"), { recursive: true });
  try {
    const { template, importer, editor, desk } = await buildPage();
    for (const [path, text] of [
      [join(root, "dist/page-importer.js"), importer],
      [join(root, "dist/page-editor.js"), editor],
      [join(root, "dist/desk.html"), desk],
      [built, template],
    ] as const) {
      writeFileSync(`${path}.${process.pid}`, text);
      renameSync(`${path}.${process.pid}`, path);
    }
  } catch (error) {
    // other tests need no page; those that do find none
    rmSync(built, { force: true });
    process.stderr.write(`The inspector's page cannot be built, so tests of it fail: ${error}\n`);
  }
}

function newest(paths: readonly string[]): number {
  return Math.max(
    ...paths.map((path) => {
      const { mtimeMs, isDirectory } = about(path);
      return isDirectory
        ? Math.max(mtimeMs, newest(readdirSync(path).map((name) => join(path, name))))
        : mtimeMs;
    }),
  );
}

function about(path: string): { mtimeMs: number; isDirectory: boolean } {
  const stats = statSync(path);
  return { mtimeMs: stats.mtimeMs, isDirectory: stats.isDirectory() };
}
