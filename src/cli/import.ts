import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { Option } from "commander";
import {
  type CapturedDifference,
  type ImportOptions,
  type ImportResult,
  importCapture,
} from "../capture/import.ts";
import { isTested } from "../capture/judge/rules.ts";
import { CaptureError, type CaptureFormat, captureFormats } from "../capture/read/capture.ts";
import { decoded } from "../capture/read/lines.ts";
import { InputError } from "../core/foundation/errors.ts";
import { iso } from "../core/foundation/instants.ts";
import { printable } from "../core/foundation/printable.ts";
import { show } from "../core/foundation/show.ts";
import { counted } from "../core/platform/declare/words.ts";
import { durationArgument, jsonOption, usageErrorIn } from "./arguments.ts";
import type { CommandRow } from "./command-row.ts";
import { PRIVATE, readTextFile, writeText } from "./disk.ts";
import { type CommandFailure, UsageError } from "./failures.ts";
import type { CommandOutput } from "./output.ts";
import { mustNotBeInput, mustNotDiffer } from "./output-file.ts";
import { dialectIn } from "./serve.ts";

/** `ringback import`: turns captured webhook requests into a scenario. */

/** The options of every command that imports a capture. */
export interface CaptureFlags {
  readonly format?: CaptureFormat;
  readonly rest?: string;
  readonly dialect?: string;
  readonly secret?: string;
  readonly events?: string;
  readonly tolerance?: string;
  readonly search?: string;
  readonly organisation?: string;
  readonly keepNames?: boolean;
}

interface ImportFlags extends CaptureFlags {
  readonly out?: string;
  readonly check?: boolean;
  readonly allowDifferences?: boolean;
}

/** The same options, for commander. */
export function captureOptions(): Option[] {
  return [
    new Option("--format <format>", "of a capture; default: recognised").choices(captureFormats),
    new Option("--rest <folder>", "saved answers of GET /users, /teams and /calls, as JSON files"),
    new Option(
      "--dialect <file>",
      "the service's own names, in YAML or JSON, or a module that reads its bodies",
    ),
    new Option(
      "--secret <secret>",
      "the webhook's signing secret; requests with another signature are left out",
    ),
    new Option(
      "--events <types>",
      "the event types that the app subscribed to, separated by commas; default: those in the capture",
    ),
    new Option(
      "--tolerance <duration>",
      "how far apart the instants of an event may be (default: PT2S)",
    ).argParser(durationArgument),
    new Option(
      "--search <runs>",
      "how many runs are played at most; a run of a part of the capture counts as that share (default: 40)",
    ),
    new Option(
      "--organisation <number|id>",
      "of a capture of several, the one to import; default: they are listed",
    ),
    new Option("--keep-names", "keep names, numbers and words; otherwise stand-ins replace them"),
  ];
}

/** `ringback import`. */
export const importCommand: CommandRow = {
  name: "import",
  group: "captures",
  summary: "turn captured webhook requests into a scenario whose run sends them again",
  mayChange: ["--check", "--search", "--tolerance"],
  declare: (command, output, exit) => {
    command
      .argument("<capture...>", "files that `ringback record` or another tool wrote, or folders of bodies")
      .option(
        "-o, --out <file>",
        "the scenario to write, unless it is there with another text; default: it is printed",
      )
      .option("--check", "print which rules the capture confirms and which it contradicts, and no scenario")
      .option("--allow-differences", "end with 0 if a run sends these requests with other values")
      .addOption(jsonOption())
      .action((paths: string[], flags: ImportFlags) => exit(runImport(paths, flags, output)));
    for (const option of captureOptions()) command.addOption(option);
  },
};

/** Imports captures. @throws {UsageError} if no request can be read */
export function importFrom(paths: readonly string[], flags: CaptureFlags): Promise<ImportResult> {
  return importFiles(new CaptureFiles(paths.flatMap(filesAt)), flags);
}

async function runImport(
  paths: readonly string[],
  flags: ImportFlags,
  output: CommandOutput,
): Promise<number> {
  const read = paths.flatMap(filesAt);
  const saved = flags.rest === undefined ? [] : filesAt(flags.rest);
  mustNotBeInput(flags.out, [...read, ...saved, flags.dialect]);
  const files = new CaptureFiles(read);
  const result = await importFiles(files, flags);
  if (flags.out !== undefined) mustNotDiffer(flags.out, result.yaml);
  if (output.isJson) output.out(output.result(listFailures(result, files, flags), jsonResult(result, files)));
  else if (flags.check === true) output.out(rulesText(result, files));
  else if (flags.out === undefined) output.out(result.yaml);
  if (flags.out !== undefined) writeText(flags.out, [result.yaml], PRIVATE);
  if (!output.isJson) output.err(summaryText(result, files, flags));
  return isGood(result, flags) ? 0 : 1;
}

async function importFiles(files: CaptureFiles, flags: CaptureFlags): Promise<ImportResult> {
  const search = flags.search === undefined ? undefined : Number(flags.search);
  if (search !== undefined && !(Number.isInteger(search) && search > 0))
    throw new UsageError(`expected a whole number above 0, got ${flags.search}`, "--search");
  const options: ImportOptions = {
    format: flags.format,
    dialect: await dialectIn(flags.dialect),
    secret: flags.secret,
    redact: flags.keepNames !== true,
    ...(flags.rest === undefined ? {} : { rest: readAnswers(flags.rest) }),
    ...(flags.events === undefined ? {} : { events: flags.events.split(",").map((type) => type.trim()) }),
    ...(flags.tolerance === undefined ? {} : { tolerance: flags.tolerance }),
    ...(search === undefined ? {} : { search }),
    ...(flags.organisation === undefined ? {} : { organisation: flags.organisation }),
  };
  try {
    return await importCapture(files.texts(), options);
  } catch (error) {
    if (!(error instanceof CaptureError))
      throw error instanceof InputError ? usageErrorIn(null, flags, error) : error;
    throw new UnreadableCapture(error, files);
  }
}

/** No request of the captures can be read. Names each place and its problem. */
class UnreadableCapture extends UsageError {
  private readonly places: readonly CommandFailure[];

  constructor({ message, problems }: CaptureError, files: CaptureFiles) {
    const places = problems.map((each) => ({ cause: each.message, place: files.place(each.line) }));
    super(places.length === 0 ? message : places.map(({ cause, place }) => `${place}: ${cause}`).join("\n"));
    this.places = places;
  }

  override failures(): CommandFailure[] {
    return this.places.length === 0 ? super.failures() : [...this.places];
  }
}

/** The files at a path: the file itself, or those in a folder. */
export function filesAt(path: string): string[] {
  if (!existsSync(path)) throw new UsageError("no such file or folder", path);
  if (!statSync(path).isDirectory()) return [path];
  const files = readdirSync(path)
    .sort()
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile());
  if (files.length === 0) throw new UsageError("this folder has no files", path);
  return files;
}

/** Reads saved answers of the REST API. @throws {UsageError} for what is no JSON */
export function readAnswers(folder: string): unknown[] {
  return filesAt(folder).map((path) => {
    try {
      return JSON.parse(readTextFile(path)) as unknown;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      // its message quotes the file
      throw new UsageError("expected an answer of the REST API as JSON, got a text that is none", path);
    }
  });
}

const CHUNK_BYTES = 1 << 20;

async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
  const file = openSync(path, "r");
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const count = readSync(file, chunk);
      if (count === 0) return;
      yield chunk.subarray(0, count);
    }
  } finally {
    closeSync(file);
  }
}

/** Reads files one after another, and maps lines of the whole to lines of a file. */
class CaptureFiles {
  private readonly firsts: number[] = [];

  constructor(private readonly files: readonly string[]) {}

  /** The texts of all files. Each has an encoding of its own, and begins a line. */
  async *texts(): AsyncGenerator<string> {
    let line = 1;
    for (const path of this.files) {
      this.firsts.push(line);
      let endsWithLineBreak = true;
      for await (const text of decoded(readChunks(path))) {
        if (text === "") continue;
        for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) line++;
        endsWithLineBreak = text.endsWith("\n");
        yield text;
      }
      if (endsWithLineBreak) continue;
      line++;
      yield "\n";
    }
  }

  /** A line as `monday.jsonl:12`. */
  place(line: number): string {
    const index = this.firsts.findLastIndex((first) => first <= line);
    return `${this.files[index] ?? ""}:${line - (this.firsts[index] ?? 1) + 1}`;
  }
}

/** A row for each rule that the capture confirms or contradicts, and a total. */
function rulesText({ rules }: ImportResult, files: CaptureFiles): string {
  const tested = rules.filter(isTested);
  const rows = tested.map(({ rule, text, confirmed, contradicted, instead, line }) => {
    const more = [
      ...(instead === undefined ? [] : [`instead: ${instead}`]),
      ...(line === undefined ? [] : [files.place(line)]),
    ];
    const state = contradicted > 0 ? "contradicted" : "confirmed";
    const found = more.length > 0 ? `  (${more.join("; ")})` : "";
    return `${state.padEnd(12)}  ${rule}: ${text}  ${confirmed} for, ${contradicted} against${found}`;
  });
  const against = tested.filter(({ contradicted }) => contradicted > 0).length;
  const total = `${tested.length - against} of ${rules.length} rules confirmed, ${against} contradicted; of ${rules.length - tested.length} the capture shows nothing`;
  return [...rows, total].map((row) => `${printable(row)}\n`).join("");
}

/** Whether the command ends with 0. */
function isGood({ verdict, unread }: ImportResult, { allowDifferences }: ImportFlags): boolean {
  return (
    unread.lines === 0 && (verdict === "possible" || (verdict === "differs" && allowDifferences === true))
  );
}

/** The verdict in words. */
function verdictText({ verdict, differences, isSpent, unread: { lines, of } }: ImportResult): string {
  const texts = {
    possible: "possible: the platform could have sent these requests",
    differs: `possible with differences: ${counted(differences.length, "field")}`,
    impossible: "impossible: the platform could not have sent these requests",
    undecided: isSpent
      ? "undecided: no run was found that sends these requests and no others"
      : "undecided: none of the runs that an import can try sends these requests and no others",
  };
  return lines === 0 ? texts[verdict] : `${of - lines} of ${of} requests read; of these ${texts[verdict]}`;
}

const MAX_SHOWN = 20;

/** A summary for people, assumptions first. */
function summaryText(result: ImportResult, files: CaptureFiles, { out }: ImportFlags): string {
  const { requests, explained, assumed, unexplained, differences, invented } = result;
  const { problems, leftOut, drift } = result;
  const drifts = Object.values(drift).reduce((sum, items) => sum + items.length, 0);
  const part = <T>(title: string, items: readonly T[], text: (item: T) => string) =>
    items.length === 0
      ? []
      : [
          `${title}:`,
          ...items.slice(0, MAX_SHOWN).map((item) => `  ${text(item)}`),
          ...(items.length > MAX_SHOWN ? [`  and ${items.length - MAX_SHOWN} more`] : []),
        ];
  const rows = [
    ...part("assumed", assumed, ({ what, step }) => (step === undefined ? what : `step ${step}: ${what}`)),
    ...part("could not be read", problems, ({ line, message }) => `${files.place(line)}: ${message}`),
    ...part("not explained", unexplained, ({ line, event, because, nearest, follows }) => {
      const near = nearest === undefined ? "" : `; the nearest is ${nearest}`;
      const more =
        follows.length === 0
          ? ""
          : ` (${follows.length} more ${follows.length === 1 ? "line follows" : "lines follow"} from it)`;
      return `${files.place(line)}: ${event}: ${because}${near}${more}`;
    }),
    ...part(
      "the run sends, and the capture lacks",
      invented,
      ({ event, timestamp }) => `${event} at ${iso(timestamp)}`,
    ),
    ...part("differs", differences, (each) => `${files.place(each.line)}: ${differenceText(each)}`),
    ...(leftOut > 0 ? [`${counted(leftOut, "request")} left out, not sent by a webhook`] : []),
    ...(drifts > 0 ? [`${counted(drifts, "difference")} from the documented bodies; --json lists them`] : []),
    `${verdictText(result)} (${explained} of ${requests} explained)`,
    ...(out === undefined ? [] : [`wrote ${out}`]),
  ];
  return `${rows.map(printable).join("\n")}\n`;
}

function differenceText({ path, got, sent }: CapturedDifference): string {
  return `${path}: got ${show(got)}, the run sends ${show(sent)}`;
}

/** Why a capture is not possible, shortened. */
function listFailures(result: ImportResult, files: CaptureFiles, flags: ImportFlags): CommandFailure[] {
  if (isGood(result, flags)) return [];
  const { unexplained, problems, differences, invented } = result;
  const found = [
    ...problems.map(({ line, message }) => ({ line, cause: message })),
    ...unexplained.map(({ line, event, because }) => ({ line, cause: `${event}: ${because}` })),
    ...differences.map((each) => ({ line: each.line, cause: differenceText(each) })),
  ];
  const next =
    "see `assumed` and `unexplained`; --rest, --dialect or --tolerance may say what the capture does not";
  if (found.length === 0) {
    const cause = `the run sends ${counted(invented.length, "event")} that the capture lacks`;
    return [{ cause, place: null, next }];
  }
  return found.slice(0, MAX_SHOWN).map(({ line, cause }) => ({ cause, place: files.place(line), next }));
}

function jsonResult({ scenario: _, ...result }: ImportResult, files: CaptureFiles): object {
  return {
    ...result,
    unexplained: result.unexplained.map((each) => ({ ...each, place: files.place(each.line) })),
  };
}
