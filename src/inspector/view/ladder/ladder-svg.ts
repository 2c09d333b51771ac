import { colours } from "../../../look/tokens.ts";
import { escapeHtml } from "../../markup.ts";
import { clock } from "../common/format.ts";
import type { LoadedRun } from "../state/loading.ts";

const ROW = 24;
const HEAD = 40;
const TEXT = 400;
const LANE = 64;
/** The maximum number of rows in a picture. */
const MAX_ROWS = 1_000;

const truncate = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** A colour as text, since programs that show pictures know no variables. */
const light = (name: keyof typeof colours) => colours[name][0];

/** Draws the ladder as a self-contained SVG, in light colours, with selectable text. */
export function ladderSvg({ rows, summary }: LoadedRun): string {
  const shown = rows.slice(0, MAX_ROWS);
  const x = (lane: string) => TEXT + LANE * (summary.lanes.findIndex(({ id }) => id === lane) + 0.5);
  const width = TEXT + LANE * summary.lanes.length + 16;
  const height = HEAD + ROW * shown.length + 16;
  const lines = summary.lanes.map(
    ({ id, short }) =>
      `<text x="${x(id)}" y="24" text-anchor="middle" font-weight="600">${escapeHtml(short)}</text><path d="M${x(id)} 34V${height}" stroke="${light("line2")}"/>`,
  );
  const steps = shown.map((row, index) => {
    const y = HEAD + ROW * index + 12;
    const outcome = row.deliveries[0]?.outcome ?? row.outcome;
    const colour =
      outcome?.kind === "failed"
        ? light("failed")
        : outcome?.kind === "lost"
          ? light("lost")
          : row.kind === "event"
            ? light("event")
            : light("command");
    const arrows = row.targets.map(
      (lane) =>
        `<path d="M${x(row.source)} ${y}H${x(lane)}" stroke="${colour}" fill="none"/><circle cx="${x(lane)}" cy="${y}" r="3" fill="${colour}"/>`,
    );
    const sentence = [row.subject, row.verb, row.detail].filter(Boolean).join(" ");
    const words = `${truncate(sentence, 46)}${outcome === undefined ? "" : ` (${outcome.text})`}`;
    return `<text x="12" y="${y + 4}" fill="${light("text3")}">${clock(row.atMs)}</text><text x="64" y="${y + 4}">${escapeHtml(words)}</text>${arrows.join("")}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="12"><title>${escapeHtml(summary.title)}</title><rect width="100%" height="100%" fill="${light("panel")}"/>${lines.join("")}${steps.join("")}</svg>\n`;
}
