/** `npm run generate`: writes every page of `pages.ts`. `test/docs.test.ts` fails while one is out of date. */
import { mkdirSync, writeFileSync } from "node:fs";
import { pages } from "./pages.ts";

for (const { path, content } of pages) {
  const file = new URL(`../../${path}`, import.meta.url);
  mkdirSync(new URL(".", file), { recursive: true });
  writeFileSync(file, await content());
  process.stdout.write(`${path}\n`);
}
