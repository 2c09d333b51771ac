import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { importCapture, readCapture } from "../../src/capture/index.ts";
import { captured, capturedObserved, edited, jsonl } from "./support.ts";

/** Captures as people have them in files. */

const lines = captured("01");
const text = jsonl(lines);
const expected = await readCapture(text);

async function* pieces(bytes: Uint8Array, length = 1_000): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

function utf16(content: string, isBig: boolean): Uint8Array {
  const bytes = Buffer.from(`\ufeff${content}`, "utf16le");
  return isBig ? bytes.swap16() : bytes;
}

/** A body as a log viewer shows it unfolded: no commas, the index before each item, `NULL`. */
function unfolded(value: unknown): string {
  if (value === null) return "NULL";
  if (Array.isArray(value))
    return `[\n${value.map((each, index) => `${index}:${unfolded(each)}`).join("\n")}\n]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, below]) => `"${name}":${unfolded(below)}`);
  return `{\n${fields.join("\n")}\n}`;
}

describe("readCapture", () => {
  test.each([
    ["UTF-16, little end first", utf16(text, false)],
    ["UTF-16, big end first", utf16(text, true)],
    ["gzip", gzipSync(text)],
    ["UTF-16 in gzip", gzipSync(utf16(text, false))],
  ])("reads a capture in %s, in pieces of any length", async (_, bytes) => {
    for (const length of [1, 997, 1 << 20])
      expect((await readCapture(pieces(bytes, length))).events).toEqual(expected.events);
  });

  test("refuses what begins like gzip and is none", async () => {
    await expect(readCapture(pieces(new Uint8Array([0x1f, 0x8b, 1, 2, 3])))).rejects.toThrow(
      "the capture begins like a gzip file, but cannot be decompressed",
    );
  });

  test("reads an export of 20 MB on one line", async () => {
    const entries = lines.map(({ body }) => ({
      startedDateTime: "2026-07-01T09:00:00.000Z",
      request: { method: "POST", url: "https://crm.test/", headers: [], postData: { text: body } },
      response: { status: 204, content: { text: "x".repeat(3_000_000) } },
    }));
    const { events, problems } = await readCapture(JSON.stringify({ log: { entries } }));
    expect(problems).toEqual([]);
    expect(events.map(({ id }) => id)).toEqual(expected.events.map(({ id }) => id));
  });

  test("reads several exports, one after the other, also between the lines of a log", async () => {
    const entries = lines.map(({ body }) => ({
      startedDateTime: "2026-07-01T09:00:00.000Z",
      request: { method: "POST", url: "https://crm.test/", headers: [], postData: { text: body } },
    }));
    const exported = (from: number, to?: number, spaces = 0) =>
      JSON.stringify({ log: { entries: entries.slice(from, to) } }, null, spaces);
    const log = (from: number, to?: number) => jsonl(lines.slice(from, to));
    for (const mixed of [
      `${exported(0, 3)}\n${exported(3)}`,
      `${exported(0, 3, 2)}\n${exported(3, undefined, 2)}`,
      `${exported(0, 3)}\n${log(3)}`,
      `${log(0, 3)}${exported(3, 5)}\n${log(5)}`,
    ]) {
      const { events, problems } = await readCapture(mixed);
      expect(problems).toEqual([]);
      expect(events.map(({ id }) => id)).toEqual(expected.events.map(({ id }) => id));
    }
  });

  test("reads raw bodies between the lines of a log", async () => {
    const mixed = lines.map((line, index) => (index % 2 === 0 ? line : JSON.parse(line.body)));
    const { events, problems } = await readCapture(jsonl(mixed));
    expect(problems).toEqual([]);
    expect(events.map(({ data }) => data)).toEqual(expected.events.map(({ data }) => data));
  });

  test("reads the log viewer's paste with unfolded bodies", async () => {
    const paste = lines
      .map(
        ({ body }) =>
          `"eventId":"${JSON.parse(body).id}"\n"requestBody":${unfolded(JSON.parse(body))}\n"responseTimeMs":484\n"status":200\n`,
      )
      .join("\n");
    const { events, problems } = await readCapture(paste);
    expect(problems).toEqual([]);
    expect(events.map(({ data }) => data)).toEqual(expected.events.map(({ data }) => data));
    expect(events[0]?.requests).toMatchObject([{ status: 200, responseMs: 484 }]);
  });

  test("reads the log viewer's paste with bodies of the profile observed", async () => {
    const bodies = capturedObserved("01").map(({ body }) => JSON.parse(body));
    const paste = bodies.map(
      (body) =>
        `"eventId":"${body.id}"\n"requestBody":${unfolded(body)}\n"responseTimeMs":484\n"status":200\n`,
    );
    const { verdict, explained } = await importCapture(paste.join("\n"));
    expect({ verdict, explained }).toEqual({ verdict: "possible", explained: bodies.length });
  });

  test("reads an unfolded body that does not end as a problem", async () => {
    await expect(readCapture('"requestBody":{\n"id":"a"\n"data":{\n0:')).rejects.toThrow(
      "no request of the capture can be read",
    );
  });
});

describe("importCapture", () => {
  const two = [
    ...lines,
    ...edited(lines, (body) => {
      Object.assign(body, { id: `other-${body.id}`, organisationId: "globex" });
      if (body.data.call !== undefined) body.data.call.id = "other-call";
    }),
  ];

  test("lists several organisations by number, and imports the chosen one", async () => {
    await expect(importCapture(jsonl(two))).rejects.toThrow(
      "organisation: expected one of the 2 organisations in the capture (1: 7 requests, first in line 1; 2: 7 requests, first in line 8), got none",
    );
    for (const organisation of [2, "2", "globex"])
      expect(await importCapture(jsonl(two), { organisation })).toMatchObject({
        verdict: "possible",
        requests: 7,
      });
    await expect(importCapture(jsonl(two), { organisation: 3 })).rejects.toThrow("got 3");
  });

  test.each([false, true])("reads extensions and numbers of other types (redact: %s)", async (redact) => {
    const typed = edited(lines, ({ data: { call, user } }) => {
      for (const each of call?.parties ?? [])
        if (each.extension !== null) each.extension = Number(each.extension);
      if (user === undefined) return;
      user.extension = Number(user.extension);
      user.phoneNumbers = user.phoneNumbers.map((number: string) => ({
        numberE164: number,
        numberLocal: "09 555 0100",
      }));
    });
    const { verdict, scenario, drift } = await importCapture(jsonl(typed), { redact });
    expect(verdict).toBe("possible");
    expect(scenario.options.organisation?.users?.[0]?.extension).toBe(redact ? "701" : "101");
    expect(scenario.options.organisation?.numbers?.length).toBe(2);
    expect(drift.types.map(({ path }) => path)).toContain("data.user.extension");
  });
});
