import { describe, expect, test } from "vitest";
import { inChunks, jsonChunks } from "../../../src/core/foundation/chunks.ts";

const LENGTH = 1 << 16;

describe("inChunks", () => {
  test("joins short texts and cuts long ones", () => {
    const texts = ["a", "b".repeat(LENGTH), "c".repeat(2 * LENGTH), "d"];
    const chunks = [...inChunks(texts)];
    expect(chunks.join("")).toBe(texts.join(""));
    expect(chunks.map(({ length }) => length)).toEqual([LENGTH + 1, LENGTH, LENGTH, 1]);
    expect([...inChunks([""])]).toEqual([]);
  });

  test("never splits a surrogate pair", () => {
    const emoji = `${"x".repeat(LENGTH - 1)}😀y`;
    const chunks = [...inChunks([emoji])];
    expect(chunks.map((chunk) => Buffer.from(chunk).toString())).toEqual(chunks);
    expect(chunks).toHaveLength(2);
    expect(chunks.join("")).toBe(emoji);
  });
});

test.each([
  ["a list of objects", [{ a: 1, b: undefined }, null, "c"]],
  ["an object with a missing field", { a: undefined, b: [undefined, 1], c: { d: {} } }],
  ["nothing in it", [{}, []]],
  ["text", "a"],
])("The JSON of %s is that of JSON.stringify, however deep it is taken apart", (_, value) => {
  for (const depth of [0, 1, 2, 9])
    expect([...jsonChunks(value, depth)].join("")).toBe(JSON.stringify(value));
});
