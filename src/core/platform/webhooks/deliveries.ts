import type { DeliveryEvent, DeliveryFact } from "../../../../machines/delivery.ts";
import { type Appended, eventOf, type LoggedEvent } from "../../engine/event-log.ts";
import { ForkableList } from "../../foundation/collections.ts";
import { CommandError, idText } from "../../foundation/errors.ts";
import type { Network } from "../../network/network.ts";
import type { RequestOutcome } from "../../network/outcome.ts";
import type { NewRequest, RequestRecord } from "../../records/request.ts";
import { RetentionQueue } from "../../records/retention-queue.ts";
import { Table } from "../../records/table.ts";
import type { DeliveryReason, DeliveryRecord } from "../../records/webhook.ts";
import type { Availability } from "../availability/availability.ts";
import type { CoreServices } from "../base/core-services.ts";
import { defineService } from "../declare/service.ts";
import { type Signing, Writer } from "./delivery-writer.ts";
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
    if (this.isLeftOut(event, webhookIds[0] ?? "")) this.services.raise.eventLeftOut({ event });
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
   * Whether the dialect leaves an event out, asked for one of its webhooks. The journal says so, since a replay may lack the dialect's function.
   */
  private isLeftOut(event: LoggedEvent, webhookId: string): boolean {
    const { engine, settings, webhooks } = this.services;
    const { url } = webhooks.get(webhookId);
    const isLeftOut = this.writer.hasFunctions
      ? this.writer.leavesOut(event, { url, secret: webhooks.secretOf(webhookId), sentMs: engine.now })
      : settings.leftOut.has(event.id);
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

  /**
   * The content of a request that is like one of a delivery, for who forges it.
   * @param event the event in place of the true one
   */
  contentLike(
    { to, recordId, startedTimestamp }: RequestRecord,
    event: LoggedEvent,
    signed: Partial<Signing>,
  ) {
    const secret = this.services.webhooks.secretOf(this.get(recordId).webhookId);
    return this.writer.content(event, { secret, url: to, sentMs: startedTimestamp, ...signed });
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
    const content = this.writer.content(event, { secret, url, sentMs: engine.now });
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

/** Deliveries of events to webhooks. */
export const deliveries = defineService({
  init: newState,
  create: (services: Needs, state) => new Deliveries(services, state),
});
