import { spawn } from "node:child_process";
import { mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { inChunks } from "../core/foundation/chunks.ts";
import { runScenario } from "../core/scenario/run.ts";
import { isJournalText } from "../core/simulator/journal-codec.ts";
import { createSimulator, replay } from "../core/simulator/simulator.ts";
import {
  type Inspectable,
  type InspectOptions,
  inspectChunks,
  playgroundHtml,
} from "../inspector/inspectable.ts";
import { readStream } from "../inspector/stream.ts";
import { type AppFlags, addAppOptions, namesApp } from "./app-flags.ts";
import { jsonOption } from "./arguments.ts";
import type { CommandRow } from "./command-row.ts";
import { PRIVATE, readTextFile } from "./disk.ts";
import { UsageError } from "./failures.ts";
import { type CaptureFlags, captureOptions, filesAt, importFrom } from "./import.ts";
import { type PlayableScenario, pageWithApp } from "./inspect-with.ts";
import { looksLikeCapture } from "./kinds-of-files.ts";
import type { CommandOutput } from "./output.ts";
import { mustNotBeInput, replaceText } from "./output-file.ts";
import { type PageSource, readPageSource, withFileInErrors } from "./page-source.ts";
import {
  allowLocalOption,
  findScenarios,
  organisationFilesBeside,
  organisationsBeside,
  type ReadFlags,
} from "./scenario-files.ts";
import { readPort } from "./serve.ts";
import { stopSignal } from "./stop-signal.ts";

/** `ringback inspect` and `ringback play` write a run, or the lessons, as a page that needs nothing else. */

interface PageFlags extends ReadFlags {
  /** Where to; `-` for the standard output. */
  readonly out?: string;
  readonly open?: boolean;
}

interface PlayFlags extends PageFlags {
  readonly teach?: boolean;
}

interface InspectFlags extends PageFlags, CaptureFlags, AppFlags {
  readonly compare?: string;
  readonly port?: number;
}

/** `ringback inspect`. */
export const inspectCommand: CommandRow = {
  name: "inspect",
  group: "pages",
  summary: "write a run as one page that works offline, to scrub, fork and explain the run",
  declare: (command, output, exit) => {
    command
      .argument(
        "<file>",
        "a journal, a scenario or a lesson by number, what `ringback explore` wrote or printed as JSON, or a capture as `ringback import` reads it",
      )
      .option(
        "-o, --out <file>",
        "the file to write; default: in this folder, named after the input; - prints the page",
      )
      .option(
        "--compare <other>",
        "show another run beside it: a journal, a scenario, or a golden stream of events",
      )
      .option("--open", "open the page in a browser")
      .option(
        "--port <port>",
        "with --with or --server: the port of the page; default: any free one",
        readPort,
      )
      .addOption(allowLocalOption())
      .addOption(jsonOption())
      .action((file: string, flags: InspectFlags) => {
        if (namesApp(flags)) exit(serveWithApp(file, flags, output));
        else if (looksLikeCapture(file)) exit(writeCapture(file, flags, output));
        else writeRunPage(readPageSource(file, flags), file, flags, output);
      });

    addAppOptions(command);
    for (const option of captureOptions()) command.addOption(option);
  },
};

/** `ringback play`. */
export const playCommand: CommandRow = {
  name: "play",
  group: "pages",
  summary: "open the playground: the lessons, and an editor for scenarios of your own",
  declare: (command, output) => {
    command
      .argument("[scenario]", "what to show in the editor first: a file, or a lesson by number")
      .option("-o, --out <file>", "write the page to this file and do not open it; - prints the page")
      .option("--open", "with -o: open the page too")
      .option("--teach", "ask the questions of the scenario at once; the page shows no answer before")
      .addOption(jsonOption())
      .action((file: string | undefined, { teach = false, ...flags }: PlayFlags) => {
        const [path] = file === undefined ? [] : findScenarios([file]);
        const options = path === undefined ? {} : { organisations: organisationsBeside(path) };
        const html = playgroundHtml(path === undefined ? undefined : readTextFile(path), {
          ...options,
          teach,
        });
        const isKept = flags.out !== undefined;
        const to = flags.out ?? join(mkdtempSync(join(tmpdir(), "ringback-")), "playground.html");
        mustNotBeInput(flags.out, filesRead(path === undefined ? [] : [path]));
        const mode = modeFrom(path === undefined ? [] : [path]);
        writePage([html], to, { opens: !isKept || flags.open === true, mode }, output);
      });
  },
};

/** Writes a page. */
function writeRunPage(
  { name, inspectable, options }: PageSource,
  file: string,
  flags: InspectFlags,
  output: CommandOutput,
): void {
  const { out = `${name}.html` } = flags;
  const read = "steps" in inspectable ? filesRead(findScenarios([file])) : filesAt(file);
  mustNotBeInput(out, [...read, flags.compare, flags.dialect]);
  const compare =
    flags.compare === undefined ? undefined : readComparedRun(flags.compare, inspectable, flags);
  // a report without a failure is refused only here
  const page = withFileInErrors(file, () => inspectChunks(inspectable, { ...options, compare }));
  // a scenario says by its mode who may read it; a journal, a report and a capture may hold what somebody received
  const isScenario = "steps" in inspectable && compare === undefined;
  const mode = isScenario ? modeFrom(findScenarios([file])) : PRIVATE;
  writePage(page, out, { opens: flags.open === true, mode }, output);
}

/**
 * Serves the page of a scenario, or of failures, whose worlds are played for an app, until the process is interrupted.
 * @throws {UsageError} for options of a page that is a file
 */
async function serveWithApp(file: string, flags: InspectFlags, output: CommandOutput): Promise<number> {
  for (const name of ["out", "compare"] as const)
    if (flags[name] !== undefined)
      throw new UsageError(
        "cannot be used together with --with or --server: the page is served",
        `--${name}`,
      );
  const page = await pageWithApp(basename(file, extname(file)), playableIn(file, flags), flags);
  const { serveAppPage } = await import("../server/app-page.ts");
  const { url, close } = await serveAppPage(page, flags.port).catch((error: Error) => {
    throw new UsageError(error.message, "--port");
  });
  output.out(output.isJson ? output.result([], { page: url }) : `${url}\n`);
  if (flags.open === true) openInBrowser(url, output);
  const stopping = new AbortController();
  await stopSignal(false, stopping.signal).finally(() => stopping.abort());
  await close();
  return 0;
}

/** The scenarios of a file: its own, or those of the failures in a report. @throws {UsageError} */
function playableIn(file: string, flags: ReadFlags): PlayableScenario[] {
  const { name, inspectable, options } = readPageSource(file, flags);
  const { scenario, organisations = {} } = options;
  if (scenario !== undefined) return [{ name, text: scenario, organisations }];
  if (!("failures" in inspectable))
    throw new UsageError(
      "--with and --server play a scenario, or the failures of a report: a journal has what an app did, not the steps to play",
      file,
    );
  return inspectable.failures.map((failure) => {
    const { property, smallest } = failure;
    if (smallest.scenario === undefined)
      throw new UsageError(`no scenario can express the failure of ${property}`, file);
    return { name: property, text: smallest.scenario, organisations: {}, failure };
  });
}

async function writeCapture(path: string, flags: InspectFlags, output: CommandOutput): Promise<number> {
  const name = basename(path, extname(path));
  const inspectable = await importFrom([path], flags);
  writeRunPage({ name, inspectable, options: { title: name } }, path, flags, output);
  return 0;
}

/** What a run is compared with. @throws {UsageError} for a file that is none of these */
function readComparedRun(
  file: string,
  source: Inspectable,
  flags: ReadFlags,
): NonNullable<InspectOptions["compare"]> {
  const name = basename(file);
  if (![".json", ".jsonl", ".txt"].includes(extname(file))) {
    const other = readPageSource(file, flags);
    if ("steps" in other.inspectable)
      return { name: other.name, journal: runScenario(other.inspectable).simulator.journal() };
    throw new UsageError("expected a journal, a scenario, or a golden stream of events", file);
  }
  const text = readTextFile(file);
  return withFileInErrors(file, () =>
    isJournalText(text)
      ? { name, journal: replay(text).journal() }
      : { name, events: readStream(text, findStart(source)) },
  );
}

/** When a run starts, as ms since the Unix epoch. */
function findStart(source: Inspectable): number {
  if ("startTimestamp" in source) return source.startTimestamp;
  if ("steps" in source) return createSimulator(source.options).startTimestamp;
  if ("yaml" in source) return createSimulator(source.scenario.options).startTimestamp;
  const journal = "failures" in source ? source.failures[0]?.smallest.journal : source;
  // a report without a failure is refused when its page is made
  return Date.parse(journal?.options.start ?? "");
}

/** The mode of pages that a web server may read. */
const PUBLIC = 0o644;

const modeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.mode ?? PUBLIC;

/** The files of scenarios, and of the organisations beside them. */
const filesRead = (scenarios: readonly string[]) =>
  scenarios.flatMap((path) => [path, ...organisationFilesBeside(path)]);

/** The mode of a page from scenarios: only who may read them, and the organisations beside them, may read it. */
function modeFrom(scenarios: readonly string[]): number {
  return filesRead(scenarios).reduce((mode, path) => mode & modeOf(path), PUBLIC) | PRIVATE;
}

function writePage(
  page: Iterable<string>,
  to: string,
  { opens, mode }: { readonly opens: boolean; readonly mode: number },
  output: CommandOutput,
): void {
  const chunks = inChunks(page);
  if (to === "-") {
    if (output.isJson)
      throw new UsageError("- prints the page, and --json prints JSON: name a file", "--out");
    for (const chunk of chunks) output.out(chunk);
    return;
  }
  const hasReplaced = replaceText(to, chunks, mode);
  output.out(output.isJson ? output.result([], { page: to }) : `${to}\n`);
  if (hasReplaced && !output.isJson) output.err(`replaced ${to}\n`);
  if (opens) openInBrowser(pathToFileURL(to).href, output);
}

const browserCommands: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["open"],
  // `start` of cmd takes an & in the page's name for the end of the command
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** The program that opens a page in the browser, and its arguments. */
export function browserCommand(url: string, on = process.platform): [string, ...string[]] {
  const [command = "xdg-open", ...args] = browserCommands[on] ?? [];
  return [command, ...args, url];
}

/** Opens a page in the browser. If there is none, the path was printed. */
function openInBrowser(url: string, output: CommandOutput): void {
  const [command, ...args] = browserCommand(url);
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  child.on("error", () => output.err(`ringback: cannot open a browser; the page is at ${url}\n`));
  child.unref();
}
