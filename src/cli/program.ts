import { once } from "node:events";
import { basename } from "node:path";
import { Command, CommanderError, Option } from "commander";
import { inChunks } from "../core/foundation/chunks.ts";
import { InputError } from "../core/foundation/errors.ts";
import { printableLines } from "../core/foundation/printable.ts";
import { replay, type Simulator } from "../core/simulator/simulator.ts";
import { jsonOption } from "./arguments.ts";
import { check } from "./check.ts";
import { fileProblem, readJournalText } from "./disk.ts";
import { addExplore } from "./explore.ts";
import { type CommandFailure, invocationOf, resultText, UsageError } from "./failures.ts";
import { addImport } from "./import.ts";
import { init } from "./init.ts";
import { addInspect } from "./inspect.ts";
import { addIntegrationOptions, namesIntegration } from "./integration.ts";
import { addJournal } from "./journal.ts";
import { addOpenApi } from "./openapi.ts";
import { type CommandOutput, errorText, type Format, formats, type Output, render } from "./output.ts";
import { addProbe } from "./probe.ts";
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
import { addTrigger } from "./trigger.ts";
import { verify } from "./verify.ts";
import { ownVersion } from "./version.ts";
import { watch } from "./watch.ts";

/** The `ringback` command. Exit codes: 0 as expected, 1 a stream differs, 2 the input is wrong. */

/** How `run` may print. */
const runFormats = [...formats, ...reportFormats];

/**
 * Runs one invocation.
 * @param args without the program's own name
 * @returns the exit code; a promise from commands that take their time
 */
export function main(args: readonly string[], to: Output): number | Promise<number> {
  let code: number | Promise<number> = 0;
  const isJson = args.includes("--json");
  const invocation = () => invocationOf(args, namesOf(program));
  const output: CommandOutput = {
    ...to,
    isJson,
    result: (failures, facts) => resultText(invocation(), failures, facts),
  };
  const program = new Command("ringback")
    .description("Simulate a business-phone platform: play calls, explore an integration, or serve it.")
    .version(ownVersion(), "--version")
    .exitOverride()
    .configureOutput({ writeOut: output.out, writeErr: isJson ? () => {} : output.err })
    .showHelpAfterError("(--help after a command shows what it takes, ringback --help all commands)");

  const exit = (ended: number | Promise<number>) => {
    code = typeof ended === "number" ? ended : ended.catch((error: unknown) => exitCodeOf(error, output));
  };
  addRunCommands(program, output, exit);
  addServe(program, output, exit);
  addExplore(program, output, exit);
  addProbe(program, output, exit);
  addTrigger(program, output, exit);
  addRecord(program, output, exit);
  addImport(program, output, exit);
  addOpenApi(program, output, exit);
  addInspect(program, output, exit);
  addProjectCommands(program, output, exit);

  try {
    program.parse([...args], { from: "user" });
    return code;
  } catch (error) {
    return exitCodeOf(error, output);
  }
}

/** The commands that play or list scenarios and journals. @param exit receives the exit code */
function addRunCommands(
  program: Command,
  output: CommandOutput,
  exit: (code: number | Promise<number>) => void,
): void {
  addIntegrationOptions(
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

  program
    .command("check")
    .description("play scenarios without comparing; list every mistake, and the first step that is refused")
    .argument("<scenario...>", "files, folders, or lessons by number such as 01")
    .addOption(allowLocalOption())
    .addOption(jsonOption())
    .action((paths: string[], flags: ReadFlags) => {
      exit(check(paths, flags, output));
    });

  program
    .command("list")
    .description("list scenarios and what they teach")
    .argument("[folder]", "default: the lessons that come with ringback")
    .addOption(jsonOption())
    .action((folder: string | undefined) => list(folder, output));

  program
    .command("replay")
    .description("play a journal again")
    .argument("<journal>", "a file with the result of sim.journal(), as JSON")
    .addOption(new Option("--format <format>", "how to show the run").choices(formats).default("timeline"))
    .addOption(jsonOption())
    .action((path: string, flags: { format: Format }) => {
      if (output.isJson) output.out(output.result([], endFacts(replayFile(path))));
      else for (const text of inChunks(render(replayFile(path), flags.format, output))) output.out(text);
    });
}

/** The commands for projects that keep their own scenarios and journals. */
function addProjectCommands(program: Command, output: CommandOutput, exit: (code: number) => void): void {
  addJournal(program, output, exit);
  program
    .command("verify")
    .description("play scenarios twice, in two processes, and compare the bytes of their streams")
    .argument("<scenario...>", "files, folders, or lessons by number such as 01")
    .addOption(allowLocalOption())
    .addOption(jsonOption())
    .action((paths: string[], flags: ReadFlags) => {
      exit(verify(paths, flags, output));
    });

  program
    .command("init")
    .description("write a starter scenario and a test of it into a project; nothing is overwritten")
    .argument("[folder]", "the project's folder", ".")
    .option("--agents", "also point coding agents to ringback's skill, in AGENTS.md")
    .addOption(jsonOption())
    .action((folder: string, flags: { agents?: boolean }) => {
      exit(init(folder, flags, output));
    });
}

function replayFile(path: string): Simulator {
  const journal = readJournalText(path);
  try {
    return replay(journal);
  } catch (error) {
    throw error instanceof InputError ? new UsageError(error.message, path) : error;
  }
}

/** Where a run ended. */
function endFacts({ events, now }: Simulator): object {
  return { events: events.length, endedAt: now.toISO() };
}

function list(folder: string | undefined, output: CommandOutput): void {
  const files = findScenarios([folder ?? ownScenarios()]).map((path) => readScenario(path));
  const rows = files.map(({ path, scenario }) => ({
    path,
    scenario: scenario.title,
    description: scenario.description.trim(),
  }));
  if (output.isJson) {
    output.out(output.result([], { scenarios: rows }));
    return;
  }
  for (const { path, scenario, description } of rows) {
    // a lesson is found by its name from any folder
    const name = folder === undefined ? basename(path, ".yaml") : path;
    output.out(printableLines(`${name}\n  ${scenario}\n  ${description.replaceAll("\n", "\n  ")}\n\n`));
  }
  if (folder === undefined)
    output.out(`\`ringback run 01\` plays the first; their files are in ${ownScenarios()}\n`);
}

/** The names of all commands, those that are parts of another with its name before theirs. */
function namesOf(program: Command): string[] {
  return program.commands.flatMap((command) => [
    command.name(),
    ...command.commands.map((part) => `${command.name()} ${part.name()}`),
  ]);
}

/** Help and version end with 0, an error that the user can fix with 2. Anything else is our defect, and is thrown. */
function exitCodeOf(error: unknown, output: CommandOutput): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  if (output.isJson) output.out(output.result(failuresOf(error)));
  // Commander has printed what is wrong
  if (error instanceof CommanderError) return 2;
  const refused = usageErrorOf(error);
  if (refused === undefined) throw error;
  if (!output.isJson) output.err(errorText(refused, output));
  return 2;
}

/** An error that the user can fix: bad input, or a file or folder that is missing or may not be read. */
function usageErrorOf(error: unknown): UsageError | undefined {
  return error instanceof UsageError ? error : fileProblem(error);
}

function failuresOf(error: unknown): CommandFailure[] {
  if (error instanceof CommanderError) {
    const { code, message } = error;
    const cause = code === "commander.help" ? "expected a command" : message.replace(/^error: /, "");
    return [{ cause, place: null }];
  }
  const refused = usageErrorOf(error);
  if (refused !== undefined) return refused.failures();
  const next = "this is a defect of ringback: report it with the stack on the standard error";
  return [{ cause: String(error), place: null, next }];
}
