import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/min";
import type { PhoneNumberReader } from "../core/platform/organisation/contact-numbers.ts";
import { isOwnReader } from "../core/platform/phonebooks/own-reader.ts";

/**
 * Reads a phone number as people in a country write it, such as `021 555 001` in `NZ`. For the option `phoneNumbers`:
 * `createSimulator({ phoneNumbers: readPhoneNumber })`.
 * @param number the number; with a leading plus it needs no country
 * @param countryIso the country, by ISO 3166-1 alpha-2; undefined if unknown
 * @returns the number in E.164, without an extension; undefined if it cannot be read or has a wrong length for its country.
 *   Does not check that the number is in use
 * @example
 * import { readPhoneNumber } from "ringback/phone-numbers";
 *
 * readPhoneNumber("021 555 077", "NZ"); // => "+6421555077"
 */
export const readPhoneNumber: PhoneNumberReader = Object.assign(read, { [isOwnReader]: true });

function read(number: string, countryIso: string | undefined): string | undefined {
  const country = isKnown(countryIso) ? countryIso : undefined;
  // refuses a number inside a sentence
  const parsed = parsePhoneNumberFromString(number, {
    extract: false,
    ...(country === undefined ? {} : { defaultCountry: country }),
  });
  return parsed?.isPossible() ? parsed.number : undefined;
}

function isKnown(countryIso: string | undefined): countryIso is CountryCode {
  return countryIso !== undefined && isSupportedCountry(countryIso as CountryCode);
}

export type { PhoneNumberReader };
