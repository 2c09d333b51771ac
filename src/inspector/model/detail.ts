import { cardTitle } from "../../core/platform/data-actions/cards.ts";
import type { PlatformEvent } from "../../core/platform/declare/events.ts";
import type { RestServedArguments } from "../../core/platform/rest-traffic/schemas.ts";
import { verifySignature } from "../../index.ts";
import { countChanges, type DiffNode, diffTree } from "./diff.ts";
import { requestResult } from "./outcome.ts";
import type { Recording } from "./recording.ts";
import { stepText } from "./to-scenario.ts";
import type { Outcome, PageRow } from "./types.ts";

/** A request, as sent. */
export interface RequestView {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer; undefined if there was none. */
export interface AnswerView {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface AttemptView {
  readonly number: number;
  readonly atMs: number;
  readonly endMs: number | undefined;
  readonly row: number | undefined;
  readonly outcome: Outcome;
  readonly failure: string | null;
  readonly request: RequestView;
  readonly answer: AnswerView | undefined;
  /** Whether the signature is valid; undefined if there is none. */
  readonly signature:
    | { readonly isValid: boolean; readonly reason: string | undefined; readonly bytes: number }
    | undefined;
}

export interface DeliveryView {
  readonly id: string;
  readonly type: string;
  readonly url: string;
  readonly state: string;
  readonly reason: string | null;
  readonly attempts: readonly AttemptView[];
  /** When the next attempt is made, from the start, ms. */
  readonly nextMs: number | undefined;
}

/** The cards of a row's call, as users see them. */
export interface CardsView {
  /** When they were asked for: `<service>.precall`. */
  readonly origin: string;
  /** The names of the users who have seen them so far. */
  readonly shownTo: readonly string[];
  /** In their order, each by its title. */
  readonly cards: readonly DiffNode[];
  /** Layout preferences that cannot be applied, and why. */
  readonly problems: readonly string[];
}

/** The content of the detail panel for a row. */
export interface Detail {
  readonly row: number;
  readonly event:
    | {
        readonly type: string;
        readonly json: string;
        readonly tree: DiffNode;
        readonly changes: number;
        /** The event with the record's previous version. */
        readonly previous: { readonly type: string; readonly atMs: number; readonly row: number } | undefined;
      }
    | undefined;
  readonly deliveries: readonly DeliveryView[];
  /** The cards of its call so far, in order of arrival. */
  readonly cards: readonly CardsView[];
  /** A request that is not a delivery. */
  readonly request:
    | {
        readonly why: string;
        readonly request: RequestView;
        readonly answer: AnswerView | undefined;
        readonly outcome: Outcome;
      }
    | undefined;
  readonly command:
    | {
        readonly name: string;
        readonly json: string;
        readonly tree: DiffNode;
        readonly yaml: string | undefined;
      }
    | undefined;
}

export function makeDetail(recording: Recording, index: number): Detail {
  const row = recording.rows[index];
  if (row === undefined) throw new Error(`the run has no row ${index}`);
  return {
    row: index,
    event: showEvent(recording, row),
    deliveries: showDeliveries(recording, row),
    cards: showCards(recording, row),
    request: showRequest(recording, row),
    command: showCommand(recording, row),
  };
}

function showEvent(recording: Recording, row: PageRow): Detail["event"] {
  const event = row.event === undefined ? undefined : recording.recorder.events[row.event];
  if (event === undefined || row.event === undefined) return undefined;
  const before = versionBefore(recording.recorder.events, row.event);
  const tree = diffTree("data", event.data, before?.event.data);
  const beforeRow =
    before === undefined ? undefined : recording.rows.find((each) => each.event === before.index);
  return {
    type: event.type,
    json: JSON.stringify(event, null, 2),
    tree,
    changes: countChanges(tree),
    previous:
      before === undefined || beforeRow === undefined
        ? undefined
        : { type: before.event.type, atMs: beforeRow.atMs, row: beforeRow.index },
  };
}

/** The last earlier event with the same record. */
function versionBefore(events: readonly PlatformEvent[], start: number) {
  const subject = subjectOf(events[start]);
  for (let index = start - 1; index >= 0; index--) {
    const event = events[index];
    if (event !== undefined && subjectOf(event) === subject) return { event, index };
  }
  return undefined;
}

/** The record of an event, such as `call call-1`. */
function subjectOf(event: PlatformEvent | undefined): string {
  const [name, record] = Object.entries(event?.data ?? {})[0] ?? [];
  return `${name} ${(record as { id?: string } | undefined)?.id}`;
}

function showDeliveries(recording: Recording, row: PageRow): DeliveryView[] {
  const ids = [...new Set(row.deliveries.map(({ id }) => id))];
  return ids.map((id) => showDelivery(recording, id));
}

function showDelivery({ simulator, rows, summary, journal }: Recording, id: string): DeliveryView {
  const delivery = simulator.webhooks.delivery(id);
  const webhook = simulator.webhooks.list().find((each) => each.id === delivery.webhookId);
  const requests = new Map(simulator.network.requests.map((each) => [each.id, each]));
  const secret = webhook === undefined ? undefined : simulator.webhooks.signingSecret(webhook.id);
  const attempts = delivery.attempts.flatMap((attempt): AttemptView[] => {
    const request = requests.get(attempt.requestId);
    if (request === undefined) return [];
    const { method, to: url, headers, body, answer } = request;
    const now = request.startedTimestamp;
    const { dialect } = journal.options;
    const verified =
      secret === undefined ? undefined : verifySignature({ headers, body, secret, now, dialect });
    return [
      {
        number: attempt.number,
        atMs: now - summary.startMs,
        endMs: attempt.endedTimestamp === null ? undefined : attempt.endedTimestamp - summary.startMs,
        row: rows.find((each) => isAttempt(each, id, attempt.number))?.index,
        outcome: requestResult(request),
        failure: attempt.failure,
        request: { method, url, headers, body },
        answer: answer ?? undefined,
        signature: verified && {
          isValid: verified.valid,
          reason: verified.reason,
          bytes: new TextEncoder().encode(body).length,
        },
      },
    ];
  });
  return {
    id,
    type: delivery.event.type,
    url: webhook?.url ?? attempts[0]?.request.url ?? "a webhook that was deleted",
    state: delivery.state,
    reason: delivery.reason,
    attempts,
    nextMs:
      delivery.nextAttemptTimestamp === null ? undefined : delivery.nextAttemptTimestamp - summary.startMs,
  };
}

function isAttempt({ kind, deliveries }: PageRow, id: string, attempt: number): boolean {
  const isOfAttempt = kind === "event" || kind === "retry";
  return isOfAttempt && deliveries.some((each) => each.id === id && each.attempt === attempt);
}

function showCards({ rows, summary, simulator }: Recording, { index, record }: PageRow): CardsView[] {
  const call = summary.records[record];
  if (call?.kind !== "call") return [];
  const came = rows.filter((each) => each.record === record && each.index <= index && each.kind === "cards");
  const nameOf = (lane: string) => summary.lanes.find(({ id }) => id === lane)?.name ?? lane;
  return simulator.calls.insights
    .filter(({ callId }) => callId === call.id)
    .flatMap(({ origin, cards, problems }): CardsView[] => {
      const shown = came.filter((each) => each.origin === origin);
      if (shown.length === 0) return [];
      const shownTo = shown.flatMap(({ targets }) => targets).map(nameOf);
      return [{ origin, shownTo, cards: cards.map((card) => diffTree(cardTitle(card), card)), problems }];
    });
}

function showRequest({ simulator }: Recording, { command, outcome }: PageRow): Detail["request"] {
  if (command?.name === "restServed" && outcome !== undefined) return restRequest(command.args, outcome);
  if (command?.name !== "request") return undefined;
  const { request: id } = command.args as { request: string };
  const request = simulator.network.requests.find((each) => each.id === id);
  if (request === undefined) return undefined;
  const { method, to: url, headers, body, answer, why } = request;
  return {
    why,
    request: { method, url, headers, body },
    answer: answer ?? undefined,
    outcome: requestResult(request),
  };
}

/** A request to the REST API and its answer. Headers are not recorded. */
function restRequest(args: unknown, outcome: Outcome): Detail["request"] {
  const { method, path, body, status, answer } = args as RestServedArguments;
  return {
    why: "to the REST API",
    request: { method, url: path, headers: {}, body },
    answer: { status, headers: {}, body: answer },
    outcome,
  };
}

function showCommand(recording: Recording, { command, atMs }: PageRow): Detail["command"] {
  if (command === undefined || command.name === "request") return undefined;
  const { name, args } = command;
  return {
    name,
    json: JSON.stringify(args, null, 2),
    tree: diffTree(name, args),
    yaml: stepText(recording.journal, { name, args, atMs }, recording.scenario),
  };
}
