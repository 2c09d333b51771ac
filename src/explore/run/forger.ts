import { makeContent, type RequestContent, type RequestRecord } from "../../core/records/request.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { realInstantMs } from "../../findings/real-time.ts";
import type { ForgedKind, ForgedWorld } from "./forgery.ts";
import { findWriting, type Message, startOf, valueAt, type Writing, withValue } from "./signed-message.ts";

/** So many characters are missing from a signature that is cut: one of base64 may end with two that say nothing. */
const CUT = 4;

/** What stands in forged events in place of outside numbers; the second where an event has the first. */
const forgedNumbers = ["+6421559009", "+6421559008"] as const;
/** What stands in nonsense. */
const nonsenseNumber = "+6421559007";

/** Writes what forged requests have in place of a true one's content. */
export class Forger {
  private readonly body: string;
  private readonly writing: Writing;

  constructor(
    private readonly simulator: Simulator,
    private readonly request: RequestRecord,
  ) {
    this.writing = findWriting(simulator, request);
    this.body = this.writing.text;
  }

  /** The age of a request that is too old, in ms. */
  get staleMs(): number {
    return this.writing.staleMs();
  }

  /** The requests of a world, in their order. */
  contents({
    is,
    more,
    isLast = false,
    ...world
  }: ForgedWorld): { readonly is: ForgedKind; readonly content: RequestContent }[] {
    if (world.sends === "nothing") return [];
    return [is, ...more].flatMap((each, index) =>
      this.ofKind({ ...world, is: each }, index)
        .slice(isLast ? -1 : 0)
        .map((content) => ({ is: each, content })),
    );
  }

  /** @param index tells the events of several kinds apart: an app that notes what it refuses must not know the next one */
  private ofKind(
    { is, sends, isServer, isAlone, ageMs }: Omit<ForgedWorld, "more" | "isLast">,
    index: number,
  ): RequestContent[] {
    const isNonsense = sends !== "forged";
    const another = this.forged(true, index);
    if (is === "changedBody") {
      const changed = isNonsense
        ? nonsenseOf(sends === "nonsense" ? this.body : another)
        : this.forged(false, index);
      return contentsOf(this.unsignedAs(changed));
    }
    if (is !== "stale") return this.ofAnother(is, isNonsense ? nonsenseOf(another) : another);
    const { writing, simulator } = this;
    if (!writing.hasTime()) return [];
    if (!isNonsense && !isServer && !isAlone) return [this.request.content];
    const sent = isAlone ? another : this.body;
    // the server may go by the time that it was told, or by its own
    const clockMs = Math.min(simulator.startTimestamp, Math.floor(realInstantMs()));
    const sentMs = isServer ? clockMs - (ageMs ?? this.staleMs) : undefined;
    return contentsOf(writing.message(isNonsense ? nonsenseOf(sent) : sent, { sentMs }));
  }

  /** @param text another event */
  private ofAnother(is: Exclude<ForgedKind, "changedBody" | "stale">, text: string): RequestContent[] {
    const { writing } = this;
    if (is === "wrongSecret") return contentsOf(writing.message(text, { secret: `not ${writing.secret}` }));
    if (is === "unsetSecret")
      return contentsOf(...["", "undefined"].map((secret) => writing.message(text, { secret })));
    const right = writing.message(text, {});
    const places = right === undefined ? [] : writing.signaturePlaces();
    if (right === undefined || places.length === 0) return [];
    const changed = (change: (value: string) => string | undefined) =>
      places.reduce((message: Message, place) => withValue(message, place, change), right);
    if (is === "emptySignature") {
      const areBodies = places.some(({ where }) => where === "body");
      return contentsOf(changed(startOf), areBodies ? undefined : changed(() => ""));
    }
    if (is === "cutSignature")
      return contentsOf(
        changed((value) => value.slice(0, startOf(value).length + 1)),
        changed((value) => value.slice(0, -CUT)),
      );
    // a whole body cannot be left out, but the signature of a token can
    const unsigned = places.reduce(
      (message: Message, place) =>
        withValue(message, place, place.where === "body" ? startOf : () => undefined),
      right,
    );
    const withoutTime = { ...unsigned, headers: without(unsigned.headers, ...writing.timeHeaders()) };
    return contentsOf(unsigned, writing.timeHeaders().length === 0 ? undefined : withoutTime);
  }

  /** A changed event with the signature of the true one: with all its headers, if one of them has a part of it. */
  private unsignedAs(changed: string): Message | undefined {
    const { writing } = this;
    const [right, message] = [writing.message(this.body, {}), writing.message(changed, {})];
    if (right === undefined || message === undefined) return undefined;
    const places = writing.signaturePlaces();
    const isInHeader = places.some(({ where }) => where === "header");
    // what is signed there may be another header, such as a digest of the body
    const started = isInHeader ? { ...message, headers: headersFor(message, right.headers) } : message;
    return places.reduce((made: Message, place) => {
      if (place.where === "header") return made;
      const signature = valueAt(right, place)?.slice(startOf(valueAt(right, place) ?? "").length) ?? "";
      return withValue(made, place, (value) => startOf(value) + signature);
    }, started);
  }

  /**
   * The true event with another number of the contact. Changes the text, so that it stays as the platform writes it.
   * @param isOther whether it is another event, about another record; otherwise only if there is no number to change
   * @param index which of several
   */
  private forged(isOther: boolean, index: number): string {
    const { numbers = [] } = this.simulator.options.organisation;
    const { event } = this.simulator.services.deliveries.get(this.request.recordId);
    const called = [...JSON.stringify(event).matchAll(/"companyNumber":"([^"]*)"/g)].map(
      ([, number]) => number,
    );
    const own = new Set<string | undefined>([...numbers.map(({ number }) => number), ...called]);
    const [first, second] = forgedNumbers;
    const other = this.body.includes(first) ? second : first;
    const body = this.body.replaceAll(/\+\d{7,15}/g, (number) => (own.has(number) ? number : other));
    const records = Object.values(event.data as object).flatMap((each: unknown) => idOf(each) ?? []);
    const ids = isOther ? [event.id, ...records] : body === this.body ? records : [];
    return ids.reduce(
      (text, id) => text.replaceAll(JSON.stringify(id), JSON.stringify(forgedId(id, index))),
      body,
    );
  }
}

function contentsOf(...messages: readonly (Message | undefined)[]): RequestContent[] {
  return messages.flatMap((each) => (each === undefined ? [] : [content(each.headers, each.body)]));
}

/** The same event, its wrapper aside, about something else: who reads it before checking does not stumble over what is missing. */
function nonsenseOf(body: string): string {
  const changedPart = (value: unknown) => (typeof value === "object" ? changed(value) : value);
  const text = JSON.stringify(mapped(JSON.parse(body) as object, changedPart));
  // as the platform writes it, so that who signs what it parsed refuses this too
  return body.startsWith("{ ") ? text.replace("{", "{ ") : text;
}

/** A value with everything in it changed but the words of the platform, such as `inbound`. */
function changed(value: unknown): unknown {
  if (typeof value === "string") return changedText(value);
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (Array.isArray(value)) return value.map(changed);
  if (typeof value !== "object" || value === null) return value;
  return mapped(value, changed);
}

function mapped(record: object, change: (value: unknown) => unknown): object {
  return Object.fromEntries(
    Object.entries(record).map(([key, each]: [string, unknown]) => [key, change(each)]),
  );
}

function changedText(text: string): string {
  if (/^[a-z][a-zA-Z_.]*$/.test(text)) return text;
  if (/^\+\d+$/.test(text)) return nonsenseNumber;
  return /^\d{4}-\d\d-\d\dT/.test(text) ? text.replace(/^\d{4}/, "1999") : `not ${text}`;
}

function content(headers: Readonly<Record<string, string>>, body: string): RequestContent {
  return makeContent(Object.freeze(headers), () => body);
}

/** The headers of another message, but for the length of this one. */
function headersFor({ headers }: Message, others: Message["headers"]): Message["headers"] {
  const { "content-length": length } = headers;
  const kept = without(others, "content-length");
  return length === undefined ? kept : { ...kept, "content-length": length };
}

function without(headers: Readonly<Record<string, string>>, ...names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

function idOf(value: unknown): string | undefined {
  const { id } = (typeof value === "object" && value !== null ? value : {}) as { readonly id?: unknown };
  return typeof id === "string" ? id : undefined;
}

/** Another id of the same form: UUIDs stay UUIDs. */
function forgedId(id: string, index: number): string {
  if (/^[0-9a-f]{8}-/.test(id)) return id.replace(/^[0-9a-f]{8}/, `f0f0f0f${index}`);
  return index === 0 ? `forged-${id}` : `forged-${index + 1}-${id}`;
}
