import { challenges } from "../../../src/cli/challenge-tasks.ts";
import { escapeHtml } from "../../../src/inspector/markup.ts";

/** The challenges as cards, each with a box to tick once an app passes. The browser remembers the ticks. */

/** Puts cards in the place of the table on the page that lists the challenges. @throws {Error} if there is no table */
export function withChallengeCards(html: string): string {
  const cards = challenges.map(
    ({ number, slug, title, network, minutes }) =>
      `<li data-challenge="${slug}"><a href="${slug}.html"><b><span>${number}</span> ${escapeHtml(title)}</b><span>${escapeHtml(network)}</span><small>${minutes} min</small></a><label hidden><input type="checkbox"> passed</label></li>`,
  );
  const table = /(?:<div[^>]*>)?<table>[\s\S]*?<\/table>(?:<\/div>)?/;
  if (!table.test(html)) throw new Error("expected a table on the page of the challenges");
  const list = `<p class="passed" role="status" hidden></p><ol class="challenges">${cards.join("")}</ol>`;
  return `<link rel="stylesheet" href="../learn.css">${html.replace(table, () => list)}<script src="../learn.js" defer></script>`;
}
