import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { importGuide, notImported, notImportedText } from "../../docs/generate/not-imported.ts";
import { scenariosPage } from "../../docs/generate/scenarios-page.ts";

const onDisk = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test("A step without a row gets one behind the command before it in the list of commands", () => {
  const page = onDisk("docs/scenarios.md");
  const without = page.replace(/^\| `decline: .*\n/m, "");
  expect(without).not.toBe(page);
  expect(scenariosPage(page)).toBe(page);
  const rows = scenariosPage(without).match(/^\| `(answer|decline|hangup): \{/gm);
  expect(rows).toEqual(["| `answer: {", "| `decline: {", "| `hangup: {"]);
});

test("The guide to imports lists each lesson that an import cannot explain, with the reason", () => {
  expect(Object.values(notImported).filter((reason) => reason.trim() === "")).toEqual([]);
  expect(importGuide()).toContain(`\n${notImportedText(notImported)}\n`);
  expect(notImportedText({})).toBe("An import explains the requests of every lesson.");
  expect(notImportedText({ "an-id": "two calls share an id" })).toBe(
    "An import explains the requests of every lesson but these:\n\n- `an-id`: two calls share an id",
  );
});
