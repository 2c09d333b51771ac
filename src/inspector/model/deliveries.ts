import type { Delivery } from "../../core/platform/webhooks/webhooks-api.ts";
import type { RequestRecord } from "../../core/records/request.ts";
import type { Simulator } from "../../core/simulator/simulator.ts";
import type { Lanes } from "./lanes.ts";
import { requestResult } from "./outcome.ts";
import type { Outcome, PageRow } from "./types.ts";

interface DeliveryRow {
  readonly row: PageRow;
  /** The delivery. */
  readonly id: string;
}

/** Maps deliveries to their rows. Outcomes are filled in at the end of the run, when they are known. */
export class DeliveryRows {
  private readonly rowOfEvent = new Map<string, PageRow>();
  /** The rows of later attempts, by delivery, in order. */
  private readonly retries = new Map<string, PageRow[]>();
  private readonly ids = new Set<string>();
  private readonly lostRows = new Map<PageRow, RequestRecord[]>();
  private readonly duplicates: (DeliveryRow & { readonly request: RequestRecord })[] = [];
  private readonly givenUp: DeliveryRow[] = [];

  constructor(
    private readonly simulator: Simulator,
    private readonly lanes: Lanes,
    readonly startMs: number,
  ) {}

  addEvent(event: string, row: PageRow): void {
    this.rowOfEvent.set(event, row);
  }

  addRequest(request: RequestRecord): void {
    this.ids.add(request.recordId);
  }

  addRetry(delivery: string, row: PageRow): void {
    this.ids.add(delivery);
    const rows = this.retries.get(delivery);
    if (rows === undefined) this.retries.set(delivery, [row]);
    else rows.push(row);
  }

  addLost(request: RequestRecord, row: PageRow): void {
    const known = this.lostRows.get(row) ?? [];
    known.push(request);
    this.lostRows.set(row, known);
  }

  addDuplicate(request: RequestRecord, row: PageRow): void {
    this.duplicates.push({ row, id: request.recordId, request });
  }

  addGivenUp(delivery: string, row: PageRow): void {
    this.givenUp.push({ row, id: delivery });
  }

  /** At the end of the run, gives each row the results of its attempts. */
  addOutcomes(rows: readonly PageRow[]): void {
    for (const webhook of this.simulator.webhooks.list())
      for (const { id } of this.simulator.webhooks.deliveries(webhook.id)) this.ids.add(id);
    for (const id of this.ids) this.addAttempts(this.simulator.webhooks.delivery(id));
    for (const [row, lost] of this.lostRows) this.addLostOutcomes(row, lost);
    for (const { row, id, request } of this.duplicates) this.addOutcome(row, id, 1, requestResult(request));
    for (const { row, id } of this.givenUp)
      this.addOutcome(row, id, 0, { kind: "failed", text: row.verb.replace(/^is /, "") });
    // from left to right, in whatever order they were delivered
    for (const row of rows)
      row.targets.push(
        ...row.deliveries.map(({ lane }) => lane).filter((lane) => !row.targets.includes(lane)),
      );
  }

  private addAttempts(delivery: Delivery): void {
    const row = this.rowOfEvent.get(delivery.event.id);
    if (row === undefined) return;
    const { id, attempts } = delivery;
    const [lane, attemptCount, webhook] = [this.lane(delivery), attempts.length, delivery.webhookId];
    for (const attempt of attempts) {
      const answer = attempt.status === null ? null : { status: attempt.status };
      const outcome = requestResult({ answer, failure: attempt.failure });
      const to: PageRow | undefined = attempt.number === 1 ? row : this.retries.get(id)?.[attempt.number - 2];
      if (to === undefined) continue;
      const dueMs = attempt.number === attemptCount ? delivery.nextAttemptTimestamp : null;
      const next = dueMs === null ? {} : { nextMs: dueMs - this.startMs };
      to.deliveries.push({ id, webhook, lane, attempt: attempt.number, outcome, attemptCount, ...next });
      if (to === row) continue;
      const before = attempts[attempt.number - 2];
      to.subject = delivery.event.type;
      to.verb = `attempt ${attempt.number}`;
      to.detail =
        before === undefined
          ? ""
          : `after ${before.status ?? (before.failure === "timeout" ? "no answer" : before.failure)}`;
      to.record = row.record;
      Object.assign(to, { firstRow: row.index, event: row.event } satisfies Partial<PageRow>);
    }
  }

  private addLostOutcomes(row: PageRow, lost: readonly RequestRecord[]): void {
    for (const request of lost) {
      const { text } = requestResult(request);
      this.addOutcome(row, request.recordId, 1, { kind: "lost", text });
    }
    if (lost.length > 1) row.subject = `${lost.length} deliveries`;
  }

  /** Links a further row of a delivery to its first attempt. */
  private addOutcome(row: PageRow, id: string, attempt: number, outcome: Outcome): void {
    const delivery = this.simulator.webhooks.delivery(id);
    const first = this.rowOfEvent.get(delivery.event.id);
    const [lane, attemptCount] = [this.lane(delivery), delivery.attempts.length];
    row.deliveries.push({ id, webhook: delivery.webhookId, lane, attempt, outcome, attemptCount });
    if (first === undefined) return;
    row.record = first.record;
    Object.assign(row, { firstRow: first.index, event: first.event } satisfies Partial<PageRow>);
  }

  private lane({ webhookId, attempts }: Delivery): string {
    const webhook = this.simulator.webhooks.list().find((each) => each.id === webhookId);
    if (webhook !== undefined) return this.lanes.host(webhook.url);
    const [first] = attempts;
    const request = this.simulator.network.requests.find(({ id }) => id === first?.requestId);
    return this.lanes.host(request?.to ?? "webhook");
  }
}
