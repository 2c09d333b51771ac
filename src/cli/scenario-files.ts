import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Option } from "commander";
import { printableLines } from "../core/foundation/printable.ts";
import type { ProfileName } from "../core/platform/declare/profile.ts";
import { parseScenario } from "../core/scenario/parse.ts";
import {
  problemText,
  type Scenario,
  ScenarioError,
  type ScenarioProblem,
} from "../core/scenario/scenario.ts";
import { Source } from "../core/scenario/source.ts";
import type { Simulator } from "../core/simulator/simulator.ts";
import { quoted } from "../findings/quoted.ts";
import { lessonName } from "../inspector/lesson.ts";
import { readPhoneNumber } from "../phone-numbers/index.ts";
import { codeFrame } from "./code-frame.ts";
import { readTextFile } from "./disk.ts";
import { type CommandFailure, UsageError } from "./failures.ts";

/** A scenario file with problems, which are shown with the lines around them. */
export class RefusedFile extends UsageError {
  constructor(
    readonly path: string,
    readonly problems: readonly ScenarioProblem[],
    /** The file's text, if it could be read. */
    private readonly text: string | undefined,
    /** The run up to the step that was refused; undefined if it could not begin. */
    readonly run?: Simulator | undefined,
  ) {
    super(problems.map((problem) => writeLine(path, problem)).join("\n"));
  }

  override failures(): CommandFailure[] {
    const { path } = this;
    return this.problems.map((problem) => ({
      cause: withFlagNames(problemText(problem)),
      place: `${path}:${problem.line}:${problem.column}`,
      replay: `npx ringback check ${quoted(path)}`,
      next: "fix the scenario there",
    }));
  }

  /** Every problem as `scenarios/01.yaml:12:5: unknown step …`, which editors and terminals link, with the lines around it. */
  textWithFrames(isColoured: boolean): string {
    const { path, text } = this;
    const shown = this.problems.map((problem) => {
      const frame = text === undefined ? "" : `\n${codeFrame(text, problem, isColoured).trimEnd()}`;
      return `${writeLine(path, problem)}${frame}`;
    });
    return shown.join("\n\n");
  }
}

function writeLine(path: string, problem: ScenarioProblem): string {
  return printableLines(`${path}:${problem.line}:${problem.column}: ${withFlagNames(problemText(problem))}`);
}

/** Names options in a message as the command does. */
function withFlagNames(message: string): string {
  return message.replace(
    "the option allowLocal, or --allow-local of the command, allows it",
    "--allow-local allows it",
  );
}

/** A scenario and its file. */
export interface ScenarioFile {
  readonly path: string;
  readonly scenario: Scenario;
  /** The file's text, to point into. */
  readonly text?: string;
}

/** The lessons that come with the package. */
export function ownScenarios(): string {
  return packageFolder("scenarios");
}

/** A folder that comes with the package, both from the sources (`src/cli`) and when built (`dist`). */
export function packageFolder(folder: string): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const candidates = ["..", "../.."].map((up) => join(here, up, folder));
  return candidates.find((each) => existsSync(each)) ?? folder;
}

/**
 * The scenario files that arguments stand for: a file, a folder of them, or a lesson by its number or the start of its
 * name (`1`, `01-first`).
 * @throws {UsageError} naming an argument that stands for none
 */
export function findScenarios(args: readonly string[]): string[] {
  return args.flatMap((arg) => {
    const lesson = existsSync(arg) ? arg : lessonNamed(arg);
    if (!statSync(lesson).isDirectory()) return [lesson];
    const files = scenariosIn(lesson);
    if (files.length === 0) throw new UsageError("no scenarios (*.yaml) in this folder", arg);
    return files;
  });
}

/** The option of commands that play scenarios. */
export const allowLocalOption = () =>
  new Option("--allow-local", "webhooks, data actions and returns may be at local and private hosts");

/** How scenario files are read. */
export interface ReadFlags {
  /** Webhooks, data actions and returns may be at local and private hosts. */
  readonly allowLocal?: boolean | undefined;
  /** The profile of a scenario whose head names none. */
  readonly profile?: ProfileName | undefined;
}

/**
 * Reads a scenario, with the organisations beside it.
 * @throws {UsageError} which starts with the file
 */
export function readScenario(path: string, { allowLocal = false, profile }: ReadFlags = {}): ScenarioFile {
  const text = readTextFile(path);
  try {
    const organisations = organisationsBeside(path);
    return {
      path,
      text,
      scenario: parseScenario(text, { organisations, allowLocal, phoneNumbers: readPhoneNumber, profile }),
    };
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    if (!isOrganisation(text)) throw inFile(path, error, text);
    throw new UsageError(
      `this is an organisation, not a scenario. Name it under \`organisation\` in a scenario, or use \`ringback serve\``,
      path,
    );
  }
}

/** Whether a text that is not a scenario looks like an organisation. */
function isOrganisation(text: string): boolean {
  const { value } = new Source(text);
  const keys = Object.keys((value ?? {}) as object);
  return (
    ["users", "numbers"].some((key) => keys.includes(key)) &&
    !keys.some((key) => /^(scenario|steps)$/.test(key))
  );
}

/** The problems of a scenario, as the command prints them. */
export function inFile(
  path: string,
  { problems }: ScenarioError,
  text?: string,
  run?: Simulator,
): RefusedFile {
  return new RefusedFile(path, problems, text, run);
}

export function scenariosIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /\.ya?ml$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}

/** What each lesson asks, by its name. */
export function lessonQuestions(): Readonly<Record<string, string>> {
  const texts: Readonly<Record<string, { readonly asks: string }>> = JSON.parse(
    readTextFile(join(ownScenarios(), "lessons.json")),
  );
  return Object.fromEntries(Object.entries(texts).map(([name, { asks }]) => [name, asks]));
}

function lessonNamed(start: string): string {
  const [, number = "", rest = ""] = /^(\d+)(.*)$/.exec(start) ?? [];
  const prefix = `${number.padStart(2, "0")}${rest || "-"}`;
  const found = scenariosIn(ownScenarios()).find((path) =>
    number === "" ? lessonName(path) === start : basename(path).startsWith(prefix),
  );
  if (found === undefined)
    throw new UsageError(`no such file, folder or lesson. \`ringback run\` shows the lessons`, start);
  return found;
}

export function organisationsBeside(path: string): Record<string, string> {
  const named = organisationFilesBeside(path).map(
    (file) => [basename(file).replace(/\.ya?ml$/, ""), readTextFile(file)] as const,
  );
  return Object.fromEntries(named);
}

/** The files of the organisations that lie beside a scenario. */
export function organisationFilesBeside(path: string): string[] {
  const folder = join(dirname(path), "organisations");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => join(folder, name));
}
