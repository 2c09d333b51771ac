/**
 * `npm run generate`: writes every page of `pages.ts`, or those whose path begins with the argument. `src/core/generated`
 * is written first, by another process, since other pages are made by playing with it. `test/generated-pages.ts` fails
 * while a page is out of date. A page that cannot be made is left as it is, and the reason is said.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { API_TYPES, makeApiTypes } from "./api-types-file.ts";
import { failureText } from "./failures.ts";
import type { Page } from "./pages.ts";

const [prefix = ""] = process.argv.slice(2);
/** The pages that could not be made, by the reason: many pages may have the same. */
const failures = new Map<string, string[]>();

function fail(path: string, error: unknown): void {
  const text = failureText(error);
  failures.set(text, [...(failures.get(text) ?? []), path]);
}

/** Imported late: code that cannot be read is a failure like any other. */
async function allPages(): Promise<readonly Page[]> {
  if (prefix.startsWith("src/core/generated")) return (await import("./code-pages.ts")).codePages;
  return (await import("./pages.ts")).pages;
}

async function write({ path, content }: Page): Promise<void> {
  const file = new URL(`../../${path}`, import.meta.url);
  const text = await content();
  mkdirSync(new URL(".", file), { recursive: true });
  writeFileSync(file, text);
  process.stdout.write(`${path}\n`);
}

/** The types of the REST API, which no example of it may contradict. */
async function makeTypes(): Promise<void> {
  await (await import("./examples.ts")).checkExamples();
  await makeApiTypes();
}

try {
  for (const page of await allPages()) {
    if (!page.path.startsWith(prefix)) continue;
    await write(page).catch((error: unknown) => fail(page.path, error));
  }
  if (API_TYPES.startsWith(prefix)) await makeTypes().catch((error: unknown) => fail(API_TYPES, error));
} catch (error) {
  fail(prefix || "the pages", error);
}
for (const [text, paths] of failures)
  process.stderr.write(`\n${paths.join(", ")} cannot be made:\n${text.replace(/^/gm, "  ")}\n`);
if (failures.size > 0) process.exitCode = 1;
