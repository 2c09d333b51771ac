import { parse } from "yaml";
import { commands } from "../core/platform/catalogue/commands.ts";
import type { AnyCommand } from "../core/platform/declare/any-command.ts";
import { counted } from "../core/platform/declare/words.ts";
import { checkQuestions } from "../core/scenario/check-questions.ts";
import { commandOfStep, isStepName } from "../core/scenario/schema.ts";
import { jsonOption } from "./arguments.ts";
import type { CommandRow } from "./command-row.ts";
import { UsageError } from "./failures.ts";
import { type CommandOutput, errorText, type Output } from "./output.ts";
import { play } from "./play.ts";
import {
  allowLocalOption,
  findScenarios,
  type ReadFlags,
  RefusedFile,
  readScenario,
  type ScenarioFile,
} from "./scenario-files.ts";

/** `ringback check`. */
export const checkCommand: CommandRow = {
  name: "check",
  group: "scenarios",
  summary: "play scenarios without comparing; list every mistake, and the first step that is refused",
  declare: (command, output, exit) => {
    command
      .argument("<scenario...>", "files, folders, or lessons by number such as 01")
      .addOption(allowLocalOption())
      .addOption(jsonOption())
      .action((paths: string[], flags: ReadFlags) => exit(check(paths, flags, output)));
  },
};

/**
 * `ringback check`: reads scenarios and names everything that is wrong with them. It also plays those that it can read, to
 * find what only a run shows, such as a number that nobody has, or a question whose right choice is not so. It notes steps with old names, which still work. It compares nothing: that is for `run`.
 * @returns the exit code: 0, or 2 when one cannot be read or played
 */
function check(paths: readonly string[], flags: ReadFlags, output: CommandOutput): number {
  const rows = findScenarios(paths).map((path) => {
    const row = checkFile(path, flags, output);
    if (!output.isJson) show(row, output);
    return row;
  });
  const failures = rows.flatMap(({ error }) => error?.failures() ?? []);
  const wrong = rows.filter(({ error }) => error !== undefined).length;
  if (!output.isJson && rows.length > 1)
    output.out(`\n${rows.length} checked: ${rows.length - wrong} ok, ${wrong} wrong\n`);
  if (output.isJson) output.out(output.result(failures, { scenarios: rows.map(({ error, ...row }) => row) }));
  return failures.length > 0 ? 2 : 0;
}

/** A step that is written by an old name. */
interface Note {
  readonly line: number;
  readonly name: string;
  readonly now: string;
}

interface CheckedFile {
  readonly path: string;
  readonly notes?: readonly Note[];
  readonly error?: UsageError;
  readonly steps?: number;
  readonly questions?: number;
  readonly [fact: string]: unknown;
}

function checkFile(path: string, flags: ReadFlags, output: Output): CheckedFile {
  try {
    const file = readScenario(path, flags);
    const { scenario } = file;
    play(file, output);
    const untrue = checkQuestions(scenario);
    if (untrue.length > 0) throw new RefusedFile(path, untrue, file.text);
    const notes = notesOn(file);
    return {
      ...{ path, scenario: scenario.title, steps: scenario.steps.length },
      ...(scenario.questions.length === 0 ? {} : { questions: scenario.questions.length }),
      ...(notes.length === 0 ? {} : { notes }),
    };
  } catch (error) {
    if (error instanceof RefusedFile) return { path, problems: error.problems, error };
    if (error instanceof UsageError) return { path, error };
    throw error;
  }
}

/** The steps whose names have new ones. */
function notesOn({ text = "", scenario }: ScenarioFile): Note[] {
  const { steps = [] } = (parse(text, { logLevel: "silent" }) ?? {}) as {
    readonly steps?: readonly object[];
  };
  return steps.flatMap((step, index) =>
    Object.keys(step).flatMap((name): Note[] => {
      const now = isStepName(name) ? (commands[commandOfStep[name]] as AnyCommand).now : undefined;
      return now === undefined ? [] : [{ line: scenario.steps[index]?.position.line ?? 0, name, now }];
    }),
  );
}

function show({ path, steps = 0, questions, error, notes = [] }: CheckedFile, output: Output): void {
  for (const { line, name, now } of notes)
    output.out(`note   ${path}:${line}: \`${name}\` still works; the new name is \`${now}\`\n`);
  const asked = questions === undefined ? "" : `, ${counted(questions, "question")}`;
  if (error === undefined) output.out(`ok     ${path}  ${counted(steps, "step")}${asked}\n`);
  else output.err(errorText(error, output));
}
