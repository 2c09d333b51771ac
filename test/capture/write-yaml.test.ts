import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { inOneLine } from "../../src/capture/judge/write-yaml.ts";

test("inOneLine writes every value so that YAML reads it again", () => {
  const words = fc.constantFrom(
    "true",
    "No",
    "null",
    "~",
    "1e3",
    "a: b",
    "x:",
    "- a",
    "#a",
    "a #b",
    "{}",
    "",
  );
  fc.assert(
    fc.property(fc.jsonValue(), words, (value, word) => {
      const given = { at: word, [word]: JSON.parse(JSON.stringify(value)) };
      const text = inOneLine(given);
      expect(text).not.toContain("\n");
      expect(parse(text)).toEqual(given);
    }),
  );
});
