import type { WebhookEvent } from "../../../../machines/webhook.ts";
import { notFound } from "../../foundation/errors.ts";
import { toHex } from "../../network/hmac.ts";
import { dateFields, emptyDateFields } from "../../records/date-fields.ts";
import { Table } from "../../records/table.ts";
import type { WebhookRecord } from "../../records/webhook.ts";
import type { CoreServices } from "../base/core-services.ts";
import { defineService } from "../declare/service.ts";
import type { Directory } from "../directory/directory.ts";
import type { CreateWebhookArguments, UpdateWebhookArguments } from "../organisation/webhook.ts";

const SECRET_BYTES = 32;
/** A webhook's signing secret, which is not in its record. */
interface Secret {
  readonly id: string;
  readonly secret: string;
}

export interface Needs extends CoreServices {
  readonly directory: Directory;
}

export interface State {
  readonly webhooks: Table<WebhookRecord>;
  readonly secrets: Table<Secret>;
}

/** Webhooks, and the events that each receives. */
export class Webhooks {
  /** The webhooks that receive each event type, in the order of their creation. Dropped when a webhook changes. */
  private receivers = new Map<string, readonly string[]>();

  constructor(
    private readonly services: Needs,
    private readonly state: State,
  ) {}

  create(args: CreateWebhookArguments): string {
    const { url, events, description, enabled, signingSecret } = args;
    const { engine, directory, settings } = this.services;
    const createdBy = args.createdBy === undefined ? null : directory.user(args.createdBy).id;
    const id = engine.ids.next("webhook");
    this.state.webhooks.insert({
      id,
      url,
      description: description ?? null,
      ...(settings.profile && { mode: args.mode ?? "production" }),
      events: [...new Set(events)],
      enabled: enabled ?? true,
      consecutiveFailures: 0,
      createdBy,
      ...dateFields("created", engine.now),
      ...dateFields("lastModified", engine.now),
      ...(enabled === false ? dateFields("disabled", engine.now) : emptyDateFields("disabled")),
    });
    const secret = signingSecret ?? toHex(engine.randomness.bytes("webhook secret", SECRET_BYTES));
    this.state.secrets.insert({ id, secret });
    this.receivers.clear();
    return id;
  }

  /**
   * Changes the given fields. Pending deliveries go to the new URL from their next attempt on. Disabling drops them;
   * enabling resets the count of failures.
   * @throws {CommandError} `not_found`
   */
  update({ webhook: id, enabled, url, events, description, mode }: UpdateWebhookArguments): void {
    const webhook = this.get(id);
    this.change(id, {
      url: url ?? webhook.url,
      events: events === undefined ? webhook.events : [...new Set(events)],
      description: description === undefined ? webhook.description : description,
      ...(mode && this.services.settings.profile && { mode }),
    });
    if (enabled === true) this.send(id, { type: "ENABLE" });
    else if (enabled === false && webhook.enabled) this.send(id, { type: "DISABLE" });
  }

  /** Deletes a webhook and drops its pending deliveries. @throws {CommandError} `not_found` */
  remove(id: string): void {
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

  /** All webhooks, oldest first. */
  list(): WebhookRecord[] {
    return [...this.state.webhooks];
  }

  secretOf(id: string): string {
    return this.state.secrets.mustGet(id).secret;
  }

  /** Whether webhooks may be at local and private hosts. */
  get allowsLocal(): boolean {
    return this.services.settings.allowLocal;
  }

  /** The types of events that the dialect declares. The simulator sends none of them. */
  get declaredTypes(): readonly string[] {
    return this.services.settings.dialect.events ?? [];
  }

  /** The enabled webhooks that receive an event type, in the order of their creation. */
  receiversOf(type: string): readonly string[] {
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

  /** An event was delivered to a webhook: resets its count of failures. */
  delivered(id: string): void {
    // the count is nearly always 0 already
    if ((this.state.webhooks.get(id)?.consecutiveFailures ?? 0) > 0) this.send(id, { type: "DELIVERED" });
  }

  /** A delivery to a webhook failed. */
  givenUp(id: string): void {
    this.send(id, { type: "GIVEN_UP" });
  }

  counted(id: string, consecutiveFailures: number): void {
    this.state.webhooks.patch(id, { consecutiveFailures });
  }

  enabled(id: string): void {
    this.change(id, { enabled: true, ...emptyDateFields("disabled") });
  }

  disabled(id: string): void {
    this.change(id, { enabled: false, ...dateFields("disabled", this.services.engine.now) });
  }

  removed(id: string): void {
    this.state.webhooks.remove(id);
    this.state.secrets.remove(id);
    this.receivers.clear();
  }

  private change(id: string, changes: Partial<WebhookRecord>): WebhookRecord {
    this.receivers.clear();
    return this.state.webhooks.patch(id, {
      ...changes,
      ...dateFields("lastModified", this.services.engine.now),
    });
  }

  private send(id: string, event: WebhookEvent): void {
    const { machines, settings } = this.services;
    // started at first use, which most webhooks never have
    if (!machines.isRunning("webhook", id)) {
      const isEnabled = this.state.webhooks.mustGet(id).enabled;
      const input = { isEnabled, failureLimit: settings.webhooks.failureLimit };
      machines.start("webhook", id, { recordId: id }, input);
    }
    machines.send("webhook", id, event);
  }
}

/** Webhooks, and the events that each receives. */
export const webhooks = defineService({
  init: (): State => ({ webhooks: new Table(), secrets: new Table() }),
  create: (services: Needs, state) => new Webhooks(services, state),
  onStart: (it, organisation) => {
    for (const webhook of organisation.webhooks ?? []) it.create(webhook);
  },
});
