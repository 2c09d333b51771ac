import type { DeliveryEvent, DeliveryFact, DeliveryInput } from "../../../machines/index.ts";
import { ForkableList } from "../../engine/collections.ts";
import { CommandError } from "../../engine/errors.ts";
import type { LoggedEvent } from "../../engine/event-log.ts";
import type { About, Fact } from "../../engine/host.ts";
import type { NewRequest, Outcome } from "../../network/network.ts";
import { signatureHeader, timestampHeader, webhookSignature } from "../../network/webhook-signature.ts";
import { Newest } from "../../records/newest.ts";
import type { RequestContent, RequestRecord } from "../../records/request.ts";
import { Table } from "../../records/table.ts";
import type { DeliveryReason, DeliveryRecord } from "../../records/webhook.ts";
import type { Platform } from "../platform.ts";
import type { FieldNames } from "../settings.ts";
import { toWire } from "../wire-names.ts";

export interface DeliveriesState {
  readonly deliveries: Table<DeliveryRecord>;
  /** Those that are not over, by webhook, oldest first. */
  readonly pending: Map<string, Set<string>>;
  /** Those that are over, while there is a limit on them. */
  readonly over: ForkableList<string>;
}

export const noDeliveries = (): DeliveriesState => ({
  deliveries: new Table(),
  pending: new Map(),
  over: new ForkableList(),
});

/** Events on their way to webhooks. */
export class Deliveries {
  private readonly newest: Newest;

  constructor(
    private readonly platform: Platform,
    private readonly state: DeliveriesState,
  ) {
    const { requests: kept } = platform.settings.keep;
    this.newest = new Newest(kept, (id) => state.deliveries.remove(id), state.over);
  }

  /** Costs by what is not over. */
  forkState(): DeliveriesState {
    const { deliveries, pending } = this.state;
    return {
      deliveries: deliveries.fork(),
      over: this.newest.forkState(),
      pending: new Map([...pending].map(([webhookId, ids]) => [webhookId, new Set(ids)])),
    };
  }

  /** Begins to deliver an event, with its first attempt at this instant. */
  begin(webhookId: string, event: LoggedEvent): void {
    const id = this.platform.engine.ids.next("delivery");
    const requestId = this.attempt(id, webhookId, event, 1);
    this.state.deliveries.insert({
      id,
      webhookId,
      event,
      state: "pending",
      reason: null,
      requestIds: [requestId],
      nextAttemptMs: null,
    });
    const pending = this.state.pending.get(webhookId);
    if (pending === undefined) this.state.pending.set(webhookId, new Set([id]));
    else pending.add(id);
  }

  /** @throws {CommandError} `not_found` */
  get(id: string): DeliveryRecord {
    const delivery = this.state.deliveries.get(id);
    if (delivery !== undefined) return delivery;
    throw new CommandError(
      "not_found",
      `no delivery has the id "${id}"; requests to webhooks name theirs as \`recordId\``,
    );
  }

  /** Everything to a webhook, oldest first. */
  of(webhookId: string): DeliveryRecord[] {
    return [...this.state.deliveries].filter((delivery) => delivery.webhookId === webhookId);
  }

  /** The request of an attempt is over. */
  attempted({ recordId: id }: RequestRecord, outcome: Outcome): void {
    const delivery = this.state.deliveries.get(id);
    if (delivery?.state !== "pending") return; // dropped meanwhile
    const { host } = this.platform.engine;
    const isTaken = "answer" in outcome && outcome.answer.status >= 200 && outcome.answer.status < 300;
    // nearly all succeed at once: those need no machine to say so
    if (isTaken && !host.isRunning("delivery", id)) this.end(delivery, "delivered", null);
    else if (isTaken) this.send(delivery, { type: "SUCCEED" });
    else this.failed(delivery, outcome);
  }

  /** Nobody waits any more for what is on its way to a webhook. */
  drop(webhookId: string, reason: "disabled" | "deleted"): void {
    for (const id of this.state.pending.get(webhookId) ?? []) {
      this.state.deliveries.patch(id, { reason });
      this.send(this.state.deliveries.mustGet(id), { type: "DROP" });
    }
  }

  /** A fact of a delivery's machine. */
  react({ recordId: id }: About, fact: Fact): void {
    const { webhooks } = this.platform;
    const told = fact as unknown as DeliveryFact;
    const delivery = this.state.deliveries.mustGet(id);
    const { webhookId, event, requestIds } = delivery;
    if (told.type === "attempt") {
      // the machine of a first attempt that failed starts with that attempt
      if (told.number <= requestIds.length) return;
      const requestId = this.attempt(id, webhookId, event, told.number);
      this.state.deliveries.patch(id, { requestIds: [...requestIds, requestId], nextAttemptMs: null });
    } else if (told.type === "delivered") this.end(delivery, "delivered", null);
    else if (told.type === "dropped") this.end(delivery, "dropped", delivery.reason);
    else {
      this.end(delivery, "givenUp", told.reason);
      webhooks.givenUp(webhookId);
    }
  }

  private failed(delivery: DeliveryRecord, outcome: Outcome): void {
    const { engine, settings } = this.platform;
    const isRetried = "failure" in outcome || isRetriedStatus(outcome.answer.status);
    const offsetMs = settings.webhooks.schedule[delivery.requestIds.length];
    // a schedule that is shorter than an attempt takes goes on at once
    const dueMs = Math.max(engine.now, delivery.event.createdTimestamp + (offsetMs ?? 0));
    const isLast = !isRetried || offsetMs === undefined;
    if (!isLast) this.state.deliveries.patch(delivery.id, { nextAttemptMs: dueMs });
    this.send(delivery, { type: "FAIL", isRetried, delayMs: dueMs - engine.now });
  }

  private end(delivery: DeliveryRecord, state: DeliveryRecord["state"], reason: DeliveryReason | null): void {
    const { id, webhookId, event, requestIds } = delivery;
    this.state.pending.get(webhookId)?.delete(id);
    this.state.deliveries.replace({ id, webhookId, event, state, reason, requestIds, nextAttemptMs: null });
    this.newest.over(id);
    if (state === "delivered") this.platform.webhooks.delivered(webhookId);
  }

  private send(delivery: DeliveryRecord, event: DeliveryEvent): void {
    const { host } = this.platform.engine;
    // started when an attempt fails, which for most deliveries never comes
    if (!host.isRunning("delivery", delivery.id)) {
      const input: DeliveryInput = { attempts: this.platform.settings.webhooks.schedule.length };
      host.start("delivery", delivery.id, { recordId: delivery.id }, input);
    }
    host.send("delivery", delivery.id, event);
  }

  /** Sends the request of an attempt, with a timestamp of its own. Returns the request's id. */
  private attempt(deliveryId: string, webhookId: string, event: LoggedEvent, number: number): string {
    const { engine, network, settings, webhooks } = this.platform;
    const { serviceName, fieldNames } = settings.dialect;
    const { url } = webhooks.get(webhookId);
    const secret = webhooks.secretOf(webhookId);
    const timestamp = String(engine.now);
    const content = (): RequestContent => {
      const body = bodyOf(event, fieldNames);
      const headers = {
        "content-type": "application/json",
        [timestampHeader(serviceName)]: timestamp,
        [signatureHeader(serviceName)]: webhookSignature(secret, timestamp, body),
      };
      return { headers, body };
    };
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

/** `5xx`, `429` and `408`. Specification, "Delivery", 4. */
function isRetriedStatus(status: number): boolean {
  return status >= 500 || status === 429 || status === 408;
}

/** One simulator's events: its forks share them, and its dialect. */
const bodies = new WeakMap<LoggedEvent, string>();

/** The wrapper as JSON, made once for each event that someone reads, however many webhooks and attempts there are. */
function bodyOf(event: LoggedEvent, fieldNames: FieldNames): string {
  let body = bodies.get(event);
  if (body === undefined) {
    body = JSON.stringify(toWire(event, fieldNames));
    bodies.set(event, body);
  }
  return body;
}
