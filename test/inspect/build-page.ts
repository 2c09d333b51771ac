import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { pageTemplate } from "../../src/inspect/build/page.ts";

/** The page from the sources as they are, before the tests that make pages. */
export default async function setup(): Promise<void> {
  const folder = fileURLToPath(new URL("../../dist/", import.meta.url));
  mkdirSync(folder, { recursive: true });
  const made = `${folder}inspect.html.${process.pid}`;
  writeFileSync(made, await pageTemplate());
  renameSync(made, `${folder}inspect.html`);
}
