import type { CapturedEvent } from "./capture.ts";
import { isThere, listOf, type SeenCall, type SeenParty } from "./seen.ts";

type SeenDial = NonNullable<SeenParty["dials"]>[number];

/** The endpoints that a party is taken to have, where a body does not name them. */
const assumedEndpoints: Readonly<Record<string, readonly string[]>> = {
  external: ["phone"],
  device: ["sip"],
  user: ["mobile", "desktop", "sip", "sip2", "sip3"],
};

/**
 * Completes the dials of a call whose bodies say only when each began and why, as the documentation shows them: when
 * they ended and how follows from who joined, from the next dials and from the outcome.
 */
export function completed(call: SeenCall, events: readonly CapturedEvent[]): SeenCall {
  const parties = listOf(call.parties).filter(isThere);
  const isLean = parties.some(({ dials }) => listOf(dials).some((dial) => dial?.outcome === undefined));
  if (!isLean) return call;
  const closing = events.find(({ type }) => type === "call.not_answered" || type === "call.ended");
  const scene = new Scene(call, parties, call.endedTimestamp ?? closing?.timestamp ?? undefined);
  return { ...call, parties: parties.map((party) => scene.completedParty(party)) };
}

/** What the dials of one call have in common. */
class Scene {
  private readonly starts: readonly number[];
  /** When someone who was rung joined, in order. */
  private readonly joins: readonly number[];
  private readonly voicemailMs: number | undefined;

  constructor(
    private readonly call: SeenCall,
    parties: readonly SeenParty[],
    private readonly closedMs: number | undefined,
  ) {
    this.starts = ascending(
      parties.flatMap(({ dials }) => listOf(dials).map((dial) => dial?.startedTimestamp)),
    );
    const rung = new Set(parties.filter(({ dials }) => listOf(dials).length > 0).map(({ id }) => id));
    const voicemail = parties.find(({ type }) => type === "voicemail");
    const connections = listOf(call.connections).filter(isThere);
    this.joins = ascending(
      connections.filter(({ partyId }) => rung.has(partyId)).map((each) => each.joinedTimestamp),
    );
    const [voicemailMs] = connections
      .filter(({ partyId }) => voicemail !== undefined && partyId === voicemail.id)
      .map((each) => each.joinedTimestamp);
    this.voicemailMs = voicemailMs ?? undefined;
  }

  completedParty(party: SeenParty): SeenParty {
    const names = assumedEndpoints[party.type ?? "user"] ?? ["mobile"];
    const joined = ascending(
      listOf(this.call.connections)
        .filter((each) => each?.partyId === party.id)
        .map((each) => each.joinedTimestamp),
    );
    const counts = new Map<number, number>();
    const dials = listOf(party.dials)
      .filter(isThere)
      .map((dial) => {
        const startMs = dial.startedTimestamp ?? 0;
        const nth = counts.get(startMs) ?? 0;
        counts.set(startMs, nth + 1);
        return dial.outcome === undefined ? this.completedDial(dial, names, nth, joined) : dial;
      });
    return { ...party, dials };
  }

  private completedDial(
    dial: SeenDial,
    names: readonly string[],
    nth: number,
    joined: readonly number[],
  ): SeenDial {
    const startMs = dial.startedTimestamp ?? 0;
    const isOffer = dial.reason === "teamOffer";
    const nextMs = this.starts.find((ms) => ms > startMs);
    const mineMs = joined.find((ms) => ms >= startMs && (nextMs === undefined || ms <= nextMs || !isOffer));
    const anyoneMs = this.joins.find((ms) => ms >= startMs);
    const isCutByNext = isOffer && nextMs !== undefined && (anyoneMs === undefined || nextMs <= anyoneMs);
    const endedMs = mineMs ?? (isCutByNext ? nextMs : (anyoneMs ?? this.voicemailMs ?? this.closedMs));
    return {
      ...dial,
      endpoint: dial.endpoint ?? names[Math.min(nth, names.length - 1)],
      endedTimestamp: endedMs ?? null,
      outcome: endedMs === undefined ? null : this.outcome(nth, mineMs, anyoneMs === endedMs),
    };
  }

  private outcome(nth: number, mineMs: number | undefined, isTakenByOther: boolean): SeenDial["outcome"] {
    const { status, reason } = this.call.outcome ?? {};
    if (mineMs !== undefined) return nth === 0 ? "answered" : "answeredElsewhere";
    if (isTakenByOther) return "withdrawn";
    if (reason === "declined" || reason === "rejected") return "declined";
    if (reason === "busy") return "failed";
    return status === "abandoned" || reason === "cancelled" ? "withdrawn" : "timeout";
  }
}

function ascending(times: readonly (number | null | undefined)[]): number[] {
  return [...new Set(times.filter(isThere))].sort((a, b) => a - b);
}
