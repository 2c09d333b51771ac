import { readFileSync } from "node:fs";
import { lessonTexts } from "./exercises.ts";
import { root } from "./root.ts";

const PAGE = "docs/guides/turn-an-incident-into-a-test.md";
const BEGIN = "<!-- made from scenarios/lessons.json by `npm run generate` -->";
const END = "<!-- /made -->";

/** Why an import cannot explain the webhook requests of a lesson, by the lesson's name. */
export const notImported: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(lessonTexts).flatMap(([name, { notImported: reason }]) =>
    reason === undefined ? [] : [[name, reason]],
  ),
);

/** The sentences of the guide that say which lessons an import cannot explain. */
export function notImportedText(reasons: Readonly<Record<string, string>>): string {
  const rows = Object.entries(reasons).map(([name, reason]) => `- \`${name}\`: ${reason}`);
  return rows.length === 0
    ? "An import explains the requests of every lesson."
    : ["An import explains the requests of every lesson but these:", "", ...rows].join("\n");
}

/** The guide to imports, with the list of lessons that an import cannot explain. */
export function importGuide(): string {
  const page = readFileSync(`${root}${PAGE}`, "utf8");
  const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`${PAGE}: the lines ${BEGIN} and ${END} are not there`);
  return `${page.slice(0, before)}${BEGIN}\n${notImportedText(notImported)}\n${page.slice(after)}`;
}
