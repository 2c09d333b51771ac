import { absentable, dateField, many, nullableText, record, textField, texts } from "../../records/fields.ts";

export const contact = record({ type: "ContactRecord", component: "Contact" }, "A contact of a phonebook.", {
  id: textField("The contact's id, unique in its phonebook."),
  name: textField("The name, as people see it."),
  firstName: nullableText("The first name; null if unknown."),
  lastName: nullableText("The last name; null if unknown."),
  jobTitle: nullableText("The job title; null if unknown."),
  phoneNumbers: texts("The phone numbers as they were given: E.164, or as people of the country write them."),
  emailAddresses: texts("The e-mail addresses."),
});

const head = {
  id: textField("The phonebook's id; for a personal phonebook, the user's e-mail address in lower case."),
  name: textField("The phonebook's name."),
  countryIso: nullableText("The country, by ISO 3166-1 alpha-2, such as `NZ`; null if unknown."),
  ...dateField("created", "When the phonebook was made"),
  ...dateField("lastModified", "When the phonebook or a contact of it last changed"),
};

record(
  { type: "PhonebookHead" },
  "A phonebook without its contacts, of which there may be tens of thousands.",
  head,
);

export const phonebook = record(
  { type: "PhonebookRecord", component: "Phonebook" },
  "A phonebook: shared, or a user's own.",
  { ...head, contacts: many(contact, "The contacts, in the order in which they were added.") },
);

export const listedPhonebook = record({ component: "ListedPhonebook" }, "A phonebook as a list has it.", {
  ...head,
  contacts: absentable(
    many(contact, "The contacts, in the order in which they were added; absent for `limit=0`."),
  ),
});
