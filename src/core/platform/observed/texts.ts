import { groupedNumber, partsOfNumber } from "../../foundation/phone-number.ts";

/** Texts for people, as bodies of the profile `observed` have them. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long something took, in rough words: `a few seconds`, `2 minutes`. */
export function roughTime(ms: number): string {
  if (ms < 0.75 * MINUTE_MS) return "a few seconds";
  if (ms < 1.5 * MINUTE_MS) return "a minute";
  if (ms < 0.75 * HOUR_MS) return `${Math.round(ms / MINUTE_MS)} minutes`;
  if (ms < 1.5 * HOUR_MS) return "an hour";
  if (ms < 0.9 * DAY_MS) return `${Math.round(ms / HOUR_MS)} hours`;
  return ms < 1.5 * DAY_MS ? "a day" : `${Math.round(ms / DAY_MS)} days`;
}

/** A phone number as it is called from abroad, as it is called in its country, and as it is shown. */
export interface WrittenNumber {
  readonly numberE164: string;
  readonly numberLocal: string;
  readonly numberDisplay: string;
}

/** A phone number in three forms. Only the first is exact: countries group their numbers in their own ways. */
export function writtenNumber(numberE164: string): WrittenNumber {
  const parts = partsOfNumber(numberE164);
  if (parts === undefined) return { numberE164, numberLocal: numberE164, numberDisplay: numberE164 };
  const { code, national } = parts;
  const numberLocal = code === "1" ? national : `0${national}`;
  return { numberE164, numberLocal, numberDisplay: groupedNumber(numberE164) };
}

/** Digits as a number; text that a number would change, such as `007`, stays text. */
export function asNumber(digits: string): number | string {
  return String(Number(digits)) === digits && Number.isSafeInteger(Number(digits)) ? Number(digits) : digits;
}
