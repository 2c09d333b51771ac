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
export function eventKeys({ type, data }: { readonly type: string; readonly data: unknown }): string[] {
  // the data of each type has some of these, or none
  const { call, user, team } = data as KeyedData;
  if (call !== undefined) return callKeys(type, call);
  if (user?.availability !== undefined) {
    const { status, notAvailableRule } = user.availability;
    return [`${type} ${status}${notAvailableRule === null ? "" : ` (${notAvailableRule})`}`];
  }
  if (team?.availability !== undefined) return [`${type} ${team.availability.status}`];
  return [type];
}

/** Suites ask for each of their events, so this makes no lists that it does not return. */
function callKeys(type: string, call: KeyedCall): string[] {
  const { outcome, direction, assignedUser, answeredAt, voicemail, isConference } = call;
  const base = `${type} ${direction} ${outcome === null ? "no outcome" : outcomeText(outcome)}`;
  const keys = [base];
  if (assignedUser == null) keys.push(`${base}, assignedUser null`);
  if (answeredAt != null && outcome?.status !== "answered") keys.push(`${base}, answeredAt set`);
  if (voicemail != null) keys.push(`${base}, voicemail`);
  if (isConference) keys.push(`${base}, conference`);
  for (const { dials } of call.parties)
    for (const { reason, outcome: end } of dials) {
      const key = `${type} dial ${reason} ${end ?? "rings"}`;
      if (!keys.includes(key)) keys.push(key);
    }
  return keys;
}

function outcomeText({ status, reason }: NonNullable<KeyedCall["outcome"]>): string {
  return reason === null ? status : `${status} (${reason})`;
}
