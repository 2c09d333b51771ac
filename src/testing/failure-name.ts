import crc32 from "crc-32";
import { utf8Encoder } from "../core/foundation/runtime-globals.ts";
import { runningTest } from "../findings/running-test.ts";
import type { Paths } from "./node-files.ts";

/** What the files of a failure are named after. */
interface NamedFailure {
  /** The name of the test with its suites, or what was explored and its property. */
  readonly title: string;
  /** The path of the test's file, if it is known. */
  readonly file?: string | undefined;
}

/** The longest name without its checksum and number, in bytes: commands that name a file stay short enough to read. */
export const LONGEST_BYTES = 60;
/** What a test's file ends with. */
const ENDING = /\.[cm]?[jt]sx?$/;

/** What each run is called in each test; several tests may share a run. */
const namesOf = new WeakMap<object, Map<string, string>>();
/** How many runs have a name, in lower case, since some systems do not tell `A` from `a`. */
const runCounts = new Map<string, number>();

/**
 * Names the files of a failed run after the project, the test's file with its folder, and the test. Where words cannot tell
 * two tests apart, such as `a: b` and `a b`, a checksum can. A test's further runs have a number; a second failure of one run
 * has the run's name again.
 * @param here the folder in which the tests run
 * @param isTaken whether files that are to stay have this name, as those of another exploration have
 */
export function nameOfRun(
  run: object,
  { title, file }: NamedFailure,
  path: Paths,
  here: string,
  isTaken: (name: string) => boolean,
): string {
  const project = runningTest()?.project ?? "";
  const folders =
    file === undefined
      ? []
      : path.relative(here, path.resolve(here, file)).replace(ENDING, "").split(path.sep);
  const parts = [project, ...folders, ...title.split(" > ")].map((part) => part.normalize("NFC"));
  const shown = parts.map(wordsOf).filter((part) => part !== "");
  const words = shown.join("-");
  const short = shortened(words);
  const isExact = short === words && parts.every(isTold);
  const start = short.replace(/-+$/, "") || "run";
  const name = isExact ? start : `${start}-${checksum(parts)}`;
  const key = name.toLowerCase();
  const names = namesOf.get(run) ?? new Map<string, string>();
  const known = names.get(key);
  if (known !== undefined) return known;
  const numbered = (count: number) => (count === 1 ? name : `${name}-${count}`);
  let count = (runCounts.get(key) ?? 0) + 1;
  while (isTaken(numbered(count))) count++;
  runCounts.set(key, count);
  const own = numbered(count);
  namesOf.set(run, names.set(key, own));
  return own;
}

/** The start of a text that a file's name can have. */
function shortened(text: string): string {
  let [end, bytes] = [0, 0];
  for (const character of text) {
    bytes += utf8Encoder().encode(character).length;
    if (bytes > LONGEST_BYTES) return text.slice(0, end);
    end += character.length;
  }
  return text;
}

function wordsOf(part: string): string {
  return part.replaceAll(/[^\p{L}\p{N}.]+/gu, "-").replaceAll(/^[-.]+|[-.]+$/g, "");
}

/** Whether a part's words tell it from all others: blanks become hyphens, and nothing else does. */
function isTold(part: string): boolean {
  return wordsOf(part) === part.replaceAll(" ", "-") && !part.includes("-");
}

/** A few letters and digits that tell texts from others. */
export function checksum(parts: readonly string[]): string {
  return (crc32.str(JSON.stringify(parts)) >>> 0).toString(36);
}
