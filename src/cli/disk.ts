import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { decodeUtf8 } from "../core/foundation/runtime-globals.ts";
import { isJournalText, LONGEST_JOURNAL_BYTES } from "../core/simulator/journal-codec.ts";
import { UsageError } from "./failures.ts";

/** Far more than a scenario that a person wrote. */
const LONGEST_BYTES = LONGEST_JOURNAL_BYTES;
const CHUNK_BYTES = 1 << 16;

/**
 * Reads a text file that someone named.
 * @throws {UsageError} for a folder, a pipe or a device, and for what is binary or has no end
 */
export function readTextFile(path: string): string {
  // does not wait for a pipe that nobody writes to
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(file);
    if (stat.isDirectory()) throw new UsageError("this is a folder, expected a file", path);
    if (!stat.isFile()) throw new UsageError("this is a pipe or a device, expected a file", path);
    if (stat.size > LONGEST_BYTES) throw tooLong(path);
    return decode(readBytes(file, path), path);
  } finally {
    closeSync(file);
  }
}

/**
 * Reads the text of a journal that someone named.
 * @throws {UsageError} where there is no such file, and as `readText`
 */
export function readJournalText(path: string): string {
  if (existsSync(path)) return readTextFile(path);
  throw new UsageError("no such file. To write a journal in a test: JSON.stringify(sim.journal())", path);
}

function readBytes(file: number, path: string): Buffer {
  const chunks: Buffer[] = [];
  for (let total = 0; ; ) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const count = readSync(file, chunk);
    if (count === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, count));
    total += count;
    // files such as those of /proc do not say how long they are
    if (total > LONGEST_BYTES) throw tooLong(path);
  }
}

function tooLong(path: string): UsageError {
  return new UsageError(
    `this file is longer than ${LONGEST_BYTES >> 20} MB, the most that can be read`,
    path,
  );
}

function decode(bytes: Buffer, path: string): string {
  if (bytes.length >= 2 && /^(fffe|feff)$/.test(bytes.toString("hex", 0, 2)))
    throw new UsageError("this text is in UTF-16: save it as UTF-8", path);
  const text = decodeUtf8(bytes);
  if (text !== undefined && !text.includes("\0")) return text;
  // what is damaged in a journal is named by its line
  const damaged = bytes.toString("utf8");
  if (isJournalText(damaged)) return damaged;
  throw new UsageError("this is binary, expected text in UTF-8", path);
}

/** The mode of files that hold what somebody received, or a secret: only their owner reads them. */
export const PRIVATE = 0o600;

/**
 * Writes a file completely or not at all: the old content stays until all of the new content is on the disk.
 * @param chunks the text, chunk by chunk
 * @param mode who may read it, but nobody who could not read the file before; default: as before, and for a new file as the system says
 * @throws {UsageError} when it cannot be written
 */
export function writeText(path: string, chunks: Iterable<string>, mode?: number): void {
  writeThrough(path, chunks, (temporary, target) => renameSync(temporary, target), mode);
}

/** The same, only if there is no such file yet. @returns false if there is one, which stays as it is */
export function writeNew(path: string, text: string, mode?: number): boolean {
  if (existsSync(path)) return false;
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeThrough(path, [text], linkSync, mode);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function writeThrough(
  path: string,
  chunks: Iterable<string>,
  place: (from: string, to: string) => void,
  mode: number | undefined,
): void {
  // a link stays one, and a device is not replaced by a file
  const stat = statSync(path, { throwIfNoEntry: false });
  const target = stat === undefined ? path : realpathSync(path);
  if (stat?.isFile() === false) {
    writeChunks(target, "w", chunks, mode);
    return;
  }
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    writeChunks(temporary, "wx", chunks, stat === undefined ? mode : narrowed(stat.mode, mode));
    place(temporary, target);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** The mode of a file that had another: what was private stays so. */
const narrowed = (was: number, mode?: number): number =>
  mode === undefined ? was & 0o777 : mode & (was | PRIVATE);

function writeChunks(
  path: string,
  flags: "w" | "wx",
  chunks: Iterable<string>,
  mode: number | undefined,
): void {
  const file = openSync(path, flags, mode);
  try {
    for (const chunk of chunks) {
      const bytes = Buffer.from(chunk);
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    }
  } catch (error) {
    // a full disk is reported without saying where
    throw Object.assign(error as Error, { path });
  } finally {
    closeSync(file);
  }
}

const codeTexts: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EADDRINUSE: "another program listens there: choose another port with --port",
  EDQUOT: "the disk quota is used up",
  EEXIST: "something with this name exists already",
  EFBIG: "the file is too big",
  EISDIR: "this is a folder, expected a file",
  EMFILE: "too many open files",
  ENOENT: "no such file or folder",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of this path is a file and not a folder",
  ENXIO: "this is a pipe or a device, expected a file",
  EPERM: "permission denied",
  EROFS: "the disk is read-only",
};

/** Why a file, a folder or a port was refused; undefined if the error is about none of them. */
export function fileProblem(error: unknown): UsageError | undefined {
  // an app may throw null
  const {
    code = "",
    path,
    syscall,
    message,
    port,
  } = (error ?? {}) as NodeJS.ErrnoException & { port?: number };
  if (typeof syscall !== "string") return undefined;
  const folder = code === "ENOENT" && path !== undefined ? dirname(path) : ".";
  if (!existsSync(folder)) return new UsageError(`the folder ${folder} does not exist`, withoutEnd(path));
  const what = codeTexts[code] ?? message;
  if (code in codeTexts && port !== undefined) return new UsageError(what, `port ${port}`);
  return new UsageError(what, withoutEnd(path));
}

/** The file that was named, where a temporary one beside it was written. */
const withoutEnd = (path: string | undefined) => path?.replace(/\.\d+\.tmp$/, "");

/**
 * The files below a folder that are wanted, each folder in the order of its names.
 * @param isSkipped whether a folder is left out, by its name and its path
 */
export function filesBelow(
  folder: string,
  isWanted: (path: string) => boolean,
  isSkipped: (name: string, path: string) => boolean,
): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory())
        return isSkipped(entry.name, path) ? [] : filesBelow(path, isWanted, isSkipped);
      return entry.isFile() && isWanted(path) ? [path] : [];
    });
}
