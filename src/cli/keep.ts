import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { nearest, withSuggestion } from "../core/foundation/suggestions.ts";
import { type KeptTest, usualCommands } from "../explore/report/kept-test.ts";
import { objectIn } from "../explore/report/named-world.ts";
import { withVariables } from "../explore/report/reproduce.ts";
import { ENTRY } from "../testing/failure-index.ts";
import { CORPUS_FOLDER, JOURNAL_ENDING, KEPT_ENDING, resultsFolder } from "../testing/failure-page.ts";
import { jsonOption } from "./arguments.ts";
import type { CommandRow } from "./command-row.ts";
import { readTextFile, writeNew } from "./disk.ts";
import { UsageError } from "./failures.ts";
import { writeKeptTest } from "./kept-test.ts";
import type { CommandOutput } from "./output.ts";

/** `ringback keep`. */
export const keepCommand: CommandRow = {
  name: "keep",
  group: "app",
  summary:
    "write the regression test of a failure where your tests are, with its scenario; the test imports the app",
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
 * Writes the test and the scenario of a failure. What is there already stays as it is.
 * @returns the exit code, 0
 * @throws {UsageError} if no such failure can be kept, the test cannot import the app, or another file is in its place
 */
function keep(failure: string, folder: string | undefined, output: CommandOutput): number {
  const results = resultsFolder(process.env);
  if (results === "off")
    throw new UsageError("RINGBACK_RESULTS is off, so failures leave no files to keep", failure);
  const corpus = join(results, CORPUS_FOLDER);
  const name = nameIn(corpus, results, failure);
  const kept = readLeft(join(corpus, `${name}${KEPT_ENDING}`), "app") as KeptTest;
  const to = folder ?? folderOfTest(join(results, `${name}${ENTRY}`)) ?? usualFolder();
  const { text, ending, note } = writeKeptTest(kept, `${name}.yaml`, to);
  const scenario = { path: join(to, `${name}.yaml`), text: readTextFile(join(corpus, `${name}.yaml`)) };
  const test = { path: join(to, `${name}${ending}`), text };
  const written = [scenario, test].map(({ path, text }) => ({ path, text, was: placed(path, text) }));
  for (const each of written) if (each.was === "wrote") writeNew(each.path, each.text);
  const next = commandFor(kept, test.path);
  const files = written.map(({ path, was }) => ({ path, was }));
  if (output.isJson) {
    const more = note === undefined ? {} : { note };
    output.out(output.result([], { files, commands: [next], ...more }));
    return 0;
  }
  for (const { path, was } of files) output.out(`${was.padEnd(6)} ${path}\n`);
  if (note !== undefined) output.out(`\nnote: ${note}\n`);
  output.out(`\nIt fails until the defect is mended:\n  ${next}\n`);
  return 0;
}

/** The object that a failure left in a file. @param key what it must have @throws {UsageError} if it is damaged */
function readLeft(path: string, key?: string): object {
  const value = objectIn(readTextFile(path));
  if (value !== undefined && (key === undefined || key in value)) return value;
  throw new UsageError("this file is damaged: expected what a failure left; explore again", path);
}

/** What the files of a failure end with. */
const endings = [KEPT_ENDING, ".yaml", ".html", JOURNAL_ENDING, ENTRY];

/** The name of the failure that an argument means. @throws {UsageError} listing the failures that can be kept */
function nameIn(corpus: string, results: string, given: string): string {
  const ending = endings.find((each) => given.endsWith(each));
  const name = basename(given, ending);
  const kept = existsSync(corpus)
    ? readdirSync(corpus)
        .filter((file) => file.endsWith(KEPT_ENDING))
        .map((file) => file.slice(0, -KEPT_ENDING.length))
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
  const { file } = readLeft(entry) as { readonly file?: string };
  if (file === undefined) return undefined;
  return relative(process.cwd(), dirname(file)) || ".";
}

/** Where projects have their tests. */
const testFolders = ["test", "tests", "spec", "__tests__"];

function usualFolder(): string {
  return testFolders.find((each) => existsSync(each)) ?? "test";
}

/** What becomes of a file that is written. @throws {UsageError} if another one is in its place */
function placed(path: string, text: string): "wrote" | "kept" {
  if (!existsSync(path)) return "wrote";
  if (readTextFile(path) === text) return "kept";
  throw new UsageError("another file is here, and is not overwritten; name another folder", path);
}

/** The command that runs a test. */
function commandFor({ command, runner }: KeptTest, path: string): string {
  const { variables, words } = command ?? usualCommands[runner];
  return withVariables(
    variables,
    words.map((word) => (word === "FILE" ? path : word)),
  );
}
