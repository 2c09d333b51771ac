import type { Services } from "../platform/catalogue/services.ts";
import { contactSeenBy } from "../platform/conversations/find-contact.ts";
import type { Description, Mention } from "../platform/declare/description.ts";
import { isNamed, partyById, ringingEndpoints } from "../platform/live/parties.ts";
import type { Lifelines, NamedMention, NamedSentence } from "./lifelines.ts";

/** Finds the names of what a sentence mentions. Never throws: a refused command may name anything. */
export class Mentions {
  constructor(
    private readonly services: Services,
    private readonly lifelines: Lifelines,
  ) {}

  /** Adds the names to what a sentence mentions. */
  nameSentence(description: Description): NamedSentence {
    if (typeof description === "string") return { verb: description };
    const { subject, mention, ...rest } = description;
    return {
      subject: typeof subject === "object" ? this.name(subject) : subject,
      mention: mention && this.name(mention),
      ...rest,
    };
  }

  private name(mention: Mention): NamedMention {
    if ("number" in mention) return this.nameNumber(mention.number);
    if ("called" in mention) return this.nameCallee(mention.called);
    if ("entry" in mention) return this.nameEntry(mention);
    if ("people" in mention)
      return { is: "people", people: mention.people.map((each) => this.lifelines.person(each)) };
    if ("conversation" in mention) return this.nameConversation(mention.conversation);
    if ("voicemailOf" in mention)
      return { is: "voicemail", owner: this.lifelines.person(mention.voicemailOf).name };
    if ("ringing" in mention) return this.nameRinging(mention.ringing);
    if ("messageFrom" in mention) return { ...this.nameNumber(mention.messageFrom), words: "a message from" };
    return { is: "named", text: this.writeMention(mention) };
  }

  /** The text for what is neither a person nor a number. */
  private writeMention(mention: TextMention): string {
    const { tables } = this.services;
    if ("location" in mention)
      return `the location ${tables.locations.get(mention.location)?.name ?? mention.location}`;
    if ("phonebook" in mention) return this.phonebookText(mention.phonebook, mention.name);
    if ("contact" in mention) return this.contactText(mention.contact, mention.holder);
    if ("recording" in mention) {
      const recording = tables.recordings.get(mention.recording);
      return `the recording${this.ofCall(recording?.callId)}`;
    }
    if ("transcript" in mention)
      return `the transcript${this.ofCall(tables.transcripts.get(mention.transcript)?.callId)}`;
    if ("analysis" in mention) {
      const analysis = tables.analysis.get(mention.analysis);
      const analyzer = analysis === undefined ? "" : ` (${analysis.analyzer})`;
      return `the analysis${analyzer}${this.ofCall(analysis?.callId)}`;
    }
    return this.trunkText(mention.trunk);
  }

  private trunkText(id: string): string {
    return `the trunk ${this.services.tables.trunks.get(id)?.name ?? id}`;
  }

  private phonebookText(idOrEmail: string, given?: string): string {
    const owner = this.services.directory.findUser(idOrEmail);
    if (owner !== undefined) return `${this.lifelines.names.of(owner)}'s phonebook`;
    const known = this.services.tables.phonebooks.get(idOrEmail);
    return `the phonebook ${given ?? known?.name ?? idOrEmail}`;
  }

  private contactText(id: string, place: ContactPlace): string {
    const { conversations, directory, phonebooks } = this.services;
    if ("phonebook" in place) {
      const email = directory.findUser(place.phonebook)?.email.toLowerCase();
      const contact = phonebooks.contactIn(email ?? place.phonebook, id);
      return `the contact ${contact?.name ?? id} of ${this.phonebookText(place.phonebook)}`;
    }
    const contact =
      "user" in place
        ? phonebooks.contactById(id, directory.findUser(place.user)?.email ?? "")
        : contactSeenBy(conversations.known(place.conversation)?.participants ?? [], id, phonebooks);
    return `the contact ${contact?.contact.name ?? id}`;
  }

  /** ` of the call of Jane Smith`, if the call is known. */
  private ofCall(callId: string | null | undefined): string {
    const [caller] = this.services.tables.calls.get(callId ?? "")?.parties ?? [];
    if (caller === undefined) return "";
    return ` of the call of ${this.lifelines.names.byId(caller.entryId, caller.displayName)}`;
  }

  private nameRinging({ call: callId, party: name }: RingingPlace): NamedMention {
    const { live, tables } = this.services;
    const [call, rings] = [tables.calls.get(callId), live.get(callId)];
    const endpoint =
      call &&
      rings?.rings
        .map(({ partyId }) => partyById(call, partyId))
        .filter((party) => isNamed(party, name, rings))
        .flatMap(ringingEndpoints)[0];
    return endpoint === undefined ? { is: "unknown", text: "" } : { is: "endpoint", id: endpoint };
  }

  private nameNumber(number: string): Extract<NamedMention, { is: "number" }> {
    const entry = this.services.directory.findOwner(number);
    if (entry === undefined) return { is: "number", number };
    const { displayName: name, extension } = entry.record;
    return { is: "number", number, owner: { name, extension } };
  }

  private nameCallee(to: string): NamedMention {
    if (to.startsWith("+")) return { is: "people", people: [this.lifelines.person(to)] };
    const { directory } = this.services;
    const entry = directory.find(directory.ownerOfExtension(to) ?? to);
    if (entry === undefined) return { is: "unknown", text: to };
    const { displayName: name, extension } = entry.record;
    return { is: "entry", owner: { name, extension } };
  }

  /** An entry by any of its names, as the target of a transfer may be given. */
  private nameEntry({ entry: who, trunk }: EntryMention): NamedMention {
    const { directory } = this.services;
    const entry = directory.findOwner(who) ?? directory.find(who) ?? directory.findByExtension(who);
    if (entry === undefined)
      return who.startsWith("+")
        ? { is: "people", people: [this.lifelines.person(who)] }
        : { is: "unknown", text: who };
    const name = this.lifelines.names.of(entry.record);
    return { is: "named", text: trunk === undefined ? name : `${name} of ${this.trunkText(trunk)}` };
  }

  private nameConversation(id: string): NamedMention {
    const conversation = this.services.conversations.known(id);
    if (conversation === undefined) return { is: "unknown", text: id };
    const people = conversation.contactAddresses.map((each) => this.lifelines.person(each));
    return { is: "conversation", people };
  }
}

type EntryMention = Extract<Mention, { readonly entry: string }>;
type ContactPlace = Extract<Mention, { readonly contact: string }>["holder"];
type RingingPlace = Extract<Mention, { readonly ringing: object }>["ringing"];
type TextMention = Exclude<
  Mention,
  | EntryMention
  | { readonly number: string }
  | { readonly called: string }
  | { readonly people: readonly string[] }
  | { readonly conversation: string }
  | { readonly ringing: object }
  | { readonly voicemailOf: string }
  | { readonly messageFrom: string }
>;
