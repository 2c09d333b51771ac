import { machines } from "../../machines/index.ts";
import { type ChartDrawing, type ChartEdge, layOutCharts } from "../../src/inspector/build/charts.ts";
import { escapeHtml } from "../../src/inspector/markup.ts";
import { stateDiagram } from "../generate/machines.ts";

/**
 * The picture of each machine, by the text of its diagram, in the inspector's layout. The table below the picture says
 * which event leads where.
 */
export async function pictures(): Promise<Map<string, string>> {
  const all = Object.values(machines);
  const charts = await layOutCharts(all);
  return new Map(
    all.flatMap((machine) => {
      const chart = charts[machine.id];
      return chart === undefined ? [] : [[stateDiagram(machine).trim(), statechart(chart)] as const];
    }),
  );
}

function statechart({ id, width, height, states, edges }: ChartDrawing): string {
  const boxes = states.map(({ name, description, isFinal, x, y, width, height }) =>
    [
      `<g><title>${escapeHtml(description)}</title>`,
      `<rect class="box" x="${x}" y="${y}" width="${width}" height="${height}" rx="${isFinal ? 15 : 6}"/>`,
      `<text x="${x + width / 2}" y="${y + height / 2 + 4}" text-anchor="middle">${escapeHtml(name)}</text></g>`,
    ].join(""),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-label="Statechart of ${escapeHtml(id)}">`,
    `<defs><marker id="tip-${escapeHtml(id)}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="currentColor"/></marker></defs>`,
    ...edges.map(
      (edge) => `<path class="arrow" d="${pathOf(edge)}" marker-end="url(#tip-${escapeHtml(id)})"/>`,
    ),
    ...boxes,
    "</svg>",
  ].join("\n");
}

/** The points of a line belong to cubic curves: the first point, then three for each curve. */
function pathOf({ points: [first = [0, 0], ...rest] }: ChartEdge): string {
  const isCurved = rest.length % 3 === 0;
  return `M${first}${rest.map((point, index) => `${isCurved ? (index % 3 === 0 ? "C" : " ") : "L"}${point}`).join("")}`;
}
