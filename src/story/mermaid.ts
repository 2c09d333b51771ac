import type { RunStory } from "./story.ts";
import { exactDurationText, oneLine } from "./words.ts";

/** A run as a Mermaid sequence diagram, which GitHub renders: parties as lifelines, notes for time passing. */
export function toMermaid(story: RunStory): string {
  const names = new Map(story.lifelines.map((line, index) => [line.id, `P${index + 1}`]));
  const nameOf = (id: string) => names.get(id) ?? "E";
  const platform = nameOf(story.platform.id);
  const first = nameOf(story.lifelines[0]?.id ?? story.platform.id);
  const lines = [
    "sequenceDiagram",
    ...story.lifelines.map((line) => {
      const isPerson = line.kind === "outside" || line.kind === "inside";
      const kind = isPerson ? "actor" : "participant";
      return `  ${kind} ${nameOf(line.id)} as ${escapedName(line.name)}`;
    }),
    "  participant E as events",
  ];
  let lastMs = story.startMs;
  for (const beat of story.beats) {
    if (beat.atMs > lastMs)
      lines.push(`  Note over ${first},E: ${exactDurationText(beat.atMs - lastMs)} later`);
    lastMs = beat.atMs;
    if (beat.who.kind === "platform") lines.push(`  Note over ${platform}: ${escaped(beat.text)}`);
    else lines.push(`  ${nameOf(beat.who.id)}->>${platform}: ${escaped(beat.text)}`);
    for (const line of beat.lines) {
      if (line.kind === "background")
        lines.push(`  ${platform}-->>${nameOf(line.who.id)}: ${escaped(line.text)}`);
      else lines.push(`  ${platform}-)E: ${line.type}<br/>${escaped(line.note)}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

/**
 * Mermaid ends a statement at `;` and at a line break, and reads `#` and `&` as the start of an entity, `<` as HTML,
 * `%%{` as a directive and `$$` as a formula.
 */
function escaped(text: string): string {
  return oneLine(text).replace(/[#;<>&%$]/g, entity);
}

/** In the name of a lifeline it also reads what stands before a colon, such as `wrap:`. */
function escapedName(name: string): string {
  return escaped(name).replaceAll(":", entity);
}

function entity(sign: string): string {
  return `#${sign.charCodeAt(0)};`;
}
