import type { Flaw } from "../capture/judge/body-laws.ts";
import { FixtureJudge, type FixtureOptions, type FixtureVerdict } from "../capture/judge/judge-fixture.ts";
import { printable } from "../core/foundation/printable.ts";
import type { ProfileName } from "../core/platform/declare/profile.ts";
import { counted } from "../core/platform/declare/words.ts";
import { jsonOption, profileOption } from "./arguments.ts";
import type { CommandRow } from "./command-row.ts";
import { type CommandFailure, UsageError } from "./failures.ts";
import { type FixtureFile, filesFor, fixturesIn, type InnerValue, readFixtureFile } from "./fixture-files.ts";
import { readAnswers } from "./import.ts";
import type { CommandOutput } from "./output.ts";
import { dialectIn } from "./serve.ts";
import { FixtureWriter, mustBeCommitted, writeInto } from "./write-fixtures.ts";

/** `ringback fixtures` judges bodies that somebody wrote by hand. */

interface FixturesFlags {
  readonly dialect?: string;
  readonly profile?: ProfileName;
  readonly rest?: string;
  readonly write?: boolean;
  readonly force?: boolean;
}

/** `ringback fixtures`. */
export const fixturesCommand: CommandRow = {
  name: "fixtures",
  group: "app",
  summary: "say of each event in files whether the platform may send it, and if not, why",
  mayChange: true,
  declare: (command, output, exit) => {
    command
      .argument(
        "<files...>",
        'files, folders or patterns such as "test/**/*.json"; also modules, which are loaded',
      )
      .option(
        "--dialect <file>",
        "the service's own names, in YAML or JSON, or a module that reads its bodies",
      )
      .addOption(profileOption())
      .option("--rest <folder>", "saved answers of GET /users and /teams, as JSON files: who there is")
      .option(
        "--write",
        "put whole possible bodies in place of the others, which keep what these say; of a module they are printed",
      )
      .option("--force", "with --write: also into files with changes that are not committed")
      .addOption(jsonOption())
      .action((patterns: string[], flags: FixturesFlags) => exit(fixtures(patterns, flags, output)));
  },
};

/** A fixture with what it is. */
interface JudgedFixture extends FixtureVerdict, InnerValue {
  /** The file, and the way to the fixture in it. */
  readonly place: string;
  /** With --write: whether a whole body stands there now. Absent for a possible one and for those of modules. */
  readonly written?: boolean;
  /** With --write: the whole body. */
  readonly body?: object;
  /** With --write: what the fixture said and no possible body says. */
  readonly replaced?: readonly Flaw[];
}

/** @returns the exit code: 0, 1 if a fixture is impossible, or 2 if a file cannot be read or may not be written */
async function fixtures(
  patterns: readonly string[],
  flags: FixturesFlags,
  output: CommandOutput,
): Promise<number> {
  const options: FixtureOptions = {
    dialect: await dialectIn(flags.dialect),
    profile: flags.profile,
    rest: flags.rest === undefined ? undefined : readAnswers(flags.rest),
  };
  if (flags.force === true && flags.write !== true) throw new UsageError("needs --write", "--force");
  const writer = flags.write === true ? new FixtureWriter(options) : undefined;
  const judge = new FixtureJudge(options);
  const paths = filesFor(patterns);
  const judged: JudgedFixture[] = [];
  const refused: CommandFailure[] = [];
  let empty = 0;
  for (const path of paths) {
    try {
      const file = await readFixtureFile(path);
      const found = judgeFile(file, judge);
      const own = writer === undefined ? found : rewritten(file, found, writer, flags.force === true);
      if (own.length === 0) empty++;
      judged.push(...own);
      if (!output.isJson) for (const each of own) output.out(writeLine(each));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      refused.push(...error.failures());
      if (!output.isJson) output.err(`refused     ${printable(error.message)}\n`);
    }
  }
  const facts = {
    fixtures: judged.map(({ keys: _, value: __, ...each }) => each),
    files: paths.length,
    empty,
  };
  if (output.isJson) output.out(output.result([...refused, ...failuresOf(judged)], facts));
  else output.out(summarise(judged, paths.length, empty));
  if (refused.length > 0) return 2;
  return judged.some(isWrong) ? 1 : 0;
}

/** Whether a fixture is impossible, and stays so. */
const isWrong = ({ verdict, written }: JudgedFixture) => verdict === "impossible" && written !== true;

/**
 * Completes the fixtures of a file, and writes them if it is JSON.
 * @throws {UsageError} if it may not be written
 */
function rewritten(
  file: FixtureFile,
  found: readonly JudgedFixture[],
  writer: FixtureWriter,
  isForced: boolean,
): JudgedFixture[] {
  const all = found.map((each): JudgedFixture => {
    const completed = each.verdict === "possible" ? undefined : writer.complete(each.value);
    if (each.verdict === "possible") return each;
    return completed === undefined ? { ...each, written: false } : { ...each, ...completed };
  });
  const bodies = all.flatMap(({ keys, body }) => (body === undefined ? [] : [{ keys, body }]));
  if (file.text === undefined || bodies.length === 0) return all;
  if (!isForced) mustBeCommitted(file.path);
  writeInto(file, bodies);
  return all.map((each) => (each.body === undefined ? each : { ...each, written: true }));
}

/** @throws {UsageError} if the dialect can read no value of the file */
function judgeFile({ path, value }: FixtureFile, judge: FixtureJudge): JudgedFixture[] {
  const verdicts = new Map<object, FixtureVerdict>();
  let problem: string | undefined;
  const found = fixturesIn(value, (each) => {
    const verdict = judge.judge(each);
    if (typeof verdict === "string") problem ??= verdict;
    else if (verdict !== undefined) verdicts.set(each, verdict);
    return verdicts.has(each);
  });
  // what is round an event is no body, so a dialect may well refuse it
  if (found.length === 0 && problem !== undefined) throw new UsageError(problem, path);
  return found.map(({ keys, value: each }) => ({
    ...{ keys, value: each },
    place: keys.length === 0 ? path : `${path}#${keys.join(".")}`,
    ...(verdicts.get(each) as FixtureVerdict),
  }));
}

/** How many reasons and missing fields a line has. */
const SHOWN = 3;

function writeLine(fixture: JudgedFixture): string {
  const { place, verdict, event, flaws, lacking, body, written, replaced = [] } = fixture;
  const what = `${place}  ${event ?? "a record"}`;
  if (body !== undefined) {
    const fields = replaced.map(({ path }) => path).join(", ");
    const instead = fields === "" ? "" : `; replaced ${fields}, which no possible body has`;
    const line = printable(`${written === true ? "wrote" : "whole"}       ${what}, a whole body${instead}`);
    return `${line}\n${written === true ? "" : `${JSON.stringify(body, null, 2)}\n`}`;
  }
  const all = verdict === "part" ? lacking : flaws.map(({ path, because }) => `${path} ${because}`);
  const more = all.length > SHOWN ? `, and ${all.length - SHOWN} more` : "";
  const list = `${all.slice(0, SHOWN).join(verdict === "part" ? ", " : "; ")}${more}`;
  const why = { possible: "", part: ` of a possible body, without ${list}`, impossible: `: ${list}` }[
    verdict
  ];
  const kept = written === false ? "; not written, since no run was found whose body says the same" : "";
  return `${printable(`${verdict.padEnd(10)}  ${what}${why}${kept}`)}\n`;
}

function summarise(judged: readonly JudgedFixture[], files: number, empty: number): string {
  const count = (verdict: FixtureVerdict["verdict"]) =>
    judged.filter((each) => each.verdict === verdict).length;
  const wrote = judged.filter(({ written }) => written === true).length;
  const now = wrote === 0 ? "" : `; ${wrote} of these written as whole bodies`;
  const none = empty === 0 ? "" : `; ${counted(empty, "file")} without an event`;
  return `\n${counted(judged.length, "fixture")} in ${counted(files - empty, "file")}: ${count("possible")} possible, ${count("part")} part of a possible body, ${count("impossible")} impossible${now}${none}\n`;
}

function failuresOf(judged: readonly JudgedFixture[]): CommandFailure[] {
  return judged.filter(isWrong).flatMap(({ place, flaws }) =>
    flaws.map(({ path, because }) => ({
      ...{ cause: `${path} ${because}`, place },
      next: "write what a run sends: `npx ringback trigger` prints a body of each type",
    })),
  );
}
