import { readHost } from "../network/endpoint-url.ts";
import type { Services } from "../platform/catalogue/services.ts";
import type { ActorReference, Sentence } from "../platform/declare/description.ts";
import { isNamed } from "../platform/live/parties.ts";
import type { CallRecord } from "../records/call.ts";
import { ANONYMOUS, ANONYMOUS_NAME } from "../records/withheld.ts";
import { EntryNames } from "./entry-names.ts";

/** A participant of a run: a person, the platform or a host. */
export interface Lifeline {
  /** A number, the id of a user or a device, or a host. Empty for the platform, since no other id is. */
  readonly id: string;
  /** The whole name, told apart from others inside; the number of someone outside whom no phonebook knows. */
  readonly name: string;
  /** People outside, the platform, its users and devices, or hosts to which the platform or the app sends requests. */
  readonly kind: "outside" | "platform" | "inside" | "endpoint";
  /** Whether a host is known to be a webhook's. */
  readonly isWebhook?: boolean;
  /** Whether it is a service that the app needs besides the platform. */
  readonly isDependency?: boolean;
  /** Whether someone outside is a client of the REST API. */
  readonly isClient?: boolean;
  /** Whether it is a team, which has a lifeline only for its voicemail. */
  readonly isTeam?: boolean;
}

/** A lifeline's whole name: `Jane Smith (+6421555001)`, `crm.acme.test (webhook)`. */
export function fullName({ id, name, kind, isWebhook = false, isDependency = false }: Lifeline): string {
  if (id === ANONYMOUS) return name;
  if (kind === "outside" && name !== id) return `${name} (${id})`;
  if (isDependency) return `${name} (dependency)`;
  return isWebhook ? `${name} (webhook)` : name;
}

/** A name with the end of its number: `Jane Smith, …5001`. */
export function withNumberEnd(name: string, number: string): string {
  return `${name}, …${number.slice(-4)}`;
}

/** What a sentence mentions, with the names at that time. */
export type NamedMention =
  /** One of the organisation's numbers; `owner` is missing for any other. `before` are words before it. */
  | { readonly is: "number"; readonly number: string; readonly owner?: Owner; readonly words?: string }
  /** An entry called by extension. */
  | { readonly is: "entry"; readonly owner: Owner }
  | { readonly is: "people"; readonly people: readonly Lifeline[] }
  | { readonly is: "conversation"; readonly people: readonly Lifeline[] }
  | { readonly is: "endpoint"; readonly id: string }
  | { readonly is: "voicemail"; readonly owner: string }
  /** Anything else that has a name. */
  | { readonly is: "named"; readonly text: string }
  /** Something unknown that a command named. The command is refused. */
  | { readonly is: "unknown"; readonly text: string };

/** The owner of a number or an extension. */
export interface Owner {
  readonly name: string;
  readonly extension: string;
}

/** A sentence whose mentions have names. */
export interface NamedSentence extends Omit<Sentence, "subject" | "mention"> {
  readonly subject?: string | NamedMention | undefined;
  readonly mention?: NamedMention | undefined;
}

/**
 * All participants with their names. Never throws: commands are narrated before they run, and a refused one may name
 * anything.
 */
export class Lifelines {
  readonly platform: Lifeline;
  readonly names: EntryNames;
  private readonly lines = new Map<string, Lifeline>();

  /**
   * @param name the name of the platform's own lifeline
   * @param hasStandIns whether all names are stand-ins of an import
   */
  constructor(
    private readonly services: Services,
    name: string,
    private readonly hasStandIns: boolean,
  ) {
    this.platform = { id: "", name, kind: "platform" };
    this.names = new EntryNames(services.directory, hasStandIns);
  }

  /** Outside callers on the left, then the platform, those inside, and hosts, each in the order of appearance. */
  list(): Lifeline[] {
    const lines = [...this.lines.values()];
    return [
      ...lines.filter(({ kind }) => kind === "outside"),
      this.platform,
      ...lines.filter(({ kind }) => kind === "inside"),
      ...lines.filter(({ kind }) => kind === "endpoint"),
    ];
  }

  /** How many there are. After a refused command, `forgetAfter` drops those that it added. */
  get size(): number {
    return this.lines.size;
  }

  /** Forgets all but the first ones. */
  forgetAfter(size: number): void {
    for (const id of [...this.lines.keys()].slice(size)) this.lines.delete(id);
  }

  /** The lifeline of whoever does something. */
  of(who: ActorReference): Lifeline {
    switch (who.is) {
      case "platform":
        return this.platform;
      case "person":
        return this.byName(who.name);
      case "outsider":
        return this.person(who.number, this.userOf(who.ownNumber));
      case "owner":
        return this.byName(this.services.directory.findOwner(who.number)?.record.id ?? who.number);
      case "party":
        return this.byParty(who.call, who.party);
      case "host":
        return this.host(who.url, who.isWebhook);
      case "webhook":
        return this.webhook(who.id);
      case "client":
        return this.client(who.id);
    }
  }

  /**
   * The lifeline of a user, a device or an outside number. An outside number may have a name in the phonebook of the
   * user whom it calls. A number without a name is looked up again, since contacts may be added.
   */
  person(id: string, callsUser?: string): Lifeline {
    let line = this.lines.get(id);
    if (line === undefined || (line.kind === "outside" && line.name === id)) {
      const entry = this.services.directory.find(id);
      const name = entry === undefined ? this.outsideName(id, callsUser) : this.names.of(entry.record);
      const isTeam = entry?.kind === "team" ? { isTeam: true } : {};
      line = { id, name, kind: entry === undefined ? "outside" : "inside", ...isTeam };
      this.lines.set(id, line);
    }
    return line;
  }

  private outsideName(number: string, callsUser: string | undefined): string {
    if (number === ANONYMOUS) return ANONYMOUS_NAME;
    const name = this.services.phonebooks.findName(number, callsUser);
    return this.hasStandIns && name !== number ? withNumberEnd(name, number) : name;
  }

  /** The lifeline of someone outside, or of a user or device by any of their names. */
  private byName(who: string): Lifeline {
    return this.person(this.services.directory.find(who)?.record.id ?? who);
  }

  /** The lifeline of a command's `by` in a call. */
  private byParty(callId: string, by: string): Lifeline {
    const live = this.services.live.get(callId);
    const call = this.services.tables.calls.get(callId);
    const party =
      live === undefined
        ? call?.parties.find((_, index) => by === "caller" && index === 0)
        : call?.parties.find((each) => isNamed(each, by, live));
    return party === undefined
      ? this.byName(by)
      : this.person(party.entryId ?? party.phoneNumber ?? ANONYMOUS);
  }

  private client(id: string): Lifeline {
    let line = this.lines.get(id);
    if (line === undefined) {
      line = { id, name: id, kind: "outside", isClient: true };
      this.lines.set(id, line);
    }
    return line;
  }

  /** The name of a user, a device or a team; its id, if it is unknown. */
  nameOf(id: string): string {
    const entry = this.services.directory.find(id);
    return entry === undefined ? id : this.names.of(entry.record);
  }

  /** The name of the owner of an extension; the extension, if nobody has it. */
  calleeName(extension: string): string {
    const { directory } = this.services;
    return this.nameOf(directory.ownerOfExtension(extension) ?? extension);
  }

  /** The callee of a call, as a list of calls names them. */
  findCallee({ direction, isInternal, companyNumber, contactNumber: number }: CallRecord): string {
    const { directory } = this.services;
    const contactNumber = number ?? ANONYMOUS;
    if (isInternal) return this.calleeName(contactNumber);
    if (direction === "outbound") return this.person(contactNumber).name;
    const owner = directory.findOwner(companyNumber);
    return owner === undefined ? companyNumber : this.names.of(owner.record);
  }

  /** The lifeline of a webhook; the platform's, once the webhook is deleted. */
  private webhook(id: string): Lifeline {
    const webhook = this.services.webhooks.find(id);
    return webhook === undefined ? this.platform : this.host(webhook.url, true);
  }

  /** The lifeline of a host outside. */
  host(url: string, isWebhook: boolean): Lifeline {
    const name = readHost(url);
    let line = this.lines.get(name);
    if (line === undefined || (isWebhook && line.isWebhook !== true)) {
      line = { id: name, name, kind: "endpoint", isWebhook };
      this.lines.set(name, line);
    }
    return line;
  }

  /** The lifeline of a dependency of the app. */
  dependency(name: string): Lifeline {
    const id = `${name} (dependency)`;
    const line = this.lines.get(id) ?? { id, name, kind: "endpoint", isDependency: true };
    this.lines.set(id, line);
    return line;
  }

  /** The e-mail address of the user who owns a number of the organisation. */
  private userOf(number: string): string | undefined {
    const owner = this.services.directory.findOwner(number);
    return owner?.kind === "user" ? owner.record.email : undefined;
  }
}
