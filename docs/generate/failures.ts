import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { codeFrame } from "../../src/cli/code-frame.ts";
import type { ScenarioError } from "../../src/index.ts";
import { root } from "./root.ts";
import { program } from "./source.ts";

/**
 * How `npm run generate` says why a file cannot be made, and where to mend it. Nothing of the simulator is imported
 * here: its code may be what cannot be read.
 */

/** Something that a person has to write or to mend first. The message says where: `file:line: problem`. */
export class MendFirst extends Error {
  override readonly name = "MendFirst";
}

/**
 * Reads or plays a scenario.
 * @throws {MendFirst} with all its problems, each with the file's name and the lines around it
 */
export function inScenario<T>(file: URL, text: string, play: () => T): T {
  try {
    return play();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "ScenarioError") throw error;
    const problems = (error as ScenarioError).problems.map((problem) => {
      const { line, column, path, message } = problem;
      const what = path === "" ? message : `${path}: ${message}`;
      const at = `${fromRoot(fileURLToPath(file))}:${line}:${column}`;
      return `${at}: ${what}\n${codeFrame(text, problem, false).trimEnd()}`;
    });
    throw new MendFirst(problems.join("\n\n"));
  }
}

/**
 * An error as a person needs it: what is wrong and where, without the frames of packages and of Node.
 * @param sources where what does not compile is looked for
 */
export function failureText(error: unknown, sources: () => ts.Program = program): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof MendFirst) return error.message;
  // what cannot be parsed: tsx names the file and the line itself
  const unread = [...error.message.matchAll(/^(.+:\d+:\d+): ERROR: (.*)$/gm)];
  if (unread.length > 0) return unread.map(([, at = "", what = ""]) => `${fromRoot(at)}: ${what}`).join("\n");
  const uncompiled = compileProblems(sources());
  const where = uncompiled.length > 0 ? uncompiled : placeThrown(error);
  return [shortened(error.message), ...where].join("\n");
}

/** Where in this repository an error was thrown. */
function placeThrown({ stack = "" }: Error): string[] {
  return stack
    .split("\n")
    .flatMap((line) => /(?:file:\/\/)?(\/\S+?:\d+(?::\d+)?)\)?$/.exec(line)?.[1] ?? [])
    .filter((at) => at.startsWith(root) && !at.includes("/node_modules/"))
    .slice(0, 1)
    .map((at) => `  at ${fromRoot(at)}`);
}

/** How many problems of types are shown: the first ones usually lead to the others. */
const SHOWN = 5;
/** How much of a message is shown, characters. */
const LONGEST = 300;

/** What is only left over from a change that is not complete. */
const LEFT_OVER: ReadonlySet<number> = new Set([6133, 6196]);

/** What does not compile. The generators read types, so they may fail only because of that. */
function compileProblems(of: ts.Program): string[] {
  const written = [...of.getSyntacticDiagnostics(), ...of.getSemanticDiagnostics()].filter(
    ({ file, code }) =>
      file !== undefined && !file.fileName.includes("/src/core/generated/") && !LEFT_OVER.has(code),
  );
  if (written.length === 0) return [];
  const lines = written.slice(0, SHOWN).map((each) => `  ${placeOf(each)}: ${messageOf(each)}`);
  return [`The sources do not compile, which may be why (${written.length} problems):`, ...lines];
}

function placeOf({ file, start = 0 }: ts.Diagnostic): string {
  return file === undefined ? "" : linkTo(file, start);
}

function messageOf({ messageText }: ts.Diagnostic): string {
  return shortened(ts.flattenDiagnosticMessageText(messageText, " ").replaceAll(/\s+/g, " "));
}

/** A message may contain a type that is pages long. */
function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** The place of a node: `src/core/platform/teams/operations.ts:33`. */
export function linkTo(file: ts.SourceFile, position: number): string {
  return `${fromRoot(file.fileName)}:${file.getLineAndCharacterOfPosition(position).line + 1}`;
}

function fromRoot(path: string): string {
  return relative(root, path).replaceAll("\\", "/");
}
