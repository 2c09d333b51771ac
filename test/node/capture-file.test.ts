import { describe, expect, test } from "vitest";
import { CaptureFile, type CaptureHandle } from "../../src/node/capture-file.ts";

/** A file in memory on a disk with room for some bytes. */
class Disk {
  text = "";
  canTruncate = true;
  readonly said: string[] = [];

  constructor(public room: number) {}

  open(): Promise<CaptureFile> {
    const handle = {
      stat: async () => ({ isFile: () => true, size: this.text.length }),
      chmod: async () => {},
      close: async () => {},
      truncate: async (length: number) => {
        if (!this.canTruncate) throw new Error("read-only file system");
        this.text = this.text.slice(0, length);
      },
      read: async (into: Buffer, _: number, count: number, from: number) => ({
        buffer: into,
        bytesRead: into.write(this.text.slice(from, from + count)),
      }),
      // a disk that fills up takes a part first
      write: async (bytes: Buffer, from: number, length: number) => {
        const left = this.room - this.text.length;
        if (left <= 0) throw new Error("no space left on device");
        const part = bytes.subarray(from, from + Math.min(length, left, 7));
        this.text += part.toString("utf8");
        return { bytesWritten: part.length, buffer: bytes };
      },
    } satisfies Record<keyof CaptureHandle, unknown>;
    const opened: unknown = handle;
    return CaptureFile.open(
      "monday.jsonl",
      (message) => this.said.push(message),
      async () => opened as CaptureHandle,
    );
  }
}

const line = (id: number) => `{"receivedAt":${id},"body":"é"}\n`;

describe("CaptureFile", () => {
  test("writes lines in order, however small the parts are that the disk takes", async () => {
    const disk = new Disk(1_000);
    const file = await disk.open();
    for (const id of [1, 2, 3]) file.write(line(id));
    await file.close();
    expect(disk.text.split("\n")).toHaveLength(4);
    expect([file.missed, disk.said]).toEqual([0, []]);
  });

  test("takes back a line that does not fit, and goes on when there is room", async () => {
    const disk = new Disk(50);
    const file = await disk.open();
    for (const id of [1, 2, 3]) file.write(line(id).replace("é", "e"));
    await new Promise(setImmediate);
    await expect.poll(() => file.missed).toBe(2);
    expect(disk.text).toBe(line(1).replace("é", "e"));
    disk.room = 1_000;
    file.write(line(4).replace("é", "e"));
    await file.close();
    expect(disk.text).toBe(line(1).replace("é", "e") + line(4).replace("é", "e"));
    expect(disk.said).toEqual([
      "monday.jsonl: no space left on device; requests are forwarded, but not kept",
      "monday.jsonl: requests are kept again; 2 were not",
    ]);
  });

  test("begins a line of its own after one that cannot be taken back", async () => {
    const disk = new Disk(40);
    disk.canTruncate = false;
    const file = await disk.open();
    for (const id of [1, 2]) file.write(line(id).replace("é", "e"));
    await expect.poll(() => file.missed).toBe(1);
    disk.room = 1_000;
    file.write(line(3).replace("é", "e"));
    await file.close();
    const lines = disk.text.split("\n");
    expect(lines).toHaveLength(4);
    expect(`${lines[2]}\n`).toBe(line(3).replace("é", "e"));
  });
});
