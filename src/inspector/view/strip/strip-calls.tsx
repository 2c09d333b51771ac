import { useMemo } from "preact/hooks";
import type { PageRow, SpanKind } from "../../model/types.ts";
import { useSelect } from "../state/context.ts";
import type { LoadedRun } from "../state/loading.ts";
import type { StripPlan } from "./strip-plan.ts";

const fills: Readonly<Record<SpanKind, string>> = {
  wait: "var(--timer)",
  ring: "url(#hatch-ring)",
  talk: "var(--answer)",
  voicemail: "var(--voicemail)",
  message: "var(--message)",
};

/** In a longer run, only every nth call may be drawn. */
const MOST_TRACKS = 1_000;

/** How many lines of calls find room, and up to how many calls have lines of their own height. */
const MOST_LINES = 5;
const FEW_LINES = 2;

/** A line for each call, as many as overlap. Calls that do not fit are only in the list. */
export function Tracks(plan: StripPlan) {
  const { run, x, base, chosen, isSmall, width, inset, opacityOf } = plan;
  const { records } = run.summary;
  const ends: number[] = Array(MOST_LINES).fill(0);
  const first = [...(chosen ?? [])];
  const every = Math.ceil(records.length / MOST_TRACKS);
  const indexes = [...first, ...records.keys()].filter(
    (index, at) => at < first.length || index % every === 0,
  );
  // the letters of many calls would overlap
  const isFew = records.length <= 60;
  const placed = new Map<number, number>();
  for (const index of indexes) {
    const it = records[index];
    if (it === undefined || placed.has(index) || it.spans.length === 0) continue;
    const from = x(it.fromMs);
    const to = Math.max(from + 3, x(it.toMs));
    // its letters stand before it
    const room = isFew ? 7 + 7 * it.label.length : 3;
    const line = index === first[0] ? 0 : ends.findIndex((end) => end + room <= from || end === 0);
    if (line < 0) continue;
    placed.set(index, line);
    ends[line] = Math.max(ends[line] ?? 0, to);
  }
  const lines = Math.max(FEW_LINES, 1 + Math.max(0, ...placed.values()));
  const apart = (FEW_LINES * plan.tracks) / lines;
  const track = Math.min(plan.track, apart - 1);
  return (
    <>
      {[...placed].map(([index, line]) => {
        const it = records[index];
        if (it === undefined) return null;
        const from = x(it.fromMs);
        const y = base + 6 + line * apart;
        return (
          <g key={index} opacity={opacityOf(index)}>
            {it.spans.map(({ kind, fromMs, toMs }) => (
              <rect
                key={fromMs}
                x={x(fromMs)}
                y={y}
                width={Math.max(2, x(toMs) - x(fromMs))}
                height={track}
                rx="2"
                fill={fills[kind]}
                stroke={kind === "ring" ? "var(--ring)" : "none"}
                stroke-width="0.8"
              />
            ))}
            {!isSmall && (isFew || chosen?.has(index) === true) && from > inset - 10 && from < width && (
              <text
                x={from - 5}
                y={y + track / 2 + 4}
                text-anchor="end"
                class={chosen?.has(index) === true ? "chosen" : undefined}
              >
                {it.label}
              </text>
            )}
          </g>
        );
      })}
    </>
  );
}

/** Arcs from attempt to attempt. */
export function Arcs({ run, x, base, top, chosen: calls, isSmall }: StripPlan) {
  const tries = useMemo(() => listAttempts(run), [run]);
  const now = useSelect((state) => state.now);
  if (tries.length > 200) return null;
  const chosen = new Set(run.rows[now]?.deliveries.map(({ id }) => id));
  return (
    <>
      {tries.map(({ id, start, end: to, isBad, record: of }) => {
        const [a, b] = [x(start), x(to)];
        const end = isBad ? `${b - 8} ${top - 3}` : `${b - 10} ${top + 4}Q${b} ${top + 8} ${b} ${base - 24}`;
        return (
          <path
            key={`${id} ${to}`}
            d={`M${a + 7} ${top - 4}Q${(a + b) / 2} ${isSmall ? -2 : -8} ${end}`}
            fill="none"
            stroke="var(--retry)"
            stroke-width={chosen.has(id) ? 2.2 : 1.4}
            stroke-dasharray="1 3.5"
            stroke-linecap="round"
            opacity={calls?.has(of) === false ? 0.2 : chosen.has(id) ? 1 : 0.7}
          />
        );
      })}
    </>
  );
}

function listAttempts({ rows }: LoadedRun) {
  const last = new Map<string, PageRow>();
  const found: { id: string; start: number; end: number; isBad: boolean; record: number }[] = [];
  for (const row of rows) {
    if (row.kind !== "event" && row.kind !== "retry") continue;
    for (const { id, attemptCount, outcome } of row.deliveries) {
      if (attemptCount < 2) continue;
      const before = last.get(id);
      const isBad = outcome.kind === "failed" || outcome.kind === "lost";
      if (before !== undefined)
        found.push({ id, start: before.atMs, end: row.atMs, isBad, record: row.record });
      last.set(id, row);
    }
  }
  return found;
}
