import { once } from "node:events";
import { Option } from "commander";
import { jsonOption } from "./arguments.ts";
import type { CommandRow } from "./command-row.ts";
import { addIntegrationOptions, namesIntegration } from "./integration.ts";
import { formats } from "./output.ts";
import { type RunFlags, run } from "./run.ts";
import { runWith } from "./run-with.ts";
import { allowLocalOption } from "./scenario-files.ts";
import { reportFormats } from "./test-report.ts";
import { watch } from "./watch.ts";

/** How `run` may print. */
const runFormats = [...formats, ...reportFormats];

/** `ringback run`. */
export const runCommand: CommandRow = {
  name: "run",
  group: "scenarios",
  about: "play scenarios and compare their streams with the expected ones",
  declare: (command, output, exit) => {
    addIntegrationOptions(
      command.argument("<scenario...>", "files, folders, or lessons by number such as 01"),
    )
      .addOption(
        new Option(
          "--format <format>",
          "default: timeline for one scenario, a line each for several",
        ).choices(runFormats),
      )
      .option("-o, --output <file>", "write the output to a file")
      .option("--update", "write the golden files again")
      .option("--watch", "play again whenever a file changes, until Ctrl-C")
      .addOption(allowLocalOption())
      .addOption(jsonOption())
      .action((paths: string[], flags: RunFlags) => {
        if (namesIntegration(flags)) exit(runWith(paths, flags, output));
        else if (flags.watch === true) exit(watch(paths, flags, output, once(process, "SIGINT")));
        else exit(run(paths, flags, output));
      });
  },
};
