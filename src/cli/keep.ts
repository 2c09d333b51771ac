import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { nearest, withSuggestion } from "../core/foundation/suggestions.ts";
import { quoted } from "../findings/quoted.ts";
import { ENTRY } from "../testing/failure-index.ts";
import { CORPUS_FOLDER, JOURNAL_ENDING, resultsFolder, TEST_ENDING } from "../testing/failure-page.ts";
import { jsonOption } from "./arguments.ts";
import type { CommandRow } from "./command-row.ts";
import { readText, writeNew } from "./disk.ts";
import { UsageError } from "./failures.ts";
import type { CommandOutput } from "./output.ts";

/** `ringback keep`. */
export const keepCommand: CommandRow = {
  name: "keep",
  group: "app",
  about: "write the regression test of a failure where your tests are, with its scenario",
  mayChange: true,
  declare: (command, output, exit) => {
    command
      .argument("<failure>", "the name that the failure prints, or a file of it in ringback-results/")
      .argument("[folder]", "where to; default: the folder of the test that failed, else where tests are")
      .addOption(jsonOption())
      .action((failure: string, folder: string | undefined) => exit(keep(failure, folder, output)));
  },
};

/**
 * Copies the test and the scenario of a failure. What is there already stays as it is.
 * @returns the exit code, 0
 * @throws {UsageError} if no such failure has a test, or another file is in its place
 */
function keep(failure: string, folder: string | undefined, output: CommandOutput): number {
  const results = resultsFolder(process.env);
  if (results === "off")
    throw new UsageError("RINGBACK_RESULTS is off, so failures leave no files to keep", failure);
  const corpus = join(results, CORPUS_FOLDER);
  const name = nameIn(corpus, results, failure);
  const to = folder ?? folderOfTest(join(results, `${name}${ENTRY}`)) ?? usualFolder();
  const test = readText(join(corpus, `${name}${TEST_ENDING}`));
  const written = [
    copied(join(corpus, `${name}.yaml`), join(to, `${name}.yaml`)),
    copied(join(corpus, `${name}${TEST_ENDING}`), join(to, `${name}.test.mjs`)),
  ];
  const next = `${runnerOf(test)} ${quoted(join(to, `${name}.test.mjs`))}`;
  if (output.isJson) output.out(output.result([], { files: written, commands: [next] }));
  else {
    for (const { path, was } of written) output.out(`${was.padEnd(6)} ${path}\n`);
    output.out(`\nIt fails until the defect is mended:\n  ${next}\n`);
  }
  return 0;
}

/** What the files of a failure end with. */
const endings = [TEST_ENDING, ".test.mjs", ".yaml", ".html", JOURNAL_ENDING, ENTRY];

/** The name of the failure that an argument means. @throws {UsageError} listing the failures that can be kept */
function nameIn(corpus: string, results: string, given: string): string {
  const ending = endings.find((each) => given.endsWith(each));
  const name = basename(given, ending);
  const kept = existsSync(corpus)
    ? readdirSync(corpus)
        .filter((file) => file.endsWith(TEST_ENDING))
        .map((file) => file.slice(0, -TEST_ENDING.length))
        .sort()
    : [];
  if (kept.includes(name)) return name;
  if (existsSync(join(results, `${name}${JOURNAL_ENDING}`)))
    throw new UsageError(
      "this failure has no regression test: it was not found by `explore`, or no scenario can express it; the test that failed is its test",
      given,
    );
  if (kept.length === 0)
    throw new UsageError(`no failure is in ${corpus}: \`explore\` writes them there`, given);
  const which = `no failure has this name; ${results} has ${kept.join(", ")}`;
  throw new UsageError(withSuggestion(which, nearest(name, kept)), given);
}

/** The folder of the test that failed, if the list of failures tells it. */
function folderOfTest(entry: string): string | undefined {
  if (!existsSync(entry)) return undefined;
  const { file } = JSON.parse(readFileSync(entry, "utf8")) as { readonly file?: string };
  if (file === undefined) return undefined;
  return relative(process.cwd(), dirname(file)) || ".";
}

/** Where projects have their tests. */
const testFolders = ["test", "tests", "spec", "__tests__"];

function usualFolder(): string {
  return testFolders.find((each) => existsSync(each)) ?? "test";
}

/** Copies a file. @throws {UsageError} if another one is in its place */
function copied(from: string, to: string): { readonly path: string; readonly was: "wrote" | "kept" } {
  const text = readText(from);
  if (writeNew(to, text)) return { path: to, was: "wrote" };
  if (readText(to) === text) return { path: to, was: "kept" };
  throw new UsageError("another file is here, and is not overwritten; name another folder", to);
}

/** What runs a test, by what it imports. */
function runnerOf(test: string): string {
  if (test.includes('from "vitest"')) return "npx vitest run";
  return test.includes("@jest/globals")
    ? "NODE_OPTIONS=--experimental-vm-modules npx jest --runTestsByPath"
    : "node --test";
}
