import { type FileHandle, open } from "node:fs/promises";
import {
  type AppAnswerLine,
  type ArrivedRequest,
  captureLine,
  captureRow,
  noteAppAnswer,
} from "../capture/record/capture-to.ts";

/** The part of a file handle that the proxy needs. */
export type CaptureHandle = Pick<FileHandle, "chmod" | "close" | "read" | "stat" | "truncate" | "write">;

/** How much of the first line is read to recognise a capture, bytes. */
const HEAD_BYTES = 200;
/** The space that a line reserves for its request's outcome, bytes. It is filled with blanks, which JSON allows there. */
const OUTCOME_BYTES = 256;

/** Writes a request's outcome into its line. */
export type OutcomeWriter = (outcome: AppAnswerLine) => void;

/**
 * Appends to the file of a capture, each line whole or not at all. A request is written as soon as it arrives, so a
 * killed process loses none; its outcome is written into its line later. While the file cannot be written, as on a full
 * disk, lines are dropped and counted.
 */
export class CaptureFile {
  /** How many requests could not be written. */
  droppedRequests = 0;
  /** How many outcomes could not be written, though their requests were. */
  droppedOutcomes = 0;
  private isFailing = false;
  private lastWrite: Promise<void> = Promise.resolve();

  private constructor(
    /** Writes at the end, whoever else writes there. */
    private readonly file: CaptureHandle,
    /** Writes into lines; undefined for a pipe or a device, which only takes whole lines. */
    private readonly randomAccess: CaptureHandle | undefined,
    private readonly path: string,
    private length: number,
    private needsLineBreak: boolean,
    private readonly onProblem: (message: string) => void,
  ) {}

  /**
   * Opens a file to add to, readable and writable by its owner alone.
   * @param onTrouble told when lines begin to be dropped, and when they are written again
   * @param openFile for tests of a file that fails
   * @throws {Error} what opening fails with, and for a file that is no capture
   */
  static async open(
    path: string,
    onTrouble: (message: string) => void,
    openFile: (path: string, flags: "a+" | "r+") => Promise<CaptureHandle> = (name, flags) =>
      open(name, flags, 0o600),
  ): Promise<CaptureFile> {
    const file = await openFile(path, "a+");
    try {
      const stat = await file.stat();
      const isRegular = stat.isFile();
      const length = isRegular ? stat.size : 0;
      if (length > 0 && !(await startsLikeCapture(file)))
        throw new NotACapture(`${path}: expected a new file, or a capture to add to`);
      if (isRegular) await file.chmod(0o600);
      const needsLineBreak = length > 0 && (await byteAt(file, length - 1)) !== 10;
      const inside = isRegular ? await openFile(path, "r+") : undefined;
      return new CaptureFile(file, inside, path, length, needsLineBreak, onTrouble);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Appends a line for a request that has arrived. @returns a function that writes its outcome */
  append(request: ArrivedRequest): OutcomeWriter {
    if (this.randomAccess === undefined)
      return (outcome) => void this.enqueue(() => this.appendLine(captureLine({ ...request, ...outcome })));
    const row = JSON.stringify(captureRow(request));
    const line = `${row.slice(0, -1)}${" ".repeat(OUTCOME_BYTES)}}\n`;
    const end = this.enqueue(() => this.appendLine(line));
    return (outcome) =>
      void this.enqueue(async () => this.writeOutcome(await end, noteAppAnswer(request, outcome)));
  }

  /** Waits for pending writes, and closes the file. */
  async close(): Promise<void> {
    await this.lastWrite;
    await this.file.close();
    await this.randomAccess?.close();
  }

  private enqueue<Result>(write: () => Promise<Result>): Promise<Result> {
    const result = this.lastWrite.then(write);
    this.lastWrite = result.then(() => {});
    return result;
  }

  /** @returns where the line ends; undefined if it could not be written, "unknown" if somebody else writes the file too */
  private async appendLine(line: string): Promise<number | "unknown" | undefined> {
    const bytes = Buffer.from(this.needsLineBreak ? `\n${line}` : line);
    let written = 0;
    try {
      if (this.randomAccess !== undefined) this.length = (await this.file.stat()).size;
      while (written < bytes.length)
        written += (await this.file.write(bytes, written, bytes.length - written)).bytesWritten;
      this.length += written;
      this.needsLineBreak = false;
      if (this.isFailing)
        this.onProblem(`${this.path}: requests are kept again; ${this.droppedRequests} were not`);
      this.isFailing = false;
      const isAlone = this.randomAccess === undefined || (await this.file.stat()).size === this.length;
      return isAlone ? this.length : "unknown";
    } catch (error) {
      this.droppedRequests++;
      if (written > 0) await this.removePartialLine(written);
      if (!this.isFailing)
        this.onProblem(`${this.path}: ${(error as Error).message}; requests are forwarded, but not kept`);
      this.isFailing = true;
      return undefined;
    }
  }

  /** Writes an outcome into the reserved space of the line that ends at `end`. */
  private async writeOutcome(
    end: number | "unknown" | undefined,
    outcome: Partial<AppAnswerLine>,
  ): Promise<void> {
    const { randomAccess } = this;
    if (end === undefined || randomAccess === undefined) return;
    try {
      if (end === "unknown") throw new Error("another process writes this file too");
      const bytes = Buffer.from(outcomeText(outcome));
      const start = end - "}\n".length - OUTCOME_BYTES;
      for (let at = 0; at < bytes.length; )
        at += (await randomAccess.write(bytes, at, bytes.length - at, start + at)).bytesWritten;
    } catch (error) {
      if (this.droppedOutcomes === 0)
        this.onProblem(`${this.path}: ${(error as Error).message}; a request is kept without its answer`);
      this.droppedOutcomes++;
    }
  }

  /** Removes the part of a line that was written. */
  private async removePartialLine(written: number): Promise<void> {
    try {
      if (this.randomAccess !== undefined) await this.file.truncate(this.length);
      else this.needsLineBreak = true;
    } catch {
      // the partial line stays, and readers report it; the next line begins after it
      this.length += written;
      this.needsLineBreak = true;
    }
  }
}

/** An outcome's part of its line. A problem that does not fit is cut. */
function outcomeText(outcome: Partial<AppAnswerLine>): string {
  const text = JSON.stringify(outcome).slice(1, -1);
  if (text === "") return "";
  return Buffer.byteLength(text) < OUTCOME_BYTES
    ? `,${text}`
    : outcomeText({ ...outcome, problem: outcome.problem?.slice(0, -10) });
}

/** A file that exists and holds something else. */
export class NotACapture extends Error {
  override readonly name = "NotACapture";
}

async function startsLikeCapture(file: CaptureHandle): Promise<boolean> {
  const bytes = Buffer.alloc(HEAD_BYTES);
  const { bytesRead } = await file.read(bytes, 0, HEAD_BYTES, 0);
  return /^\s*\{"receivedAt":/.test(bytes.toString("utf8", 0, bytesRead));
}

async function byteAt(file: CaptureHandle, position: number): Promise<number | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, position);
  return bytesRead === 0 ? undefined : buffer[0];
}
