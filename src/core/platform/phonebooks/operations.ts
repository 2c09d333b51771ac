import * as v from "valibot";
import { either, list, object, text } from "../../foundation/input-schemas.ts";
import { show } from "../../foundation/show.ts";
import type { CoreServices } from "../base/core-services.ts";
import {
  created,
  type DeclaredOperation,
  done,
  type Operation,
  ok,
  okPage,
  operationsWith,
  type Tag,
} from "../declare/operation.ts";
import { listPage, nextPage, pagingQuery, singlePage } from "../declare/paging.ts";
import { queryFlag } from "../declare/query.ts";
import { RestError } from "../declare/rest-errors.ts";
import { defineBody, defineList, nothing, takingBack } from "../declare/wire-schemas.ts";
import { contactOfClient } from "../organisation/contact.ts";
import { phonebookEntries } from "../organisation/schema.ts";
import type { Phonebooks } from "./phonebooks.ts";
import { phonebookId } from "./phonebooks.ts";
import {
  contact as contactSchema,
  listedPhonebook as listedPhonebookSchema,
  phonebook as phonebookSchema,
} from "./record.ts";

export interface Needs extends CoreServices {
  readonly phonebooks: Phonebooks;
}

const operation = operationsWith<Needs>();

const tag: Tag = { name: "Phonebooks", description: "Contacts from outside, shared or personal" };
const params: Operation<Needs>["params"] = {
  id: {
    description: "The phonebook's id; a user's e-mail address for their personal phonebook.",
    example: "customers",
    candidates: ({ tables }) => tables.phonebooks,
  },
};
const contactParams: Operation<Needs>["params"] = {
  ...params,
  contactId: {
    description: "The contact's id.",
    example: "jane",
    candidates: ({ phonebooks }, { id = "" }) => phonebooks.get(id).contacts,
  },
};

const contact = defineBody("NewContact", contactOfClient);
const { id: _, ...withoutId } = phonebookEntries;
const contents = {
  ...withoutId,
  /** Everything that the phonebook holds from now on. @default nothing */
  contacts: v.optional(list(contact)),
};

const newPhonebook = takingBack({ ...phonebookEntries, ...contents }, phonebookSchema);

/** One phonebook, or several. */
const phonebooksBody = either(
  [
    defineBody("NewPhonebook", newPhonebook),
    object({
      /** The phonebooks. Each replaces the one with its id, whole. */
      phonebooks: list(newPhonebook),
    }),
  ],
  "expected a phonebook, or { phonebooks }",
);
const phonebookBody = defineBody(
  "PhonebookContents",
  takingBack(
    {
      /** The phonebook's id, or a user's e-mail address for their personal one. */
      id: v.optional(text()),
      ...contents,
    },
    phonebookSchema,
  ),
);
/** One contact, or several. */
const contactsBody = either(
  [
    contact,
    list(contact),
    object({
      /** The contacts to add, or to replace where the id is known. */
      contacts: list(contact),
    }),
  ],
  "expected a contact, a list of contacts, or { contacts }",
);

/** A body may repeat the id of its path, but not contain another. @throws {RestError} */
function mustBeSame(given: string, id: string): void {
  if (given === id) return;
  const message = `expected the id of the path, ${show(id)}, got ${show(given)}`;
  throw new RestError("bad_request", `id: ${message}`, { details: [{ path: "id", message }] });
}

const newContact = { firstName: "Aroha", lastName: "Ross", phoneNumbers: ["+6421555020"] };

const phonebookReads = [
  operation({
    method: "get",
    path: "/phonebooks",
    id: "listPhonebooks",
    tag,
    summary: "List phonebooks with their contacts",
    description:
      "`limit=0` lists all phonebooks, without their contacts. Personal phonebooks are among them.",
    query: { ...pagingQuery, excludeEmpty: queryFlag("Only phonebooks that have contacts.") },
    answers: { 200: defineList("phonebooks", listedPhonebookSchema) },
    example: { query: { excludeEmpty: true } },
    handle(request) {
      const { platform, query } = request;
      const { phonebooks } = platform.tables;
      const isListed = ({ id }: { readonly id: string }) =>
        !query.excludeEmpty || platform.phonebooks.count(id) > 0;
      if (query.limit === 0) return okPage("phonebooks", singlePage([...phonebooks].filter(isListed)));
      const { items, meta } = listPage(request, phonebooks, { isListed });
      return okPage("phonebooks", { items: items.map(({ id }) => platform.phonebooks.get(id)), meta });
    },
  }),
  operation({
    method: "get",
    path: "/phonebooks/{id}",
    id: "getPhonebook",
    tag,
    summary: "Read a phonebook with its contacts",
    description: "By the phonebook's id, or by a user's e-mail address for their personal one.",
    params,
    answers: { 200: phonebookSchema },
    handle: ({ platform, params: { id = "" } }) => ok(platform.phonebooks.get(id)),
  }),
];

const phonebookWrites = [
  operation({
    method: "put",
    path: "/phonebooks",
    id: "putPhonebooks",
    tag,
    summary: "Upload phonebooks, each of which replaces all that it had",
    description: "One phonebook, or several as `{ phonebooks }`: all are taken, or none.",
    body: phonebooksBody,
    commands: ["putPhonebooks"],
    errors: [404],
    answers: { 200: defineList("phonebooks", phonebookSchema) },
    example: { body: { id: "suppliers", name: "Suppliers", countryIso: null, contacts: [newContact] } },
    handle({ platform, body }) {
      const ids = platform.runValidated(
        "putPhonebooks",
        "phonebooks" in body ? body : { phonebooks: [body] },
      );
      return okPage("phonebooks", singlePage(ids.map((id) => platform.phonebooks.get(id))));
    },
  }),
  operation({
    method: "put",
    path: "/phonebooks/{id}",
    id: "putPhonebook",
    tag,
    summary: "Create a phonebook, or replace all that it had",
    description:
      "Everything that the phonebook held is replaced. By a user's e-mail address it is their personal phonebook.",
    params,
    body: phonebookBody,
    commands: ["putPhonebooks"],
    answers: { 200: phonebookSchema, 201: phonebookSchema },
    example: { params: { id: "bob@acme.test" }, body: { name: "Bob's own", contacts: [newContact] } },
    handle({ platform, params: { id = "" }, body }) {
      if (body.id !== undefined) mustBeSame(phonebookId(body.id), phonebookId(id));
      const isNew = platform.tables.phonebooks.get(phonebookId(id)) === undefined;
      platform.runValidated("putPhonebooks", { phonebooks: [{ ...body, id }] });
      return (isNew ? created : ok)(platform.phonebooks.get(id));
    },
  }),
];

const contactReads = [
  operation({
    method: "get",
    path: "/phonebooks/{id}/contacts",
    id: "listContacts",
    tag,
    summary: "List the contacts of a phonebook, in the order in which they were added",
    description:
      "Page by page. A contact that is added or changed between two pages neither repeats nor hides another.",
    params,
    query: pagingQuery,
    answers: { 200: defineList("contacts", contactSchema) },
    handle(request) {
      const [, place, id = ""] = /^(\d+):(.*)$/s.exec(request.cursor ?? "") ?? [];
      const last = place === undefined ? undefined : { place: Number(place), id };
      const following = request.platform.phonebooks.contactsAfter(request.params.id ?? "", last);
      return okPage(
        "contacts",
        nextPage(request, following, (at, each) => `${at}:${each.id}`),
      );
    },
  }),
  operation({
    method: "get",
    path: "/phonebooks/{id}/contacts/{contactId}",
    id: "getContact",
    tag,
    summary: "Read a contact",
    description: "One contact of a phonebook, with its numbers as they were uploaded.",
    params: contactParams,
    answers: { 200: contactSchema },
    handle: ({ platform, params: { id = "", contactId = "" } }) =>
      ok(platform.phonebooks.contact(id, contactId)),
  }),
];

const contactWrites = [
  operation({
    method: "put",
    path: "/phonebooks/{id}/contacts",
    id: "putContacts",
    tag,
    summary: "Add contacts, one or many, or replace those that have the same id",
    description: "All are taken, or none. Without an id, one is made.",
    params,
    body: contactsBody,
    commands: ["putContacts"],
    answers: { 200: defineList("contacts", contactSchema) },
    example: { body: { contacts: [newContact] } },
    handle({ platform, params: { id = "" }, body }) {
      const given = "contacts" in body ? body.contacts : [body].flat();
      const ids = platform.runValidated("putContacts", { phonebook: id, contacts: given });
      return okPage("contacts", singlePage(ids.map((each) => platform.phonebooks.contact(id, each))));
    },
  }),
  operation({
    method: "put",
    path: "/phonebooks/{id}/contacts/{contactId}",
    id: "putContact",
    tag,
    summary: "Add a contact, or replace it",
    description: "The contact has this id afterwards. A caller with one of its numbers is shown by its name.",
    params: contactParams,
    body: contact,
    commands: ["putContacts"],
    answers: { 200: contactSchema, 201: contactSchema },
    example: { body: newContact },
    handle({ platform, params: { id = "", contactId = "" }, body }) {
      if (body.id !== undefined) mustBeSame(body.id, contactId);
      const isNew = platform.phonebooks.findContact(id, contactId) === undefined;
      platform.runValidated("putContacts", { phonebook: id, contacts: [{ ...body, id: contactId }] });
      return (isNew ? created : ok)(platform.phonebooks.contact(id, contactId));
    },
  }),
  operation({
    method: "delete",
    path: "/phonebooks/{id}/contacts/{contactId}",
    id: "deleteContact",
    tag,
    summary: "Delete a contact",
    description: "Callers with its numbers are shown by their number from then on, or by another contact.",
    params: contactParams,
    commands: ["removeContact"],
    answers: { 200: nothing },
    handle({ platform, params: { id = "", contactId = "" } }) {
      platform.command("removeContact", { phonebook: id, contact: contactId });
      return done;
    },
  }),
];

const plural = [...phonebookReads, ...phonebookWrites, ...contactReads, ...contactWrites];

/** Each operation also has its deprecated paths, `/phonebook` and `/phonebook/{id}/contact`. */
export const phonebookOperations = [...plural, ...plural.map((each) => deprecatedTwin(each))];

function deprecatedTwin<Id extends string>(
  each: DeclaredOperation<Needs, Id, v.GenericSchema>,
): DeclaredOperation<Needs, `${Id}Deprecated`, v.GenericSchema> {
  return {
    ...each,
    path: each.path.replace("/phonebooks", "/phonebook").replace("/contacts", "/contact"),
    id: `${each.id}Deprecated`,
    description: `\`${each.path}\` replaces this path.`,
    isDeprecated: true,
    replacedBy: each.path,
  };
}
