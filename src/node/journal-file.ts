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
import { journalLines, noSeal, type Seal, sealedLine } from "../journal-lines.ts";
import { type JournalDocument, readJournal } from "../options.ts";
import type { Simulator } from "../simulator.ts";
import { stopwatch } from "./clock.ts";
import { JournalLock } from "./journal-lock.ts";

/** How often the position of the run is written while nothing happens, ms. */
const MARK_MS = 1_000;

/**
 * Writes a journal during the run, line by line: the options first, then every entry, and from time to time the
 * position of the run. If the process is killed, only the command being run can be lost. If writing fails, the file
 * ends there; readers drop an incomplete line. Only one server at a time writes a file.
 */
export class JournalFile {
  private simulator: Simulator | undefined;
  private markedAt = "";
  private sinceMarkMs = stopwatch();
  private hasFailed = false;

  private constructor(
    private readonly path: string,
    private readonly file: number,
    private readonly lock: JournalLock,
    /** The size of the file, bytes. */
    private length: number,
    /** Where its lines end. */
    private seal: Seal,
    /** The journal with which the file begins, if it does not begin with a new run. */
    private readonly beginning: JournalDocument | undefined,
    /** The temporary file that is written until the beginning is complete; then undefined. */
    private unbegun: string | undefined,
    private readonly onFailure: (error: Error) => void,
  ) {}

  /**
   * Opens a new file, or one whose run goes on.
   * @param resumed the file whose run goes on, if any; the same file is continued
   * @param onFailure called once when writing fails
   * @throws {InputError} if the file exists and is not the one that is resumed, or if another server writes it; what
   * opening it fails with
   */
  static async open(
    path: string,
    resumed: { readonly path: string; readonly journal: JournalDocument } | undefined,
    onFailure: (error: Error) => void,
  ): Promise<JournalFile> {
    const isSame = resumed !== undefined && resolve(resumed.path) === resolve(path);
    mustBeFree(path, isSame);
    const lock = await JournalLock.take(path);
    try {
      const text = isSame ? readFileSync(path, "utf8") : "";
      if (isSame) mustBeAsRead(path, text, resumed.journal);
      const seal = journalLines(text)?.seal;
      // a file in one piece, or of an earlier version, is written anew; it stays as it is until that is done
      const unbegun = seal !== undefined ? undefined : isSame ? `${path}.${process.pid}.tmp` : path;
      const beginning = seal === undefined ? resumed?.journal : undefined;
      const file = openSync(unbegun ?? path, seal === undefined ? "wx" : "r+");
      const length = seal === undefined ? 0 : Buffer.byteLength(text.slice(0, text.lastIndexOf("\n") + 1));
      ftruncateSync(file, length);
      return new JournalFile(path, file, lock, length, seal ?? noSeal, beginning, unbegun, onFailure);
    } catch (error) {
      lock.release();
      throw error;
    }
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
    this.lock.release();
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

  private writeDocument({ ringback, rules, options, entries, end }: JournalDocument): void {
    this.write({ ringback, rules, options });
    for (const entry of entries) this.write(entry);
    this.write({ end });
  }

  /** Writes synchronously: the line is in the file when the command is answered. */
  private write(line: JournalEntry | object): void {
    const { text, seal } = sealedLine(line, this.seal);
    const bytes = Buffer.from(`${text}\n`);
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
}

/** @throws {InputError} if another server has written the file since its journal was read */
function mustBeAsRead(path: string, text: string, { entries, end }: JournalDocument): void {
  const now = readJournal(text);
  if (now.entries.length !== entries.length || now.end.step !== end.step || now.end.atMs !== end.atMs)
    throw new InputError(["journal"], `${path} was written after it was read: start again`);
}

/** @throws {InputError} if something is there that is not the file to go on with */
function mustBeFree(path: string, isSame: boolean): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isFile() === false)
    throw new InputError(["journal"], `${path} is a folder or a device, expected a file`);
  if (there !== undefined && !isSame)
    throw new InputError(
      ["journal"],
      `${path} exists and is not overwritten: \`ringback serve ${path} --journal ${path}\` goes on with it`,
    );
}
