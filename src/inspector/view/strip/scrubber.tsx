import { useMemo, useRef } from "preact/hooks";
import { useActions, useSelect, useSize, useTurn } from "../state/context.ts";
import { NARROW } from "../state/layout.ts";
import type { LoadedRun } from "../state/loading.ts";
import { useChosen } from "../state/use-chosen.ts";
import { useWriteTime } from "../state/use-clock.ts";
import { makeScale } from "./scale.ts";
import { Strip } from "./strip.tsx";
import { sizesOf } from "./strip-plan.ts";
import { Transport } from "./transport.tsx";

/** The foot of the page: the instant, the buttons, and the whole run on one line. */
export function Scrubber() {
  const run = useSelect((state) => state.run);
  const isTurn = useTurn(run, 1);
  return (
    <footer aria-label="Time">
      <Transport />
      {run === undefined || run.rows.length === 0 || !isTurn ? <div class="track" /> : <Track run={run} />}
    </footer>
  );
}

function Track({ run }: { run: LoadedRun }) {
  const { playback } = useActions();
  const holder = useRef<HTMLDivElement>(null);
  const { width: outer } = useSize(holder);
  const foldGaps = useSelect((state) => state.foldGaps);
  const now = useSelect((state) => state.now);
  const chosen = useChosen();
  const time = useWriteTime();
  const scale = useMemo(() => makeScale(run, foldGaps), [run, foldGaps]);
  const isSmall = globalThis.innerWidth <= NARROW;
  const { height, base, inset, foot } = sizesOf(isSmall);
  const width = Math.max(100, outer - (isSmall ? 24 : 28));
  const row = run.rows[now];
  const x = inset + scale.xOf(row?.atMs ?? 0) * (width - 2 * inset);
  const pointTo = (clientX: number) => {
    const box = holder.current?.querySelector("input")?.getBoundingClientRect();
    if (box === undefined) return;
    const at = scale.rowAt((clientX - box.left - inset) / (box.width - 2 * inset));
    playback.select(at);
  };
  return (
    <div class="track" ref={holder}>
      <Strip run={run} scale={scale} width={width} chosen={chosen} isSmall={isSmall} />
      <svg
        class="now"
        viewBox={`0 0 20 ${height}`}
        aria-hidden="true"
        style={{ transform: `translateX(${x - 10}px)`, height: `${height}px` }}
      >
        <path d={`M10 6V${height - foot}`} stroke="var(--accent)" stroke-width="2" />
        <circle cx={10} cy={base} r="5.5" fill="var(--accent)" stroke="var(--panel)" stroke-width="2" />
      </svg>
      <input
        type="range"
        min={0}
        max={run.rows.length - 1}
        value={now}
        aria-label="Step"
        aria-valuetext={row === undefined ? "" : `${time(row.atMs)}, ${row.subject} ${row.verb}`}
        onInput={(event) => playback.select(Number(event.currentTarget.value))}
        onPointerDown={(event) => {
          event.preventDefault();
          event.currentTarget.focus();
          event.currentTarget.setPointerCapture(event.pointerId);
          pointTo(event.clientX);
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) pointTo(event.clientX);
        }}
      />
      <div class="focus" />
    </div>
  );
}
