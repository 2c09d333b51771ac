import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSimulator } from "../../src/index.ts";
import { always } from "./support.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Zones with the days on which their clocks change, forward and back, and zones whose clocks never change. */
const places = [
  { zone: "Europe/London", near: ["2026-10-25", "2027-03-28"] },
  { zone: "Pacific/Auckland", near: ["2026-09-27", "2027-04-04"] },
  { zone: "Australia/Lord_Howe", near: ["2026-10-04", "2027-04-04"] },
  { zone: "America/St_Johns", near: ["2026-11-01", "2027-03-14"] },
  // at midnight, so that the day that begins has no beginning, or the day before ends twice
  { zone: "America/Santiago", near: ["2026-09-06", "2027-04-04"] },
  { zone: "Asia/Kathmandu", near: ["2026-10-25"] },
  { zone: "Pacific/Kiritimati", near: ["2026-10-25"] },
] as const;

const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;

const text = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

/** From and to, minutes of the day; half of them around the hours at which clocks change. */
const span = fc
  .oneof(
    fc.uniqueArray(fc.integer({ min: 0, max: 1440 }), { minLength: 2, maxLength: 2 }),
    fc.uniqueArray(fc.integer({ min: 0, max: 200 }), { minLength: 2, maxLength: 2 }),
    fc.constantFrom([0, 1440], [0, 120], [60, 120], [120, 180], [1380, 1440], [540, 1020]),
  )
  .map(([a = 0, b = 0]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));

const week = fc.array(fc.array(span, { maxLength: 3 }), { minLength: 7, maxLength: 7 });

const place = fc
  .constantFrom(...places)
  .chain(({ zone, near }) => fc.record({ zone: fc.constant(zone), near: fc.constantFrom(...near) }));

/** Minutes since the epoch that a wall clock shows, by `Intl`. */
function wallClockOf(zone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat("en", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  return (ms) => {
    const shown = Object.fromEntries(
      format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = shown;
    return Date.UTC(year, month - 1, day, hour, minute) / MINUTE_MS;
  };
}

/** The latest that a wall clock has shown so far: a repeated time is not new, a skipped one has passed. */
function latestShown(shows: (ms: number) => number, ms: number): number {
  if (shows(ms) - shows(ms - 180 * MINUTE_MS) >= 180) return shows(ms);
  return Math.max(...Array.from({ length: 181 }, (_, back) => shows(ms - back * MINUTE_MS)));
}

describe("Working hours", () => {
  it("start and end exactly when the local clock first shows the time", () => {
    always(60, fc.tuple(place, week, fc.nat({ max: 2 * DAY_MS })), ([{ zone, near }, week, offsetMs]) => {
      const startMs = Date.parse(near) - 3 * DAY_MS + offsetMs;
      const workingHours = Object.fromEntries(
        weekdays.map((day, at) => [
          day,
          week[at]?.map(({ from, to }) => ({ from: text(from), to: text(to) })) ?? [],
        ]),
      );
      const user = { id: "u", email: "u@acme.test", displayName: "U", extension: "1", timezone: zone };
      const sim = createSimulator({
        start: startMs,
        organisation: { id: "acme", users: [{ ...user, workingHours }] },
      });
      const wasIn = sim.users.get("u").record.availability.status === "available";
      sim.advance(10 * DAY_MS);

      const shows = wallClockOf(zone);
      const expected = (ms: number) => {
        const shown = latestShown(shows, ms);
        const spans = week[new Date(shown * MINUTE_MS).getUTCDay()] ?? [];
        const minute = ((shown % 1440) + 1440) % 1440;
        return spans.some(({ from, to }) => from <= minute && minute < to);
      };
      const changes = sim.events.map(({ createdTimestamp }) => createdTimestamp);
      expect(expected(startMs)).toBe(wasIn);
      for (const [index, atMs] of changes.entries()) {
        const isIn = wasIn === (index % 2 === 1);
        expect([expected(atMs - 1), expected(atMs)], new Date(atMs).toISOString()).toEqual([!isIn, isIn]);
      }
      // and nowhere else: some of these samples would show a stretch that is missing
      for (let ms = startMs; ms < startMs + 10 * DAY_MS; ms += 7 * MINUTE_MS) {
        const isIn = wasIn === (changes.filter((atMs) => atMs <= ms).length % 2 === 0);
        if (expected(ms) !== isIn) expect.fail(`wrong at ${new Date(ms).toISOString()} in ${zone}`);
      }
    });
  });
});
