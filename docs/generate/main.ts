/**
 * `npm run generate`: writes every page of `pages.ts`, or those whose path begins with the argument. The types of records are
 * written first, by a process of their own: other pages are made by playing with them. `test/docs.test.ts` fails while a page
 * is out of date.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { pages } from "./pages.ts";

const [prefix = ""] = process.argv.slice(2);

for (const { path, content } of pages) {
  if (!path.startsWith(prefix)) continue;
  const file = new URL(`../../${path}`, import.meta.url);
  mkdirSync(new URL(".", file), { recursive: true });
  writeFileSync(file, await content());
  process.stdout.write(`${path}\n`);
}
