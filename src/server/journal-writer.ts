import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { LONGEST_JOURNAL_BYTES, noSeal, type Seal, sealedLine } from "../core/simulator/journal-codec.ts";
import type { JournalDocument } from "../core/simulator/options.ts";

/** Appends lines to a journal file. */
export class JournalWriter {
  /**
   * @param path the file's name, for errors
   * @param length the size of the file, bytes
   * @param seal where its lines end
   */
  constructor(
    private readonly path: string,
    private file: number,
    private length = 0,
    private seal: Seal = noSeal,
  ) {}

  /** Writes a whole journal, line by line. */
  writeDocument({ ringback, rules, options, snapshot, entries, end }: JournalDocument): void {
    this.write({ ringback, rules, options, ...(snapshot === undefined ? {} : { snapshot }) });
    for (const entry of entries) this.write(entry);
    this.write({ end });
  }

  /** Writes synchronously: the line is in the file when the command is answered. */
  write(line: object): void {
    const { text, seal } = sealedLine(line, this.seal);
    const bytes = Buffer.from(`${text}\n`);
    if (this.length + bytes.length > LONGEST_JOURNAL_BYTES)
      throw new Error(
        `it would be longer than ${LONGEST_JOURNAL_BYTES >> 20} MB, the most that can be read again. A server that continues it with --compact puts a snapshot in its place`,
      );
    try {
      for (let written = 0; written < bytes.length; )
        written += writeSync(this.file, bytes, written, bytes.length - written, this.length + written);
    } catch (error) {
      // the error of a full disk does not name the file
      throw Object.assign(error as Error, { path: this.path });
    }
    this.length += bytes.length;
    this.seal = seal;
  }

  /** Waits until the disk has what was written: a power failure does not lose it. */
  sync(): void {
    fsyncSync(this.file);
  }

  close(): void {
    closeSync(this.file);
  }

  /** Goes on after `close`. @param path where the same file is */
  reopen(path: string): void {
    this.file = openSync(path, "r+");
  }
}

/** Waits until the disk has the names in a file's folder, after one was changed. Windows does this by itself. */
export function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(dirname(path), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
