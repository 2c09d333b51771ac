import { clock } from "../../src/core/foundation/clock.ts";
import type { PageRow } from "../../src/inspector/model/types.ts";
import { cardsOf, type PlayedCard } from "./cards.ts";
import type { RecordedRun } from "./recorded-run.ts";
import { type ShownRow, shownRow } from "./shown-row.ts";

/** The requests of a lesson's webhook, in the order in which they arrive, as cards. */

/** The webhook that a lesson asks about. */
export interface AskedWebhook {
  readonly url: string;
  /** `crm.acme.test`. */
  readonly host: string;
  /** The types of events that it asks for. */
  readonly events: readonly string[];
}

/** The webhook that gets the most requests; the first of several. @returns undefined in a run without webhooks */
export function askedWebhook(run: RecordedRun): AskedWebhook | undefined {
  const hooks = run.simulator.webhooks
    .list()
    .map(({ url, events }) => ({ url, events, host: new URL(url).host }));
  const counts = hooks.map(({ url }) => arrivalsAt(run, url).length);
  return hooks[counts.indexOf(Math.max(...counts))];
}

/** What arrives at a URL, in order of arrival. */
function arrivalsAt({ simulator }: RecordedRun, url: string) {
  return simulator.network.requests
    .filter(({ why, to, arrival }) => why === "webhook" && to === url && arrival !== null)
    .sort((one, other) => (one.arrival ?? 0) - (other.arrival ?? 0));
}

/** The requests that a webhook gets, as cards. @param saysWhose whether a card names the caller */
export function requestCards(run: RecordedRun, { url }: AskedWebhook, saysWhose: boolean): PlayedCard[] {
  const { simulator } = run;
  const eventCards = cardsOf(run, saysWhose);
  return arrivalsAt(run, url).map((request) => {
    const { event, attempts } = simulator.webhooks.delivery(request.recordId);
    const row = run.rows.find((each) => simulator.events[each.event ?? -1]?.id === event.id);
    const own = eventCards.find((card) => card.row === row?.index)?.card;
    const id = request.duplicateOf ?? request.id;
    const number = attempts.find(({ requestId }) => requestId === id)?.number ?? 1;
    const detail = [own?.detail ?? "", number > 1 ? `attempt ${number}` : ""].filter((part) => part !== "");
    return {
      card: { kind: number > 1 ? "retry" : "event", title: event.type, detail: detail.join(", ") },
      row: row?.index ?? -1,
      atMs: (request.arrivedTimestamp ?? 0) - simulator.startTimestamp,
    };
  });
}

/** What people do, and what the webhook gets, in the order of time. */
export function requestRows(run: RecordedRun, cards: readonly PlayedCard[]): ShownRow[] {
  const isActed = ({ kind, command }: PageRow) => command !== undefined && kind !== "rest";
  const acts = run.rows.filter(isActed).map((row) => ({ atMs: row.atMs, shown: shownRow(row) }));
  const arrivals = cards.map(({ card: { kind, title, detail }, atMs }, card) => ({
    atMs,
    shown: { kind, at: clock(atMs), subject: title, rest: detail, card },
  }));
  return [...acts, ...arrivals].sort((one, other) => one.atMs - other.atMs).map(({ shown }) => shown);
}
