import type { LoggedEvent } from "../../core/engine/event-log.ts";
import { signatureHeader, timestampHeader, webhookSignature } from "../../core/network/webhook-signature.ts";
import type { RequestRecord } from "../../core/records/request.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import { BEYOND_ROUNDING_MS, STALE_MS } from "./forgery.ts";

/** A request's headers and body. */
export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Where a message has a part of its signature: a header, a field of its body, or the whole body, such as a token. */
export type SignaturePlace =
  | { readonly where: "header" | "field"; readonly name: string }
  | { readonly where: "body"; readonly name?: undefined };

/** With what a message is signed, where that is not as in the true request. */
interface Changes {
  readonly secret?: string | undefined;
  readonly sentMs?: number | undefined;
}

/** How the platform writes and signs a request, so that others can be written like it. */
export interface Writing {
  /** The text that a forged request changes: the body, or the event from which a dialect makes the body. */
  readonly text: string;
  readonly secret: string;
  /** Writes and signs a text like this one; undefined if the service does not send it, or cannot sign it so. */
  message(text: string, changes: Changes): Message | undefined;
  /** Where the signature is; empty if nothing depends on the secret. */
  signaturePlaces(): readonly SignaturePlace[];
  /** The headers that have the time. */
  timeHeaders(): readonly string[];
  /** Whether anything in the request has the time. */
  hasTime(): boolean;
  /** The age in ms from which on the time in a request tells that it is too old. */
  staleMs(): number;
}

/** How a request of a webhook is written. */
export function findWriting(simulator: Simulator, request: RequestRecord): Writing {
  const { settings } = simulator.services;
  const hasFunctions = settings.writeBody !== undefined || settings.sendRequest !== undefined;
  if (settings.sendRequest !== undefined) return new DialectWriting(simulator, request);
  return new UsualWriting(simulator, request, hasFunctions);
}

/** Signs as the platform does: in a header, with the time in another. */
class UsualWriting implements Writing {
  readonly text: string;
  readonly secret: string;
  private readonly headers: Readonly<Record<string, string>>;
  private readonly names: { readonly signature: string; readonly timestamp: string };

  /** @param isWritten whether a function of the dialect makes the body from the event */
  constructor(
    private readonly simulator: Simulator,
    private readonly request: RequestRecord,
    private readonly isWritten: boolean,
  ) {
    const { deliveries, settings, webhooks } = simulator.services;
    const { event, webhookId } = deliveries.get(request.recordId);
    const { serviceName } = settings.dialect;
    this.text = isWritten ? JSON.stringify(event) : request.content.body();
    this.headers = request.content.headers();
    this.secret = webhooks.secretOf(webhookId);
    this.names = { signature: signatureHeader(serviceName), timestamp: timestampHeader(serviceName) };
  }

  message(text: string, { secret = this.secret, sentMs }: Changes): Message | undefined {
    const { headers, names } = this;
    const body = this.isWritten ? this.written(text) : text;
    if (body === undefined) return undefined;
    const timestamp = sentMs === undefined ? (headers[names.timestamp] ?? "") : String(sentMs);
    const signature = webhookSignature(secret, timestamp, body);
    return { headers: { ...headers, [names.timestamp]: timestamp, [names.signature]: signature }, body };
  }

  private written(text: string): string | undefined {
    const { deliveries } = this.simulator.services;
    try {
      return deliveries.contentLike(this.request, JSON.parse(text) as LoggedEvent, {}).body();
    } catch {
      return undefined; // the function knows no such event: the service cannot send it
    }
  }

  signaturePlaces(): readonly SignaturePlace[] {
    return [{ where: "header", name: this.names.signature }];
  }

  timeHeaders(): readonly string[] {
    return [this.names.timestamp];
  }

  hasTime(): boolean {
    return true;
  }

  staleMs(): number {
    return STALE_MS;
  }
}

/** Signs by the function of a dialect. Where the signature is, two secrets tell. */
class DialectWriting implements Writing {
  readonly text: string;
  readonly secret: string;
  private readonly sentMs: number;

  constructor(
    private readonly simulator: Simulator,
    private readonly request: RequestRecord,
  ) {
    const { deliveries, webhooks } = simulator.services;
    const { event, webhookId } = deliveries.get(request.recordId);
    this.text = JSON.stringify(event);
    this.secret = webhooks.secretOf(webhookId);
    this.sentMs = request.startedTimestamp;
  }

  message(text: string, { secret = this.secret, sentMs = this.sentMs }: Changes): Message | undefined {
    const { deliveries } = this.simulator.services;
    const event = JSON.parse(text) as LoggedEvent;
    const content = deliveries.contentLike(this.request, event, { secret, sentMs });
    try {
      return { headers: content.headers(), body: content.body() };
    } catch {
      // a library may refuse to sign with an empty secret: then the app cannot take such a request either
      return undefined;
    }
  }

  signaturePlaces(): readonly SignaturePlace[] {
    return this.differing({ secret: `not ${this.secret}` });
  }

  timeHeaders(): readonly string[] {
    const signed = this.signaturePlaces().map(({ name }) => name);
    return this.differing({ sentMs: this.sentMs - 1_000 }).flatMap(({ where, name }) =>
      where === "header" && !signed.includes(name) ? [name] : [],
    );
  }

  hasTime(): boolean {
    return this.differing({ sentMs: this.sentMs - 1_000 }).length > 0;
  }

  staleMs(): number {
    const { sentMs } = this;
    // neither is rounded to another second than the other
    const nearMs = sentMs % 500 === 0 ? sentMs + 1 : sentMs - 1;
    return this.differing({ sentMs: nearMs }).length === 0 ? BEYOND_ROUNDING_MS : STALE_MS;
  }

  /** Where messages differ by a change, and not by themselves. */
  private differing(changes: Changes): SignaturePlace[] {
    const [one, again, other] = [{}, {}, changes].map((each) => this.message(this.text, each));
    if (one === undefined || again === undefined || other === undefined) return [];
    return listPlaces(one).filter((place) => {
      const value = valueAt(one, place);
      return value === valueAt(again, place) && value !== valueAt(other, place);
    });
  }
}

/** The places that a message has. */
function listPlaces(message: Message): SignaturePlace[] {
  const headers = Object.keys(message.headers).map((name): SignaturePlace => ({ where: "header", name }));
  const fields = readFields(message);
  if (fields === undefined) return [...headers, { where: "body" }];
  return [...headers, ...Object.keys(fields).map((name): SignaturePlace => ({ where: "field", name }))];
}

/** The text at a place; undefined if there is none. */
export function valueAt(message: Message, place: SignaturePlace): string | undefined {
  if (place.where === "body") return message.body;
  if (place.where === "header") return message.headers[place.name];
  const value = readFields(message)?.[place.name];
  return value === undefined || typeof value === "string" ? value : JSON.stringify(value);
}

/** A message with another text at a place that it has. @param change returns undefined to leave it out */
export function withValue(
  message: Message,
  place: SignaturePlace,
  change: (value: string) => string | undefined,
): Message {
  const value = valueAt(message, place);
  const changed = value === undefined ? undefined : change(value);
  if (place.where === "body") return { ...message, body: changed ?? "" };
  if (place.where === "header") {
    const { [place.name]: _, ...headers } = message.headers;
    return { ...message, headers: changed === undefined ? headers : { ...headers, [place.name]: changed } };
  }
  const { [place.name]: _, ...others } = readFields(message) ?? {};
  const fields = changed === undefined ? others : { ...others, [place.name]: changed };
  const body = isForm(message)
    ? new URLSearchParams(fields as Record<string, string>).toString()
    : JSON.stringify(fields);
  return { ...message, body };
}

/** The fields of a body that is a form or a JSON object; undefined of any other. */
function readFields(message: Message): Readonly<Record<string, unknown>> | undefined {
  if (isForm(message)) return Object.fromEntries(new URLSearchParams(message.body));
  try {
    const value: unknown = JSON.parse(message.body);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function isForm({ headers }: Message): boolean {
  return headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true;
}

/** What of a signature's text does not depend on the secret: its scheme, or the header and the claims of a token. */
export function startOf(value: string): string {
  const token = /^(.*?[\w-]{2,}\.[\w-]{2,}\.)[\w-]+$/s.exec(value)?.[1];
  if (token !== undefined) return token;
  return /^(.*[=, ])?[A-Za-z0-9+/_-]+=*$/s.exec(value)?.[1] ?? "";
}
