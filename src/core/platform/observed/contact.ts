import type { ContactRecord, PhonebookHead } from "../../generated/records.ts";
import { inE164 } from "../organisation/contact-numbers.ts";
import { detailsOf } from "../phonebooks/contacts.ts";
import { writtenNumber } from "./texts.ts";

/** Contacts and phonebooks in the shape that public bodies have: docs/observed.md. */

export function writeContact(contact: ContactRecord) {
  const { phoneNumbers, emailAddresses, ...rest } = contact;
  const { phonebookId = null, companyName = null, phoneNumbers: known } = detailsOf(contact) ?? {};
  return {
    ...rest,
    phonebookId,
    companyName,
    phoneNumbers: phoneNumbers.map((numberRaw, index) => {
      const { label = null, numberE164 = inE164(numberRaw) ?? null } = known?.[index] ?? {};
      const numberDisplay = numberE164 === null ? numberRaw : writtenNumber(numberE164).numberDisplay;
      return { label, numberRaw, numberE164, numberDisplay };
    }),
    emails: emailAddresses,
  };
}

/** A phonebook, with its contacts if it has them. */
export function writePhonebook(phonebook: PhonebookHead & { readonly contacts?: readonly ContactRecord[] }) {
  const { contacts, ...head } = phonebook;
  return { ...head, ...(contacts && { contacts: contacts.map(writeContact) }) };
}
