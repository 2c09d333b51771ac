import { clock } from "../../../src/core/foundation/clock.ts";
import { escapeHtml } from "../../../src/inspector/markup.ts";
import type { TimePicture } from "../../learn/time-picture.ts";
import { mark } from "./run-ladder.ts";

/** Draws a lesson's time: a lane for each who acts, what is known of it, and from when on it is asked what happens. */
export function timePictureHtml({ lanes, askedMs, instants }: TimePicture): string {
  const place = scaleOf(instants);
  const left = (ms: number) => `left:${place(ms)}%`;
  const rows = lanes.map(({ name, acts, bars }) => {
    const drawn = bars.map(
      ({ kind, fromMs, toMs }) =>
        `<i class="${kind}" style="${left(fromMs)};width:${round(place(toMs) - place(fromMs))}%"></i>`,
    );
    const marks = [...new Set(acts)].map((ms) => `<i class="act" style="${left(ms)}">${mark("command")}</i>`);
    return `<div class="who">${escapeHtml(name)}</div><div class="track">${drawn.join("")}${marks.join("")}</div>`;
  });
  const times = instants.map((ms) => `<span style="${left(ms)}">${clock(ms)}</span>`);
  const said = lanes.map(
    ({ name, acts }) => `${name} at ${[...new Set(acts)].map((ms) => clock(ms)).join(", ")}`,
  );
  return [
    `<div class="time" role="img" aria-label="${escapeHtml(`Who does something when: ${said.join("; ")}`)}">`,
    rows.join(""),
    `<div class="asked"><span style="left:min(${place(askedMs)}%, 100% - 150px)">? what happens here</span></div>`,
    `<div class="instants">${times.join("")}</div></div>`,
  ].join("");
}

const round = (percent: number): number => Math.round(percent * 10) / 10;

/**
 * The place of an instant, in percent. A long gap is wider than a short one, but not by as much as it is longer: seconds and
 * hours fit into one picture.
 */
function scaleOf(instants: readonly number[]): (ms: number) => number {
  const end = Math.min(84, 28 * (instants.length - 1));
  const widths = instants
    .slice(1)
    .map((ms, index) => 2 + Math.log2(2 + (ms - (instants[index] ?? 0)) / 1000));
  const all = widths.reduce((sum, each) => sum + each, 0);
  const places = new Map<number, number>();
  let place = 0;
  for (const [index, ms] of instants.entries()) {
    places.set(ms, round(all === 0 ? 0 : (end * place) / all));
    place += widths[index] ?? 0;
  }
  return (ms) => places.get(ms) ?? 0;
}
