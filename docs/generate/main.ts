/**
 * `npm run generate`: writes every page of `pages.ts`, or those whose path begins with the argument. `src/core/generated`
 * is written first, since other pages are made by playing with it: if it changes, another process that loads it anew makes
 * all pages. `test/generated-pages.ts` fails while a page is out of date. A page that cannot be made is left as it is, and
 * the reason is said. The flags of Node in package.json save a quarter of the processor time: V8 optimises less and collects
 * garbage less often.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { API_TYPES, makeApiTypes } from "./api-types-file.ts";
import { failureText } from "./failures.ts";
import type { Page } from "./pages.ts";

const [prefix = "", again] = process.argv.slice(2);
const CODE = "src/core/generated";
/** Given to the process that makes all pages once `src/core/generated` has changed. */
const AGAIN = "--again";
/** How many pages are named that cannot be made for the same reason. */
const SHOWN = 3;
/** The pages that could not be made, by the reason: many pages may have the same. */
const failures = new Map<string, string[]>();

function fail(path: string, error: unknown): void {
  const text = failureText(error);
  failures.set(text, [...(failures.get(text) ?? []), path]);
}

/** Writes a page. @returns whether it has changed */
async function write({ path, content }: Page): Promise<boolean> {
  const file = new URL(`../../${path}`, import.meta.url);
  const text = await content();
  process.stdout.write(`${path}\n`);
  if (existsSync(file) && readFileSync(file, "utf8") === text) return false;
  mkdirSync(new URL(".", file), { recursive: true });
  writeFileSync(file, text);
  return true;
}

/**
 * Writes pages whose path begins with the argument.
 * @param read imports them late: code that cannot be read is a failure like any other
 * @returns whether one has changed
 */
async function writeAll(read: () => Promise<readonly Page[]>): Promise<boolean> {
  let isChanged = false;
  try {
    for (const page of await read())
      if (page.path.startsWith(prefix))
        isChanged = (await write(page).catch((error: unknown) => fail(page.path, error))) || isChanged;
  } catch (error) {
    fail(prefix || "the pages", error);
  }
  return isChanged;
}

/** The types of the REST API, which no example of it may contradict. */
async function makeTypes(): Promise<void> {
  await (await import("./examples.ts")).checkExamples();
  await makeApiTypes();
}

const isCodeChanged =
  (CODE.startsWith(prefix) || prefix.startsWith(CODE)) &&
  (await writeAll(async () => (await import("./code-pages.ts")).codePages));
if (isCodeChanged && prefix === "" && again !== AGAIN && failures.size === 0) {
  const args = [...process.execArgv, ...process.argv.slice(1, 2), prefix, AGAIN];
  process.exitCode = spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1;
} else if (!prefix.startsWith(CODE) && failures.size === 0) {
  await writeAll(async () => {
    const { codePages } = await import("./code-pages.ts");
    return (await import("./pages.ts")).pages.filter((page) => !codePages.includes(page));
  });
  if (API_TYPES.startsWith(prefix)) await makeTypes().catch((error: unknown) => fail(API_TYPES, error));
}
for (const [text, paths] of failures) {
  const more = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : "";
  const named = `${paths.slice(0, SHOWN).join(", ")}${more}`;
  process.stderr.write(`\n${named} cannot be made:\n${text.replace(/^/gm, "  ")}\n`);
}
if (failures.size > 0) process.exitCode = 1;
