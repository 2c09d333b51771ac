import { exactDurationText } from "../engine/instants.ts";
import { fullName } from "./lifelines.ts";
import type { RunStory } from "./story.ts";
import { oneLine } from "./words.ts";

/**
 * Draws a run as a Mermaid sequence diagram, which GitHub renders: parties are lifelines, notes say that time passes.
 */
export function toMermaid(story: RunStory): string {
  return [...mermaidLines(story)].join("");
}

/** The same diagram line by line, since a long run's is longer than the longest string. */
export function* mermaidLines(story: RunStory): Generator<string> {
  const names = new Map(story.lifelines.map((line, index) => [line.id, `P${index + 1}`]));
  const nameOf = (id: string) => names.get(id) ?? "E";
  const platform = nameOf(story.platform.id);
  const first = nameOf(story.lifelines[0]?.id ?? story.platform.id);
  yield "sequenceDiagram\n";
  for (const line of story.lifelines) {
    const isPerson = line.kind === "outside" || line.kind === "inside";
    yield `  ${isPerson ? "actor" : "participant"} ${nameOf(line.id)} as ${escapedName(fullName(line))}\n`;
  }
  yield "  participant E as events\n";
  let lastMs = story.startMs;
  for (const beat of story.beats) {
    if (beat.atMs > lastMs) yield `  Note over ${first},E: ${exactDurationText(beat.atMs - lastMs)} later\n`;
    lastMs = beat.atMs;
    if (beat.who.kind === "platform") yield `  Note over ${platform}: ${escaped(beat.text)}\n`;
    else yield `  ${nameOf(beat.who.id)}->>${platform}: ${escaped(beat.text)}\n`;
    for (const line of beat.lines) {
      if (line.kind === "background")
        yield `  ${platform}-->>${nameOf(line.who.id)}: ${escaped(line.text)}\n`;
      else yield `  ${platform}-)E: ${line.type}<br/>${escaped(line.note)}\n`;
    }
  }
}

/**
 * Escapes text. Mermaid ends a statement at `;` and at a line break, and reads `#` and `&` as the start of an entity,
 * `<` as HTML, `%%{` as a directive and `$$` as a formula.
 */
function escaped(text: string): string {
  return oneLine(text).replace(/[#;<>&%$]/g, entity);
}

/** Escapes the name of a lifeline. There, Mermaid also reads words before a colon, such as `wrap:`. */
function escapedName(name: string): string {
  return escaped(name).replaceAll(":", entity);
}

function entity(sign: string): string {
  return `#${sign.charCodeAt(0)};`;
}
