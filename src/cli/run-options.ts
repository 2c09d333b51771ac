import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { quoted } from "../findings/quoted.ts";
import { addAppOptions, namesApp } from "./app-flags.ts";
import { dialectOption, jsonOption, optionText, profileOption } from "./arguments.ts";
import type { CommandRow } from "./command-row.ts";
import { UsageError } from "./failures.ts";
import { isJournal, looksLikeCapture } from "./kinds-of-files.ts";
import { listScenarios } from "./list.ts";
import { type Format, formatOption, formats } from "./output.ts";
import { replayJournal } from "./replay.ts";
import { type RunFlags, run, scenarioOptionIn } from "./run.ts";
import { runWith } from "./run-with.ts";
import { allowLocalOption } from "./scenario-files.ts";
import { isReportFormat, reportFormats } from "./test-report.ts";
import { verify } from "./verify.ts";
import { watch } from "./watch.ts";

/** How `run` may print. */
const runFormats = [...formats, ...reportFormats];

/** `ringback run`. */
export const runScenariosCommand: CommandRow = {
  name: "run",
  group: "scenarios",
  summary: "play scenarios and compare their streams with the expected ones",
  mayChange: ["--dialect", "--journey", "--profile", "--twice", "--write-expect"],
  declare: (command, output, exit) => {
    addAppOptions(
      command.argument(
        "[scenario...]",
        "files, folders, lessons by number such as 01, or a journal to play again; without any, the lessons are listed",
      ),
    )
      .addOption(formatOption("default: timeline for one scenario, a line each for several", runFormats))
      .option("-o, --output <file>", "write the output to a file")
      .option(
        "--journey <call>",
        "show only a call with its redirects, returns and dial links: its letter (A is the first), its id or an outside number",
      )
      .option("--update", "write the golden files again")
      .option("--write-expect", "write what happens into the scenario, as what it expects")
      .option("--twice", "play in two processes, and compare the bytes of both streams")
      .option("--watch", "play again whenever a file changes, until Ctrl-C")
      .addOption(profileOption())
      .addOption(dialectOption())
      .addOption(allowLocalOption())
      .addOption(jsonOption())
      .action((paths: string[], flags: RunFlags) => {
        const journal = journalAmong(paths);
        if (flags.dialect !== undefined && !namesApp(flags))
          throw new UsageError("expected --with or --server too: only an app gets bodies", "--dialect");
        if (paths.length === 0) listScenarios(undefined, output);
        else if (journal !== undefined) replayJournal(journal, journalFormat(flags), output, flags.journey);
        else if (namesApp(flags)) exit(runWith(paths, flags, output));
        else if (flags.twice === true) exit(verify(paths, flags, output));
        else if (flags.watch === true) exit(watch(paths, flags, output, once(process, "SIGINT")));
        else exit(run(paths, flags, output));
      });
  },
};

/**
 * The journal that is to be played again; undefined if there is none among the paths.
 * @throws {UsageError} for a journal beside others, and for a capture
 */
function journalAmong(paths: readonly string[]): string | undefined {
  for (const path of paths.filter((each) => existsSync(each) && statSync(each).isFile())) {
    if (looksLikeCapture(path))
      throw new UsageError(
        `this is a capture of requests: \`ringback import ${quoted(path)}\` turns it into a scenario`,
        path,
      );
    if (!isJournal(path)) continue;
    if (paths.length > 1) throw new UsageError("this is a journal, which is played alone", path);
    return path;
  }
  return undefined;
}

/** @throws {UsageError} for an option that a journal does not have */
function journalFormat({ format = "timeline", ...flags }: RunFlags): Format {
  const other =
    scenarioOptionIn(flags) ?? (["profile", "output"] as const).find((name) => flags[name] !== undefined);
  if (other !== undefined || namesApp(flags))
    throw new UsageError(
      "a journal is only played again: this needs a scenario",
      optionText(other ?? "with"),
    );
  if (isReportFormat(format))
    throw new UsageError("a journal has no expectations to report on", `--format ${format}`);
  return format;
}
