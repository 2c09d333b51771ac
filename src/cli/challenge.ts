import { InvalidArgumentError, Option } from "commander";
import { InputError, readErrorMessage } from "../core/foundation/errors.ts";
import { printableLines } from "../core/foundation/printable.ts";
import { writeArtifacts } from "../explore/report/artifacts.ts";
import type { ExploreReport } from "../explore/report/report.ts";
import { quoted } from "../findings/quoted.ts";
import { jsonOption } from "./arguments.ts";
import { type ChallengeApp, judgeChallenge } from "./challenge-judge.ts";
import { type StarterLanguage, serverIn, starterIn, starterLanguages } from "./challenge-starters.ts";
import { type Challenge, challenges, HOOKS, routesOf, writeServerCommands } from "./challenge-tasks.ts";
import { challengeVerdict, verdictFailures, verdictText } from "./challenge-verdict.ts";
import type { CommandRow } from "./command-row.ts";
import { UsageError } from "./failures.ts";
import type { CommandOutput } from "./output.ts";

/** `ringback challenge` lists apps to write, tells the task of one, and judges what was written. */

interface ChallengeFlags {
  readonly server?: string;
  readonly with?: string;
  readonly restart?: string;
  readonly hint?: boolean;
  readonly starter?: StarterLanguage;
}

/** `ringback challenge`. */
export const challengeCommand: CommandRow = {
  name: "challenge",
  group: "pages",
  summary: "write an app, in any language, and have it judged: seven challenges",
  mayChange: true,
  declare: (command, output, exit) => {
    command
      .argument("[n]", "the challenge, 1 to 7; default: lists them", challengeNumbered)
      .addOption(
        new Option("--server <url>", "judge a running server, such as http://127.0.0.1:8000").conflicts(
          "with",
        ),
      )
      .option("--with <module>", "judge a module that exports `app`")
      .option("--restart <command>", "the command that restarts the server, for challenge 6")
      .option("--hint", "print the hint")
      .addOption(
        new Option("--starter <language>", "print an app to begin with, to be saved in a file").choices(
          starterLanguages,
        ),
      )
      .addOption(jsonOption())
      .action((challenge: Challenge | undefined, flags: ChallengeFlags) =>
        exit(meet(challenge, flags, output)),
      );
  },
};

/** @throws {InvalidArgumentError} unless there is a challenge with this number */
function challengeNumbered(text: string): Challenge {
  const found = challenges.find(({ number }) => String(number) === text);
  if (found !== undefined) return found;
  throw new InvalidArgumentError(
    `expected a challenge from 1 to ${challenges.length}; \`ringback challenge\` lists them`,
  );
}

/** @returns the exit code: 0, or 1 if the app fails. @throws {UsageError} for options that do not fit */
async function meet(
  challenge: Challenge | undefined,
  flags: ChallengeFlags,
  output: CommandOutput,
): Promise<number> {
  const { server, with: module, restart, hint, starter } = flags;
  if (challenge === undefined) {
    const [option] = Object.keys(flags).filter((name) => name !== "json" && name !== "starter");
    if (option !== undefined)
      throw new UsageError(
        "expected the number of a challenge too, such as `ringback challenge 1`",
        `--${option}`,
      );
    return starter === undefined ? list(output) : printStarter(starter, output);
  }
  if (starter !== undefined) return printStarter(starter, output);
  const app = appIn(challenge, { server, module, restart });
  if (app !== undefined) return judge(challenge, app, flags, output);
  if (output.isJson) output.out(output.result([], taskFacts(challenge, hint)));
  else output.out(hint === true ? `${challenge.hint}\n` : taskText(challenge));
  return 0;
}

function list(output: CommandOutput): number {
  if (output.isJson) output.out(output.result([], { challenges: challenges.map((each) => taskFacts(each)) }));
  else
    for (const { number, title, network, minutes } of challenges)
      output.out(`${number}  ${title.padEnd(32)} ${`${minutes} min`.padEnd(7)} ${network}\n`);
  return 0;
}

function printStarter(language: StarterLanguage, output: CommandOutput): number {
  const { file, text } = starterIn(language);
  output.out(output.isJson ? output.result([], { file, text }) : text);
  return 0;
}

/** What to judge; undefined if nothing is named. @throws {UsageError} for options that do not fit */
function appIn(
  { isRestarted }: Challenge,
  { server, module, restart }: { readonly [Name in "server" | "module" | "restart"]: string | undefined },
): ChallengeApp | undefined {
  if (restart !== undefined && (server === undefined || isRestarted !== true))
    throw new UsageError(
      server === undefined
        ? "expected --server URL too: a module's `durable` says what outlives a restart"
        : "only challenge 6 restarts the server",
      "--restart",
    );
  if (module !== undefined) return { with: module };
  if (server === undefined) return undefined;
  if (isRestarted === true && restart === undefined)
    throw new UsageError(
      'this challenge restarts the server: expected --restart COMMAND too, such as "kill $(cat receiver.pid); sleep 0.3" where something starts it again',
      "--server",
    );
  return { server, restart };
}

function taskFacts(
  { number, title, task, network, rule, minutes, shows, more, hint }: Challenge,
  isHinted = false,
) {
  return {
    ...{ number, title, task, network, rule, minutes, more },
    shows: { name: shows.name, about: shows.words, example: shows.example },
    ...(isHinted ? { hint } : {}),
  };
}

/** The task, the routes, and how to begin. */
function taskText(challenge: Challenge): string {
  const { number, title, task, network, rule, minutes, shows, more } = challenge;
  const [module, server] = [starterIn("javascript"), serverIn("python")];
  const lines = [
    `Challenge ${number}, ${title}`,
    "",
    task,
    `The network: ${network}. About ${minutes} minutes.`,
    "",
    "What your app does",
    ...routesOf(challenge).map(([route, what]) => `  ${route.padEnd(14)} ${what}`),
    `A module registers ${HOOKS}, and its \`app\` returns an object with the function \`${shows.name}\`.`,
    "",
    `What must hold: ${rule}`,
    ...more,
    "",
    "Begin with a module",
    `  ${module.print}`,
    `  npx ringback challenge ${number} --with ./${module.file}`,
    "or with a server, in any language; there are starters in Python, Go and Java, and in TypeScript",
    `  ${server.print}`,
    ...writeServerCommands(challenge, server.start).map((command) => `  ${command}`),
    `A hint: npx ringback challenge ${number} --hint`,
    "",
  ];
  return lines.join("\n");
}

/** Judges an app, and says what breaks it. @returns the exit code */
async function judge(
  challenge: Challenge,
  app: ChallengeApp,
  { hint }: ChallengeFlags,
  output: CommandOutput,
): Promise<number> {
  const named = "with" in app ? app.with : app.server;
  let report: ExploreReport;
  try {
    report = await judgeChallenge(challenge, app);
  } catch (error) {
    if (error instanceof InputError) throw new UsageError(error.message, named);
    throw "with" in app ? new UsageError(`cannot be loaded: ${readErrorMessage(error)}`, named) : error;
  }
  const again = againWith(challenge, app);
  const written = writeArtifacts(report, { command: () => again, kept: undefined });
  const verdict = challengeVerdict(challenge, written);
  const { isPassed } = verdict;
  if (output.isJson) {
    const { number } = challenge;
    const facts = {
      number,
      passed: isPassed,
      worlds: written.worlds,
      ...(hint ? { hint: challenge.hint } : {}),
    };
    output.out(output.result(verdictFailures(verdict, named), facts));
  } else output.out(printableLines(verdictText(challenge, verdict, hint === true)));
  return isPassed ? 0 : 1;
}

/** The command that judges the app again. */
function againWith({ number }: Challenge, app: ChallengeApp): string {
  if ("with" in app) return `npx ringback challenge ${number} --with ${quoted(app.with)}`;
  const restart = app.restart === undefined ? "" : ` --restart ${quoted(app.restart)}`;
  return `npx ringback challenge ${number} --server ${quoted(app.server)}${restart}`;
}
