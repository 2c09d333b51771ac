import { deliveryHistories } from "./delivery-histories.ts";
import { playUp } from "./fork.ts";
import { findInversions, findOutages } from "./incident.ts";
import { Recording } from "./recording.ts";

/** What another run, in which a host is up, says of what an outage did. */
export interface WhatIfUp {
  /** How many deliveries the host failed to take, late or lost. */
  readonly events: number;
  /** How many of them arrive with their first request if it is up. */
  readonly arrive: number;
  /** How many calls end before they begin, for the host, as it was and if it is up. */
  readonly inverted: readonly [was: number, is: number];
  /** How many calls are others: their times or their outcome. */
  readonly otherCalls: number;
}

/** Plays a run again with a host up all the time, and compares what arrives. */
export function whatIfUp(recording: Recording, host: string): WhatIfUp & { readonly played: Recording } {
  const was = deliveryHistories(recording);
  const outages = findOutages(was).filter(({ lane }) => lane === host);
  const isDown = (atMs: number) => outages.some(({ fromMs, toMs }) => atMs >= fromMs && atMs <= toMs);
  const { simulator, skipped } = playUp(recording, host, isDown);
  const played = Recording.from(simulator.journal(), { title: recording.summary.title, skipped });
  const is = deliveryHistories(played);
  const hit = outages.flatMap(({ late, lost, waiting }) => [...late, ...lost, ...waiting]);
  const after = new Map(is.map((history) => [history.key, history]));
  const arrive = hit.filter(({ key }) => {
    const first = after.get(key)?.attempts[0];
    return first !== undefined && first.kind === "delivered";
  });
  const inverted = (all: typeof was) =>
    new Set(findInversions(all).flatMap(({ lane, record }) => (lane === host ? [record] : []))).size;
  return {
    played,
    events: hit.length,
    arrive: arrive.length,
    inverted: [inverted(was), inverted(is)],
    otherCalls: otherCalls(recording, played),
  };
}

function otherCalls({ summary }: Recording, other: Recording): number {
  const textOf = ({ id, fromMs, toMs, outcome }: (typeof summary.records)[number]) =>
    `${id} ${fromMs} ${toMs} ${outcome}`;
  const theirs = new Set(other.summary.records.map(textOf));
  const own = summary.records.filter((record) => !theirs.has(textOf(record))).length;
  return own + Math.max(0, other.summary.records.length - summary.records.length);
}
