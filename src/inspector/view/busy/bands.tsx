import { useRef, useState } from "preact/hooks";
import type { Outage } from "../../model/incident.ts";
import type { LoadedRun } from "../state/loading.ts";
import type { Band } from "./calls.ts";
import type { ShownRange } from "./filter.tsx";
import { fullTimes, shownEndMs } from "./full-times.ts";

/** The whole run in a band for each kind of thing, with its outages. Each band has a height of its own. */
export function Bands({
  run,
  bands,
  outages,
  range,
  limit,
}: {
  run: LoadedRun;
  bands: readonly Band[];
  outages: readonly Outage[];
  range: ShownRange | undefined;
  limit(range: ShownRange | undefined): void;
}) {
  const area = useRef<HTMLDivElement>(null);
  const [from, setFrom] = useState<number | undefined>(undefined);
  const endMs = shownEndMs(run);
  const msAt = (event: PointerEvent) => {
    const box = area.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return 0;
    return Math.round(Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * endMs);
  };
  const drag = (event: PointerEvent) => {
    if (from === undefined) return;
    const ms = msAt(event);
    limit({ fromMs: Math.min(from, ms), toMs: Math.max(from, ms) });
  };
  const part = (ms: number) => `${(ms / endMs) * 100}%`;
  return (
    <figure class="bands" aria-label="Activity over time">
      {bands.map((band, index) => (
        <div class={`band ${band.tone}`} key={band.name}>
          <span>{band.name}</span>
          <b class="num">{band.total.toLocaleString("en")}</b>
          <div ref={index === 0 ? area : undefined}>
            <svg viewBox={`0 0 ${band.counts.length} 100`} preserveAspectRatio="none" aria-hidden="true">
              <path d={barsOf(band)} fill={`var(--${band.tone})`} />
            </svg>
          </div>
        </div>
      ))}
      <div class="band times" aria-hidden="true">
        <span />
        <b />
        <div>
          {fullTimes(run).map(({ atMs, text }) => (
            <small class={atMs > 0.95 * endMs ? "num end" : "num"} key={atMs} style={{ left: part(atMs) }}>
              {text}
            </small>
          ))}
        </div>
      </div>
      <div
        class="drag"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setFrom(msAt(event));
        }}
        onPointerMove={drag}
        onPointerUp={(event) => {
          // a click without a drag removes the range
          if (from !== undefined && msAt(event) === from) limit(undefined);
          setFrom(undefined);
        }}
      >
        {outages.map(({ lane, fromMs, toMs }) => (
          <i
            class="outage"
            key={`${lane} ${fromMs}`}
            style={{ left: part(fromMs), width: part(toMs - fromMs) }}
          />
        ))}
        {range !== undefined && (
          <i style={{ left: part(range.fromMs), width: part(range.toMs - range.fromMs) }} />
        )}
      </div>
      <figcaption class="muted">
        Drag over the bands to filter by time{outages.length > 0 && "; an outage is shaded"}.
      </figcaption>
    </figure>
  );
}

function barsOf({ counts, most }: Band): string {
  return counts
    .map((count, index) => {
      const height = (count / Math.max(1, most)) * 100;
      return count === 0 ? "" : `M${index + 0.1} ${100 - height}h.8v${height}h-.8z`;
    })
    .join("");
}
