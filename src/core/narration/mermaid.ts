import { exactDurationText } from "../foundation/instants.ts";
import { fullName } from "./lifelines.ts";
import { type NarrationRow, type RunNarration, rowsByCause } from "./rows.ts";
import { oneLine, rowText } from "./words.ts";

/** Draws a run as a Mermaid sequence diagram, which GitHub renders. */
export function toMermaid(narration: RunNarration): string {
  return [...mermaidLines(narration)].join("");
}

/** The same diagram in lines: a long run's may exceed the longest string. */
export function* mermaidLines(narration: RunNarration): Generator<string> {
  const names = new Map(narration.lifelines.map((line, index) => [line.id, `P${index + 1}`]));
  const nameOf = (id: string) => names.get(id) ?? "E";
  const platform = nameOf(narration.platform.id);
  const first = nameOf(narration.lifelines[0]?.id ?? narration.platform.id);
  yield "sequenceDiagram\n";
  for (const line of narration.lifelines) {
    const isPerson = line.kind === "outside" || line.kind === "inside";
    yield `  ${isPerson ? "actor" : "participant"} ${nameOf(line.id)} as ${escapeName(fullName(line))}\n`;
  }
  yield "  participant E as events\n";
  let lastMs = narration.startMs;
  for (const { cause, effects } of rowsByCause(narration)) {
    const { atMs, actor } = cause;
    if (atMs > lastMs) yield `  Note over ${first},E: ${exactDurationText(atMs - lastMs)} later\n`;
    lastMs = atMs;
    if (cause.kind === "dependency") yield callLine(cause, narration, nameOf);
    else if (actor.kind === "platform") yield `  Note over ${platform}: ${escapeText(rowText(cause))}\n`;
    else yield `  ${nameOf(actor.id)}->>${platform}: ${escapeText(rowText(cause))}\n`;
    for (const row of effects) {
      const text = escapeText(rowText(row));
      if (row.kind === "dependency") yield callLine(row, narration, nameOf);
      else if (row.command !== undefined) yield `  ${nameOf(row.actor.id)}->>${platform}: ${text}\n`;
      else if (row.event === undefined) yield `  ${platform}-->>${nameOf(row.actor.id)}: ${text}\n`;
      else yield `  ${platform}-)E: ${row.event.type}<br/>${text}\n`;
    }
  }
}

/** A call to a dependency: from whoever handles a request, if that is known. */
function callLine(row: NarrationRow, { rows }: RunNarration, nameOf: (id: string) => string): string {
  const asker = row.during === undefined ? undefined : rows[row.during]?.actor;
  const [to, text] = [nameOf(row.actor.id), escapeText(rowText(row))];
  return asker === undefined ? `  Note over ${to}: ${text}\n` : `  ${nameOf(asker.id)}->>${to}: ${text}\n`;
}

/** Escapes what Mermaid reads as syntax: `;` and line breaks, `#` and `&`, `<`, `%%{`, `$$`. */
function escapeText(text: string): string {
  return oneLine(text).replace(/[#;<>&%$]/g, entity);
}

/** Escapes the name of a lifeline, where Mermaid also reads words before a colon, such as `wrap:`. */
function escapeName(name: string): string {
  return escapeText(name).replaceAll(":", entity);
}

function entity(sign: string): string {
  return `#${sign.charCodeAt(0)};`;
}
