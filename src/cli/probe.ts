import { Option } from "commander";
import { endpointUrlProblem } from "../core/network/endpoint-url.ts";
import { quoted } from "../findings/quoted.ts";
import type { ProbeOptions } from "../server/probe.ts";
import {
  type CheckCode,
  isFailure,
  needsSecret,
  type ProbeCheck,
  type Variety,
  varieties,
} from "../server/probe-checks.ts";
import {
  dialectOption,
  jsonOption,
  kindsOption,
  secretArgument,
  toUsageError,
  urlArgument,
} from "./arguments.ts";
import type { CommandRow } from "./command-row.ts";
import type { CommandFailure } from "./failures.ts";
import type { CommandOutput } from "./output.ts";
import { dialectIn } from "./serve.ts";
import { type ReportFormat, reportFormats, type Test, testReport } from "./test-report.ts";

/** `ringback probe` sends events to a running app in real time, and judges its answers. */

interface ProbeFlags {
  readonly secret?: string;
  readonly dialect?: string;
  readonly format?: ReportFormat;
  readonly kinds?: readonly Variety[];
}

/** `ringback probe`. */
export const probeCommand: CommandRow = {
  name: "probe",
  group: "app",
  summary: "send events to a running app, in any language, and check that it takes or refuses them",
  mayChange: true,
  declare: (command, output, exit) => {
    command
      .argument("<url>", "the app, such as http://localhost:3000/hooks", urlArgument)
      .option(
        "--secret <secret>",
        "the webhook's signing secret that the app verifies with; without it, signatures are not tried",
        secretArgument,
      )
      .addOption(dialectOption())
      .addOption(
        kindsOption(
          "also send the same call from other callers (caller), or at other times (calendar)",
          Object.keys(varieties),
        ),
      )
      .addOption(
        new Option("--format <format>", "print a report as other test runners do").choices(reportFormats),
      )
      .addOption(jsonOption())
      .action((url: string, flags: ProbeFlags) => exit(probeAndTell(url, flags, output)));
  },
};

/**
 * Probes an app, and prints each check as it is made.
 * @returns the exit code: 0, or 1 if a hard check fails
 * @throws {UsageError} if the app cannot be reached
 */
async function probeAndTell(url: string, flags: ProbeFlags, output: CommandOutput): Promise<number> {
  const { secret, format, kinds = [] } = flags;
  const dialect = await dialectIn(flags.dialect);
  const isForReaders = !output.isJson && format === undefined;
  // a report, and results for programs, have the standard output for themselves
  const tell = isForReaders ? output.out : output.isJson ? () => {} : output.err;
  tell(
    `Writes to ${url}: it may get about thirty-five requests about calls and messages that nobody made, from +6421555001 and others.\n`,
  );
  const results: ProbeCheck[] = [];
  for await (const result of runChecks({ url, secret, dialect, kinds })) {
    results.push(result);
    const isAsked = secret !== undefined || !needsSecret(result.code);
    if (isForReaders && isAsked) output.out(lineOf(result));
  }
  const failures = listFailures(url, results);
  if (output.isJson) output.out(output.result(failures, collectFacts(url, results, secret)));
  else if (format !== undefined)
    output.out(testReport({ suite: "ringback probe", tests: reportTests(url, results) }, format));
  if (secret === undefined) tell("signatures: not tried; --secret names the webhook's signing secret\n");
  tell(
    `${failures.length === 0 ? "Go on" : "Once that is mended, go on"} with what a network does to it. ` +
      'Add two paths for tests: /reset forgets everything, and /calls answers what is logged, such as [{"callId":"call-1"}]. Then run ' +
      `\`${exploring(url, secret)}\`\n`,
  );
  return failures.length === 0 ? 0 : 1;
}

/** The checks of `probe`. @throws {UsageError} if the app cannot be reached, or the dialect cannot write an event */
async function* runChecks(options: ProbeOptions): AsyncGenerator<ProbeCheck> {
  // loaded here, because few commands send
  const { probing } = await import("../server/probe.ts");
  try {
    yield* probing(options);
  } catch (error) {
    throw toUsageError(error, options.url);
  }
}

/** A check as a line: a soft one is a note. */
function lineOf({ name, isHard, status, problem, next }: ProbeCheck): string {
  const sign = { passed: "ok     ", failed: isHard ? "FAILS  " : "note   ", notTried: "-      " }[status];
  const why = status === "notTried" ? `not tried, as ${problem}` : problem;
  return `${sign}${name}${why === "" ? "" : `: ${why}`}${next === "" ? "" : `\n         ${next}`}\n`;
}

function listFailures(url: string, results: readonly ProbeCheck[]): (CommandFailure & { code: CheckCode })[] {
  return results
    .filter(isFailure)
    .map((result) => ({ code: result.code, cause: causeOf(result), place: url, next: result.next }));
}

const causeOf = ({ name, problem }: ProbeCheck) => `${name}: ${problem}`;

function collectFacts(url: string, checks: readonly ProbeCheck[], secret: string | undefined): object {
  const signatures = secret === undefined ? "not tried" : "tried";
  return { url, signatures, checks, goOn: exploring(url, secret) };
}

/** The checks that decide, without those that were not tried. */
function reportTests(url: string, results: readonly ProbeCheck[]): Test[] {
  const tried = results.filter(({ isHard, status }) => isHard && status !== "notTried");
  return tried.map((result) => {
    const named = { name: result.name, path: url };
    return result.status === "passed"
      ? { ...named, status: "passed", problems: [] }
      : { ...named, status: "failed", problems: [`${causeOf(result)}\n${result.next}`] };
  });
}

/** The commands that write a scenario with its webhook, and explore the same server in it. */
function exploring(url: string, secret: string | undefined): string {
  const { origin } = new URL(url);
  const signing = secret === undefined ? "" : ' --secret "$SECRET"';
  const local = endpointUrlProblem(url, false) === undefined ? "" : " --allow-local";
  return (
    `npx ringback trigger call.ended --to ${quoted(url)}${signing} --print > call-ended.yaml && ` +
    `npx ringback explore call-ended.yaml${local} --server ${quoted(origin)} --reset /reset --check callLog=/calls`
  );
}
