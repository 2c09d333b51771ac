/** A time since the start of a run: `0:39`, `1:02:03`. */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** The same with milliseconds: `0:39.000`. */
export function exactClock(ms: number): string {
  return `${clock(ms)}.${String(Math.floor(ms % 1000)).padStart(3, "0")}`;
}

/** A time with its fraction only if it has one: `2:49.08`. */
export function shortClock(ms: number): string {
  const rest = ms % 1000;
  // after ten minutes the fraction is left out, since there is no room for it
  return rest === 0 || ms >= 600_000
    ? clock(ms)
    : `${clock(ms)}.${String(rest).padStart(3, "0").replace(/0+$/, "")}`;
}
