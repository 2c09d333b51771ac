import { readFileSync } from "node:fs";
import { Instrumenter } from "@stryker-mutator/instrumenter";

/** A change of one expression or block of the sources. */
export interface Mutant {
  readonly id: string;
  /** The path of its file. */
  readonly file: string;
  /** The first line of the changed code, from 1. */
  readonly line: number;
  /** The column in that line, from 1. */
  readonly column: number;
  /** The kind of change, such as `ConditionalExpression`. */
  readonly mutator: string;
  readonly original: string;
  readonly replacement: string;
}

export interface Instrumented {
  /** The sources with all mutants in them, by path. */
  readonly sources: Readonly<Record<string, string>>;
  readonly mutants: readonly Mutant[];
}

/** Changes of texts are left out: most texts are messages, which tests compare as a whole or not at all. */
const excluded = ["StringLiteral"];

const silent = () => {};
const off = () => false;
const logger = {
  ...{ trace: silent, debug: silent, info: silent, warn: silent, error: silent, fatal: silent },
  ...{ isTraceEnabled: off, isDebugEnabled: off, isInfoEnabled: off },
  ...{ isWarnEnabled: off, isErrorEnabled: off, isFatalEnabled: off },
};

/** What Stryker puts at the head of each file, to ask which mutant is active and to count. */
const header = /function stryNS_9fa48\(\) \{[\s\S]*?return isActive\(id\);\n\}/;
/** The same in one call, since these lines run at every expression. */
const shortHeader = `const { isActive: stryMutAct_9fa48, cover: stryCov_9fa48 } = globalThis.ringbackMutants;`;

/** Puts all mutants into the sources at once. Which of them is active is decided as the code runs. */
export async function instrument(paths: readonly string[]): Promise<Instrumented> {
  const texts = new Map(paths.map((path) => [path, readFileSync(path, "utf8")]));
  const { files, mutants } = await new Instrumenter(logger).instrument(
    [...texts].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, excludedMutations: excluded, ignorers: [], noHeader: false },
  );
  const sources = files.map(({ name, content }) => {
    if (!header.test(content)) return [name, content];
    return [name, content.replace(header, shortHeader)];
  });
  return {
    sources: Object.fromEntries(sources),
    mutants: mutants
      .filter(({ status }) => status !== "Ignored")
      .map(({ id, fileName, location: { start, end }, mutatorName, replacement = "" }) => ({
        ...{ id, file: fileName, line: start.line + 1, column: start.column + 1, mutator: mutatorName },
        ...{ original: between(texts.get(fileName) ?? "", start, end), replacement },
      })),
  };
}

type Position = { readonly line: number; readonly column: number };

function between(text: string, start: Position, end: Position): string {
  const lines = text.split("\n").slice(start.line, end.line + 1);
  const last = lines.length - 1;
  lines[last] = lines[last]?.slice(0, end.column) ?? "";
  lines[0] = lines[0]?.slice(start.column) ?? "";
  return lines.join("\n");
}
