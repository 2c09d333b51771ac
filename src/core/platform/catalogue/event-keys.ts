import type { PlatformEvent } from "../declare/events.ts";

/** The parts of an event's data that its keys tell apart. */
interface KeyedData {
  readonly call?: KeyedCall;
  readonly user?: {
    readonly availability?: { readonly status: string; readonly notAvailableRule: string | null };
  };
  readonly team?: { readonly availability?: { readonly status: string } };
}

interface KeyedCall {
  readonly direction: string;
  readonly outcome: { readonly status: string; readonly reason: string | null } | null;
  readonly assignedUser?: unknown;
  readonly answeredAt?: string | null;
  readonly voicemail?: unknown;
  readonly isConference: boolean;
  readonly parties: readonly {
    readonly dials: readonly { readonly reason: string; readonly outcome: string | null }[];
  }[];
}

/**
 * What tells an event from others of its type, as an app has to: direction, outcome and reason of its call, what is null in
 * it, how its dials ended; a user's availability and rule; a team's availability. Never a body.
 * @example
 * eventKeys(sim.events[0]); // ["call.started inbound no outcome", …]
 */
export function eventKeys({ type, data }: Pick<PlatformEvent, "type" | "data">): string[] {
  // the data of each type has some of these, or none
  const { call, user, team } = data as unknown as KeyedData;
  if (call !== undefined) return callKeys(type, call);
  if (user?.availability !== undefined) {
    const { status, notAvailableRule } = user.availability;
    return [`${type} ${status}${notAvailableRule === null ? "" : ` (${notAvailableRule})`}`];
  }
  if (team?.availability !== undefined) return [`${type} ${team.availability.status}`];
  return [type];
}

function callKeys(type: string, call: KeyedCall): string[] {
  const { outcome, direction, assignedUser, answeredAt, voicemail, isConference, parties } = call;
  const reason = outcome?.reason == null ? "" : ` (${outcome.reason})`;
  const base = `${type} ${direction} ${outcome == null ? "no outcome" : `${outcome.status}${reason}`}`;
  const dials = parties.flatMap((party) =>
    party.dials.map((dial) => `${type} dial ${dial.reason} ${dial.outcome ?? "rings"}`),
  );
  return [
    base,
    ...(assignedUser == null ? [`${base}, assignedUser null`] : []),
    ...(answeredAt != null && outcome?.status !== "answered" ? [`${base}, answeredAt set`] : []),
    ...(voicemail == null ? [] : [`${base}, voicemail`]),
    ...(isConference ? [`${base}, conference`] : []),
    ...new Set(dials),
  ];
}
