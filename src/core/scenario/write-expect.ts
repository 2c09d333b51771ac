import { eventText } from "./compare.ts";
import type { ScenarioRun } from "./run.ts";
import type { Scenario, TextRange } from "./scenario.ts";
import { lastLineOf, Source } from "./source.ts";

/** The column at which an item begins behind `  - `. */
const ITEM_COLUMN = 5;

type ComparedRun = Pick<ScenarioRun, "mismatches" | "simulator">;

/**
 * Writes what happened in a run into its scenario's text, as what it expects. Lines that were right stay as they are, with
 * what they match; so do expected attempts.
 * @param text lines of YAML
 */
export function withExpect(text: string, scenario: Scenario, run: ComparedRun): string {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const written = ["expect:", ...expectedLines(scenario, run, lines).map((line) => `  - ${line}`)];
  const source = new Source(text);
  if (!Object.hasOwn(source.value as object, "expect")) return `${text.trimEnd()}\n${written.join("\n")}\n`;
  const { line } = source.rangeOfKey(["expect"]);
  const behind = lines.slice(lastLineOf(source.findRange(["expect"])));
  return [...lines.slice(0, line - 1), ...written, ...behind].join("\n");
}

/** The items of `expect`, without the hyphen. */
function expectedLines(
  { expect = [], expectAttempts = [] }: Scenario,
  run: ComparedRun,
  lines: readonly string[],
): string[] {
  const wrong = new Set(run.mismatches.map(({ line }) => line));
  const right = new Map<string, string[]>();
  for (const event of expect) {
    const { position, match } = event;
    const own = match === undefined || wrong.has(position.line) ? undefined : itemText(position, lines);
    if (own === undefined) continue;
    const key = `${event.atMs} ${event.type}`;
    right.set(key, [...(right.get(key) ?? []), own]);
  }
  const { startTimestamp, events } = run.simulator;
  const happened = events.map((event) => {
    const kept = right.get(`${event.createdTimestamp - startTimestamp} ${event.type}`)?.shift();
    return kept ?? eventText(event, startTimestamp);
  });
  const attempts = expectAttempts.flatMap(({ position }) => itemText(position, lines) ?? []);
  return [...happened, ...attempts];
}

/** The text of an item as it stands in the file; undefined if it could not stand behind another hyphen. */
function itemText(range: TextRange, lines: readonly string[]): string | undefined {
  const { line, column, endLine, endColumn } = range;
  const rows = lines.slice(line - 1, endLine);
  if (rows.length > 1 && column !== ITEM_COLUMN) return undefined;
  const cut = rows.map((row, index) => (index === rows.length - 1 ? row.slice(0, endColumn - 1) : row));
  return [cut[0]?.slice(column - 1), ...cut.slice(1)].join("\n").trimEnd();
}
