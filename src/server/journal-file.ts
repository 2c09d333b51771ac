import {
  existsSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { InputError } from "../core/foundation/errors.ts";
import { journalLines } from "../core/simulator/journal-codec.ts";
import { type JournalDocument, readJournal } from "../core/simulator/options.ts";
import type { Simulator } from "../core/simulator/simulator.ts";
import { stopwatch } from "./clock.ts";
import { JournalLock } from "./journal-lock.ts";
import { JournalWriter, syncFolder } from "./journal-writer.ts";

/** How often the position of the run is written while nothing happens, ms. */
const MARK_MS = 1_000;

/** How a journal file is kept. */
export interface JournalFileOptions {
  /** The file whose run goes on, if any; the same file is continued. */
  readonly resumed: { readonly path: string; readonly journal: JournalDocument } | undefined;
  /** After how many lines the file of a run is compacted; infinity for never. */
  readonly compactAfter: (simulator: Simulator) => number;
  /** Called once when writing fails: the file ends there. */
  readonly onFailure: (error: Error) => void;
  /** Called when compacting fails: the file goes on as it is. */
  readonly onProblem: (error: Error) => void;
}

/**
 * Writes a journal during the run, line by line: the options first, then every entry, and from time to time the
 * position of the run. If the process is killed, only the command being run can be lost. If writing fails, the file
 * ends there; readers drop an incomplete line. Only one server at a time writes a file.
 *
 * A file that is compacted is written anew beside the old one, with a snapshot of the state, and takes its place when it
 * is complete. So at any moment there is a whole file with every answered command.
 */
export class JournalFile {
  private simulator: Simulator | undefined;
  private stopFollowing: (() => void) | undefined;
  private lastMark = "";
  private sinceMarkMs = stopwatch();
  private hasFailed = false;
  private isClosed = false;
  private compactAfter = Number.POSITIVE_INFINITY;
  private isCompactionScheduled = false;

  private constructor(
    private readonly path: string,
    private writer: JournalWriter,
    private readonly lock: JournalLock,
    /** How many lines were written since the last snapshot. */
    private lines: number,
    /** The journal with which the file begins, if it does not begin with a new run. */
    private readonly initialJournal: JournalDocument | undefined,
    /** The file that is written until the beginning is complete; then undefined. */
    private unfinishedPath: string | undefined,
    private readonly options: JournalFileOptions,
  ) {}

  /**
   * Opens a new file, or one whose run goes on.
   * @throws {InputError} if the file exists and is not the one that is resumed, if it has a second name, or if another
   * server writes it; what opening it fails with
   */
  static async open(requestedPath: string, options: JournalFileOptions): Promise<JournalFile> {
    const { resumed } = options;
    // a file has one lock, whatever links lead to it, and a link to it stays one
    const path = existsSync(requestedPath) ? realpathSync(requestedPath) : requestedPath;
    const isSame = resumed !== undefined && existsSync(path) && realpathSync(resumed.path) === path;
    mustBeFree(requestedPath, isSame);
    let opened: JournalFile | undefined;
    const lock = await JournalLock.take(path, (error) => opened?.fail(error));
    try {
      rmSync(unfinishedPathOf(path), { force: true }); // left by a server that was killed while it compacted
      const text = isSame ? readFileSync(path, "utf8") : "";
      if (isSame) mustBeUnchanged(path, text, resumed.journal);
      const seal = journalLines(text)?.seal;
      if (seal === undefined) {
        // a file in one piece stays as it is until its beginning is written anew
        const writer = new JournalWriter(path, openSync(unfinishedPathOf(path), "wx", 0o600));
        opened = new JournalFile(path, writer, lock, 0, resumed?.journal, unfinishedPathOf(path), options);
        return opened;
      }
      const file = openSync(path, "r+");
      const length = Buffer.byteLength(text.slice(0, text.lastIndexOf("\n") + 1));
      ftruncateSync(file, length);
      const writer = new JournalWriter(path, file, length, seal);
      opened = new JournalFile(path, writer, lock, seal.n, undefined, undefined, options);
      return opened;
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
    if (this.unfinishedPath !== undefined) {
      this.writer.writeDocument(this.initialJournal ?? simulator.journalHead());
      this.replaceWith(this.writer);
      this.unfinishedPath = undefined;
    }
    this.follow(simulator);
  }

  /** Follows another run from its beginning. */
  restart(simulator: Simulator): void {
    this.stopFollowing?.();
    this.writeOrFail(() => this.writer.writeDocument(simulator.journalHead()));
    this.follow(simulator);
  }

  private follow(simulator: Simulator): void {
    this.simulator = simulator;
    this.compactAfter = this.options.compactAfter(simulator);
    this.stopFollowing = simulator.serverPort.attach({ entryWritten: (entry) => this.add(entry) });
  }

  /** Writes the run's position if it changed. @param isDue also if it was written a moment ago */
  mark(isDue: boolean): void {
    if (this.simulator === undefined || (!isDue && this.sinceMarkMs() < MARK_MS)) return;
    const { position } = this.simulator.serverPort;
    const at = JSON.stringify({ end: position });
    if (at === this.lastMark) return;
    this.lastMark = at;
    this.sinceMarkMs = stopwatch();
    this.add({ end: position });
  }

  close(): void {
    this.mark(true);
    this.isClosed = true;
    this.stopFollowing?.();
    this.writer.close();
    if (this.unfinishedPath !== undefined) rmSync(this.unfinishedPath, { force: true });
    this.lock.release();
  }

  private add(line: object): void {
    this.writeOrFail(() => this.writer.write(line));
    if (++this.lines < this.compactAfter || this.isCompactionScheduled) return;
    this.isCompactionScheduled = true;
    // an entry is written in the middle of a step, when the state is not consistent
    queueMicrotask(() => {
      this.isCompactionScheduled = false;
      this.compact();
    });
  }

  /** Writes the file anew, with a snapshot of the state in place of what led to it. */
  private compact(): void {
    if (this.isClosed || this.hasFailed) return;
    const journal = this.simulator?.compact();
    if (journal === undefined) return; // a handler is running: try again after the next line
    this.lines = 0;
    const unfinished = unfinishedPathOf(this.path);
    try {
      const writer = new JournalWriter(unfinished, openSync(unfinished, "w", 0o600));
      try {
        writer.writeDocument(journal);
        this.replaceWith(writer);
      } catch (error) {
        writer.close();
        rmSync(unfinished, { force: true });
        throw error;
      }
      syncFolder(this.path);
    } catch (error) {
      const { message } = error as Error;
      const text = `the journal ${this.path} cannot be compacted, and continues as it is: ${message}`;
      this.options.onProblem(new Error(text, { cause: error }));
    }
  }

  /** Puts the complete file beside the old one in its place. */
  private replaceWith(writer: JournalWriter): void {
    writer.sync();
    this.lock.mustBeHeld();
    const old = writer === this.writer ? undefined : this.writer;
    old?.close(); // Windows does not let a file take the place of an open one
    try {
      renameSync(unfinishedPathOf(this.path), this.path);
    } catch (error) {
      old?.reopen(this.path);
      throw error;
    }
    this.writer = writer;
  }

  private writeOrFail(write: () => void): void {
    if (this.hasFailed) return;
    try {
      this.lock.mustBeHeld();
      write();
    } catch (error) {
      this.fail(error as Error);
    }
  }

  /** Ends the file where it is. */
  private fail(error: Error): void {
    if (this.hasFailed) return;
    this.hasFailed = true;
    const text = `the journal ${this.path} cannot be written any more: ${error.message}`;
    this.options.onFailure(new Error(text, { cause: error }));
  }
}

/** The file that is written before it takes the place of the old one. Whoever holds the lock writes it. */
function unfinishedPathOf(path: string): string {
  return `${path}.unfinished`;
}

/** @throws {InputError} if another server has written the file since its journal was read */
function mustBeUnchanged(path: string, text: string, { entries, end }: JournalDocument): void {
  const now = readJournal(text);
  if (now.entries.length !== entries.length || now.end.step !== end.step || now.end.atMs !== end.atMs)
    throw new InputError(["journal"], `${path} was written after it was read: start again`);
}

/** @throws {InputError} if something is there that is not the file to go on with, or is so under two names */
function mustBeFree(path: string, isSame: boolean): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there === undefined && lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    throw new InputError(["journal"], `${path} is a link to a file that does not exist`);
  if (there?.isFile() === false)
    throw new InputError(["journal"], `${path} is a folder or a device, expected a file`);
  if (there !== undefined && isSame && there.nlink > 1)
    throw new InputError(
      ["journal"],
      `${path} has another name too (a hard link), by which another server could write it: continue with a copy`,
    );
  if (there !== undefined && !isSame)
    throw new InputError(
      ["journal"],
      `${path} exists and is not overwritten: \`ringback serve ${path} --journal ${path}\` continues it`,
    );
}
