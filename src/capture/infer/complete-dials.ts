import type { CapturedEvent } from "../read/capture.ts";
import { isThere, listOrEmpty, type PartialCall, type PartialParty } from "../read/partial-records.ts";

type PartialDial = NonNullable<PartialParty["dials"]>[number];

/** The endpoints that a party is assumed to have if the body names none. */
const assumedEndpoints: Readonly<Record<string, readonly string[]>> = {
  external: ["phone"],
  device: ["sip"],
  user: ["mobile", "desktop", "sip", "sip2", "sip3"],
};

/**
 * Completes dials that have only a start and a reason, as in the documentation's examples. Their end and outcome follow
 * from who joined, from the next dials and from the outcome of the call.
 */
export function completeDials(call: PartialCall, events: readonly CapturedEvent[]): PartialCall {
  const parties = listOrEmpty(call.parties).filter(isThere);
  const lacksOutcomes = parties.some(({ dials }) =>
    listOrEmpty(dials).some((dial) => dial?.outcome === undefined),
  );
  if (!lacksOutcomes) return call;
  const closing = events.find(({ type }) => type === "call.not_answered" || type === "call.ended");
  const completion = new DialCompletion(
    call,
    parties,
    call.endedTimestamp ?? closing?.timestamp ?? undefined,
  );
  return { ...call, parties: parties.map((party) => completion.completeParty(party)) };
}

/** Completes the dials of one call. */
class DialCompletion {
  private readonly starts: readonly number[];
  /** When parties that were dialled joined, in order. */
  private readonly joins: readonly number[];
  private readonly voicemailMs: number | undefined;

  constructor(
    private readonly call: PartialCall,
    parties: readonly PartialParty[],
    private readonly callEndMs: number | undefined,
  ) {
    this.starts = ascending(
      parties.flatMap(({ dials }) => listOrEmpty(dials).map((dial) => dial?.startedTimestamp)),
    );
    const rung = new Set(parties.filter(({ dials }) => listOrEmpty(dials).length > 0).map(({ id }) => id));
    const voicemail = parties.find(({ type }) => type === "voicemail");
    const connections = listOrEmpty(call.connections).filter(isThere);
    this.joins = ascending(
      connections.filter(({ partyId }) => rung.has(partyId)).map((each) => each.joinedTimestamp),
    );
    const [voicemailMs] = connections
      .filter(({ partyId }) => voicemail !== undefined && partyId === voicemail.id)
      .map((each) => each.joinedTimestamp);
    this.voicemailMs = voicemailMs ?? undefined;
  }

  completeParty(party: PartialParty): PartialParty {
    const names = assumedEndpoints[party.type ?? "user"] ?? ["mobile"];
    const joined = ascending(
      listOrEmpty(this.call.connections)
        .filter((each) => each?.partyId === party.id)
        .map((each) => each.joinedTimestamp),
    );
    const counts = new Map<number, number>();
    const dials = listOrEmpty(party.dials)
      .filter(isThere)
      .map((dial) => {
        const startMs = dial.startedTimestamp ?? 0;
        const nth = counts.get(startMs) ?? 0;
        counts.set(startMs, nth + 1);
        return dial.outcome === undefined ? this.completeDial(dial, names, nth, joined) : dial;
      });
    return { ...party, dials };
  }

  private completeDial(
    dial: PartialDial,
    names: readonly string[],
    nth: number,
    joined: readonly number[],
  ): PartialDial {
    const startMs = dial.startedTimestamp ?? 0;
    const isOffer = dial.reason === "teamOffer";
    const nextMs = this.starts.find((ms) => ms > startMs);
    const ownJoinMs = joined.find(
      (ms) => ms >= startMs && (nextMs === undefined || ms <= nextMs || !isOffer),
    );
    const firstJoinMs = this.joins.find((ms) => ms >= startMs);
    const isCutByNext =
      isOffer && nextMs !== undefined && (firstJoinMs === undefined || nextMs <= firstJoinMs);
    const endedMs = ownJoinMs ?? (isCutByNext ? nextMs : (firstJoinMs ?? this.voicemailMs ?? this.callEndMs));
    return {
      ...dial,
      endpoint: dial.endpoint ?? names[Math.min(nth, names.length - 1)],
      endedTimestamp: endedMs ?? null,
      outcome: endedMs === undefined ? null : this.inferOutcome(nth, ownJoinMs, firstJoinMs === endedMs),
    };
  }

  private inferOutcome(
    nth: number,
    ownJoinMs: number | undefined,
    isTakenByOther: boolean,
  ): PartialDial["outcome"] {
    const { status, reason } = this.call.outcome ?? {};
    if (ownJoinMs !== undefined) return nth === 0 ? "answered" : "answeredElsewhere";
    if (isTakenByOther) return "withdrawn";
    if (reason === "declined" || reason === "rejected") return "declined";
    if (reason === "busy") return "failed";
    const isWithdrawn = status === "abandoned" || reason === "cancelled" || reason === "unavailable";
    return isWithdrawn ? "withdrawn" : "timeout";
  }
}

function ascending(times: readonly (number | null | undefined)[]): number[] {
  return [...new Set(times.filter(isThere))].sort((a, b) => a - b);
}
