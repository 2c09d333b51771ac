/**
 * `npm run generate`: writes every page of `pages.ts`, or those whose path begins with the argument. `src/generated`
 * is written first, by another process, since other pages are made by playing with it. `test/docs.test.ts` fails
 * while a page is out of date.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { codePages } from "./code-pages.ts";

const [prefix = ""] = process.argv.slice(2);
const pages = prefix.startsWith("src/generated") ? codePages : (await import("./pages.ts")).pages;

for (const { path, content } of pages) {
  if (!path.startsWith(prefix)) continue;
  const file = new URL(`../../${path}`, import.meta.url);
  mkdirSync(new URL(".", file), { recursive: true });
  writeFileSync(file, await content());
  process.stdout.write(`${path}\n`);
}
