import { basename, extname } from "node:path";
import { InputError } from "../core/foundation/errors.ts";
import { replay } from "../core/simulator/simulator.ts";
import { mergeResults } from "../explore/results.ts";
import type { Inspectable, InspectOptions } from "../inspector/inspectable.ts";
import { readReport } from "../inspector/report.ts";
import { readJournalText, readTextFile } from "./disk.ts";
import { UsageError } from "./failures.ts";
import { findScenarios, organisationsBeside, type ReadFlags, readScenario } from "./scenario-files.ts";

/** Reads the files that have a run in them: journals, scenarios, and reports of explorations. */

/** What a page shows. */
export interface PageSource {
  readonly name: string;
  readonly inspectable: Inspectable;
  readonly options: InspectOptions;
}

/** @throws {UsageError} for a file that is none of these */
export function readPageSource(file: string, flags: ReadFlags): PageSource {
  if ([".json", ".jsonl"].includes(extname(file))) return pageSourceOfJson(file);
  const [path] = findScenarios([file]);
  if (path === undefined) throw new UsageError("no such file", file);
  const { scenario } = readScenario(path, flags);
  const options = { scenario: readTextFile(path), organisations: organisationsBeside(path) };
  return { name: basename(path, extname(path)), inspectable: scenario, options };
}

function pageSourceOfJson(file: string): PageSource {
  const text = readJournalText(file);
  const name = basename(file, extname(file));
  return withFileInErrors(file, () => {
    const failures = failuresIn(text);
    const inspectable = /^\s*\{\s*"ringback"\s*:\s*"explore"/.test(text)
      ? mergeResults([{ name: file, text }])
      : failures !== undefined
        ? readReport({ failures })
        : // played here too, so that its errors are printed now and not in the page
          replay(text);
    return { name, inspectable, options: { title: name } };
  });
}

/** Adds a file's name to the errors of reading it. */
export function withFileInErrors<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof InputError || error instanceof SyntaxError)
      throw new UsageError(error.message, file);
    throw error;
  }
}

/** The failures in a report of `ringback explore`; undefined for a journal, which may also be written line by line. */
function failuresIn(text: string): readonly unknown[] | undefined {
  if (!/^\s*\{[\s\S]*"failures"\s*:/.test(text) || /^\s*\{\s*"ringback"\s*:/.test(text)) return undefined;
  const { failures } = JSON.parse(text) as { readonly failures?: unknown };
  // a property that never held has no world to show
  return Array.isArray(failures)
    ? failures.filter((each) => !(each !== null && "cause" in Object(each)) || "smallest" in each)
    : undefined;
}
