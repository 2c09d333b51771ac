import type { Bar, Lane, PageRow } from "../../../src/inspector/model/types.ts";
import type { LadderLine } from "./run-ladder.ts";

/** Everything in the lanes of a ladder, in SVG. */

/** Sizes, px. */
export interface Geometry {
  /** The width of a lane. */
  readonly lane: number;
  /** The height of a row. */
  row(row: PageRow): number;
  /** The height of a pause. */
  readonly gap: number;
  readonly mark: number;
  /** The width of a bar. */
  readonly bar: number;
  /** Whether arrows have heads, for which narrow lanes have no room. */
  readonly hasHeads: boolean;
}

interface Drawing {
  readonly lines: readonly LadderLine[];
  readonly lanes: readonly Lane[];
  readonly bars: readonly Bar[];
}

interface Places {
  readonly width: number;
  readonly height: number;
  /** The middle of a lane; undefined if it is not shown. */
  x(lane: string): number | undefined;
  /** The middle of a row. */
  y(row: number): number;
  /** The middles of the pauses. */
  readonly pauses: readonly number[];
}

/** Draws lanes, bars, pauses and arrows. @param name the class that shows or hides the drawing */
export function drawWires({ lines, lanes, bars }: Drawing, size: Geometry, name: string): string {
  const places = placesOf(lines, lanes, size);
  const { width, height, pauses } = places;
  const rows = lines.flatMap((line) => ("row" in line ? [line.row] : []));
  return [
    `<svg class="wires ${name}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" aria-hidden="true">`,
    ...lanes.map(({ id }) => {
      const x = places.x(id);
      return `<path d="M${x} 0V${height}" stroke="var(--line)"/>`;
    }),
    ...mergedBars(bars).map((bar) => barShape(bar, places, size)),
    ...pauses.map((y) => zigzag(y, width)),
    ...rows.map((row) => arrow(row, places, size)),
    "</svg>",
  ].join("");
}

function placesOf(lines: readonly LadderLine[], lanes: readonly Lane[], size: Geometry): Places {
  const middles = new Map<number, number>();
  const pauses: number[] = [];
  let top = 0;
  for (const line of lines) {
    const height = "row" in line ? size.row(line.row) : size.gap;
    if ("row" in line) middles.set(line.row.index, top + height / 2);
    else pauses.push(top + height / 2);
    top += height;
  }
  return {
    width: lanes.length * size.lane,
    height: top,
    x(lane) {
      const place = lanes.findIndex(({ id }) => id === lane);
      return place < 0 ? undefined : size.lane * (place + 0.5);
    },
    y: (row) => middles.get(row) ?? 0,
    pauses,
  };
}

/** Phones of one person that ring together are one bar. */
function mergedBars(bars: readonly Bar[]): Bar[] {
  const found = new Map<string, Bar>();
  for (const bar of bars) {
    const key = `${bar.lane} ${bar.kind} ${bar.record} ${bar.fromRow}`;
    const known = found.get(key);
    if (bar.kind !== "live" && (known === undefined || known.toRow < bar.toRow)) found.set(key, bar);
  }
  return [...found.values()];
}

const paints: Readonly<Record<Bar["kind"], string>> = {
  wait: 'fill="var(--panel)" stroke="var(--command)" stroke-dasharray="3 2"',
  ring: 'fill="url(#hatch-ring)" stroke="var(--ring)" stroke-width=".8"',
  talk: 'fill="var(--answer)"',
  voicemail: 'fill="url(#weave-voicemail)" stroke="var(--voicemail)" stroke-width=".8"',
  live: "",
};

function barShape(bar: Bar, places: Places, size: Geometry): string {
  const x = places.x(bar.lane);
  if (x === undefined) return "";
  const from = places.y(bar.fromRow);
  const to = bar.end === "open" ? places.height : places.y(bar.toRow);
  if (to <= from) return "";
  const end =
    bar.end === "timeout"
      ? `<path d="M${x - size.bar / 2 - 2} ${to}h${size.bar + 4}" stroke="var(--timer)" stroke-width="1.6"/>`
      : "";
  return `<rect x="${x - size.bar / 2}" y="${from}" width="${size.bar}" height="${to - from}" rx="1" ${paints[bar.kind]}/>${end}`;
}

function zigzag(y: number, width: number): string {
  const teeth = Math.max(2, Math.round(width / 28));
  const step = width / (teeth * 2);
  const points = Array.from(
    { length: teeth * 2 },
    (_, index) => `L${round((index + 1) * step)} ${y + (index % 2 === 0 ? -3 : 3)}`,
  );
  return `<rect x="0" y="${y - 9}" width="${width}" height="18" fill="var(--panel)"/><path d="M0 ${y}${points.join("")}" fill="none" stroke="var(--line2)"/>`;
}

function arrow(row: PageRow, places: Places, size: Geometry): string {
  const from = places.x(row.source);
  if (from === undefined) return "";
  const y = places.y(row.index);
  // what became of a request decides how its line looks, and where it ends
  const outcome = row.deliveries[0]?.outcome.kind;
  const kind = outcome === undefined || outcome === "pending" ? row.kind : outcome;
  const colour = `var(--${kind})`;
  const lanes = row.deliveries.length > 0 ? row.deliveries.map(({ lane }) => lane) : row.targets;
  const targets = [...new Set(lanes)]
    .map((lane) => places.x(lane))
    .filter((x) => x !== undefined && x !== from);
  const dashes = row.kind === "ring" ? ' stroke-dasharray="4 3"' : "";
  const lines = targets.map((x) => {
    const side = (x ?? 0) > from ? 1 : -1;
    const start = from + side * (size.mark / 2 + 2);
    const end = (x ?? 0) - side * (size.bar / 2 + 2);
    const tip =
      kind !== row.kind
        ? markAt(kind, x ?? 0, y, size)
        : size.hasHeads
          ? `<path d="M${end} ${y}l${-side * 7} -4v8z" fill="${colour}"/>`
          : "";
    return `<path d="M${start} ${y}H${end - (size.hasHeads ? side * 5 : 0)}" stroke="${colour}" stroke-width="1.4"${dashes}/>${tip}`;
  });
  return lines.join("") + markAt(row.kind, from, y, size);
}

function markAt(kind: string, x: number, y: number, { mark }: Geometry): string {
  const half = mark / 2;
  return `<circle cx="${x}" cy="${y}" r="${half + 1}" fill="var(--panel)"/><use href="#mark-${kind}" x="${x - half}" y="${y - half}" width="${mark}" height="${mark}"/>`;
}

const round = (value: number) => Math.round(value * 10) / 10;
