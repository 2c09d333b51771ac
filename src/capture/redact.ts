import { isRecord } from "../core/foundation/values.ts";
import type { OrganisationInput } from "../core/generated/inputs.ts";

/** Keys whose texts are names, places or somebody's words, with the word that their stand-ins begin with. */
const standInWords: Readonly<Record<string, string>> = {
  displayName: "Person",
  firstName: "First",
  lastName: "Last",
  name: "Person",
  text: "Text",
  transcript: "Text",
  jobTitle: "Job",
  address: "Address",
  conversationName: "Conversation",
  reason: "Reason",
};

/** Keys that hold ids. */
const idKeys: ReadonlySet<string> = new Set([
  ...["id", "user", "by", "owner", "manager", "location", "device", "team", "target", "from"],
  ...["vendorCallId", "returnToId", "organisationId", "phonebook"],
]);

/** Words of scenarios that stand where ids do. */
const plainWords: ReadonlySet<string> = new Set([
  "caller",
  "callee",
  "unknown",
  "assumed",
  "customers",
  "anonymous",
  // endpoints that are named after their type
  "mobile",
  "desktop",
  "sip",
]);

const number = /^\+\d{3,15}$/;
const email = /^[^@\s]+@[^@\s]+$/;

/**
 * Replaces names, numbers, addresses and words by stand-ins. Equal texts get equal stand-ins, so that a person stays one
 * person.
 */
export class Redaction {
  private readonly standIns = new Map<string, string>();
  private readonly counts = new Map<string, number>();

  /** The ids of endpoints. Steps name them under keys that may hold other things. */
  private readonly endpoints: ReadonlySet<string>;

  constructor({ users = [], teams = [], devices = [] }: OrganisationInput) {
    for (const [kind, entries] of Object.entries({ User: users, Team: teams, Device: devices }))
      for (const [index, entry] of entries.entries()) {
        const name = `${kind} ${index + 1}`;
        const id = name.toLowerCase().replace(" ", "-");
        if (!plainWords.has(entry.id)) this.standIns.set(`id ${entry.id}`, id);
        this.standIns.set(`Person ${entry.displayName}`, name);
        if ("email" in entry) this.standIns.set(`email ${entry.email.toLowerCase()}`, `${id}@example.test`);
      }
    const endpoints = users.flatMap((user) => user.endpoints ?? []);
    this.endpoints = new Set(endpoints.flatMap((each) => (typeof each === "string" ? [] : [each.id])));
  }

  /** Returns a copy with stand-ins. */
  redact(value: unknown, key = ""): unknown {
    if (typeof value === "string") return this.redactText(value, key);
    if (Array.isArray(value)) return value.map((item) => this.redact(item, key));
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, below]) => {
        if (/^x-/.test(name)) return [name, this.standIn("value", below as string)];
        if (name === "passthroughParameters" && isRecord(below))
          return [
            name,
            Object.fromEntries(
              Object.entries(below).map(([each, text]) => [each, this.standIn("value", String(text))]),
            ),
          ];
        return [name, this.redact(below, name)];
      }),
    );
  }

  /** Replaces numbers, e-mail addresses and known names and ids in a sentence. */
  redactSentence(text: string): string {
    let copy = text
      .replaceAll(/\+\d{3,15}/g, (each) => this.numberStandIn(each))
      .replaceAll(/[^\s@",;]+@[^\s@",;]+/g, (each) => this.emailStandIn(each));
    for (const [key, standIn] of this.standIns) {
      const name = /^(?:id|Person) (.{2,})$/s.exec(key)?.[1];
      if (name !== undefined && copy.includes(name))
        copy = copy.replaceAll(
          new RegExp(`(?<![\\p{L}\\p{N}-])${escaped(name)}(?![\\p{L}\\p{N}-])`, "gu"),
          standIn,
        );
    }
    return copy;
  }

  private redactText(value: string, key: string): string {
    if (number.test(value)) return this.numberStandIn(value);
    if (email.test(value)) return this.emailStandIn(value);
    if (key === "url" && !/^https:\/\/(?:actions\.)?imported\.test\//.test(value))
      return `https://media.example.test/${this.standIn("file", value).replace(" ", "-").toLowerCase()}`;
    const word = Object.hasOwn(standInWords, key) ? standInWords[key] : undefined;
    if (word !== undefined) return value === "wrapUp" ? value : this.standIn(word, value);
    const isEndpoint = (key === "endpoint" || key === "to") && this.endpoints.has(value);
    return (idKeys.has(key) || isEndpoint) && !plainWords.has(value) ? this.idStandIn(value, key) : value;
  }

  /** Keeps the length of a number and its first digits, which tell the country. */
  private numberStandIn(value: string): string {
    const kept = value.slice(0, 3);
    const length = value.length - kept.length;
    const digits = () => String(this.nextCount(`number ${kept} ${length}`)).padStart(length, "0");
    return this.standInFor(`number ${value}`, () => `${kept}${digits().slice(-length)}`);
  }

  private emailStandIn(value: string): string {
    const create = () => `person-${this.nextCount("email")}@example.test`;
    return this.standInFor(`email ${value.toLowerCase()}`, create);
  }

  private idStandIn(value: string, key: string): string {
    // an extension
    if (/^\d{1,6}$/.test(value)) return value;
    return this.standIn(key === "vendorCallId" ? "vendor-call" : "id", value).replace(" ", "-");
  }

  private standIn(kind: string, value: string): string {
    return this.standInFor(`${kind} ${value}`, () => `${kind} ${this.nextCount(kind)}`);
  }

  /** The stand-in of a key, created on first use. */
  private standInFor(key: string, create: () => string): string {
    const standIn = this.standIns.get(key) ?? create();
    this.standIns.set(key, standIn);
    return standIn;
  }

  private nextCount(kind: string): number {
    const count = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, count);
    return count;
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
