import { shortClock } from "../../../src/core/foundation/clock.ts";
import { escapeHtml } from "../../../src/inspector/markup.ts";
import { shownActs } from "../../../src/stories/acts-words.ts";
import { type StoryBranch, storyTree } from "../../../src/stories/story-tree.ts";
import type { Lesson } from "../../learn/lessons.ts";
import { PLAYGROUND } from "../playground.ts";
import { playgroundLink } from "./playground-link.ts";

/** Draws what else can become of a lesson if one person does something more, or leaves a step undone. */
export function storyTreeHtml({ scenario, text, number }: Lesson): string {
  const { branches } = storyTree(scenario, text);
  return [
    '<section class="become"><h2 id="what-else">What else can become of it</h2>',
    "<p>One person does something more, or leaves out what the lesson says. Each end opens its run in the playground.</p>",
    listHtml(branches),
    `<p class="elsewhere"><code>npx ringback stories ${number} --acts 2 -o stories/</code> writes such runs as scenarios, with two acts.</p>`,
    "</section>",
  ].join("\n");
}

const listHtml = (branches: readonly StoryBranch[]): string =>
  `<ul>${branches.map((each) => `<li${each.isOwn ? ' class="own"' : ""}>${branchHtml(each)}</li>`).join("")}</ul>`;

function branchHtml(branch: StoryBranch): string {
  const { next, end } = branch;
  const acts = actsHtml(branch);
  if (end === undefined) return `<p>${acts}</p>${listHtml(next)}`;
  const { outcome, events, isOwn, text } = end;
  const facts = [isOwn ? "This lesson" : "", outcome, `${events} event${events === 1 ? "" : "s"}`];
  const said = facts.filter((each) => each !== "").map(escapeHtml);
  return `<a href="../${PLAYGROUND}#${playgroundLink(text)}">${acts}<small>${said.join(" · ")}</small></a>`;
}

function actsHtml({ acts }: StoryBranch): string {
  const [first = "", next] = shownActs(acts).map((each) =>
    typeof each === "string"
      ? each
      : `<i>${shortClock(each.atMs)}</i> <b>${escapeHtml(each.who)}</b> ${escapeHtml(each.what)}`,
  );
  return next === undefined ? first : `${first}<span>${next}</span>`;
}
