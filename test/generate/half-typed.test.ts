import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { TreeCopy } from "../tree-copy.ts";

const copy = new TreeCopy();
afterAll(() => copy.remove());

test("`npm run generate` on a half-typed command names its line, shows no stack, and leaves the pages as they are", async () => {
  const path = join(copy.root, "src/core/platform/calls/commands/answer.ts");
  const generated = join(copy.root, "src/core/generated/inputs.ts");
  const before = readFileSync(generated, "utf8");
  writeFileSync(path, `${readFileSync(path, "utf8")}\nconst halfTypedSchema = object({ call: text(\n`);
  const { code, out, err } = await copy.run("docs/generate/main.ts", "src/core/generated");
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toMatch(
    /src\/core\/generated cannot be made:\n {2}src\/core\/platform\/calls\/commands\/answer\.ts:\d+:\d+: Unexpected end of file/,
  );
  expect(err).not.toMatch(/^ +at /m);
  expect(readFileSync(generated, "utf8")).toBe(before);
});
