import { Command, CommanderError, Help, type Option } from "commander";
import { type CommandRow, commandGroups, type Exit } from "./command-row.ts";
import { commandFamilies, commandRows } from "./commands.ts";
import { fileProblem } from "./disk.ts";
import { type CommandFailure, resultText, showInvocation, UsageError } from "./failures.ts";
import { type CommandOutput, errorText, type Output } from "./output.ts";
import { ownVersion } from "./version.ts";

/** The `ringback` command. Exit codes: 0 as expected, 1 a stream differs, 2 the input is wrong. */

/**
 * Runs one invocation.
 * @param args without the program's own name
 * @returns the exit code; a promise from commands that take their time
 */
export function main(args: readonly string[], to: Output): number | Promise<number> {
  let code: number | Promise<number> = 0;
  const isJson = args.includes("--json");
  const names = [...commandRows.map(({ name }) => name), ...Object.keys(commandFamilies)];
  const output: CommandOutput = {
    ...to,
    isJson,
    result: (failures, facts) => resultText(showInvocation(args, names), failures, facts),
  };
  const program = makeProgram(output, (ended) => {
    code = typeof ended === "number" ? ended : ended.catch((error: unknown) => handleError(error, output));
  });
  try {
    program.parse([...args], { from: "user" });
    return code;
  } catch (error) {
    return handleError(error, output);
  }
}

/** The program with all of its commands. @param exit receives the exit code of the one that runs */
export function makeProgram(output: CommandOutput, exit: Exit): Command {
  const program = new Command("ringback")
    .description("Simulate a business-phone platform: play calls, explore an app, or serve it.")
    .version(ownVersion(), "--version")
    .exitOverride()
    .commandsGroup("Help:")
    .helpCommand("help [command]", "show what a command takes")
    .configureOutput({ writeOut: output.out, writeErr: output.isJson ? () => {} : output.err })
    .showHelpAfterError("(--help after a command shows what it takes, ringback --help all commands)");
  for (const group of Object.keys(commandGroups))
    for (const row of commandRows.filter((each) => each.group === group)) {
      const command = emptyCommand(program, row, output);
      row.declare(command, output, exit);
      if (row.usual !== undefined) showUsual(command, row.usual);
    }
  return program;
}

/** Lets `--help` show only the usual options of a command, and `--help-all` all. */
function showUsual(command: Command, usual: readonly string[]): void {
  const { visibleOptions } = new Help();
  const isUsual = ({ long = "" }: Option) => ["--help", "--help-all", ...usual].includes(long);
  command
    .option("--help-all", "display help for all options")
    .configureHelp({ visibleOptions: (each) => visibleOptions.call(new Help(), each).filter(isUsual) })
    .on("option:help-all", () => command.configureHelp({ visibleOptions }).help());
}

/** A row's command without arguments and options, in its group or under the command that it is a part of. */
function emptyCommand(
  program: Command,
  { name, group, summary, now }: CommandRow,
  output: CommandOutput,
): Command {
  const [own = name, family] = name.split(" ").reverse();
  const parent = family === undefined ? program : familyNamed(program, family, group);
  const command = parent.command(own, { hidden: now !== undefined });
  if (now !== undefined && !output.isJson)
    command.hook("preAction", () =>
      output.err(`ringback: \`ringback ${name}\` is now \`ringback ${now}\`
`),
    );
  return command.description(summary).helpGroup(family === undefined ? commandGroups[group] : "");
}

function familyNamed(program: Command, name: string, group: CommandRow["group"]): Command {
  return (
    program.commands.find((each) => each.name() === name) ??
    program
      .command(name)
      .description(commandFamilies[name] ?? "")
      .helpGroup(commandGroups[group])
  );
}

/** Help and version end with 0, an error that the user can fix with 2. Anything else is our defect, and is thrown. */
function handleError(error: unknown, output: CommandOutput): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  if (output.isJson) output.out(output.result(listFailures(error)));
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

function listFailures(error: unknown): CommandFailure[] {
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
