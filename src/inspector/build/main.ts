/** `npm run build:page`: writes `dist/inspect.html`, the inspector's page without its data, what playgrounds have beside it, and the desk. */
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { buildPage } from "./page.ts";

const folder = fileURLToPath(new URL("../../../dist/", import.meta.url));
const { template, importer, editor, desk } = await buildPage();
mkdirSync(folder, { recursive: true });
const files = {
  "inspect.html": template,
  "page-importer.js": importer,
  "page-editor.js": editor,
  "desk.html": desk,
};
for (const [name, text] of Object.entries(files)) {
  // renamed when complete, since tests that run during the build read it
  writeFileSync(`${folder}${name}.new`, text);
  renameSync(`${folder}${name}.new`, `${folder}${name}`);
  const kilobytes = (bytes: number) => Math.round(bytes / 1024);
  process.stdout.write(
    `dist/${name}: ${kilobytes(text.length)} KiB, ${kilobytes(gzipSync(text, { level: 9 }).length)} KiB gzipped\n`,
  );
}
