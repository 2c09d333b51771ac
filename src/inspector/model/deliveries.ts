import type { Delivery } from "../../core/platform/webhooks/webhooks-api.ts";
import type { RequestRecord } from "../../core/records/request.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import type { Lanes } from "./lanes.ts";
import { outcomeOf } from "./outcome.ts";
import type { Row } from "./types.ts";

/** Knows which rows belong to which delivery. Results are filled in at the end, when they are known. */
export class DeliveryRows {
  private readonly rowOfEvent = new Map<string, Row>();
  /** The rows of later attempts, by delivery, in order. */
  private readonly retries = new Map<string, Row[]>();
  private readonly ids = new Set<string>();
  private readonly lostRows = new Map<Row, RequestRecord[]>();
  private readonly doubles: { readonly row: Row; readonly id: string; readonly request: RequestRecord }[] =
    [];
  private readonly ends: { readonly row: Row; readonly id: string }[] = [];

  constructor(
    private readonly simulator: Simulator,
    private readonly lanes: Lanes,
    readonly startMs: number,
  ) {}

  published(event: string, row: Row): void {
    this.rowOfEvent.set(event, row);
  }

  arrived(request: RequestRecord): void {
    this.ids.add(request.recordId);
  }

  retried(delivery: string, row: Row): void {
    this.ids.add(delivery);
    const rows = this.retries.get(delivery);
    if (rows === undefined) this.retries.set(delivery, [row]);
    else rows.push(row);
  }

  lost(request: RequestRecord, row: Row): void {
    const told = this.lostRows.get(row) ?? [];
    told.push(request);
    this.lostRows.set(row, told);
  }

  doubled(request: RequestRecord, row: Row): void {
    this.doubles.push({ row, id: request.recordId, request });
  }

  gaveUp(delivery: string, row: Row): void {
    this.ends.push({ row, id: delivery });
  }

  /** At the end of the run, gives each row the results of its attempts. */
  end(rows: readonly Row[]): void {
    for (const webhook of this.simulator.webhooks.list())
      for (const { id } of this.simulator.webhooks.deliveries(webhook.id)) this.ids.add(id);
    for (const id of this.ids) this.tell(this.simulator.webhooks.delivery(id));
    for (const [row, lost] of this.lostRows) this.tellLost(row, lost);
    for (const { row, id, request } of this.doubles) this.join(row, id, 1, outcomeOf(request));
    for (const { row, id } of this.ends)
      this.join(row, id, 0, { kind: "failed", text: row.verb.replace(/^is /, "") });
    // from left to right, in whatever order they were delivered
    for (const row of rows)
      row.to.push(...row.deliveries.map(({ lane }) => lane).filter((lane) => !row.to.includes(lane)));
  }

  private tell(delivery: Delivery): void {
    const row = this.rowOfEvent.get(delivery.event.id);
    if (row === undefined) return;
    const lane = this.lane(delivery);
    const tries = delivery.attempts.length;
    for (const attempt of delivery.attempts) {
      const answer = attempt.status === null ? null : { status: attempt.status };
      const outcome = outcomeOf({ answer, failure: attempt.failure });
      const to: Row | undefined =
        attempt.number === 1 ? row : this.retries.get(delivery.id)?.[attempt.number - 2];
      if (to === undefined) continue;
      const dueMs = attempt.number === tries ? delivery.nextAttemptTimestamp : null;
      const next = dueMs === null ? {} : { nextMs: dueMs - this.startMs };
      to.deliveries.push({ id: delivery.id, lane, attempt: attempt.number, outcome, tries, ...next });
      if (to === row) continue;
      const before = delivery.attempts[attempt.number - 2];
      to.subject = delivery.event.type;
      to.verb = `attempt ${attempt.number}`;
      to.detail =
        before === undefined
          ? ""
          : `after ${before.status ?? (before.failure === "timeout" ? "no answer" : before.failure)}`;
      to.record = row.record;
      Object.assign(to, { first: row.index, event: row.event });
    }
  }

  private tellLost(row: Row, lost: readonly RequestRecord[]): void {
    for (const request of lost) {
      const { text } = outcomeOf(request);
      this.join(row, request.recordId, 1, { kind: "lost", text });
    }
    if (lost.length > 1) row.subject = `${lost.length} deliveries`;
  }

  /** Adds a row about a delivery to the rows of its attempts. */
  private join(row: Row, id: string, attempt: number, outcome: Row["deliveries"][number]["outcome"]): void {
    const delivery = this.simulator.webhooks.delivery(id);
    const first = this.rowOfEvent.get(delivery.event.id);
    row.deliveries.push({ id, lane: this.lane(delivery), attempt, outcome, tries: delivery.attempts.length });
    if (first === undefined) return;
    row.record = first.record;
    Object.assign(row, { first: first.index, event: first.event });
  }

  private lane({ webhookId, attempts }: Delivery): string {
    const webhook = this.simulator.webhooks.list().find((each) => each.id === webhookId);
    if (webhook !== undefined) return this.lanes.host(webhook.url);
    const [first] = attempts;
    const request = this.simulator.network.requests.find(({ id }) => id === first?.requestId);
    return this.lanes.host(request?.to ?? "webhook");
  }
}
