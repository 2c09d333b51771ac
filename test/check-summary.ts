import { stripVTControlCharacters } from "node:util";

/** What `npm test` says at its end, out of what its checks printed. */

/** How many passed, failed and so on, in a line of Vitest's summary: `7313 passed | 30 skipped (7343)`. */
function countsIn(output: string, title: string): (readonly [what: string, count: number])[] {
  const lines = stripVTControlCharacters(output).matchAll(new RegExp(`^ *${title} +(\\d+ [a-z]+.*)$`, "gm"));
  return [...lines].flatMap(([, counts = ""]) =>
    [...counts.matchAll(/(\d+) ([a-z]+)/g)].map(([, count, what = ""]) => [what, Number(count)] as const),
  );
}

/** The same line for all checks together. */
export function totalOf(title: string, outputs: readonly string[]): string {
  const sums = new Map([
    ["failed", 0],
    ["passed", 0],
  ]);
  for (const output of outputs)
    for (const [what, count] of countsIn(output, title)) sums.set(what, (sums.get(what) ?? 0) + count);
  const all = [...sums.values()].reduce((sum, count) => sum + count, 0);
  const parts = [...sums].filter(([what, count]) => count > 0 || what === "passed");
  return `${title.padStart(11)}  ${parts.map(([what, count]) => `${count} ${what}`).join(" | ")} (${all})\n`;
}

/** How many of the last lines are shown of a check that is no run of tests. */
const LAST_LINES = 40;

/** What a failed check says at its end: the failures that `failures-last.ts` repeats, or its last lines. */
export function failureIn(output: string): string {
  const [, failures] = output.split("Failed, once more:\n");
  return failures ?? output.split("\n").slice(-LAST_LINES).join("\n");
}
