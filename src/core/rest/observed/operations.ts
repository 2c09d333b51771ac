import * as v from "valibot";
import { emailOrNumber, object } from "../../foundation/input-schemas.ts";
import { type AnyOperation, operations } from "../../platform/catalogue/operations.ts";
import type { Services } from "../../platform/catalogue/services.ts";
import { ok, okPage } from "../../platform/declare/operation.ts";
import { type ListRequest, listPage, singlePage } from "../../platform/declare/paging.ts";
import { queryFlag, queryText, queryTimestamp, queryWholeNumber } from "../../platform/declare/query.ts";
import { RestError } from "../../platform/declare/rest-errors.ts";
import { recordingUrl } from "../../platform/declare/urls.ts";
import { takingBack } from "../../platform/declare/wire-schemas.ts";
import { writeCall } from "../../platform/observed/call.ts";
import { writeContact, writePhonebook } from "../../platform/observed/contact.ts";
import { writeEntry, writeTeam, writeUser } from "../../platform/observed/directory.ts";
import {
  changedWebhookEntries,
  newWebhookEntries,
  webhookMore,
} from "../../platform/organisation/webhook.ts";
import { phonebookId } from "../../platform/phonebooks/phonebooks.ts";
import { webhook } from "../../platform/webhooks/record.ts";
import { contactBody, contactsBody, phonebookBody, phonebooksBody } from "./contacts.ts";

/** The operations of the profile `observed`: what they read and answer as public clients show it, docs/observed.md. */

/** Changes an operation. */
type Change = (base: AnyOperation) => Partial<AnyOperation>;

/** Writes a body in another shape. Taken from a method, so that each may name the body that its operation answers with. */
type Write = { write(body: unknown, platform: Services): unknown }["write"];

/** Writes the answer of an operation in another shape. */
function answering(write: Write): Change {
  return (base) => ({
    handle(request) {
      const { status, body } = base.handle(request);
      return { status, body: write(body, request.platform) };
    },
  });
}

/** Writes each item of a list in another shape. */
const listing = (name: string, write: Write): Change =>
  answering((body: Readonly<Record<string, readonly unknown[]>>, platform) => ({
    ...body,
    [name]: (body[name] ?? []).map((item) => write(item, platform)),
  }));

/** Makes several changes, one after the other. */
const all =
  (...changes: readonly Change[]): Change =>
  (base) => {
    let changed = base;
    for (const change of changes) changed = { ...changed, ...change(changed) };
    return changed;
  };

function refuse(path: string, message: string): never {
  throw new RestError("bad_request", `${path}: ${message}`, { details: [{ path, message }] });
}

// calls

type WrittenCall = Parameters<typeof writeCall>[0];

/** A call whose recordings say where they are. */
const withRecordingUrls = (call: WrittenCall, { settings }: Services) => ({
  ...writeCall(call),
  recordings: call.recordings.map((each) => ({
    ...each,
    recordingUrl: recordingUrl(settings.urls, call.id, each.id),
  })),
});

const listCalls: Change = (base) => ({
  query: {
    ...base.query,
    includeRecordingUrl: queryFlag("Whether recordings say where they are. Default true.", true),
  },
  handle(request) {
    const { platform, query } = request;
    const { includeRecordingUrl } = query as { readonly includeRecordingUrl: boolean };
    const { body } = base.handle(request) as { body: { calls: WrittenCall[] } & object };
    const write = includeRecordingUrl ? withRecordingUrls : writeCall;
    return ok({ ...body, calls: body.calls.map((call) => write(call, platform)) });
  },
});

const listCallContentAnalysis: Change = (base) => ({
  query: {
    limit: queryWholeNumber("The most to answer with.", { min: 1, max: 10, default: 5 }),
    next: queryText("`meta.next` of the page before."),
    artifact: queryText("Only jobs that found something of this type, with that alone."),
  },
  handle(request) {
    const { contentAnalysis } = base.handle(request).body as { contentAnalysis: readonly { id: string }[] };
    const { artifact } = request.query as { readonly artifact?: string };
    const ofCall = new Set(contentAnalysis.map(({ id }) => id));
    const isOfType = ({ type }: { readonly type: string }) => artifact === undefined || type === artifact;
    const { items, meta } = listPage(request as ListRequest, request.platform.tables.analysis, {
      isListed: ({ id, artifacts }) => ofCall.has(id) && (artifact === undefined || artifacts.some(isOfType)),
    });
    const shown = items.map((job) => ({ ...job, artifacts: job.artifacts.filter(isOfType) }));
    return okPage("contentAnalysis", { items: shown, meta });
  },
});

const listTranscripts: Change = (base) => ({
  query: {
    ...base.query,
    since: queryTimestamp("Only transcripts made at this instant or later, ms since the epoch."),
    before: queryTimestamp("Only transcripts made before this instant, ms since the epoch."),
    sourceId: queryText("Only the transcript of this recording."),
    sourceContextId: queryText("Only transcripts of this call."),
  },
  handle({ platform, query }) {
    const { since, before, sourceId, sourceContextId } = query as {
      since?: number;
      before?: number;
      sourceId?: string;
      sourceContextId?: string;
    };
    const found = [...platform.tables.transcripts].filter(
      ({ createdTimestamp, recordingId, callId }) =>
        (since === undefined || createdTimestamp >= since) &&
        (before === undefined || createdTimestamp < before) &&
        (sourceId === undefined || recordingId === sourceId) &&
        (sourceContextId === undefined || callId === sourceContextId),
    );
    return okPage("transcripts", singlePage(found));
  },
});

// phonebooks

/** The fewest letters that a search has. */
const SHORTEST_SEARCH = 3;

const listPhonebooks: Change = (base) => ({
  query: {
    ...base.query,
    search: queryText(
      "Only contacts whose name, company or number has this text, and their phonebooks: three letters or more.",
    ),
  },
  handle(request) {
    const { search } = request.query as { readonly search?: string };
    if (search === undefined) return base.handle(request);
    if ([...search].length < SHORTEST_SEARCH) refuse("search", "expected three letters or more");
    const wanted = search.toLowerCase();
    const { phonebooks, tables } = request.platform;
    const fitting = (id: string) =>
      phonebooks.get(id).contacts.filter((contact) => {
        const { name, companyName, phoneNumbers } = writeContact(contact);
        const texts = [
          name,
          companyName,
          ...phoneNumbers.flatMap((each) => [each.numberRaw, each.numberE164]),
        ];
        return texts.some((each) => each?.toLowerCase().includes(wanted));
      });
    const { items, meta } = listPage(request as ListRequest, tables.phonebooks, {
      isListed: ({ id }) => fitting(id).length > 0,
    });
    return okPage("phonebooks", {
      items: items.map((head) => ({ ...head, contacts: fitting(head.id) })),
      meta,
    });
  },
});

type PhonebookGiven = v.InferOutput<typeof phonebookBody>;

/** Phonebooks with ids. A new id follows from the phonebooks that there are: drawing one would change later draws. */
function withIds({ tables }: Services, given: readonly PhonebookGiven[]) {
  const taken = new Set([...[...tables.phonebooks].map(({ id }) => id), ...given.map(({ id }) => id)]);
  let number = 0;
  return given.map((phonebook) => {
    let { id } = phonebook;
    while (id === undefined || (phonebook.id === undefined && taken.has(id))) id = `phonebook-${++number}`;
    taken.add(id);
    return { ...phonebook, id };
  });
}

const putPhonebooks: Change = (base) => ({
  body: phonebooksBody,
  handle(request) {
    const { phonebooks } = request.body as v.InferOutput<typeof phonebooksBody>;
    return base.handle({ ...request, body: { phonebooks: withIds(request.platform, phonebooks) } });
  },
});

const putPhonebook: Change = (base) => ({
  body: phonebookBody,
  handle(request) {
    const { id } = request.body as PhonebookGiven;
    if (id !== undefined && phonebookId(id) !== phonebookId(request.params.id ?? ""))
      refuse("id", "expected the id of the path");
    return base.handle(request);
  },
});

type ContactsGiven = v.InferOutput<typeof contactsBody>;

/** Contacts whose numbers are read by the country that the body names, if it does. */
function numbersRead({ phonebooks }: Services, { contacts, countryIso }: ContactsGiven) {
  return countryIso == null ? contacts : phonebooks.numbersRead(contacts, countryIso);
}

const putContacts: Change = (base) => ({
  body: contactsBody,
  handle(request) {
    const contacts = numbersRead(request.platform, request.body as ContactsGiven);
    return base.handle({ ...request, body: { contacts } });
  },
});

const putContact: Change = (base) => ({
  body: contactBody,
  handle(request) {
    const { contact, countryIso } = request.body as v.InferOutput<typeof contactBody>;
    if (contact.id !== undefined && contact.id !== request.params.contactId)
      refuse("id", "expected the id of the path");
    const [read] = numbersRead(request.platform, { contacts: [contact], countryIso });
    return base.handle({ ...request, body: read });
  },
});

const contactExample = {
  contact: {
    id: "aroha",
    firstName: "Aroha",
    lastName: "Ross",
    companyName: "Ross Ltd",
    phoneNumbers: [{ label: "mobile", value: "+6421555020" }],
  },
  countryIso: "NZ",
};
const showing =
  (body: unknown): Change =>
  (base) => ({ example: { ...base.example, body } });

// messages

/** The sender of a message may be a user, by e-mail address. */
const sendConversationMessage: Change = (base) => {
  const { entries } = base.body as v.GenericSchema & { readonly entries: v.ObjectEntries };
  const resolved = (platform: Services, body: unknown) => {
    const { companyAddress } = body as { readonly companyAddress?: unknown };
    if (typeof companyAddress !== "string" || !companyAddress.includes("@")) return body;
    const [number] = platform.directory.user(companyAddress).phoneNumbers;
    if (number === undefined) refuse("companyAddress", "expected a user who has a number");
    return { ...(body as object), companyAddress: number };
  };
  return {
    body: object({
      ...entries,
      companyAddress: v.pipe(
        emailOrNumber(),
        v.description("Who sends it: a company number, E.164, or a user's e-mail address."),
      ),
    }),
    check: (platform, body) => base.check?.(platform, resolved(platform, body)) ?? [],
    handle: (request) => base.handle({ ...request, body: resolved(request.platform, request.body) }),
  };
};

const changes: Readonly<Record<string, Change>> = {
  listUsers: listing("users", writeUser),
  getUser: answering(writeUser),
  listLocationUsers: listing("users", writeUser),
  putLocationUser: answering(writeUser),
  listDirectory: listing("entries", writeEntry),
  getDirectoryEntry: answering(writeEntry),
  listTeams: listing("teams", writeTeam),
  putTeamMember: answering(writeTeam),
  listCalls,
  getCall: answering(withRecordingUrls),
  listCallContentAnalysis,
  listTranscripts,
  listPhonebooks: all(listPhonebooks, listing("phonebooks", writePhonebook)),
  getPhonebook: answering(writePhonebook),
  putPhonebooks: all(putPhonebooks, listing("phonebooks", writePhonebook), showing({ name: "Suppliers" })),
  putPhonebook: all(putPhonebook, answering(writePhonebook), showing({ name: "Bob's own" })),
  listContacts: listing("contacts", writeContact),
  getContact: answering(writeContact),
  putContacts: all(putContacts, listing("contacts", writeContact), showing(contactExample)),
  putContact: all(
    putContact,
    answering(writeContact),
    showing({ ...contactExample, contact: { ...contactExample.contact, id: "jane" } }),
  ),
  sendConversationMessage,
  createWebhook: () => ({ body: object({ ...newWebhookEntries, ...webhookMore }) }),
  updateWebhook: () => ({ body: takingBack({ ...changedWebhookEntries, ...webhookMore }, webhook) }),
};

/** The whole API of the profile `observed`. */
export const observedOperations: readonly AnyOperation[] = operations.map((base: AnyOperation) => {
  const change = changes[base.id.replace(/Deprecated$/, "")];
  return change === undefined ? base : { ...base, ...change(base) };
});
