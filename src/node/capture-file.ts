import { type FileHandle, open } from "node:fs/promises";

/** A file with only what the proxy needs of it. */
export type CaptureHandle = Pick<FileHandle, "chmod" | "close" | "read" | "stat" | "truncate" | "write">;

/** The bytes of the first line that are looked at, to see that a file is a capture. */
const LOOK_BYTES = 200;

/**
 * The file of a capture, to which lines are added, each whole or not at all. When it cannot be written, as on a full disk,
 * lines are dropped and counted until it can be again.
 */
export class CaptureFile {
  /** How many lines could not be written. */
  missed = 0;
  private isFailing = false;
  private last: Promise<void> = Promise.resolve();

  private constructor(
    private readonly file: CaptureHandle,
    private readonly path: string,
    private length: number,
    private readonly isRegular: boolean,
    private needsLineBreak: boolean,
    private readonly onTrouble: (message: string) => void,
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
    openFile: (path: string) => Promise<CaptureHandle> = (name) => open(name, "a+", 0o600),
  ): Promise<CaptureFile> {
    const file = await openFile(path);
    try {
      const stat = await file.stat();
      const isRegular = stat.isFile();
      const length = isRegular ? stat.size : 0;
      if (length > 0 && !(await beginsLikeCapture(file)))
        throw new NotACapture(`${path}: expected a new file, or a capture to add to`);
      if (isRegular) await file.chmod(0o600);
      const needsLineBreak = length > 0 && (await byteAt(file, length - 1)) !== 10;
      return new CaptureFile(file, path, length, isRegular, needsLineBreak, onTrouble);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Adds a line after those before it. */
  write(line: string): void {
    this.last = this.last.then(() => this.append(line));
  }

  /** Waits for the lines so far, and closes the file. */
  async close(): Promise<void> {
    await this.last;
    await this.file.close();
  }

  private async append(line: string): Promise<void> {
    const bytes = Buffer.from(this.needsLineBreak ? `\n${line}` : line);
    let written = 0;
    try {
      while (written < bytes.length)
        written += (await this.file.write(bytes, written, bytes.length - written)).bytesWritten;
      this.length += written;
      this.needsLineBreak = false;
      if (this.isFailing) this.onTrouble(`${this.path}: requests are kept again; ${this.missed} were not`);
      this.isFailing = false;
    } catch (error) {
      this.missed++;
      if (written > 0) await this.takeBack(written);
      if (!this.isFailing)
        this.onTrouble(`${this.path}: ${(error as Error).message}; requests are forwarded, but not kept`);
      this.isFailing = true;
    }
  }

  /** Removes the part of a line that was written. */
  private async takeBack(written: number): Promise<void> {
    try {
      if (this.isRegular) await this.file.truncate(this.length);
      else this.needsLineBreak = true;
    } catch {
      // what was written stays: the next line begins after it, and readers name it as a line that cannot be read
      this.length += written;
      this.needsLineBreak = true;
    }
  }
}

/** A file that exists and holds something else. */
export class NotACapture extends Error {
  override readonly name = "NotACapture";
}

async function beginsLikeCapture(file: CaptureHandle): Promise<boolean> {
  const bytes = Buffer.alloc(LOOK_BYTES);
  const { bytesRead } = await file.read(bytes, 0, LOOK_BYTES, 0);
  return /^\s*\{"receivedAt":/.test(bytes.toString("utf8", 0, bytesRead));
}

async function byteAt(file: CaptureHandle, position: number): Promise<number | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, position);
  return bytesRead === 0 ? undefined : buffer[0];
}
