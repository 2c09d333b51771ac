import { FixtureJudge, type FixtureVerdict } from "../capture/possible/judge-fixture.ts";
import { printable } from "../core/foundation/printable.ts";
import type { ProfileName } from "../core/platform/declare/profile.ts";
import { counted } from "../core/platform/declare/words.ts";
import { jsonOption, profileOption } from "./arguments.ts";
import type { CommandRow } from "./command-row.ts";
import { type CommandFailure, UsageError } from "./failures.ts";
import { type FixtureFile, filesFor, fixturesIn, readFixtureFile } from "./fixture-files.ts";
import { readAnswers } from "./import.ts";
import type { CommandOutput } from "./output.ts";
import { dialectIn } from "./serve.ts";

/** `ringback fixtures` judges bodies that somebody wrote by hand. */

interface FixturesFlags {
  readonly dialect?: string;
  readonly profile?: ProfileName;
  readonly rest?: string;
}

/** `ringback fixtures`. */
export const fixturesCommand: CommandRow = {
  name: "fixtures",
  group: "app",
  about: "say of each event in files whether the platform may send it, and if not, why",
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
      .addOption(jsonOption())
      .action((patterns: string[], flags: FixturesFlags) => exit(fixtures(patterns, flags, output)));
  },
};

/** A fixture with what it is. */
interface JudgedFixture extends FixtureVerdict {
  /** The file, and the way to the fixture in it. */
  readonly place: string;
}

/** @returns the exit code: 0, 1 if a fixture is impossible, or 2 if a file cannot be read */
async function fixtures(
  patterns: readonly string[],
  flags: FixturesFlags,
  output: CommandOutput,
): Promise<number> {
  const judge = new FixtureJudge({
    dialect: await dialectIn(flags.dialect),
    profile: flags.profile,
    rest: flags.rest === undefined ? undefined : readAnswers(flags.rest),
  });
  const paths = filesFor(patterns);
  const judged: JudgedFixture[] = [];
  const unread: CommandFailure[] = [];
  let empty = 0;
  for (const path of paths) {
    try {
      const own = judgeFile(await readFixtureFile(path), judge);
      if (own.length === 0) empty++;
      judged.push(...own);
      if (!output.isJson) for (const each of own) output.out(`${printable(lineOf(each))}\n`);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      unread.push(...error.failures());
      if (!output.isJson) output.err(`unread      ${printable(error.message)}\n`);
    }
  }
  if (output.isJson)
    output.out(
      output.result([...unread, ...failuresOf(judged)], { fixtures: judged, files: paths.length, empty }),
    );
  else output.out(summaryOf(judged, paths.length, empty));
  if (unread.length > 0) return 2;
  return judged.some(({ verdict }) => verdict === "impossible") ? 1 : 0;
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
    place: keys.length === 0 ? path : `${path}#${keys.join(".")}`,
    ...(verdicts.get(each) as FixtureVerdict),
  }));
}

/** How many reasons and missing fields a line has. */
const SHOWN = 3;

function lineOf({ place, verdict, event, flaws, lacking }: JudgedFixture): string {
  const what = `${verdict.padEnd(10)}  ${place}  ${event ?? "a record"}`;
  if (verdict === "possible") return what;
  const reasons = flaws.map(({ path, because }) => `${path} ${because}`);
  const all = verdict === "part" ? lacking : reasons;
  const more = all.length > SHOWN ? `, and ${all.length - SHOWN} more` : "";
  const list = `${all.slice(0, SHOWN).join(verdict === "part" ? ", " : "; ")}${more}`;
  return verdict === "part" ? `${what} of a possible body, without ${list}` : `${what}: ${list}`;
}

function summaryOf(judged: readonly JudgedFixture[], files: number, empty: number): string {
  const count = (verdict: FixtureVerdict["verdict"]) =>
    judged.filter((each) => each.verdict === verdict).length;
  const none = empty === 0 ? "" : `; ${counted(empty, "file")} without an event`;
  return `\n${counted(judged.length, "fixture")} in ${counted(files - empty, "file")}: ${count("possible")} possible, ${count("part")} part of a possible body, ${count("impossible")} impossible${none}\n`;
}

function failuresOf(judged: readonly JudgedFixture[]): CommandFailure[] {
  return judged.flatMap(({ place, flaws }) =>
    flaws.map(({ path, because }) => ({
      ...{ cause: `${path} ${because}`, place },
      next: "write what a run sends: `npx ringback trigger` prints a body of each type",
    })),
  );
}
