import type { Mutant } from "./instrument.ts";
import type { MutationLog } from "./log.ts";

/** What came of a mutant. */
type Result =
  /** A test noticed it. */
  | "killed"
  /** Tests ran it, and none noticed it. */
  | "survived"
  /** It runs only while a module is loaded, which happens once. */
  | "loaded"
  /** No test ran it. */
  | "unreached";

export interface Report {
  readonly mutants: readonly (Mutant & { readonly result: Result; readonly by?: string })[];
  /** Counts and survivors, as they are printed. */
  readonly text: string;
}

export function reportOf(tried: readonly Mutant[], log: MutationLog): Report {
  const mutants = tried.map((mutant) => {
    const kill = log.killed.get(mutant.id);
    return { ...mutant, result: resultOf(mutant, log), ...(kill && { by: kill.by, how: kill.how }) };
  });
  const folders = [...new Set(mutants.map(({ file }) => folderOf(file)))];
  const rows = folders.map((folder) => [
    folder,
    ...countsOf(mutants.filter(({ file }) => folderOf(file) === folder)),
  ]);
  const table = [
    ["", "killed", "survived", "only loaded", "not reached", "score"],
    ...rows,
    ["all", ...countsOf(mutants)],
  ];
  const left = (why: string) => [...log.skipped.values()].filter((each) => each === why).length;
  const survivors = mutants.filter(({ result }) => result === "survived" || result === "unreached");
  return {
    mutants,
    text: [
      ...survivors.map(lineOf),
      "",
      ...table.map((cells) => `| ${cells.join(" | ")} |`),
      `${log.tests.size} tests; ${left("slow")} left out because they are slow, ${left("unrepeatable")} because they cannot run twice`,
    ].join("\n"),
  };
}

function resultOf({ id }: Mutant, log: MutationLog): Result {
  if (log.killed.has(id)) return "killed";
  if (log.survivedMs.has(id)) return "survived";
  return log.loaded.has(id) ? "loaded" : "unreached";
}

function countsOf(mutants: readonly { readonly result: Result }[]): (number | string)[] {
  const count = (wanted: Result) => mutants.filter(({ result }) => result === wanted).length;
  const [killed, survived, loaded, unreached] = [
    count("killed"),
    count("survived"),
    count("loaded"),
    count("unreached"),
  ];
  const score = (100 * killed) / (killed + survived + unreached);
  return [killed, survived, loaded, unreached, `${score.toFixed(1)} %`];
}

/** `src/core/platform/calls`, or `src/core/engine` for the files directly in it. */
function folderOf(file: string): string {
  return file.split("/").slice(0, -1).join("/");
}

function lineOf({ file, line, column, mutator, original, replacement, result }: Mutant & { result: Result }) {
  const [from, to] = [original, replacement].map(short);
  return `${result === "survived" ? "survived" : "not reached"} ${file}:${line}:${column} ${mutator}: ${from} → ${to}`;
}

function short(code: string): string {
  const text = code.replaceAll(/\s+/g, " ");
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
