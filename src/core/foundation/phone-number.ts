/** Country codes of one and two digits; the others have three. No code begins with another one (ITU-T E.164). */
const countryCode = /^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(\d+)$/;

/** The parts of a phone number such as `+6495550100`; undefined for any other text. */
export function partsOfNumber(
  number: string,
): { readonly code: string; readonly national: string } | undefined {
  const [, code, national] = countryCode.exec(number) ?? [];
  return code === undefined || national === undefined ? undefined : { code, national };
}

/**
 * A phone number in groups, for people: `+64 9 555 0100`. The last group has four digits, those before it have three:
 * countries have groups of their own, and this holds for all. Any other text stays as it is.
 */
export function groupedNumber(number: string): string {
  const parts = partsOfNumber(number);
  return parts === undefined ? number : `+${parts.code} ${grouped(parts.national)}`;
}

function grouped(digits: string): string {
  const last = digits.slice(-4);
  const before = digits.slice(0, -4).replace(/\B(?=(\d{3})+$)/g, " ");
  return before === "" ? last : `${before} ${last}`;
}

/** A text whose grouped phone numbers are as data has them again, so that both ways of writing one are found. */
export function withoutGroups(text: string): string {
  return text.replace(/\+\d{1,3}(?: \d{1,3})* \d{4}(?!\d)/g, (number) => number.replaceAll(" ", ""));
}
