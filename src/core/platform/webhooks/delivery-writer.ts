import type { LoggedEvent } from "../../engine/event-log.ts";
import { InputError } from "../../foundation/errors.ts";
import { show } from "../../foundation/show.ts";
import { signatureHeader, timestampHeader, webhookSignature } from "../../network/webhook-signature.ts";
import type { RequestContent } from "../../records/request.ts";
import type { Settings } from "../base/core-services.ts";
import type { PlatformEvent } from "../declare/events.ts";
import type { Sending, SendRequest, SentContent, WriteBody } from "../declare/settings.ts";
import { toWire } from "../declare/wire-names.ts";
import type { ShapeSources } from "../observed/directory.ts";
import { writeEvent } from "../observed/event.ts";
import { bodyShape } from "./assumed-bodies.ts";

/** With what, for whom and when a request is signed. */
export interface Signing {
  readonly secret: string;
  readonly url: string;
  /** When the attempt is sent, ms. */
  readonly sentMs: number;
}

/** Writes the bodies of deliveries in a dialect. */
export class Writer {
  private readonly timestampHeader: string;
  private readonly signatureHeader: string;
  /**
   * The last body. An event for several webhooks is written once, since its requests follow each other. Keeping every
   * event's body would make a run that reads them half as long again, all of it garbage collection.
   */
  private last: { readonly event: LoggedEvent; readonly body: string } | undefined;
  /** How long all bodies are that were written, in characters. */
  length = 0;

  private readonly assumed: (event: LoggedEvent) => unknown;
  private readonly shape: (event: LoggedEvent) => unknown;
  private readonly signedMs: (event: LoggedEvent, sentMs: number) => number;
  private readonly isSpaced: boolean;

  constructor(
    private readonly settings: Pick<Settings, "profile" | "dialect" | "assume" | "writeBody" | "sendRequest">,
    sources: ShapeSources,
  ) {
    const { profile, dialect, assume, writeBody } = settings;
    const { fieldNames } = dialect;
    const assumed = bodyShape(assume);
    this.assumed = assumed;
    this.signedMs =
      assume.signedAt === "event" ? (event) => event.createdTimestamp : (_event, sentMs) => sentMs;
    this.shape =
      writeBody !== undefined
        ? (event) => written(writeBody, assumed(event) as PlatformEvent)
        : profile === undefined
          ? (event) => toWire(assumed(event), fieldNames)
          : (event) => toWire(assumed(writeEvent(event, sources)), fieldNames);
    this.isSpaced = assume.bodyText === "spaced";
    this.timestampHeader = timestampHeader(dialect.serviceName);
    this.signatureHeader = signatureHeader(dialect.serviceName);
  }

  /** The event's wrapper as JSON. */
  body(event: LoggedEvent): string {
    return this.last?.event === event ? this.last.body : this.keep(event, this.shape(event));
  }

  /** Whether functions of a dialect decide which events are sent. */
  get hasFunctions(): boolean {
    const { writeBody, sendRequest } = this.settings;
    return writeBody !== undefined || sendRequest !== undefined;
  }

  /** Whether the dialect has no body for an event. If its function throws, the request says so when it is read. */
  leavesOut(event: LoggedEvent, signing: Signing): boolean {
    const { writeBody, sendRequest } = this.settings;
    try {
      const body = writeBody?.(this.assumed(event) as PlatformEvent);
      if (writeBody !== undefined && body === undefined) return true;
      if (isJsonObject(body)) this.keep(event, body);
      if (sendRequest === undefined) return false;
      return sendRequest(this.assumed(event) as PlatformEvent, this.sending(event, signing)) === undefined;
    } catch {
      // it throws again for the request
    }
    return false;
  }

  /** The content of an attempt's request. */
  content(event: LoggedEvent, signing: Signing): RequestContent {
    const { sendRequest } = this.settings;
    if (sendRequest === undefined) return new DeliveryContent(this, event, signing.secret, signing.sentMs);
    return new SentByDialect(() =>
      sent(sendRequest, this.assumed(event) as PlatformEvent, this.sending(event, signing)),
    );
  }

  private sending(event: LoggedEvent, { secret, url, sentMs }: Signing): Sending {
    const timestamp = this.signedMs(event, sentMs);
    return { secret, url, timestamp, body: this.body(event) };
  }

  private keep(event: LoggedEvent, shape: unknown): string {
    const text = JSON.stringify(shape);
    const body = this.isSpaced ? spaced(text) : text;
    this.last = { event, body };
    this.length += body.length;
    return body;
  }

  headers(event: LoggedEvent, secret: string, sentMs: number): Record<string, string> {
    const timestamp = String(this.signedMs(event, sentMs));
    // computed keys in the literal take ten times as long
    const headers: Record<string, string> = { "content-type": "application/json" };
    headers[this.timestampHeader] = timestamp;
    headers[this.signatureHeader] = webhookSignature(secret, timestamp, this.body(event));
    return headers;
  }
}

/** Puts one space after the first brace. A dialect's function may return a list, which has none. */
function spaced(text: string): string {
  return text.startsWith("{") ? `{ ${text.slice(1)}` : text;
}

/** An event as a dialect's function writes it. @throws {InputError} if it throws, or returns no object */
function written(write: WriteBody, event: PlatformEvent): object {
  let body: unknown;
  try {
    body = write(event);
  } catch (error) {
    throw new InputError(["dialect", "write"], `cannot write ${event.type}: ${String(error)}`);
  }
  if (isJsonObject(body)) return body;
  throw new InputError(
    ["dialect", "write"],
    `expected an object as the body of ${event.type}, got ${show(body)}; \`send\` sends bodies that are not JSON`,
  );
}

/** Whether a value is an object that JSON can write: a form, a map, bytes or a promise would be sent as `{}`. */
function isJsonObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const text = JSON.stringify(value) as string | undefined;
  if (text === "{}") return isPlain(value);
  return text !== undefined && /^[{[]/.test(text) && !ArrayBuffer.isView(value);
}

/** Whether an object is none of a class, of whichever realm. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A request as a dialect's function makes it. @throws {InputError} if it throws, or returns something else */
function sent(send: SendRequest, event: PlatformEvent, sending: Sending): SentContent {
  let made: unknown;
  try {
    made = send(event, sending);
  } catch (error) {
    throw new InputError(["dialect", "send"], `cannot send ${event.type}: ${String(error)}`);
  }
  const { headers, body } = (typeof made === "object" && made !== null ? made : {}) as Partial<SentContent>;
  if (!isTexts(headers) || typeof body !== "string") {
    const got = isTexts(headers) ? `a body that is ${show(body)}` : show(made);
    throw new InputError(
      ["dialect", "send"],
      `expected { headers, body }, both of text, for ${event.type}, got ${got}`,
    );
  }
  const inLowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { headers: Object.freeze(Object.fromEntries(inLowerCase)), body };
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  if (typeof value !== "object" || value === null || !isPlain(value)) return false;
  return Object.values(value).every((each) => typeof each === "string");
}

/** The content of a request that a dialect makes, when it is first read. */
class SentByDialect implements RequestContent {
  private made: SentContent | undefined;

  constructor(private readonly make: () => SentContent) {}

  headers(): Readonly<Record<string, string>> {
    this.made ??= this.make();
    return this.made.headers;
  }

  body(): string {
    this.made ??= this.make();
    return this.made.body;
  }
}

/** The content of an attempt's request. One small object: a closure and two getters for each took 0.4 µs. */
class DeliveryContent implements RequestContent {
  constructor(
    private readonly writer: Writer,
    private readonly event: LoggedEvent,
    private readonly secret: string,
    private readonly sentMs: number,
  ) {
    Object.freeze(this);
  }

  headers(): Readonly<Record<string, string>> {
    return this.writer.headers(this.event, this.secret, this.sentMs);
  }

  body(): string {
    return this.writer.body(this.event);
  }
}
