import type { WebhookEvent, WebhookFact, WebhookInput } from "../../../machines/index.ts";
import { notFound } from "../../engine/errors.ts";
import type { LoggedEvent } from "../../engine/event-log.ts";
import type { About, Fact } from "../../engine/host.ts";
import { toHex } from "../../network/hmac.ts";
import { moment, noMoment } from "../../records/moments.ts";
import type { Table } from "../../records/table.ts";
import type { WebhookRecord } from "../../records/webhook.ts";
import type { Platform } from "../platform.ts";
import type { CreateWebhookArguments, RemoveWebhookArguments, UpdateWebhookArguments } from "./commands.ts";

const SECRET_BYTES = 32;
/** A webhook's signing secret, which its record does not show. */
interface Secret {
  readonly id: string;
  readonly secret: string;
}

export interface WebhooksState {
  readonly webhooks: Table<WebhookRecord>;
  readonly secrets: Table<Secret>;
}

/** Webhooks: who is told of which events. */
export class Webhooks {
  /** The webhooks that receive events of a type, in the order of their creation; until one changes. */
  private receivers = new Map<string, readonly string[]>();

  constructor(
    private readonly platform: Platform,
    private readonly state: WebhooksState,
  ) {}

  forkState(): WebhooksState {
    return { webhooks: this.state.webhooks.fork(), secrets: this.state.secrets.fork() };
  }

  create({ url, events, description, enabled, signingSecret }: CreateWebhookArguments): string {
    const { engine } = this.platform;
    const id = engine.ids.next("webhook");
    this.state.webhooks.insert({
      id,
      url,
      description: description ?? null,
      events: [...new Set(events)],
      enabled: enabled ?? true,
      consecutiveFailures: 0,
      ...moment("created", engine.now),
      ...moment("lastModified", engine.now),
      ...(enabled === false ? moment("disabled", engine.now) : noMoment("disabled")),
    });
    const secret = signingSecret ?? toHex(engine.randomness.bytes("webhook secret", SECRET_BYTES));
    this.state.secrets.insert({ id, secret });
    this.receivers.clear();
    return id;
  }

  /**
   * Changes what is given. Deliveries under way go to the new URL from their next attempt on; disabled, they are dropped;
   * enabled again, the count of failures starts anew.
   * @throws {CommandError} `not_found`
   */
  update({ webhook: id, enabled, url, events, description }: UpdateWebhookArguments): void {
    const webhook = this.get(id);
    this.change(id, {
      url: url ?? webhook.url,
      events: events === undefined ? webhook.events : [...new Set(events)],
      description: description === undefined ? webhook.description : description,
    });
    // also when it is enabled already: the count starts anew
    if (enabled === true) this.send(id, { type: webhook.enabled ? "DELIVERED" : "ENABLE" });
    else if (enabled === false && webhook.enabled) this.send(id, { type: "DISABLE" });
  }

  /** Deliveries under way are dropped. @throws {CommandError} `not_found` */
  remove({ webhook: id }: RemoveWebhookArguments): void {
    this.get(id);
    this.send(id, { type: "REMOVE" });
  }

  /** @throws {CommandError} `not_found` */
  get(id: string): WebhookRecord {
    const webhook = this.state.webhooks.get(id);
    if (webhook !== undefined) return webhook;
    throw notFound("webhook", id, this.state.webhooks);
  }

  find(id: string): WebhookRecord | undefined {
    return this.state.webhooks.get(id);
  }

  get table(): Table<WebhookRecord> {
    return this.state.webhooks;
  }

  /** Oldest first. */
  list(): WebhookRecord[] {
    return [...this.state.webhooks];
  }

  secretOf(id: string): string {
    return this.state.secrets.mustGet(id).secret;
  }

  /** An event happened: it is delivered to every webhook that is enabled now and receives its type. */
  published(event: LoggedEvent): void {
    for (const id of this.receiversOf(event.type)) this.platform.deliveries.begin(id, event);
  }

  /** An event was delivered to a webhook. */
  delivered(id: string): void {
    // the count is 0 nearly always, and then there is nothing to decide
    if ((this.state.webhooks.get(id)?.consecutiveFailures ?? 0) > 0) this.send(id, { type: "DELIVERED" });
  }

  /** An event will not be delivered to a webhook. */
  givenUp(id: string): void {
    this.send(id, { type: "GIVEN_UP" });
  }

  /** A fact of a webhook's machine. */
  react({ recordId: id }: About, fact: Fact): void {
    const { deliveries, engine, notifications } = this.platform;
    const told = fact as unknown as WebhookFact;
    if (told.type === "counted") this.state.webhooks.patch(id, { consecutiveFailures: told.failures });
    else if (told.type === "enabled") this.change(id, { enabled: true, ...noMoment("disabled") });
    else if (told.type === "disabled") {
      const webhook = this.change(id, { enabled: false, ...moment("disabled", engine.now) });
      deliveries.drop(id, "disabled");
      if (told.by === "failures") notifications.webhookDisabled(webhook);
    } else {
      this.state.webhooks.remove(id);
      this.state.secrets.remove(id);
      this.receivers.clear();
      deliveries.drop(id, "deleted");
    }
  }

  private change(id: string, changes: Partial<WebhookRecord>): WebhookRecord {
    this.receivers.clear();
    return this.state.webhooks.patch(id, { ...changes, ...moment("lastModified", this.platform.engine.now) });
  }

  private receiversOf(type: string): readonly string[] {
    let receivers = this.receivers.get(type);
    if (receivers === undefined) {
      const receives = ({ enabled, events }: WebhookRecord) =>
        enabled && events.some((each) => each === type || each === "*");
      receivers = this.list()
        .filter(receives)
        .map(({ id }) => id);
      this.receivers.set(type, receivers);
    }
    return receivers;
  }

  private send(id: string, event: WebhookEvent): void {
    const { engine, settings } = this.platform;
    // started on first use, which for most webhooks never comes
    if (!engine.host.isRunning("webhook", id)) {
      const isEnabled = this.state.webhooks.mustGet(id).enabled;
      const input: WebhookInput = { isEnabled, failureLimit: settings.webhooks.failureLimit };
      engine.host.start("webhook", id, { recordId: id }, input);
    }
    engine.host.send("webhook", id, event);
  }
}
