import * as v from "valibot";
import { InputError } from "../../foundation/errors.ts";
import { e164, either, object, text } from "../../foundation/input-schemas.ts";
import { show } from "../../foundation/show.ts";

/**
 * Reads a contact's number that is not E.164: `readPhoneNumber` of `ringback/phone-numbers`, or your own function. For the same
 * arguments it must always return the same.
 * @param number the number as it is written
 * @param countryIso the country of the phonebook, else of the organisation, such as `NZ`; undefined if neither says it
 * @returns the number in E.164; undefined if it cannot be read
 */
export type PhoneNumberReader = (number: string, countryIso: string | undefined) => string | undefined;

/** A number of a contact: as it is written, and once it was read also in E.164. */
export const contactNumber = either(
  [
    text(),
    object({
      /** The number as it is written, such as `021 555 001`. */
      written: text(),
      /** The number in E.164, as it was read. @default `written`, if it is E.164 or can be read */
      e164: v.optional(e164()),
      /** What the number is called, such as `mobile`, which the profile `observed` shows. */
      label: v.optional(v.nullable(text())),
    }),
  ],
  "expected a phone number, or { written, e164 }",
);

export type ContactNumber = v.InferOutput<typeof contactNumber>;

const schemaOfE164 = e164();
const isE164 = (number: string) => v.is(schemaOfE164, number);

/** The number as it is written. */
export const readWritten = (number: ContactNumber): string =>
  typeof number === "string" ? number : number.written;

/** A number in E.164; undefined if it was not read. */
export function inE164(number: ContactNumber): string | undefined {
  const known = typeof number === "string" ? undefined : number.e164;
  const written = readWritten(number);
  return known ?? (isE164(written) ? written : undefined);
}

/** The numbers in E.164 that find a contact. One that was not read finds nobody. */
export function listE164(numbers: readonly ContactNumber[]): string[] {
  return numbers.flatMap((number) => inE164(number) ?? []);
}

interface HasNumbers {
  readonly phoneNumbers?: readonly ContactNumber[] | undefined;
}

/**
 * Reads the numbers of contacts that are not E.164. They are part of what comes from outside, so that a journal needs no
 * reader.
 * @returns the same list if there is nothing to read
 * @throws {InputError} if the reader returns something else than E.164 or undefined
 */
export function withNumbersRead<C extends HasNumbers>(
  contacts: C[],
  countryIso: string | undefined,
  reader: PhoneNumberReader | undefined,
): C[] {
  if (reader === undefined) return contacts;
  let isSame = true;
  const read = contacts.map((contact) => {
    if (contact.phoneNumbers?.every((number) => inE164(number) !== undefined) !== false) return contact;
    isSame = false;
    return {
      ...contact,
      phoneNumbers: contact.phoneNumbers.map((each) => readNumber(each, countryIso, reader)),
    };
  });
  return isSame ? contacts : read;
}

interface HasContacts {
  readonly countryIso?: string | null | undefined;
  contacts?: HasNumbers[] | undefined;
}

/** Reads the numbers of whole phonebooks, as `withNumbersRead` does: each by its own country, if it has one. */
export function withPhonebooksRead<P extends HasContacts>(
  phonebooks: P[],
  countryIso: string | undefined,
  reader: PhoneNumberReader | undefined,
): P[] {
  const read = phonebooks.map((phonebook) => {
    const { contacts } = phonebook;
    if (contacts === undefined) return phonebook;
    const numbered = withNumbersRead(contacts, phonebook.countryIso ?? countryIso, reader);
    return numbered === contacts ? phonebook : { ...phonebook, contacts: numbered };
  });
  return read.every((each, index) => each === phonebooks[index]) ? phonebooks : read;
}

function readNumber(
  number: ContactNumber,
  countryIso: string | undefined,
  reader: PhoneNumberReader,
): ContactNumber {
  if (inE164(number) !== undefined) return number;
  const written = readWritten(number);
  const found = reader(written, countryIso);
  if (found === undefined) return number;
  if (typeof found === "string" && isE164(found))
    return { ...(typeof number === "string" ? { written } : number), e164: found };
  throw new InputError(
    ["phoneNumbers"],
    `expected a function that returns a number in E.164, such as "+6495550100", or undefined; for ${show(written)} it returned ${show(found)}`,
  );
}
