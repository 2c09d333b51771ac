/**
 * `npm run generate`: writes the pages of `pages.ts` of which something has changed that they are made from, or all of them
 * with `--all`, or those whose path begins with the argument. Before, it adds to the lists of `lists.ts` what they lack.
 * `src/core/generated` is written first, since other pages are made by playing with it: if it changes, another process loads it
 * anew and goes on. `test/generated-pages.ts` fails while a page is out of date. A page that cannot be made is left as it is,
 * and the reason is said. The flags of Node in package.json save a quarter of the processor time: V8 optimises less and
 * collects garbage less often.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { API_TYPES, makeApiTypes } from "./api-types-file.ts";
import { failureText } from "./failures.ts";
import { writeLists } from "./lists.ts";
import { PageInputs } from "./page-inputs.ts";
import type { GeneratedPage } from "./pages.ts";
import { root } from "./root.ts";

const CODE = "src/core/generated";
/** Given to the process that goes on once `src/core/generated` has changed. */
const AGAIN = "--again";
const flags = process.argv.slice(2).filter((each) => each.startsWith("--"));
const [prefix = ""] = process.argv.slice(2).filter((each) => !each.startsWith("--"));
const isAll = flags.includes("--all");
/** How many pages are named that cannot be made for the same reason. */
const SHOWN = 3;
/** The pages that could not be made, by the reason: many pages may have the same. */
const failures = new Map<string, string[]>();
try {
  for (const path of writeLists(root)) process.stdout.write(`${path}\n`);
} catch (error) {
  fail("the lists", error);
}
const inputs = await PageInputs.read();
let current = 0;

function fail(path: string, error: unknown): void {
  const text = failureText(error);
  failures.set(text, [...(failures.get(text) ?? []), path]);
}

/** Writes a page, unless it is current. @returns whether it has changed */
async function write({ path, by, content }: GeneratedPage): Promise<boolean> {
  if (!isAll && inputs?.isCurrent(path, by)) {
    current++;
    return false;
  }
  const file = new URL(`../../${path}`, import.meta.url);
  const from = inputs?.hashOf(by);
  const text = await content();
  process.stdout.write(`${path}\n`);
  const isSame = existsSync(file) && readFileSync(file, "utf8") === text;
  if (!isSame) {
    mkdirSync(new URL(".", file), { recursive: true });
    writeFileSync(file, text);
  }
  if (from !== undefined) inputs?.wasMade(path, text, from);
  return !isSame;
}

/**
 * Writes pages whose path begins with the argument.
 * @param read imports them late: code that cannot be read is a failure like any other
 * @returns whether one has changed
 */
async function writeAll(read: () => Promise<readonly GeneratedPage[]>): Promise<boolean> {
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

async function generate(): Promise<void> {
  const isCodeChanged =
    (CODE.startsWith(prefix) || prefix.startsWith(CODE)) &&
    (await writeAll(async () => (await import("./code-pages.ts")).codePages));
  if (isCodeChanged && prefix === "" && !flags.includes(AGAIN) && failures.size === 0) {
    const args = [...process.execArgv, ...process.argv.slice(1), AGAIN];
    process.exitCode = spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1;
    return;
  }
  let all: readonly string[] | undefined;
  if (!prefix.startsWith(CODE) && failures.size === 0) {
    await writeAll(async () => {
      const { pages } = await import("./pages.ts");
      all = pages.map(({ path }) => path);
      return pages.filter(({ path }) => !path.startsWith(CODE));
    });
    if (API_TYPES.startsWith(prefix)) await makeTypes().catch((error: unknown) => fail(API_TYPES, error));
  }
  inputs?.write(prefix === "" && failures.size === 0 ? all : undefined);
  if (current > 0) process.stdout.write(`current: ${current} pages\n`);
}

if (failures.size === 0 && !isAll && inputs?.isAllCurrent()) {
  process.stdout.write("all pages are current\n");
  await makeApiTypes();
} else if (failures.size === 0) await generate();
for (const [text, paths] of failures) {
  const more = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : "";
  const named = `${paths.slice(0, SHOWN).join(", ")}${more}`;
  process.stderr.write(`\n${named} cannot be made:\n${text.replace(/^/gm, "  ")}\n`);
}
if (failures.size > 0) process.exitCode = 1;
