import { describe, expect, test } from "vitest";
import { CaptureFile, type CaptureHandle } from "../../src/server/capture-file.ts";

/** A file in memory on a disk with room for some bytes. */
class Disk {
  text = "";
  canTruncate = true;
  onWrite = () => {};
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
      write: async (bytes: Buffer, from: number, length: number, position?: number) => {
        const at = position ?? this.text.length;
        const left = this.room - at;
        if (left <= 0) throw new Error("no space left on device");
        const part = bytes.subarray(from, from + Math.min(length, left, 7));
        this.text = this.text.slice(0, at) + part.toString("latin1") + this.text.slice(at + part.length);
        this.onWrite();
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

const request = (id: number) => ({
  receivedMs: id,
  method: "POST",
  path: "/",
  headers: [],
  body: Buffer.from(`"e${id}"`),
});
const accepted = { status: 204, responseMs: 5 };
const rowsIn = (disk: Disk) =>
  disk.text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { body: string; status?: number; problem?: string });
/** How long the line of a request is. */
async function lineLength(): Promise<number> {
  const disk = new Disk(10_000);
  const file = await disk.open();
  file.append(request(1));
  await file.close();
  return disk.text.length;
}

describe("CaptureFile", () => {
  test("writes lines in order, however small the parts are that the disk takes", async () => {
    const disk = new Disk(10_000);
    const file = await disk.open();
    const outcomes = [1, 2, 3].map((id) => file.append(request(id)));
    for (const outcome of outcomes.reverse()) outcome(accepted);
    await file.close();
    expect(rowsIn(disk).map(({ body, status }) => [body, status])).toEqual([
      ['"e1"', 204],
      ['"e2"', 204],
      ['"e3"', 204],
    ]);
    expect([file.droppedRequests, disk.said]).toEqual([0, []]);
  });

  test("takes back a line that does not fit, and goes on when there is room", async () => {
    const disk = new Disk((await lineLength()) + 50);
    const file = await disk.open();
    for (const id of [1, 2, 3]) file.append(request(id))(accepted);
    await expect.poll(() => file.droppedRequests).toBe(2);
    expect(rowsIn(disk)).toMatchObject([{ body: '"e1"', status: 204 }]);
    disk.room = 10_000;
    file.append(request(4))(accepted);
    await file.close();
    expect(rowsIn(disk).map(({ body }) => body)).toEqual(['"e1"', '"e4"']);
    expect(disk.said).toEqual([
      "monday.jsonl: no space left on device; requests are forwarded, but not kept",
      "monday.jsonl: requests are kept again; 2 were not",
    ]);
  });

  test("begins a line of its own after one that cannot be taken back", async () => {
    const disk = new Disk((await lineLength()) + 50);
    disk.canTruncate = false;
    const file = await disk.open();
    for (const id of [1, 2]) file.append(request(id))(accepted);
    await expect.poll(() => file.droppedRequests).toBe(1);
    disk.room = 10_000;
    file.append(request(3))(accepted);
    await file.close();
    const lines = disk.text.split("\n");
    expect(lines).toHaveLength(4);
    expect(JSON.parse(lines[2] ?? "")).toMatchObject({ body: '"e3"', status: 204 });
  });

  test("cuts a problem that is longer than the room of its line", async () => {
    const disk = new Disk(10_000);
    const file = await disk.open();
    file.append(request(1))({ status: 502, responseMs: 5, problem: "é\n".repeat(1_000) });
    await file.close();
    expect(disk.text).toHaveLength(await lineLength());
    expect(rowsIn(disk)[0]?.status).toBe(502);
    expect(rowsIn(disk)[0]?.problem?.length).toBeGreaterThan(50);
  });

  test("does not guess where its line is when another process writes the file too", async () => {
    const disk = new Disk(10_000);
    const other = '{"receivedAt":0}\n';
    const file = await disk.open();
    disk.onWrite = () => {
      if (!disk.text.endsWith("}\n")) return;
      disk.onWrite = () => {};
      disk.text += other;
    };
    file.append(request(1))(accepted);
    file.append(request(2))(accepted);
    await file.close();
    expect(rowsIn(disk)).toMatchObject([{ body: '"e1"' }, { receivedAt: 0 }, { body: '"e2"', status: 204 }]);
    expect(rowsIn(disk)[0]).not.toHaveProperty("status");
    expect([file.droppedRequests, file.droppedOutcomes]).toEqual([0, 1]);
    expect(disk.said).toEqual([
      "monday.jsonl: another process writes this file too; a request is kept without its answer",
    ]);
  });
});
