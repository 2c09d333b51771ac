import { durationText } from "../../engine/instants.ts";
import type { RunStory } from "./story.ts";

/** A run as a Mermaid sequence diagram, which GitHub renders: parties as lifelines, notes for time passing. */
export function toMermaid(story: RunStory): string {
  const names = new Map(story.lifelines.map((line, index) => [line.id, `P${index + 1}`]));
  const nameOf = (id: string) => names.get(id) ?? "E";
  const platform = nameOf(story.platform.id);
  const first = nameOf(story.lifelines[0]?.id ?? story.platform.id);
  const lines = [
    "sequenceDiagram",
    ...story.lifelines.map((line) => {
      const kind = line.kind === "platform" ? "participant" : "actor";
      return `  ${kind} ${nameOf(line.id)} as ${escaped(line.name)}`;
    }),
    "  participant E as events",
  ];
  let lastMs = story.startMs;
  for (const beat of story.beats) {
    if (beat.atMs > lastMs) lines.push(`  Note over ${first},E: ${passedText(beat.atMs - lastMs)} later`);
    lastMs = beat.atMs;
    if (beat.who.kind === "person")
      lines.push(`  ${nameOf(beat.who.id)}->>${platform}: ${escaped(beat.text)}`);
    else lines.push(`  Note over ${platform}: ${escaped(beat.text)}`);
    for (const line of beat.lines) {
      if (line.kind === "background")
        lines.push(`  ${platform}-->>${nameOf(line.who.id)}: ${escaped(line.text)}`);
      else lines.push(`  ${platform}-)E: ${line.type}<br/>${escaped(line.note)}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

function passedText(ms: number): string {
  return ms < 1000 ? `${ms} ms` : durationText(ms);
}

/** Mermaid ends a statement at `;` and a line break, reads `#` as the start of an entity and `<` as HTML. */
function escaped(text: string): string {
  return text.replace(/[#;<\r\n]/g, (sign) => (/[\r\n]/.test(sign) ? " " : `#${sign.charCodeAt(0)};`));
}
