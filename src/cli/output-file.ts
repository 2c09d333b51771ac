import { statSync } from "node:fs";
import { readTextFile, writeText } from "./disk.ts";
import { UsageError } from "./failures.ts";

/** The file that `-o` of a command names. What somebody else wrote is not lost in it. */

/** @throws {UsageError} if the file to write is one of those that the command reads, also by another path */
export function mustNotBeInput(path: string | undefined, inputs: readonly (string | undefined)[]): void {
  const own = identityOf(path);
  if (own !== undefined && inputs.some((input) => identityOf(input) === own))
    throw new UsageError("-o is the input, which it would replace: name another file", path);
}

/** Tells a file from others, whatever it is called; undefined where there is none. */
function identityOf(path: string | undefined): string | undefined {
  const stat = path === undefined ? undefined : statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat?.isFile() ? `${stat.dev} ${stat.ino}` : undefined;
}

/** @throws {UsageError} if the file is there and has another text: a person may have written it */
export function mustNotDiffer(path: string, text: string): void {
  if (identityOf(path) === undefined || readTextFile(path) === text) return;
  throw new UsageError("this file is there already, with another text: delete it, or name another", path);
}

/** Writes what can be made again, as `writeText` does. @returns whether another file gave way to it */
export function replaceText(path: string, chunks: Iterable<string>, mode?: number): boolean {
  const wasThere = identityOf(path) !== undefined;
  writeText(path, chunks, mode);
  return wasThere;
}
