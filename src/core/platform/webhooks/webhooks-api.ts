import type { LoggedEvent } from "../../engine/event-log.ts";
import { iso } from "../../foundation/instants.ts";
import type { Network } from "../../network/network.ts";
import type { DateFields, OptionalDateFields } from "../../records/date-fields.ts";
import type {
  CreatedWebhook,
  DeliveryReason,
  DeliveryRecord,
  DeliveryState,
  WebhookRecord,
} from "../../records/webhook.ts";
import type { CommandInput, CoreServices } from "../base/core-services.ts";
import type { AskedType, AsksFor } from "../organisation/webhook.ts";
import type { Deliveries } from "./deliveries.ts";
import type { Webhooks } from "./webhooks.ts";

export interface Needs extends CoreServices {
  readonly network: Network;
  readonly webhooks: Webhooks;
  readonly deliveries: Deliveries;
}

/** One attempt to deliver an event. */
export interface DeliveryAttempt extends DateFields<"started">, OptionalDateFields<"ended"> {
  /** The number of the attempt, 1 for the first. */
  readonly number: number;
  /** The id of its request in `sim.network.requests`. */
  readonly requestId: string;
  /** The status of the endpoint's answer; null without an answer. */
  readonly status: number | null;
  /** `timeout`, `refused`, `lost` or `status 500`; null during the attempt, and if it succeeded. */
  readonly failure: string | null;
  /** Why a real endpoint could not be asked, in words; otherwise null. */
  readonly failureReason: string | null;
}

/** The delivery of one event to one webhook. */
export interface Delivery {
  /** The delivery's id. */
  readonly id: string;
  /** The webhook's id. */
  readonly webhookId: string;
  /** The event that is delivered. */
  readonly event: LoggedEvent;
  /** The state of the delivery. */
  readonly state: DeliveryState;
  /** Why the delivery failed; otherwise null. */
  readonly reason: DeliveryReason | null;
  /** The attempts, without those that `retain.requests` has dropped. */
  readonly attempts: readonly DeliveryAttempt[];
  /** The instant of the next attempt; null during an attempt, and once the delivery is over. */
  readonly nextAttemptAt: string | null;
  /** The same in milliseconds since the Unix epoch. */
  readonly nextAttemptTimestamp: number | null;
}

/** `sim.webhooks`: URLs to which events are delivered. */
export class WebhooksApi {
  readonly #services: Needs;

  /** @internal Reached by the simulator. */
  constructor(services: Needs) {
    this.#services = services;
  }

  /**
   * Creates a webhook: events are delivered to its URL from now on.
   * @param webhook.events the event types, or `*` for all; TypeScript takes a type that only a dialect declares as a `string`
   * @throws {CommandError} `invalid_argument` for unknown event types, none, or a URL that is not https and public
   * @example
   * sim.webhooks.create({ url: "https://crm.test/hooks", events: ["call.ended"] });
   * const call = sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * call.hangup("caller");
   * sim.advance(0); // deliver what is due now
   */
  create<Asked extends AskedType>(webhook: CommandInput<"createWebhook"> & AsksFor<Asked>): CreatedWebhook {
    const id = this.#services.command("createWebhook", webhook);
    return Object.freeze({ ...this.get(id), signingSecret: this.signingSecret(id) });
  }

  /**
   * Returns one webhook.
   * @param id the webhook's id
   * @throws {CommandError} `not_found`
   * @example
   * const { id } = sim.webhooks.create({ url: "https://crm.test/hooks", events: ["*"] });
   * sim.webhooks.get(id).enabled; // => true
   */
  get(id: string): WebhookRecord {
    return this.#services.webhooks.get(id);
  }

  /**
   * All webhooks, oldest first.
   * @example
   * sim.webhooks.create({ url: "https://crm.test/hooks", events: ["*"] });
   * sim.webhooks.list().map(({ url }) => url); // => ["https://crm.test/hooks"]
   */
  list(): WebhookRecord[] {
    return this.#services.webhooks.list();
  }

  /**
   * Changes the given fields. If a webhook is disabled, its pending deliveries are dropped, and later events are never
   * delivered. If it is enabled, its count of failures starts again at 0.
   * @param id the webhook's id
   * @param changes the fields to change
   * @throws {CommandError} `not_found`, `invalid_argument`
   * @example
   * const { id } = sim.webhooks.create({ url: "https://crm.test/hooks", events: ["*"] });
   * sim.webhooks.update(id, { enabled: false });
   */
  update<Asked extends AskedType>(
    id: string,
    changes: Omit<CommandInput<"updateWebhook">, "webhook"> & {
      readonly events?: AsksFor<Asked>["events"] | undefined;
    },
  ): WebhookRecord {
    this.#services.command("updateWebhook", { ...changes, webhook: id });
    return this.get(id);
  }

  /**
   * Deletes a webhook. Its pending deliveries are dropped.
   * @param id the webhook's id
   * @throws {CommandError} `not_found`
   * @example
   * const { id } = sim.webhooks.create({ url: "https://crm.test/hooks", events: ["*"] });
   * sim.webhooks.remove(id);
   * sim.webhooks.list(); // => []
   */
  remove(id: string): void {
    this.#services.command("removeWebhook", { webhook: id });
  }

  /**
   * The deliveries to a webhook, oldest first, even after it was deleted.
   * @param id the webhook's id
   * @throws {CommandError} `not_found` if there never was a webhook with this id
   * @example
   * const { id } = sim.webhooks.create({ url: "https://crm.test/hooks", events: ["call.started"] });
   * sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * sim.advance(0);
   * sim.webhooks.deliveries(id).map(({ state }) => state); // => ["delivered"]
   */
  deliveries(id: string): Delivery[] {
    const deliveries = this.#services.deliveries.of(id);
    if (deliveries.length === 0) this.get(id);
    return deliveries.map((each) => this.#shown(each));
  }

  /**
   * Returns one delivery. Its id is the `recordId` of its requests.
   * @param id the delivery's id
   * @throws {CommandError} `not_found`, also if `retain.requests` has dropped it
   * @example
   * sim.webhooks.create({ url: "https://crm.test/hooks", events: ["call.started"] });
   * sim.calls.inbound({ from: "+6421555001", to: "+6495550100" });
   * sim.advance(0);
   * const [request] = sim.network.requests;
   * if (request) sim.webhooks.delivery(request.recordId).attempts.length; // 1
   */
  delivery(id: string): Delivery {
    return this.#shown(this.#services.deliveries.get(id));
  }

  /**
   * The signing secret of a webhook, even of one that the organisation starts with. The REST API never shows it.
   * @param id the webhook's id
   * @example
   * const hook = sim.webhooks.create({ url: "https://crm.test/hooks", events: ["*"] });
   * sim.webhooks.signingSecret(hook.id); // => hook.signingSecret
   */
  signingSecret(id: string): string {
    this.get(id);
    return this.#services.webhooks.secretOf(id);
  }

  #shown({ id, webhookId, event, state, reason, requestIds, nextAttemptMs }: DeliveryRecord): Delivery {
    const { engine, network } = this.#services;
    const attempts = requestIds.flatMap((requestId, index): DeliveryAttempt[] => {
      const request = network.request(requestId);
      if (request === undefined) return [];
      const { answer, failure, failureReason, startedAt, startedTimestamp, endedAt, endedTimestamp } =
        request;
      const times = { startedAt, startedTimestamp, endedAt, endedTimestamp };
      const status = answer?.status ?? null;
      return [{ number: index + 1, requestId, status, failure, failureReason, ...times }];
    });
    const nextAttemptAt = nextAttemptMs === null ? null : iso(nextAttemptMs);
    const of = { id, webhookId, event, state, reason };
    const delivery = { ...of, attempts, nextAttemptAt, nextAttemptTimestamp: nextAttemptMs };
    const { probes } = engine;
    if (probes.current?.platformRead === undefined) return delivery;
    const seen = <Field extends keyof Delivery>(field: Field): Delivery[Field] => {
      probes.current?.platformRead?.("attempts");
      return delivery[field];
    };
    return {
      ...of,
      get attempts() {
        return seen("attempts");
      },
      get nextAttemptAt() {
        return seen("nextAttemptAt");
      },
      get nextAttemptTimestamp() {
        return seen("nextAttemptTimestamp");
      },
    };
  }
}
