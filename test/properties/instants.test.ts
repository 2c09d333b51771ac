import fc from "fast-check";
import { Duration } from "luxon";
import { describe, expect, it } from "vitest";
import { durationText, iso, readDurationMs, readInstantMs, utc } from "../../src/core/foundation/instants.ts";
import { always } from "./support.ts";

/** Up to ten thousand years. */
const someMs = fc.oneof(fc.nat({ max: 200_000 }), fc.integer({ min: 0, max: 315_000_000_000_000 }));
/** What a `Date` can hold. */
const anyInstantMs = fc.integer({ min: -8.64e15, max: 8.64e15 });

describe("A duration", () => {
  it("is equal in every form of writing", () => {
    always(2_000, someMs, (ms) => {
      const [hours, rest] = [Math.floor(ms / 3_600_000), ms % 3_600_000];
      const parts = {
        hours,
        minutes: Math.floor(rest / 60_000),
        seconds: Math.floor(rest / 1000) % 60,
        milliseconds: ms % 1000,
      };
      const fraction = String(parts.milliseconds).padStart(3, "0");
      const forms = [
        ms,
        parts,
        { milliseconds: ms },
        { seconds: ms / 1000 },
        Duration.fromMillis(ms),
        Duration.fromObject(parts),
        Duration.fromMillis(ms).toISO(),
        `PT${hours}H${parts.minutes}M${parts.seconds}.${fraction}S`,
        `PT${Math.floor(ms / 1000)}.${fraction}S`,
      ];
      for (const form of forms) expect(readDurationMs(form, []), JSON.stringify(form)).toBe(ms);
    });
  });

  it("in words has its whole seconds", () => {
    always(1_000, someMs, (ms) => {
      const units = { h: 3_600, m: 60, s: 1 } as const;
      const seconds = durationText(ms)
        .split(" ")
        .map((part) => Number.parseInt(part, 10) * units[part.at(-1) as keyof typeof units]);
      expect(seconds.reduce((sum, each) => sum + each, 0)).toBe(Math.floor(ms / 1000));
    });
  });
});

describe("An instant", () => {
  it("is equal in every form of writing", () => {
    always(2_000, anyInstantMs, (ms) => {
      for (const form of [ms, iso(ms), new Date(ms), utc(ms)])
        expect(readInstantMs(form, []), JSON.stringify(form)).toBe(ms);
    });
  });

  it("is equal in every time zone", () => {
    // years that four digits can hold
    const years = fc.integer({ min: -62_000_000_000_000, max: 253_000_000_000_000 });
    const zones = fc.constantFrom("UTC", "Pacific/Auckland", "America/St_Johns", "UTC+14", "UTC-12:30");
    always(1_000, fc.tuple(years, zones), ([ms, zone]) => {
      const text = utc(ms).setZone(zone).toISO({ extendedZone: false });
      // older offsets have seconds, which ISO 8601 cannot write
      fc.pre(utc(ms).setZone(zone).offset % 1 === 0);
      expect(readInstantMs(text, []), String(text)).toBe(ms);
    });
  });

  it("in ISO 8601 is in UTC with milliseconds, and sorts like its timestamp", () => {
    const years = fc.integer({ min: 0, max: 253_000_000_000_000 });
    always(1_000, fc.tuple(years, years), ([one, other]) => {
      expect(iso(one)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Math.sign(iso(one).localeCompare(iso(other)))).toBe(Math.sign(one - other));
    });
  });
});
