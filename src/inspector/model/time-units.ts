const units = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
  [1000, "second"],
] as const;

/** A time in its two largest units, such as `1 minute 6 seconds`. @param write writes how many there are of a unit */
export function inTwoUnits(
  ms: number,
  write: (count: number, unit: (typeof units)[number][1]) => string,
): string {
  const parts: string[] = [];
  let rest = ms;
  for (const [size, unit] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(write(count, unit));
  }
  return parts.slice(0, 2).join(" ");
}
