import {
  closeSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { resolve } from "node:path";
import { InputError } from "../engine/errors.ts";
import type { JournalEntry } from "../engine/journal.ts";
import type { JournalDocument } from "../options.ts";
import type { Simulator } from "../simulator.ts";
import { stopwatch } from "./clock.ts";

/** How often the position of the run is written while nothing happens, ms. */
const MARK_MS = 1_000;

/**
 * Writes a journal during the run, line by line: the options first, then every entry, and from time to time the
 * position of the run. If the process is killed, only the command being run can be lost. If writing fails, the file
 * ends there; readers drop an incomplete line.
 */
export class JournalFile {
  private readonly file: number;
  /** The journal with which the file begins, if it does not begin with a new run. */
  private readonly beginning: JournalDocument | undefined;
  /** The temporary file that is written until the beginning is complete; then undefined. */
  private unbegun: string | undefined;
  private simulator: Simulator | undefined;
  private markedAt = "";
  /** The size of the file, bytes. */
  private length: number;
  private sinceMarkMs = stopwatch();
  private hasFailed = false;

  /**
   * @param resumed the file whose run goes on, if any; the same file is continued
   * @param onFailure called once when writing fails
   * @throws if the file exists and is not the one that is resumed, or cannot be written
   */
  constructor(
    private readonly path: string,
    resumed: { readonly path: string; readonly journal: JournalDocument } | undefined,
    private readonly onFailure: (error: Error) => void,
  ) {
    const isSame = resumed !== undefined && resolve(resumed.path) === resolve(path);
    const there = statSync(path, { throwIfNoEntry: false });
    if (there?.isFile() === false)
      throw new InputError(["journal"], `${path} is a folder or a device, expected a file`);
    if (there !== undefined && !isSame)
      throw new InputError(
        ["journal"],
        `${path} exists and is not overwritten: \`ringback serve ${path} --journal ${path}\` goes on with it`,
      );
    const text = isSame ? readFileSync(path, "utf8") : "";
    const isLines = isSame && isWholeLine(text.slice(0, text.indexOf("\n") + 1));
    // a file in one piece is rewritten line by line; it stays as it is until that is done
    if (!isLines) this.unbegun = isSame ? `${path}.${process.pid}.tmp` : path;
    this.beginning = isLines ? undefined : resumed?.journal;
    this.file = openSync(this.unbegun ?? path, isLines ? "r+" : "wx");
    this.length = isLines ? Buffer.byteLength(text.slice(0, text.lastIndexOf("\n") + 1)) : 0;
    ftruncateSync(this.file, this.length);
  }

  /**
   * Follows a run from its beginning, or from where the file ends.
   * @throws if the beginning cannot be written
   */
  begin(simulator: Simulator): void {
    if (this.unbegun !== undefined) {
      this.writeDocument(this.beginning ?? simulator.journalHead());
      if (this.unbegun !== this.path) renameSync(this.unbegun, this.path);
      this.unbegun = undefined;
    }
    this.follow(simulator);
  }

  /** Follows another run from its beginning. */
  restart(simulator: Simulator): void {
    this.simulator?.serving.onEntry(undefined);
    this.tried(() => this.writeDocument(simulator.journalHead()));
    this.follow(simulator);
  }

  private follow(simulator: Simulator): void {
    this.simulator = simulator;
    simulator.serving.onEntry((entry) => this.tried(() => this.write(entry)));
  }

  /** Writes the run's position if it changed. @param isDue also if it was written a moment ago */
  mark(isDue: boolean): void {
    if (this.simulator === undefined || (!isDue && this.sinceMarkMs() < MARK_MS)) return;
    const { position } = this.simulator.serving;
    const at = JSON.stringify({ end: position });
    if (at === this.markedAt) return;
    this.markedAt = at;
    this.sinceMarkMs = stopwatch();
    this.tried(() => this.write({ end: position }));
  }

  close(): void {
    this.mark(true);
    this.simulator?.serving.onEntry(undefined);
    closeSync(this.file);
    if (this.unbegun !== undefined) rmSync(this.unbegun, { force: true });
  }

  private tried(write: () => void): void {
    if (this.hasFailed) return;
    try {
      write();
    } catch (error) {
      this.hasFailed = true;
      const { message } = error as Error;
      this.onFailure(
        new Error(`the journal ${this.path} cannot be written any more: ${message}`, { cause: error }),
      );
    }
  }

  private writeDocument({ ringback, options, entries, end }: JournalDocument): void {
    this.write({ ringback, options });
    for (const entry of entries) this.write(entry);
    this.write({ end });
  }

  /** Writes synchronously: the line is in the file when the command is answered. */
  private write(line: JournalEntry | object): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    try {
      for (let written = 0; written < bytes.length; )
        written += writeSync(this.file, bytes, written, bytes.length - written, this.length + written);
    } catch (error) {
      // the error of a full disk does not name the file
      throw Object.assign(error as Error, { path: this.path });
    }
    this.length += bytes.length;
  }
}

/** Whether a line is the head of a journal in lines. */
function isWholeLine(line: string): boolean {
  try {
    const head = JSON.parse(line) as Partial<JournalDocument>;
    return head.options !== undefined && head.entries === undefined;
  } catch {
    return false; // a line of a document over several lines
  }
}
