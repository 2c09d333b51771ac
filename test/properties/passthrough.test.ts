import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accept, merge, validEntries } from "../../src/core/platform/passthrough/passthrough.ts";
import { passthroughs } from "./moves/beginnings.ts";
import { always } from "./support.ts";

const bytesOf = (entries: object) => Buffer.byteLength(Object.entries(entries).flat().join(""));

describe("Passthrough parameters", () => {
  it("are all accepted up to 1000 bytes, and otherwise none", () => {
    always(2_000, passthroughs, (given) => {
      const valid = validEntries(given);
      expect(accept(given)).toEqual(bytesOf(valid) <= 1_000 ? valid : {});
    });
  });

  it("that are valid start with x-, are text, and survive JSON and a second validation", () => {
    always(2_000, passthroughs, (given) => {
      const valid = validEntries(given);
      for (const [name, value] of Object.entries(valid)) {
        expect(name).toMatch(/^x-/);
        expect(() => encodeURIComponent(name + value), "broken text").not.toThrow();
        if (typeof given === "object") expect((given as Record<string, unknown>)[name]).toBe(value);
      }
      expect(validEntries(JSON.parse(JSON.stringify(valid)))).toEqual(valid);
    });
  });

  it("that are merged override stored ones, or change nothing if the result is too large", () => {
    always(2_000, fc.tuple(passthroughs, passthroughs), ([first, second]) => {
      const stored = accept(first);
      const merged = { ...stored, ...validEntries(second) };
      expect(merge(stored, second)).toEqual(bytesOf(merged) <= 1_000 ? merged : stored);
    });
  });
});
