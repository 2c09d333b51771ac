import type { Simulator } from "../../../src/index.ts";
import { escapeHtml } from "../../../src/inspector/markup.ts";
import type { Recording } from "../../../src/inspector/model/recording.ts";
import { type Lane, type PageRow, showsFailure } from "../../../src/inspector/model/types.ts";
import { restOf } from "../../learn/shown-row.ts";
import { lanesOf, linesHtml, linesOf, mark, outcomeOf, type RowLook } from "../learn/run-ladder.ts";
import { drawWires, type Geometry } from "../learn/wires.ts";

/** The stage of the landing page: a call that was really played, the request that failed, and why the test is red. */

/** Sizes of the ladder, in a box of 720 px and on a phone. Its rows fit on the first screen of a laptop. */
const LANE = 56;
const wide: Geometry = { lane: LANE, row: () => 27, gap: 24, mark: 13, bar: 8, hasHeads: true };
const narrow: Geometry = {
  ...{ lane: 16, gap: 28, mark: 9, bar: 6, hasHeads: false },
  row: (row) => 33 + 17 * Math.max(1, Math.ceil(restOf(row).length / 28)),
};

/** Draws a run as rows and lanes. @param isShown which rows; default: all */
export function smallLadder(
  { rows, summary }: Recording,
  caption: string,
  isShown: (row: PageRow) => boolean = () => true,
): string {
  const shown = rows.filter(isShown);
  const used = new Set(shown.flatMap(lanesOf));
  const lanes = summary.lanes.filter(({ id }) => used.has(id)).map(named);
  const lines = linesOf(shown);
  // a bar that begins among the rows ends with the last of them
  const last = shown.at(-1)?.index ?? 0;
  // what the platform does has marks there
  const platform = lanes.find(({ kind }) => kind === "platform")?.id;
  const bars = summary.bars
    .filter(({ fromRow, lane }) => fromRow <= last && lane !== platform)
    .map((bar) => (bar.toRow <= last ? bar : { ...bar, toRow: last, end: "open" as const }));
  const drawing = { lines, lanes, bars };
  return [
    `<div class="small-ladder" style="--lanes:${lanes.length};--lane:${LANE}px" role="group" aria-label="${escapeHtml(caption)}">`,
    `<div class="lanes"><span class="caption">${escapeHtml(caption)}</span><ol aria-label="Who takes part">${lanes.map(({ short, name }) => `<li><span aria-hidden="true">${escapeHtml(short)}</span><b>${escapeHtml(name)}</b></li>`).join("")}</ol></div>`,
    `<div class="rows">${linesHtml(lines, lookOf)}`,
    drawWires(drawing, wide, "in-wide"),
    drawWires(drawing, narrow, "in-narrow"),
    "</div></div>",
  ].join("\n");
}

/** The only app is the reader's. */
function named(lane: Lane): Lane {
  return lane.kind === "app" ? { ...lane, name: "Your app", short: "Your app" } : lane;
}

function lookOf(row: PageRow): RowLook {
  return {
    start: `<li class="row${showsFailure(row) ? " bad" : ""}" style="--narrow:${narrow.row(row)}px">`,
    text: `<span class="text" title="${escapeHtml(`${row.subject} ${restOf(row)}`)}">`,
    // other outcomes are in the row's words
    hasChip: /^\d+$/.test(outcomeOf(row)?.text ?? ""),
  };
}

/** The request that the app refused, as it was sent, with the fields that tell why. */
export function refusedRequest({ network }: Simulator, highlight: (json: string) => string): string {
  const request = network.requests.find(({ answer }) => answer !== null && answer.status >= 400);
  if (request?.answer == null || request.body === null) throw new Error("no request was refused");
  const { type, data } = JSON.parse(request.body);
  const { status, answeredAt, outcome, duration } = data.call;
  const signature = Object.entries(request.headers).find(([name]) => name.endsWith("-signature"));
  if (signature === undefined) throw new Error("the request has no signature");
  const [name, value] = signature;
  const path = new URL(request.to).pathname;
  const json = (of: unknown) =>
    JSON.stringify(of)
      .replaceAll(/([{,:])(?=\S)/g, "$1 ")
      .replaceAll("}", " }");
  const text = `{ "type": ${json(type)}, "data": { "call": { "status": ${json(status)}, "answeredAt": ${json(answeredAt)},\n  "outcome": ${json(outcome)}, "duration": ${json(duration)}, … } } }`;
  return [
    '<div class="refused">',
    `<p><b>POST</b> ${escapeHtml(path)} <span title="${escapeHtml(`${name}: ${String(value)}`)}">${escapeHtml(name)}: ${escapeHtml(String(value).slice(0, 15))}…</span><em>${request.answer.status}</em></p>`,
    `<pre tabindex="0"><code>${marked(highlight(text))}</code></pre>`,
    "</div>",
  ].join("\n");
}

/** Marks the field that the app did not expect. */
function marked(html: string): string {
  const found = /<span[^>]*>&quot;answeredAt&quot;<\/span>.*?<span[^>]*>(?:<span[^>]*>)?null(?:<\/span>)+/;
  if (!found.test(html)) throw new Error(`no answeredAt in ${html}`);
  return html.replace(found, "<mark>$&</mark>");
}

/** A verdict's sentence from what the test printed. @throws if it says something else */
export function redVerdict(problem: string): string {
  const [, type = ""] = /^expected (\S+) to have been delivered/.exec(problem) ?? [];
  const [, answer = ""] = /: answered (.+)$/m.exec(problem) ?? [];
  if (type === "" || answer === "")
    throw new Error(`the README's first test fails with something else: ${problem}`);
  return `<div class="verdict failed">${mark("failed")}<div><b>Your test is red:</b> expected <code>${escapeHtml(type)}</code> to have been delivered.<br>It was answered <code>${escapeHtml(answer)}</code> Nobody answered this call, so <code>answeredAt</code> is <code>null</code>.</div></div>`;
}
