/** `npm run build:page`: writes `dist/inspect.html`, the inspector's page without its data. */
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { pageTemplate } from "./page.ts";

const folder = fileURLToPath(new URL("../../../dist/", import.meta.url));
const text = await pageTemplate();
mkdirSync(folder, { recursive: true });
// under its name only when it is whole, and `build:clean` leaves the one before: tests that run beside the build read it
writeFileSync(`${folder}inspect.html.new`, text);
renameSync(`${folder}inspect.html.new`, `${folder}inspect.html`);
const kilobytes = (bytes: number) => Math.round(bytes / 1024);
process.stdout.write(
  `dist/inspect.html: ${kilobytes(text.length)} KiB, ${kilobytes(gzipSync(text, { level: 9 }).length)} KiB gzipped\n`,
);
