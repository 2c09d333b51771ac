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

/** Country codes of one and two digits; the others have three. No code begins with another one (ITU-T E.164). */
const countryCode = /^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(\d+)$/;

/** A phone number as it is called from abroad, as it is called in its country, and as it is shown. */
export interface WrittenNumber {
  readonly numberE164: string;
  readonly numberLocal: string;
  readonly numberDisplay: string;
}

/** A phone number in three forms. Only the first is exact: countries group their numbers in their own ways. */
export function writtenNumber(numberE164: string): WrittenNumber {
  const [, code, national] = countryCode.exec(numberE164) ?? [];
  if (code === undefined || national === undefined)
    return { numberE164, numberLocal: numberE164, numberDisplay: numberE164 };
  return {
    numberE164,
    numberLocal: code === "1" ? national : `0${national}`,
    numberDisplay: `+${code} ${grouped(national)}`,
  };
}

/** The digits of a number in groups: the last four, and threes before them. */
function grouped(digits: string): string {
  const last = digits.slice(-4);
  const before = digits.slice(0, -4).replace(/\B(?=(\d{3})+$)/g, " ");
  return before === "" ? last : `${before} ${last}`;
}

/** Digits as a number; text that a number would change, such as `007`, stays text. */
export function asNumber(digits: string): number | string {
  return String(Number(digits)) === digits && Number.isSafeInteger(Number(digits)) ? Number(digits) : digits;
}
