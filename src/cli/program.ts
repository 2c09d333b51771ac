import { once } from "node:events";
import { basename } from "node:path";
import { Command, CommanderError, Option } from "commander";
import { inChunks } from "../engine/chunks.ts";
import { InputError } from "../engine/errors.ts";
import { replay, type Simulator } from "../simulator.ts";
import { check } from "./check.ts";
import { fileProblem, readJournalText } from "./disk.ts";
import { addExplore } from "./explore.ts";
import { addImport } from "./import.ts";
import { init } from "./init.ts";
import { addInspect } from "./inspect.ts";
import { namesIntegration, takesIntegration } from "./integration.ts";
import { addJournal } from "./journal.ts";
import { addOpenApi } from "./openapi.ts";
import { type Format, formats, type Output, refusal, render } from "./output.ts";
import { addRecord } from "./record.ts";
import { type RunFlags, run } from "./run.ts";
import { runWith } from "./run-with.ts";
import {
  allowLocalOption,
  findScenarios,
  ownScenarios,
  type ReadFlags,
  readScenario,
} from "./scenario-files.ts";
import { addServe } from "./serve.ts";
import { reportFormats } from "./test-report.ts";
import { UsageError } from "./usage-error.ts";
import { verify } from "./verify.ts";
import { ownVersion } from "./version.ts";
import { watch } from "./watch.ts";

/** The `ringback` command. Exit codes: 0 as expected, 1 a stream differs, 2 the input is wrong. */

/** How `run` may print. */
const runFormats = [...formats, ...reportFormats];

const jsonOption = () => new Option("--json", "print the result as JSON");

/**
 * Runs one invocation.
 * @param args without the program's own name
 * @returns the exit code; a promise from commands that take their time
 */
export function main(args: readonly string[], output: Output): number | Promise<number> {
  let code: number | Promise<number> = 0;
  const program = new Command("ringback")
    .description("Simulate a business-phone platform: play calls, explore an integration, or serve it.")
    .version(ownVersion(), "--version")
    .exitOverride()
    .configureOutput({ writeOut: output.out, writeErr: output.err })
    .showHelpAfterError("(--help after a command shows what it takes, ringback --help all commands)");

  takesIntegration(
    program
      .command("run")
      .description("play scenarios and compare their streams with the expected ones")
      .argument("<scenario...>", "files, folders, or lessons by number such as 01"),
  )
    .addOption(
      new Option("--format <format>", "default: timeline for one scenario, a line each for several").choices(
        runFormats,
      ),
    )
    .option("-o, --output <file>", "write to a file what would be printed")
    .option("--update", "write the golden files again")
    .option("--watch", "play again whenever a file changes, until Ctrl-C")
    .addOption(allowLocalOption())
    .addOption(jsonOption())
    .action((paths: string[], flags: RunFlags) => {
      if (namesIntegration(flags)) exit(runWith(paths, flags, output));
      else code = flags.watch === true ? watched(paths, flags, output) : run(paths, flags, output);
    });

  program
    .command("check")
    .description("play scenarios without comparing; list every mistake, and the first step that is refused")
    .argument("<scenario...>", "files, folders, or lessons by number such as 01")
    .addOption(allowLocalOption())
    .addOption(jsonOption())
    .action((paths: string[], flags: ReadFlags & { json?: boolean }) => {
      code = check(paths, flags, output);
    });

  program
    .command("list")
    .description("list scenarios and what they teach")
    .argument("[folder]", "default: the lessons that come with ringback")
    .addOption(jsonOption())
    .action((folder: string | undefined, flags: { json?: boolean }) => list(folder, flags, output));

  program
    .command("replay")
    .description("play a journal again")
    .argument("<journal>", "a file with the result of sim.journal(), as JSON")
    .addOption(new Option("--format <format>", "how to show the run").choices(formats).default("timeline"))
    .action((path: string, flags: { format: Format }) => {
      for (const text of inChunks(render(replayed(path), flags.format, output))) output.out(text);
    });
  const exit = (ended: Promise<number>) => {
    code = ended.catch((error: unknown) => exitCodeOf(error, output));
  };
  addServe(program, output, exit);
  addExplore(program, output, exit);
  addRecord(program, output, exit);
  addImport(program, output, exit);
  addOpenApi(program, output, exit);
  addInspect(program, output, exit);
  addProjectCommands(program, output, (returned) => {
    code = returned;
  });

  try {
    program.parse([...args], { from: "user" });
    return code;
  } catch (error) {
    return exitCodeOf(error, output);
  }
}

async function watched(paths: readonly string[], flags: RunFlags, output: Output): Promise<number> {
  try {
    return await watch(paths, flags, output, once(process, "SIGINT"));
  } catch (error) {
    return exitCodeOf(error, output);
  }
}

/** The commands for projects that keep their own scenarios and journals. */
function addProjectCommands(program: Command, output: Output, exit: (code: number) => void): void {
  addJournal(program, output, exit);
  program
    .command("verify")
    .description("play scenarios twice, in two processes, and compare the bytes of their streams")
    .argument("<scenario...>", "files, folders, or lessons by number such as 01")
    .addOption(allowLocalOption())
    .addOption(jsonOption())
    .action((paths: string[], flags: ReadFlags & { json?: boolean }) => {
      exit(verify(paths, flags, output));
    });

  program
    .command("init")
    .description("write a starter scenario and a test of it into a project; nothing is overwritten")
    .argument("[folder]", "the project's folder", ".")
    .option("--agents", "also point coding agents to ringback's skill, in AGENTS.md")
    .action((folder: string, flags: { agents?: boolean }) => {
      exit(init(folder, flags, output));
    });
}

function replayed(path: string): Simulator {
  const journal = readJournalText(path);
  try {
    return replay(journal);
  } catch (error) {
    throw error instanceof InputError ? new UsageError(`${path}: ${error.message}`) : error;
  }
}

function list(folder: string | undefined, flags: { json?: boolean }, output: Output): void {
  const files = findScenarios([folder ?? ownScenarios()]).map((path) => readScenario(path));
  const rows = files.map(({ path, scenario }) => ({
    path,
    scenario: scenario.title,
    description: scenario.description.trim(),
  }));
  if (flags.json === true) {
    output.out(`${JSON.stringify(rows, null, 2)}\n`);
    return;
  }
  for (const { path, scenario, description } of rows) {
    // a lesson is found by its name from any folder
    const name = folder === undefined ? basename(path, ".yaml") : path;
    output.out(`${name}\n  ${scenario}\n  ${description.replaceAll("\n", "\n  ")}\n\n`);
  }
  if (folder === undefined)
    output.out(`\`ringback run 01\` plays the first; their files are in ${ownScenarios()}\n`);
}

/** Help and version end with 0, what the user can mend with 2. Anything else is our defect, and is thrown. */
function exitCodeOf(error: unknown, output: Output): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UsageError) output.err(refusal(error, output));
  else {
    // a file or folder that is missing, may not be read, is the other kind …
    const problem = fileProblem(error);
    if (problem === undefined) throw error;
    output.err(`ringback: ${problem}\n`);
  }
  return 2;
}
