import type { DeliveryEvent, DeliveryFact } from "../../../../machines/delivery.ts";
import { type Appended, eventOf, type LoggedEvent } from "../../engine/event-log.ts";
import { ForkableList } from "../../foundation/collections.ts";
import { CommandError, InputError, idText } from "../../foundation/errors.ts";
import { show } from "../../foundation/show.ts";
import type { Network } from "../../network/network.ts";
import type { RequestOutcome } from "../../network/outcome.ts";
import { signatureHeader, timestampHeader, webhookSignature } from "../../network/webhook-signature.ts";
import type { NewRequest, RequestContent, RequestRecord } from "../../records/request.ts";
import { RetentionQueue } from "../../records/retention-queue.ts";
import { Table } from "../../records/table.ts";
import type { DeliveryReason, DeliveryRecord } from "../../records/webhook.ts";
import type { Availability } from "../availability/availability.ts";
import type { CoreServices, Settings } from "../base/core-services.ts";
import type { PlatformEvent } from "../declare/events.ts";
import { defineService } from "../declare/service.ts";
import type { WriteBody } from "../declare/settings.ts";
import { toWire } from "../declare/wire-names.ts";
import type { ShapeSources } from "../observed/directory.ts";
import { writeEvent } from "../observed/event.ts";
import { bodyShape } from "./assumed-bodies.ts";
import { LEFT_OUT_ENTRY } from "./left-out.ts";
import type { Webhooks } from "./webhooks.ts";

export interface Needs extends CoreServices {
  readonly availability: Availability;
  readonly network: Network;
  readonly webhooks: Webhooks;
}

export interface State {
  readonly deliveries: Table<DeliveryRecord>;
  /** Deliveries that are not over, by webhook, oldest first. */
  readonly pending: Map<string, Set<string>>;
  /** Deliveries that are over; kept only if `retain` limits them. */
  readonly over: ForkableList<string>;
}

const newState = (): State => ({
  deliveries: new Table(versionOf, versionOf),
  pending: new Map(),
  over: new ForkableList(),
});

/** A delivery with one attempt, under way or over, as nearly all are. It keeps half as much as a record with a list. */
class OneAttempt implements DeliveryRecord {
  constructor(
    readonly id: string,
    readonly webhookId: string,
    readonly event: LoggedEvent,
    readonly state: DeliveryRecord["state"],
    readonly requestId: string,
  ) {}

  get reason(): null {
    return null;
  }

  get requestIds(): readonly string[] {
    return Object.freeze([this.requestId]);
  }

  get nextAttemptMs(): null {
    return null;
  }
}

/** The record of a delivery with all of its fields, for its next version or a snapshot. */
function versionOf({ id, webhookId, event, state, reason, requestIds, nextAttemptMs }: DeliveryRecord) {
  return { id, webhookId, event, state, reason, requestIds, nextAttemptMs };
}

/** Deliveries of events to webhooks. */
export class Deliveries {
  private readonly newest: RetentionQueue;
  private readonly writer: Writer;

  constructor(
    private readonly services: Needs,
    private readonly state: State,
  ) {
    this.writer = new Writer(services.settings, services);
    const { requests: kept } = services.settings.keep;
    this.newest = new RetentionQueue(kept, (id) => state.deliveries.remove(id), state.over);
  }

  /** How long all bodies together are that were written in this run, in characters. What nobody reads is not written. */
  get bodyLength(): number {
    return this.writer.length;
  }

  /** Starts a delivery of an event to each of some webhooks, unless the dialect leaves the event out. */
  begin(webhookIds: readonly string[], appended: Appended): void {
    if (webhookIds.length === 0) return;
    const event = eventOf(appended);
    if (this.isLeftOut(event)) this.services.raise.eventLeftOut({ event });
    else for (const id of webhookIds) this.deliver(id, event);
  }

  /** Starts deliveries of events that are like another, but of a type that no documentation names. */
  beginUnknown(webhookIds: readonly string[], appended: Appended): void {
    for (const webhookId of webhookIds) {
      const event = eventOf(appended);
      const id = this.services.engine.ids.next("event");
      const type = event.type.replace(/\.\w+$/, ".unspecified");
      this.begin([webhookId], Object.freeze({ ...event, id, type }));
    }
  }

  /** Starts a delivery, with its first attempt at this instant. */
  private deliver(webhookId: string, event: LoggedEvent): void {
    const id = this.services.engine.ids.next("delivery");
    const requestId = this.attempt(id, webhookId, event, 1);
    this.state.deliveries.add(new OneAttempt(id, webhookId, event, "pending", requestId));
    const pending = this.state.pending.get(webhookId);
    if (pending === undefined) this.state.pending.set(webhookId, new Set([id]));
    else pending.add(id);
  }

  /**
   * Whether the dialect leaves an event out. The journal says so, since a replay may lack the dialect's function.
   */
  private isLeftOut(event: LoggedEvent): boolean {
    const { engine, settings } = this.services;
    const { writeBody, leftOut } = settings;
    const isLeftOut =
      writeBody === undefined ? leftOut.has(event.id) : this.writer.leavesOut(event, writeBody);
    if (isLeftOut) engine.record(LEFT_OUT_ENTRY, { event: event.id });
    return isLeftOut;
  }

  find(id: string): DeliveryRecord | undefined {
    return this.state.deliveries.get(id);
  }

  /** @throws {CommandError} `not_found` */
  get(id: string): DeliveryRecord {
    const delivery = this.find(id);
    if (delivery !== undefined) return delivery;
    throw new CommandError(
      "not_found",
      `no delivery has the id ${idText(id)}; requests to webhooks name theirs as \`recordId\``,
    );
  }

  /** All deliveries to a webhook, oldest first. */
  of(webhookId: string): DeliveryRecord[] {
    return [...this.state.deliveries].filter((delivery) => delivery.webhookId === webhookId);
  }

  /** Takes the result of an attempt. */
  attempted({ id: requestId, recordId: id }: RequestRecord, outcome: RequestOutcome): void {
    const delivery = this.state.deliveries.get(id);
    if (delivery?.state !== "pending") return; // the delivery was dropped meanwhile
    const { machines } = this.services;
    const isTaken = "answer" in outcome && outcome.answer.status >= 200 && outcome.answer.status < 300;
    // nearly all succeed at once, and need no machine
    if (isTaken && !machines.isRunning("delivery", id)) this.delivered(id);
    else if (isTaken) this.send(delivery, { type: "SUCCEED" });
    else this.failed(delivery, outcome, requestId);
  }

  /** Cancels the deliveries of a webhook that are still pending. */
  drop(webhookId: string, reason: "disabled" | "deleted"): void {
    for (const id of this.state.pending.get(webhookId) ?? []) {
      this.state.deliveries.patch(id, { reason });
      this.send(this.state.deliveries.mustGet(id), { type: "DROP" });
    }
    this.state.pending.delete(webhookId);
  }

  /** Sends another attempt. The first was sent before the machine began. */
  attemptAgain(id: string, number: number): void {
    const { webhookId, event, requestIds } = this.state.deliveries.mustGet(id);
    if (number <= requestIds.length) return;
    const requestId = this.attempt(id, webhookId, event, number);
    this.state.deliveries.patch(id, { requestIds: [...requestIds, requestId], nextAttemptMs: null });
  }

  /** Notes that the webhook accepted the event. */
  delivered(id: string): void {
    const delivery = this.state.deliveries.mustGet(id);
    this.end(delivery, "delivered", null);
    this.services.raise.delivered({ webhookId: delivery.webhookId });
  }

  dropped(id: string): void {
    const delivery = this.state.deliveries.mustGet(id);
    this.end(delivery, "dropped", delivery.reason);
  }

  /** Notes that a delivery failed. @returns the webhook's id */
  givenUp(id: string, reason: Extract<DeliveryFact, { type: "givenUp" }>["reason"]): string {
    const delivery = this.state.deliveries.mustGet(id);
    this.end(delivery, "givenUp", reason);
    return delivery.webhookId;
  }

  private failed(delivery: DeliveryRecord, outcome: RequestOutcome, requestId: string): void {
    const { engine, network, settings } = this.services;
    const isRetried = "failure" in outcome || isRetriedStatus(outcome.answer.status);
    const offsetMs = settings.webhooks.schedule[delivery.requestIds.length];
    // an attempt may take longer than the gap in the schedule: then the next one follows at once
    const dueMs = Math.max(engine.now, delivery.event.createdTimestamp + (offsetMs ?? 0));
    const isLast = !isRetried || offsetMs === undefined;
    network.sentAgain(requestId, isLast ? undefined : dueMs);
    if (!isLast) this.state.deliveries.patch(delivery.id, { nextAttemptMs: dueMs });
    this.send(delivery, { type: "FAIL", isRetried, delayMs: dueMs - engine.now });
  }

  private end(delivery: DeliveryRecord, state: DeliveryRecord["state"], reason: DeliveryReason | null): void {
    const { id, webhookId, event } = delivery;
    this.state.pending.get(webhookId)?.delete(id);
    this.state.deliveries.replace(
      delivery instanceof OneAttempt && reason === null
        ? new OneAttempt(id, webhookId, event, state, delivery.requestId)
        : { ...versionOf(delivery), state, reason, nextAttemptMs: null },
    );
    this.newest.addFinished(id);
  }

  private send(delivery: DeliveryRecord, event: DeliveryEvent): void {
    const { machines, settings } = this.services;
    // started at the first failure, which most deliveries never have
    if (!machines.isRunning("delivery", delivery.id)) {
      const input = { attempts: settings.webhooks.schedule.length };
      machines.start("delivery", delivery.id, { recordId: delivery.id }, input);
    }
    machines.send("delivery", delivery.id, event);
  }

  /** Sends the request of an attempt, with its own timestamp. Returns the request's id. */
  private attempt(deliveryId: string, webhookId: string, event: LoggedEvent, number: number): string {
    const { engine, network, webhooks } = this.services;
    const { url } = webhooks.get(webhookId);
    const secret = webhooks.secretOf(webhookId);
    const content = new DeliveryContent(this.writer, event, secret, engine.now);
    const request: NewRequest = {
      to: url,
      method: "POST",
      why: "webhook",
      recordId: deliveryId,
      subject: number === 1 ? event.type : `${event.type}, attempt ${number}`,
      content,
      context: null,
    };
    return network.send(request, webhookId);
  }
}

/** Whether a status is tried again: `5xx`, `429` and `408`. Rules: docs/fidelity/network.md#delivery-attempts. */
function isRetriedStatus(status: number): boolean {
  return status >= 500 || status === 429 || status === 408;
}

/** Writes the bodies of deliveries in a dialect. */
class Writer {
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
    { profile, dialect, assume, writeBody }: Pick<Settings, "profile" | "dialect" | "assume" | "writeBody">,
    sources: ShapeSources,
  ) {
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

  /**
   * Whether the dialect has no body for an event. If its function throws, the request says so when it is read.
   * @param write the dialect's function
   */
  leavesOut(event: LoggedEvent, write: WriteBody): boolean {
    try {
      const body = write(this.assumed(event) as PlatformEvent);
      if (body === undefined) return true;
      if (typeof body === "object" && body !== null) this.keep(event, body);
    } catch {
      // it throws again for the request
    }
    return false;
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
  if (typeof body === "object" && body !== null) return body;
  throw new InputError(
    ["dialect", "write"],
    `expected an object as the body of ${event.type}, got ${show(body)}`,
  );
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

/** Deliveries of events to webhooks. */
export const deliveries = defineService({
  init: newState,
  create: (services: Needs, state) => new Deliveries(services, state),
});
