import { InputError } from "../core/foundation/errors.ts";
import { printableLines } from "../core/foundation/printable.ts";
import { counted } from "../core/platform/declare/words.ts";
import { type JournalLines, journalLines, lastRun } from "../core/simulator/journal-codec.ts";
import { type JournalDocument, readJournal } from "../core/simulator/options.ts";
import { quoted } from "../findings/quoted.ts";
import { jsonOption } from "./arguments.ts";
import type { CommandRow } from "./command-row.ts";
import { PRIVATE, readJournalText, writeNew } from "./disk.ts";
import { type CommandFailure, UsageError } from "./failures.ts";
import type { CommandOutput } from "./output.ts";

/** `ringback journal check`. */
export const journalCheckCommand: CommandRow = {
  name: "journal check",
  group: "captures",
  summary: "check that a journal is undamaged; exit code 1 if it is not",
  declare: (command, output, exit) => {
    command
      .argument("<journal>", "a file of `ringback serve --journal`, or with the result of sim.journal()")
      .addOption(jsonOption())
      .action((path: string) => exit(check(path, output)));
  },
};

/** `ringback journal salvage`. */
export const journalSalvageCommand: CommandRow = {
  name: "journal salvage",
  group: "captures",
  summary: "write the part of a journal before its damage to a new file, and report what was lost",
  declare: (command, output, exit) => {
    command
      .argument("<journal>", "a damaged file of `ringback serve --journal`")
      .requiredOption("-o, --output <file>", "the new file; it must not exist")
      .addOption(jsonOption())
      .action((path: string, flags: { readonly output: string }) =>
        exit(salvage(path, flags.output, output)),
      );
  },
};

function check(path: string, output: CommandOutput): number {
  const text = readJournalText(path);
  const lines = journalLines(text);
  const problem = findProblem(path, text, lines);
  const facts = lines === undefined || lines.parts.length === 0 ? {} : collectFacts(lines);
  if (output.isJson) output.out(output.result(problem === undefined ? [] : [problem], facts));
  else if (problem === undefined)
    output.out(`ok     ${path}  ${lines === undefined ? "one piece" : summary(lines)}\n`);
  else
    output.err(
      `ringback: ${path}: ${printableLines(problem.cause)}${problem.next === undefined ? "" : `\n${problem.next}`}\n`,
    );
  return problem === undefined ? 0 : 1;
}

/** Why a file cannot be replayed; undefined if it can. */
function findProblem(
  path: string,
  text: string,
  lines: JournalLines | undefined,
): CommandFailure | undefined {
  if (lines?.damage !== undefined) {
    const { line, problem } = lines.damage;
    const before = lines.parts.length;
    return {
      cause: `line ${line} ${problem}; ${counted(before, "line")} before it ${before === 1 ? "is" : "are"} whole, ${lines.lost} from there on cannot be trusted`,
      place: `${path}:${line}`,
      ...(before === 0 ? {} : { next: `npx ringback journal salvage ${quoted(path)} -o <new file>` }),
    };
  }
  try {
    readJournal(text);
    return undefined;
  } catch (error) {
    if (error instanceof InputError) return { cause: error.message, place: path };
    throw error;
  }
}

function salvage(path: string, to: string, output: CommandOutput): number {
  const lines = journalLines(readJournalText(path));
  if (lines === undefined)
    throw new UsageError(`expected a journal in lines, as \`ringback serve --journal\` writes it`, path);
  if (lines.parts.length === 0)
    throw new UsageError(`line 1 ${lines.damage?.problem}, and nothing before it can be recovered`, path);
  if (!writeNew(to, `${lines.texts.join("\n")}\n`, PRIVATE))
    throw new UsageError("this file exists, and is not overwritten", to);
  const lost = lostText(lines);
  const { damage = null } = lines;
  if (output.isJson)
    output.out(output.result([], { output: to, ...collectFacts(lines), lost: lines.lost, damage }));
  else output.out(`kept   ${to}  ${summary(lines)}\nlost   ${lost}\n`);
  return 0;
}

function lostText({ damage, lost, torn }: JournalLines): string {
  if (damage !== undefined)
    return `${counted(lost, "line")}, from line ${damage.line} on, which ${damage.problem}`;
  return torn === 0 ? "nothing" : "the last line, which was cut off while it was written";
}

/** Facts about the undamaged lines. */
function collectFacts(lines: JournalLines) {
  const { entries, end, snapshot } = lastRun(lines.parts) as Partial<JournalDocument> & {
    readonly entries: readonly unknown[];
  };
  const runs = lines.parts.filter((part) => "ringback" in part).length;
  const until = end?.atMs === undefined ? null : new Date(end.atMs).toISOString();
  return {
    lines: lines.parts.length,
    runs,
    commands: entries.length,
    ...(snapshot === undefined ? {} : { since: new Date(snapshot.atMs).toISOString() }),
    until,
  };
}

function summary(lines: JournalLines): string {
  const { runs, commands, since, until } = collectFacts(lines);
  const run = runs === 1 ? "" : `, the last of ${counted(runs, "run")}`;
  const where = until === null ? "" : `, until ${until}`;
  const gone = since === undefined ? "" : `, from a snapshot at ${since} on: earlier instants are gone`;
  return `${counted(lines.parts.length, "line")}${run}, ${commands} ${commands === 1 ? "entry" : "entries"}${gone}${where}`;
}
