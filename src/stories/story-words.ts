import { fullName } from "../core/narration/lifelines.ts";
import type { NarrationRow, RunNarration } from "../core/narration/rows.ts";
import { rowText } from "../core/narration/words.ts";
import { secondsText } from "../findings/wording.ts";
import { commandsOfPeople } from "./acts.ts";

/** The commands by which somebody outside begins a call. */
const fromOutside: ReadonlySet<string> = new Set(["inbound", "redirect"]);
/** The commands by which people begin calls. */
const begins: ReadonlySet<string> = new Set([...fromOutside, "outbound", "internal"]);

/**
 * What people do in a run, as a clause: `Alice Ng answers, and 0.4 seconds later Jane Smith hangs up`. That the first call comes in is told
 * only if nothing follows. Empty if nobody does anything.
 */
export function peopleClause({ rows }: Pick<RunNarration, "rows">): string {
  const told = rows.filter(({ command }) => command !== undefined && isOfPeople(command.name));
  const [{ command } = {}] = told;
  const isUnderstood = told.length > 1 && command !== undefined && fromOutside.has(command.name);
  const after = isUnderstood ? told.slice(1) : told;
  const clauses = after.map(
    (row, index) => `${gapText(row, after[index - 1])}${fullName(row.actor)} ${rowText(row)}`,
  );
  return [clauses.slice(0, -1).join(", "), ...clauses.slice(-1)].filter((each) => each !== "").join(", and ");
}

/** What people do in a run: `Alice Ng answers on mobile, 0.4 seconds later Jane Smith (+6421555001) hangs up`. */
export function storyTitle({ rows }: Pick<RunNarration, "rows">): string {
  const [, ...told] = rows.filter(({ command, kind }) => command !== undefined && kind !== "rest");
  const clauses = told.map(
    (row, index) => `${gapText(row, told[index - 1])}${fullName(row.actor)} ${rowText(row)}`,
  );
  return clauses.length === 0 ? "Nobody does anything more" : clauses.join(", ");
}

/** Whether people give this command: they begin calls with it, or act in them. */
export function isOfPeople(command: string): boolean {
  return begins.has(command) || commandsOfPeople.has(command);
}

function gapText({ atMs }: NarrationRow, before: NarrationRow | undefined): string {
  return before === undefined || atMs === before.atMs ? "" : `${secondsText(atMs - before.atMs)} later `;
}
