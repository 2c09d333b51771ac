import type { PageRow } from "../../model/types.ts";
import { useScaleClock } from "../state/use-clock.ts";
import type { Column } from "./scale.ts";
import type { StripPlan } from "./strip-plan.ts";

/** A stack of nine bricks means many; of more rows, only every nth is drawn. */
const MOST_BRICKS = 9;

/** A failure's mark above its column. All are at one height, so that none is missed. */
export function FailureMark({
  column: { failure, atMs, rows },
  isMany,
  run,
  x,
  base,
  brick,
  top,
  opacityOf,
}: { column: Column; isMany: boolean } & StripPlan) {
  const row = failure === undefined ? undefined : run.rows[failure];
  if (row === undefined) return null;
  const isLost = row.kind === "lost" || row.deliveries.some(({ outcome }) => outcome.kind === "lost");
  const name = isLost ? "lost" : "failed";
  const size = isMany ? 6 : 13;
  const at = x(atMs);
  const foot = base - brick * Math.min(MOST_BRICKS, rows.length) - 3;
  return (
    <g opacity={opacityOf(row.record)}>
      {foot > top + 8 && (
        <path d={`M${at} ${top + 8}V${foot}`} stroke={`var(--${name})`} stroke-dasharray="1.5 2.5" />
      )}
      {!isMany && <circle cx={at} cy={top} r="7.5" fill="var(--panel)" />}
      <use href={`#mark-${name}`} x={at - size / 2} y={top - size / 2} width={size} height={size} />
    </g>
  );
}

/** The mark of a later attempt that succeeded. One that failed is among the failures. */
export function SucceededRetry({
  column: { atMs, rows },
  run,
  x,
  base,
  brick,
}: { column: Column } & StripPlan) {
  const has = rows.some((index) => {
    const row = run.rows[index];
    return row?.kind === "retry" && row.deliveries.some(({ outcome }) => outcome.kind === "delivered");
  });
  if (!has) return null;
  const [at, y] = [x(atMs), base - brick * Math.min(MOST_BRICKS, rows.length) - 8];
  return (
    <>
      <circle cx={at} cy={y} r="7" fill="var(--panel)" />
      <use href="#mark-delivered" x={at - 5.5} y={y - 5.5} width="11" height="11" />
    </>
  );
}

/** Cuts in the line where time is folded. */
export function Folds({ scale, inset, width, base }: StripPlan) {
  const folded = scale.sections.filter(({ isFolded }) => isFolded);
  return (
    <>
      {folded.map((section) => {
        const at = inset + (section.x + section.width / 2) * (width - 2 * inset);
        return (
          <g key={section.fromMs}>
            <rect x={at - 6} y={base - 5} width="12" height="10" fill="var(--panel)" />
            <path d={`m${at - 5} ${base + 5} 4-10m3 10 4-10`} stroke="var(--line2)" stroke-width="1.5" />
          </g>
        );
      })}
    </>
  );
}

function toneOf({ kind, deliveries, outcome }: PageRow): string {
  const all = outcome === undefined ? deliveries.map((each) => each.outcome) : [outcome];
  if (all.some((each) => each.kind === "failed")) return "failed";
  return all.some((each) => each.kind === "lost") ? "lost" : kind;
}

/** In a long run, one path for each kind instead of thousands of bricks. */
export function ManyBricks({
  columns,
  run,
  x,
  base,
  brick,
  opacityOf,
}: { columns: readonly Column[] } & StripPlan) {
  const paths = new Map<string, string>();
  for (const { atMs, rows } of columns) {
    const every = Math.max(1, Math.ceil(rows.length / MOST_BRICKS));
    for (let at = 0; at < rows.length; at += every) {
      const row = run.rows[rows[at] ?? -1];
      if (row === undefined) continue;
      const key = `${toneOf(row)} ${opacityOf(row.record)}`;
      const y = base - brick - (at / every) * brick;
      paths.set(key, `${paths.get(key) ?? ""}M${Math.round(x(atMs)) - 1} ${y}h2v${brick - 1.5}h-2z`);
    }
  }
  return (
    <>
      {[...paths].map(([key, d]) => {
        const [tone, opacity] = key.split(" ");
        return <path key={key} d={d} fill={`var(--${tone})`} opacity={opacity} />;
      })}
    </>
  );
}

/** A stack of bricks, one for each row of an instant. */
export function Bricks({
  column: { atMs, rows },
  run,
  x,
  base,
  brick,
  opacityOf,
}: { column: Column } & StripPlan) {
  const every = Math.max(1, Math.ceil(rows.length / MOST_BRICKS));
  return (
    <>
      {rows
        .filter((_, index) => index % every === 0)
        .map((index, height) => {
          const row = run.rows[index];
          if (row === undefined) return null;
          return (
            <rect
              key={index}
              x={x(atMs) - 4}
              y={base - brick - height * brick}
              width={8}
              height={brick - 1.5}
              rx={1.5}
              fill={`var(--${toneOf(row)})`}
              opacity={opacityOf(row.record)}
            />
          );
        })}
    </>
  );
}

/** The times below the line. */
export function Ticks({
  columns,
  x,
  base,
  height,
  width,
  isSmall,
}: { columns: readonly Column[] } & StripPlan) {
  const shown: preact.ComponentChildren[] = [];
  let last = -99;
  let said = "";
  // the last one is always shown, since the end of a run is what people look for
  const endMs = columns.at(-1)?.atMs ?? 0;
  // from ten hours on, a time has two more characters
  const time = useScaleClock();
  const longest = Math.max(...columns.map(({ atMs }) => time(atMs).length));
  const room = Math.max(isSmall ? 44 : 54, 7.5 * longest + 10);
  const end = Math.min(x(endMs), width - 3.75 * longest - 4);
  for (const { atMs } of columns) {
    const isEnd = atMs === endMs;
    const at = isEnd ? end : Math.max(x(atMs), 3.75 * longest);
    // several instants may be within a second
    if (!isEnd && (at - last <= room || end - at <= room || time(atMs) === said)) continue;
    [last, said] = [at, time(atMs)];
    shown.push(
      <g key={atMs}>
        <path d={`M${x(atMs)} ${base}v3`} stroke="var(--line2)" />
        <text x={at} y={height - (isSmall ? 4 : 9)} text-anchor="middle">
          {time(atMs)}
        </text>
      </g>,
    );
  }
  return <>{shown}</>;
}
