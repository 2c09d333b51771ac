import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import type { JournalEntry } from "../engine/journal.ts";
import type { JournalDocument } from "../options.ts";
import type { Simulator } from "../simulator.ts";
import { stopwatch } from "./clock.ts";

/** How often it is written where the run stands, while nothing happens, ms. */
const MARK_MS = 1_000;

/**
 * A journal that is written as the run goes, one line each: the options first, then every entry, and now and then where
 * the run stands. A kill loses at most what was not written yet: the command under way.
 */
export class JournalFile {
  private readonly file: number;
  private simulator: Simulator | undefined;
  private markedAt = "";
  /** How much is in the file, bytes. */
  private length: number;
  private sinceMarkMs = stopwatch();

  /**
   * @param resumed the file whose run goes on, if one does: the same one is continued
   * @throws for a file that exists and is not the one that is resumed, and for one that cannot be written
   */
  constructor(path: string, resumed?: { readonly path: string; readonly journal: JournalDocument }) {
    const isSame = resumed !== undefined && resolve(resumed.path) === resolve(path);
    if (existsSync(path) && !isSame)
      throw new Error(
        `${path} exists and is not overwritten: \`ringback serve ${path} --journal ${path}\` goes on with it`,
      );
    const text = isSame ? readFileSync(path, "utf8") : "";
    // what was saved in one piece is written anew, line by line
    const isLines = isSame && isWholeLine(text.slice(0, text.indexOf("\n") + 1));
    this.file = openSync(path, isSame ? "r+" : "wx");
    const keptBytes = isLines ? Buffer.byteLength(text.slice(0, text.lastIndexOf("\n") + 1)) : 0;
    ftruncateSync(this.file, keptBytes);
    this.length = keptBytes;
    if (resumed !== undefined && !isLines) this.begin(resumed.journal);
  }

  /** Follows a run from here on. @param isNew its beginning is not in the file yet */
  follow(simulator: Simulator, isNew: boolean): void {
    this.simulator?.serving.onEntry(undefined);
    this.simulator = simulator;
    if (isNew) this.begin(simulator.journalHead());
    simulator.serving.onEntry((entry) => this.write(entry));
  }

  /** Writes where the run stands, if that is news. @param isDue also when it was written a moment ago */
  mark(isDue: boolean): void {
    if (this.simulator === undefined || (!isDue && this.sinceMarkMs() < MARK_MS)) return;
    const { position } = this.simulator.serving;
    const at = JSON.stringify({ end: position });
    if (at === this.markedAt) return;
    this.markedAt = at;
    this.sinceMarkMs = stopwatch();
    this.write({ end: position });
  }

  close(): void {
    this.mark(true);
    this.simulator?.serving.onEntry(undefined);
    closeSync(this.file);
  }

  private begin({ ringback, options, entries, end }: JournalDocument): void {
    this.write({ ringback, options });
    for (const entry of entries) this.write(entry);
    this.write({ end });
  }

  /** At once, not in the background: it is in the file when the command is answered. */
  private write(line: JournalEntry | object): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    for (let written = 0; written < bytes.length; )
      written += writeSync(this.file, bytes, written, bytes.length - written, this.length + written);
    this.length += bytes.length;
  }
}

/** Whether a line is the head of a journal in lines. */
function isWholeLine(line: string): boolean {
  try {
    const head = JSON.parse(line) as Partial<JournalDocument>;
    return head.options !== undefined && head.entries === undefined;
  } catch {
    return false; // part of a document over several lines
  }
}
