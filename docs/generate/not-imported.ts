import { readFileSync } from "node:fs";
import { root } from "./root.ts";

const LIST = "scenarios/not-imported.json";
const PAGE = "docs/guides/turn-an-incident-into-a-test.md";
const BEGIN = "<!-- made from scenarios/not-imported.json by `npm run generate` -->";
const END = "<!-- /made -->";

/** Why an import cannot explain the webhook requests of a lesson, by the lesson's file. */
export function notImported(): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(`${root}${LIST}`, "utf8"));
}

/** The sentences of the guide that say which lessons an import cannot explain. */
export function notImportedText(reasons: Readonly<Record<string, string>>): string {
  const rows = Object.entries(reasons).map(([file, reason]) => `- \`${file}\`: ${reason}`);
  return rows.length === 0
    ? "An import explains the requests of every lesson."
    : ["An import explains the requests of every lesson but these:", "", ...rows].join("\n");
}

/** The guide to imports, with the list of lessons that an import cannot explain. */
export function importGuide(): string {
  const page = readFileSync(`${root}${PAGE}`, "utf8");
  const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`${PAGE}: the lines ${BEGIN} and ${END} are not there`);
  return `${page.slice(0, before)}${BEGIN}\n${notImportedText(notImported())}\n${page.slice(after)}`;
}
