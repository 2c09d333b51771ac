import { clock } from "../../core/foundation/clock.ts";

export { clock, exactClock } from "../../core/foundation/clock.ts";
export { counted } from "../../core/platform/declare/words.ts";

/** Numbers and times as the page writes them. */

/** A time with its fraction only if it has one: `2:49.08`. */
export function shortClock(ms: number): string {
  const rest = ms % 1000;
  // after ten minutes the fraction is left out, since there is no room for it
  return rest === 0 || ms >= 600_000
    ? clock(ms)
    : `${clock(ms)}.${String(rest).padStart(3, "0").replace(/0+$/, "")}`;
}

/** A duration: `16 s`, `4 min 59 s`, `2 h`, `3 days`. */
export function lengthText(ms: number): string {
  if (ms < 60_000) return `${Math.round(ms / 100) / 10} s`;
  const units: [number, string][] = [
    [86_400_000, "d"],
    [3_600_000, "h"],
    [60_000, "min"],
    [1000, "s"],
  ];
  const parts: string[] = [];
  let rest = ms;
  for (const [size, name] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${name}`);
  }
  return parts.slice(0, 2).join(" ");
}

/** A size: `9.1 KB`. */
export function sizeText(count: number): string {
  return count < 1024
    ? `${count} bytes`
    : count < 1024 * 1024
      ? `${(count / 1024).toFixed(1)} KB`
      : `${(count / 1024 / 1024).toFixed(1)} MB`;
}

/** What an error says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
