import { iso } from "../engine/instants.ts";
import { ladder } from "./ladder.ts";
import type { RunStory } from "./story.ts";
import { toTimeline } from "./timeline.ts";
import { exactDurationText, html } from "./words.ts";

/** What a page says beside the story. */
export interface PageContent {
  /** The events, one JSON object a line. */
  readonly stream: string;
  /** What to notice. */
  readonly description?: string;
  /** How the stream differs from the expected one. */
  readonly problems?: readonly string[];
}

const style = `
  :root { color-scheme: light dark; --ink: #1c2430; --faint: #7a8594; --line: #c9d0d8; --event: #0b6e8a; --paper: #fff; }
  @media (prefers-color-scheme: dark) { :root { --ink: #e6eaef; --faint: #94a0ae; --line: #46505c; --event: #5cc3df; --paper: #14181d; } }
  body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
  pre { overflow-x: auto; font-size: 13px; } .faint { color: var(--faint); } .wrong { color: #c0392b; }
  svg { max-width: 100%; height: auto; } svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
  svg .life, svg .box { stroke: var(--line); fill: none; } svg .box { fill: var(--paper); } svg .arrow { stroke: var(--ink); fill: none; }
  svg .inner { stroke: var(--faint); stroke-dasharray: 4 3; } svg .told { stroke: var(--event); } svg .event { fill: var(--event); } svg .faint { fill: var(--faint); }`;

/** A run as one page that needs nothing else: no network, no scripts. */
export function toHtml(story: RunStory, { stream, description, problems = [] }: PageContent): string {
  const facts = [
    `from ${iso(story.startMs)}`,
    `${exactDurationText(story.endMs - story.startMs)} of platform time`,
    `${story.eventCount} events${story.verdict === undefined ? "" : `, ${story.verdict}`}`,
    `seed ${story.seed}`,
  ];
  return [
    "<!doctype html>",
    '<html lang="en">',
    `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${html(story.title)}</title><style>${style}\n</style></head>`,
    "<body>",
    `<h1>${html(story.title)}</h1>`,
    ...(description === undefined || description === "" ? [] : [`<p>${html(description.trim())}</p>`]),
    `<p class="faint">${html(facts.join(" · "))}</p>`,
    ...problems.map((problem) => `<pre class="wrong">${html(problem)}</pre>`),
    ladder(story),
    "<h2>Timeline</h2>",
    `<pre>${html(toTimeline(story))}</pre>`,
    "<h2>Stream</h2>",
    `<pre>${html(stream)}</pre>`,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}
