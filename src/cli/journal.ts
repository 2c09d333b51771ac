import type { Command } from "commander";
import { InputError } from "../engine/errors.ts";
import { type JournalLines, journalLines, lastRun } from "../journal-lines.ts";
import { type JournalDocument, readJournal } from "../options.ts";
import { counted } from "../platform/words.ts";
import { readJournalText, writeNew } from "./disk.ts";
import type { Output } from "./output.ts";
import { UsageError } from "./usage-error.ts";

/** Adds `ringback journal check` and `ringback journal salvage`. @param exit receives the exit code */
export function addJournal(program: Command, output: Output, exit: (code: number) => void): void {
  const journal = program.command("journal").description("check a journal file, or save what is whole of it");
  journal
    .command("check")
    .description("check that a journal is as it was written; exit code 1 if it is damaged")
    .argument("<journal>", "a file of `ringback serve --journal`, or with the result of sim.journal()")
    .option("--json", "print the result as JSON")
    .action((path: string, flags: { readonly json?: boolean }) => exit(check(path, flags, output)));
  journal
    .command("salvage")
    .description("write what precedes the damage of a journal to a new file, and say what was lost")
    .argument("<journal>", "a damaged file of `ringback serve --journal`")
    .requiredOption("-o, --output <file>", "the new file; it must not exist")
    .option("--json", "print the result as JSON")
    .action((path: string, flags: SalvageFlags) => exit(salvage(path, flags, output)));
}

interface SalvageFlags {
  readonly output: string;
  readonly json?: boolean;
}

/** What is wrong with a file, as every command says it in JSON. */
interface Problem {
  readonly code: string;
  readonly message: string;
  readonly path: string;
  readonly line?: number;
  readonly next?: string;
}

function check(path: string, flags: { readonly json?: boolean }, output: Output): number {
  const text = readJournalText(path);
  const lines = journalLines(text);
  const problem = problemOf(path, text, lines);
  const facts = lines === undefined || lines.parts.length === 0 ? {} : factsOf(lines);
  if (flags.json === true)
    output.out(
      `${JSON.stringify({ ok: problem === undefined, problems: problem === undefined ? [] : [problem], ...facts }, null, 2)}\n`,
    );
  else if (problem === undefined)
    output.out(`ok     ${path}  ${lines === undefined ? "one piece" : summary(lines)}\n`);
  else
    output.err(
      `ringback: ${path}: ${problem.message}${problem.next === undefined ? "" : `\n${problem.next}`}\n`,
    );
  return problem === undefined ? 0 : 1;
}

/** What keeps a file from being replayed; undefined if nothing does. */
function problemOf(path: string, text: string, lines: JournalLines | undefined): Problem | undefined {
  if (lines?.damage !== undefined) {
    const { line, problem } = lines.damage;
    return {
      code: "damaged",
      message: `line ${line} ${problem}; ${counted(lines.parts.length, "line")} before it ${lines.parts.length === 1 ? "is" : "are"} whole, ${lines.lost} from there on cannot be trusted`,
      path,
      line,
      next: `ringback journal salvage ${path} -o <new file>`,
    };
  }
  try {
    readJournal(text);
    return undefined;
  } catch (error) {
    if (error instanceof InputError) return { code: "not_a_journal", message: error.message, path };
    throw error;
  }
}

function salvage(path: string, flags: SalvageFlags, output: Output): number {
  const lines = journalLines(readJournalText(path));
  if (lines === undefined)
    throw new UsageError(`${path}: expected a journal in lines, as \`ringback serve --journal\` writes it`);
  if (lines.parts.length === 0)
    throw new UsageError(
      `${path}: line 1 ${lines.damage?.problem}, and nothing precedes it that could be saved`,
    );
  if (!writeNew(flags.output, `${lines.texts.join("\n")}\n`))
    throw new UsageError(`${flags.output}: this file exists, and is not overwritten`);
  const lost = lostText(lines);
  if (flags.json === true)
    output.out(
      `${JSON.stringify({ ok: true, problems: [], output: flags.output, ...factsOf(lines), lost: lines.lost, damage: lines.damage ?? null }, null, 2)}\n`,
    );
  else output.out(`kept   ${flags.output}  ${summary(lines)}\nlost   ${lost}\n`);
  return 0;
}

function lostText({ damage, lost, torn }: JournalLines): string {
  if (damage !== undefined)
    return `${counted(lost, "line")}, from line ${damage.line} on, which ${damage.problem}`;
  return torn === 0 ? "nothing" : "the last line, which was cut off while it was written";
}

/** What the whole lines hold. */
function factsOf(lines: JournalLines) {
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
    sealed: lines.seal !== undefined,
  };
}

function summary(lines: JournalLines): string {
  const { runs, commands, since, until, sealed } = factsOf(lines);
  const run = runs === 1 ? "" : `, the last of ${counted(runs, "run")}`;
  const where = until === null ? "" : `, until ${until}`;
  const gone = since === undefined ? "" : `, from a snapshot at ${since} on: earlier instants are gone`;
  const old = sealed ? "" : "; written by an earlier version, without checksums";
  return `${counted(lines.parts.length, "line")}${run}, ${commands} ${commands === 1 ? "entry" : "entries"}${gone}${where}${old}`;
}
