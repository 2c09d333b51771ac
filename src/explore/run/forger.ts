import { signatureHeader, timestampHeader, webhookSignature } from "../../core/network/webhook-signature.ts";
import { contentOf, type RequestContent, type RequestRecord } from "../../core/records/request.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { realInstantMs } from "../../findings/real-time.ts";
import { type ForgedWorld, STALE_MS } from "./forgery.ts";

/** What stands before the digest of a signature. */
const SCHEME = "sha256=";

/** What stands in forged events in place of outside numbers; the second where an event has the first. */
const forgedNumbers = ["+6421559009", "+6421559008"] as const;
/** What stands in nonsense. */
const nonsenseNumber = "+6421559007";

/** Writes what forged requests have in place of a true one's content. */
export class Forger {
  private readonly headers: Readonly<Record<string, string>>;
  private readonly body: string;

  constructor(
    private readonly simulator: Simulator,
    private readonly request: RequestRecord,
  ) {
    this.headers = request.content.headers();
    this.body = request.content.body();
  }

  /** The requests of a world, in their order. */
  contents({ is, more, ...world }: ForgedWorld): RequestContent[] {
    if (world.sends === "nothing") return [];
    return [is, ...more].flatMap((each, index) => this.ofKind({ ...world, is: each }, index));
  }

  /** @param index tells the events of several kinds apart: an app that notes what it refuses must not know the next one */
  private ofKind(
    { is, sends, isServer, isAlone }: Omit<ForgedWorld, "more">,
    index: number,
  ): RequestContent[] {
    const isNonsense = sends !== "forged";
    const { headers, signature, timestamp, secret } = this;
    const another = this.forged(true, index);
    if (is === "changedBody") {
      if (!isNonsense) return [content(headers, this.forged(false, index))];
      return [content(headers, nonsenseOf(sends === "nonsense" ? this.body : another))];
    }
    const other = isNonsense ? nonsenseOf(another) : another;
    const at = headers[timestamp] ?? "";
    const signedWith = (given: string) => content({ ...headers, [signature]: given }, other);
    if (is === "wrongSecret") return [this.signed(other, `not ${secret}`, at)];
    if (is === "unsetSecret") return ["", "undefined"].map((each) => this.signed(other, each, at));
    if (is === "emptySignature") return [SCHEME, ""].map(signedWith);
    if (is === "cutSignature") {
      const right = webhookSignature(secret, at, other);
      return [SCHEME.length + 1, right.length - 1].map((end) => signedWith(right.slice(0, end)));
    }
    if (is === "unsigned")
      return [
        content(without(headers, signature), other),
        content(without(headers, signature, timestamp), other),
      ];
    if (!isNonsense && !isServer && !isAlone) return [this.request.content];
    const sent = isAlone ? another : this.body;
    const body = isNonsense ? nonsenseOf(sent) : sent;
    // the server may go by the time that it was told, or by its own
    const clockMs = Math.min(this.simulator.startTimestamp, Math.floor(realInstantMs()));
    return [this.signed(body, secret, isServer ? String(clockMs - STALE_MS) : at)];
  }

  private get serviceName(): string {
    return this.simulator.services.settings.dialect.serviceName;
  }

  private get signature(): string {
    return signatureHeader(this.serviceName);
  }

  private get timestamp(): string {
    return timestampHeader(this.serviceName);
  }

  private get secret(): string {
    const { deliveries, webhooks } = this.simulator.services;
    return webhooks.secretOf(deliveries.get(this.request.recordId).webhookId);
  }

  private signed(body: string, secret: string, timestamp: string): RequestContent {
    const signature = webhookSignature(secret, timestamp, body);
    return content({ ...this.headers, [this.timestamp]: timestamp, [this.signature]: signature }, body);
  }

  /**
   * The true body with other numbers of outside. Changes the text, so that it stays as the platform writes it.
   * @param isOther whether it is another event, about another record; otherwise only if there is no number to change
   * @param index which of several
   */
  private forged(isOther: boolean, index: number): string {
    const { numbers = [] } = this.simulator.options.organisation;
    const own = new Set(numbers.map(({ number }) => number));
    const [first, second] = forgedNumbers;
    const other = this.body.includes(first) ? second : first;
    const body = this.body.replaceAll(/\+\d{7,15}/g, (number) => (own.has(number) ? number : other));
    const { event } = this.simulator.services.deliveries.get(this.request.recordId);
    const records = Object.values(event.data as object).flatMap((each: unknown) => idOf(each) ?? []);
    const ids = isOther ? [event.id, ...records] : body === this.body ? records : [];
    return ids.reduce(
      (text, id) => text.replaceAll(JSON.stringify(id), JSON.stringify(forgedId(id, index))),
      body,
    );
  }
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
  return contentOf(Object.freeze(headers), () => body);
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
