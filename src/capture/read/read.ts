import crc32 from "crc-32";
import { printable } from "../../core/foundation/printable.ts";
import { show } from "../../core/foundation/show.ts";
import { isRecord } from "../../core/foundation/values.ts";
import { equalsInConstantTime } from "../../core/network/hmac.ts";
import { webhookSignature } from "../../core/network/webhook-signature.ts";
import type { EventType } from "../../core/platform/declare/events.ts";
import type { DialectInput } from "../../core/platform/declare/settings.ts";
import { counted } from "../../core/platform/declare/words.ts";
import { eventCauses } from "../../core/platform/reactions/event-causes.ts";
import { BodyReader, type ReadEvent, readBodyInstant } from "./bodies.ts";
import {
  type Capture,
  type CapturedEvent,
  type CapturedRequest,
  CaptureError,
  type CaptureFormat,
  type CaptureProblem,
  captureFormats,
} from "./capture.ts";
import { DriftCounter } from "./drift-counter.ts";
import { formatOf, headerIn, parseJson, type RawRequest, readRow, rowsIn, rowsInPaste } from "./formats.ts";
import { type CaptureLine, longestLine, splitLines } from "./lines.ts";
import { typeAndSize } from "./shapes.ts";

/** A capture as text, or as pieces of text that may end anywhere. */
export type CaptureInput = string | AsyncIterable<string | Uint8Array>;

/** The options of `readCapture`. */
export interface ReadOptions {
  /** The format. Default: recognised from the first request. */
  readonly format?: CaptureFormat | undefined;
  /** The names that the service uses, and how it writes bodies. */
  readonly dialect?: DialectInput | undefined;
  /**
   * The webhook's signing secret. If given, a request with a wrong signature is left out and listed in `problems`.
   * Bodies that a tool has parsed are not verified.
   */
  readonly secret?: string | undefined;
}

/**
 * Reads a capture: the webhook requests that an app got. Requests that cannot be read are listed in `problems`.
 * @param input the capture as text, or its pieces
 * @param options its format, dialect and secret
 * @throws {CaptureError} if no request can be read
 * @example
 * sim.calls.inbound({ from: "+6421555001", to: "+6495550103" });
 * const body = JSON.stringify(sim.events[0]);
 * const line = JSON.stringify({ receivedAt: sim.timestamp, headers: {}, body, status: 204 });
 * const { format, events } = await readCapture(line);
 * format; // => "jsonl"
 * events.map(({ type }) => type); // => ["call.started"]
 */
export async function readCapture(input: CaptureInput, options: ReadOptions = {}): Promise<Capture> {
  const { format } = options;
  if (format !== undefined && !captureFormats.includes(format))
    throw new CaptureError(
      `format: expected one of ${captureFormats.join(", ")}, got ${printable(show(format))}`,
    );
  const reader = new CaptureReader(options);
  for await (const lines of splitLines(input)) for (const line of lines) reader.addLine(line);
  return reader.finish();
}

/** How many lines are tried before the text is read as one document. */
const PROBED_LINES = 50;
/** How many problems are listed. One more says how many are not. */
const MAX_PROBLEMS = 1_000;

class CaptureReader {
  private readonly drift = new DriftCounter();
  private readonly bodies: BodyReader;
  private readonly problems: CaptureProblem[] = [];
  private problemCount = 0;
  /** Problems of requests that may be no webhook requests, which only their URL can tell. */
  private readonly doubtful: (CaptureProblem & { readonly url: string })[] = [];
  /** The URLs of the webhook requests. */
  private readonly urls = new Set<string>();
  private leftOut = 0;
  private readonly events = new Map<string, EventEntry>();
  private requestCount = 0;
  private format: CaptureFormat | undefined;
  /** The lines so far, until one is recognised as a request; undefined from then on. */
  private pendingLines: CaptureLine[] | undefined = [];
  /** Whether the text is one document, not a request per line. */
  private isDocument = false;

  constructor(private readonly options: ReadOptions) {
    this.format = options.format;
    this.bodies = new BodyReader(options.dialect ?? {}, this.drift);
  }

  addLine(line: CaptureLine): void {
    if (this.pendingLines === undefined) {
      this.readLine(line);
      return;
    }
    this.pendingLines.push(line);
    if (this.isDocument || !hasText(line)) return;
    const row = parseJson(line.text);
    const found = this.options.format ?? formatOf(row);
    if (found !== undefined && isRecord(row) && readRow(found, row) !== undefined) {
      this.format = found;
      const pending = this.pendingLines;
      this.pendingLines = undefined;
      for (const each of pending) this.readLine(each);
    } else if (this.pendingLines.filter(hasText).length >= PROBED_LINES) this.isDocument = true;
  }

  private readLine(line: CaptureLine): void {
    if (line.text === undefined) this.addLengthProblem(line);
    if (!hasText(line)) return;
    const row = parseJson(line.text);
    if (row === undefined) this.addJsonProblem(line);
    else this.readRows(line.line, row);
  }

  /** Reads the text as one document. */
  private readDocument(): void {
    const lines = this.pendingLines ?? [];
    for (const line of lines) if (line.text === undefined) this.addLengthProblem(line);
    const text = lines.map((each) => each.text ?? "").join("\n");
    const whole = parseJson(text);
    const found =
      whole === undefined ? rowsInPaste(text) : rowsIn(whole).map((row, index) => ({ line: index + 1, row }));
    for (const { line, row } of found) this.readRows(line, row);
    if (found.length > 0) return;
    const first = lines.find(hasText);
    if (first !== undefined) this.addJsonProblem(first);
  }

  /** Reads a row: a request, or a document between others, such as a second export. */
  private readRows(line: number, row: unknown): void {
    const { format } = this.options;
    const isRequest = (format === undefined ? formatOf(row) : readRow(format, row)) !== undefined;
    const rows = isRequest ? [] : rowsIn(row);
    for (const each of rows.length === 0 ? [row] : rows) {
      if (this.pendingLines !== undefined) this.format ??= formatOf(each);
      this.readRequest(line, each);
    }
  }

  private readRequest(line: number, row: unknown): void {
    const format = this.format ?? formatOf(row);
    const raw = format === undefined ? undefined : (readRow(format, row) ?? this.readOtherRow(row));
    if (raw === undefined) {
      this.addProblem(
        line,
        `expected a request${format === undefined ? "" : ` in the format ${format}`}, got ${typeAndSize(row)}`,
      );
      return;
    }
    const { method } = raw;
    if (typeof method === "string" && method.toUpperCase() !== "POST") {
      this.leftOut++;
      return;
    }
    const event = this.signatureProblem(raw) ?? this.readEvent(raw, line);
    if (typeof event === "string") this.addRequestProblem(raw, { line, message: event });
    else {
      if (typeof raw.url === "string") this.urls.add(raw.url);
      this.addRequest(line, raw, event);
    }
  }

  /** Reads a row of another format than the first, such as a raw body between the lines of a log. */
  private readOtherRow(row: unknown): RawRequest | undefined {
    const format = this.options.format === undefined ? formatOf(row) : undefined;
    return format === undefined ? undefined : readRow(format, row);
  }

  /** The event in a request's body, or what is wrong with it. */
  private readEvent({ body }: RawRequest, line: number): ReadEvent | string {
    const parsed = typeof body === "string" ? parseJson(body) : body;
    if (parsed !== undefined) return this.bodies.read(parsed, line);
    return typeof body === "string"
      ? `expected a body in JSON, got ${otherText(body)}`
      : "the request has no body";
  }

  /** Lists a request that cannot be read, unless it may be none of a webhook. */
  private addRequestProblem({ url, headers }: RawRequest, problem: CaptureProblem): void {
    const isSigned = headerIn(headers, this.headerPattern("signature")) !== undefined;
    if (typeof url === "string" && !isSigned) this.doubtful.push({ url, ...problem });
    else this.addProblem(problem.line, problem.message);
  }

  /** What is wrong with the signature; undefined if it verifies or cannot be checked. */
  private signatureProblem({ headers, body }: RawRequest): string | undefined {
    const { secret } = this.options;
    if (secret === undefined || typeof body !== "string" || headers.length === 0) return undefined;
    const timestamp = headerIn(headers, this.headerPattern("timestamp"));
    const signature = headerIn(headers, this.headerPattern("signature"));
    if (timestamp === undefined || signature === undefined)
      return `the signature does not match: the request has no ${timestamp === undefined ? "timestamp" : "signature"}`;
    return equalsInConstantTime(signature.value, webhookSignature(secret, timestamp.value, body))
      ? undefined
      : "the signature does not match: wrong secret, or the body was changed";
  }

  private headerPattern(what: "timestamp" | "signature"): RegExp {
    const name = this.options.dialect?.serviceName?.replaceAll(/[^\w-]/g, "\\$&") ?? "[\\w-]+";
    return new RegExp(`^x-${name}-${what}$`, "i");
  }

  private addRequest(line: number, raw: RawRequest, event: ReadEvent): void {
    const signedMs = readBodyInstant(headerIn(raw.headers, this.headerPattern("timestamp"))?.value);
    const receivedMs = readBodyInstant(raw.receivedAt);
    const id = event.id !== "" ? event.id : fallbackId(raw);
    const known = this.events.get(id);
    if (known === undefined && (event.createdMs ?? event.ownMs ?? signedMs ?? receivedMs) === null) {
      this.addProblem(
        line,
        "the event has no time: none in the wrapper, the record, the headers or the capture",
      );
      return;
    }
    if (known !== undefined && known.event.type !== event.type) {
      this.addProblem(
        line,
        `the event has another type here than in line ${known.requests[0]?.line}, with the same id`,
      );
      return;
    }
    this.requestCount++;
    const request: CapturedRequest = {
      line,
      receivedTimestamp: receivedMs,
      signedTimestamp: signedMs,
      signature: headerIn(raw.headers, this.headerPattern("signature"))?.value ?? null,
      status: numberIn(raw.status),
      responseMs: numberIn(raw.responseMs),
      bodyText: bodyTextOf(raw.body),
    };
    if (known === undefined) this.events.set(id, { event: { ...event, id }, requests: [request] });
    else known.requests.push(request);
  }

  private addLengthProblem({ line, length }: CaptureLine): void {
    this.addProblem(line, `expected a line of at most ${longestLine(line)} characters, got ${length}`);
  }

  private addJsonProblem({ line, text }: TextLine): void {
    this.addProblem(line, `expected a request as JSON, got ${otherText(text)}`);
  }

  private addProblem(line: number, message: string): void {
    this.problemCount++;
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ line, message });
  }

  finish(): Capture {
    if (this.pendingLines !== undefined) this.readDocument();
    for (const { url, line, message } of this.doubtful)
      if (this.urls.size === 0 || this.urls.has(url)) this.addProblem(line, message);
      else this.leftOut++;
    const problems = this.problems.sort((a, b) => a.line - b.line);
    const more = this.problemCount - problems.length;
    if (more > 0) problems.push({ line: problems.at(-1)?.line ?? 1, message: `and ${more} more problems` });
    if (this.events.size === 0) {
      const first = problems[0];
      throw new CaptureError(
        first === undefined
          ? "expected a capture, got nothing"
          : `no request of the capture can be read; line ${first.line}: ${first.message}`,
        problems,
      );
    }
    return {
      format: this.format ?? "jsonl",
      requests: this.requestCount,
      events: orderEvents([...this.events.values()]),
      problems,
      unread: this.problemCount,
      leftOut: this.leftOut,
      drift: this.drift.result(),
    };
  }
}

type TextLine = CaptureLine & { readonly text: string };

function hasText(line: CaptureLine): line is TextLine {
  return line.text !== undefined && line.text.trim() !== "";
}

interface EventEntry {
  readonly event: ReadEvent;
  readonly requests: CapturedRequest[];
}

/** An id for an event whose wrapper has none: the one in the log, else a checksum of the body. */
function fallbackId({ eventId, body }: RawRequest): string {
  if (typeof eventId === "string" && eventId !== "") return eventId;
  const text = JSON.stringify(typeof body === "string" ? parseJson(body) : body);
  return `body-${(crc32.str(text) >>> 0).toString(16)}`;
}

/** How a body is written; null for one that a tool has parsed or laid out in lines. */
function bodyTextOf(body: unknown): CapturedRequest["bodyText"] {
  if (typeof body !== "string") return null;
  if (body.startsWith('{ "')) return "spaced";
  return body.startsWith('{"') ? "compact" : null;
}

function numberIn(value: unknown): number | null {
  const number = typeof value === "string" && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

/** A text that is no JSON, in words. Its own words stay out: somebody else wrote them. */
function otherText(text: string): string {
  return `${counted(text.length, "character")} that are no JSON`;
}

/** A record's time that may be of something else counts only if the wrapper's is this close, ms. */
const MAX_DIFFERENCE_MS = 100;
/** A record's time counts only if the wrapper is at most this much later, ms. */
const MAX_DELAY_MS = 600_000;

/** Dates each event and sorts them by time. */
function orderEvents(entries: readonly EventEntry[]): CapturedEvent[] {
  const delayMs = typicalDelay(entries);
  const events = entries.map(({ event, requests }): CapturedEvent => {
    requests.sort(compareRequests);
    return {
      id: event.id,
      type: event.type,
      knownType: event.knownType,
      isDeclared: event.isDeclared,
      timestamp: chooseTimestamp(event, requests, delayMs),
      createdTimestamp: event.createdMs,
      organisationId: event.organisationId,
      data: event.data,
      requests,
    };
  });
  return events.sort((a, b) => a.timestamp - b.timestamp || compareWithinInstant(a, b));
}

/**
 * Orders events of one instant: by numbered ids, else by when they were sent and how far the call or conversation has come. The order
 * of lines does not matter.
 */
function compareWithinInstant(a: CapturedEvent, b: CapturedEvent): number {
  const [countA, countB] = [countOf(a.id), countOf(b.id)];
  if (countA !== undefined && countB !== undefined && countA !== countB) return countA - countB;
  const later = firstSent(a) - firstSent(b) || countProgress(a) - countProgress(b);
  if (later !== 0) return later;
  return a.id < b.id ? -1 : 1;
}

/** The number in an id such as `event-12`. */
function countOf(id: string): number | undefined {
  const digits = /^[a-z]+-(\d{1,15})$/.exec(id)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function firstSent({ requests: [first] }: CapturedEvent): number {
  return first?.signedTimestamp ?? first?.receivedTimestamp ?? 0;
}

const callOrder: readonly string[] = [
  "call.started",
  "call.answered",
  "call.hungup",
  "call.not_answered",
  "call.ended",
];

/**
 * How far the call or conversation of an event has come. Of two hang-ups, the later one has more connections that ended; of two
 * messages, the later one is in a conversation with more of them.
 */
function countProgress({ type, data }: CapturedEvent): number {
  const { connections } = (data.call ?? {}) as {
    connections?: readonly { leftTimestamp?: number | null }[];
  };
  const { messages } = (data.conversation ?? {}) as { messages?: readonly unknown[] | null };
  const left = (connections ?? []).filter(({ leftTimestamp }) => typeof leftTimestamp === "number").length;
  return callOrder.indexOf(type) * 1_000 + left + (messages?.length ?? 0);
}

function compareRequests(a: CapturedRequest, b: CapturedRequest): number {
  return (
    (a.signedTimestamp ?? 0) - (b.signedTimestamp ?? 0) ||
    (a.receivedTimestamp ?? 0) - (b.receivedTimestamp ?? 0) ||
    a.line - b.line
  );
}

function hasOwnInstant(type: EventType | undefined): boolean {
  return type !== undefined && eventCauses[type].instant?.isOwn === true;
}

/** The median delay from a record's time to its wrapper's, ms. */
function typicalDelay(entries: readonly EventEntry[]): number {
  const delays = entries
    .flatMap(({ event: { knownType, createdMs, ownMs } }) =>
      hasOwnInstant(knownType) && createdMs !== null && ownMs !== null ? [createdMs - ownMs] : [],
    )
    .filter((ms) => ms >= 0 && ms <= MAX_DELAY_MS)
    .sort((a, b) => a - b);
  return delays[delays.length >> 1] ?? 0;
}

function chooseTimestamp(event: ReadEvent, requests: readonly CapturedRequest[], delayMs: number): number {
  const { knownType, createdMs, ownMs } = event;
  const [first] = requests;
  const wrapperMs = createdMs ?? first?.signedTimestamp ?? first?.receivedTimestamp ?? null;
  if (wrapperMs === null) return ownMs ?? 0;
  const usualMs = wrapperMs - delayMs;
  if (ownMs === null || ownMs > wrapperMs || wrapperMs - ownMs > MAX_DELAY_MS) return usualMs;
  const closeMs = delayMs === 0 ? 0 : Math.max(MAX_DIFFERENCE_MS, delayMs);
  return hasOwnInstant(knownType) || Math.abs(usualMs - ownMs) <= closeMs ? ownMs : usualMs;
}
