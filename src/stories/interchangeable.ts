import type { Simulator } from "../core/simulator/simulator.ts";
import type { Actors } from "./actors.ts";
import type { Act } from "./acts.ts";

/**
 * Leaves out the acts of users who cannot be told apart yet: members of the same tiers with the same endpoints, who ring or
 * talk alike, and of whom neither has acted or is mentioned by the scenario. What one of them does stands for the others.
 * @param touched the users who have acted, or to whom something was done
 */
export function withoutInterchangeable(
  acts: readonly Act[],
  simulator: Simulator,
  actors: Actors,
  touched: ReadonlySet<string>,
): Act[] {
  const first = new Map<string, string>();
  const standsFor = new Map<string, string>();
  for (const user of actors.users) {
    if (touched.has(user) || isMentioned(simulator, actors, user)) continue;
    const key = describeLikeness(simulator, user);
    if (!first.has(key)) first.set(key, user);
    standsFor.set(user, first.get(key) ?? user);
  }
  const isFirst = (user: string | undefined) => user === undefined || (standsFor.get(user) ?? user) === user;
  return acts.filter(({ who, to }) => isFirst(who) && (isFirst(to) || standsFor.get(to ?? "") === who));
}

function isMentioned(simulator: Simulator, { mentioned }: Actors, user: string): boolean {
  const { id, email, extension } = simulator.users.get(user).record;
  return [id, email, extension].some((name) => mentioned.has(name));
}

/** What tells users apart besides their names: settings, endpoints, teams and tiers, and what they do now. */
function describeLikeness(simulator: Simulator, user: string): string {
  const { status, timezone, licenses, loginStatus, hasVoicemail, endpoints, availability, phoneNumbers } =
    simulator.users.get(user).record;
  const tiers = simulator.teams
    .list()
    .flatMap(({ id, record }) =>
      record.teamMembers.flatMap((member) => (member.id === user ? [[id, member.priority]] : [])),
    );
  const rings = simulator.calls
    .live()
    .map((call) => call.ringing().filter((each) => "user" in each && each.user === user).length);
  return JSON.stringify([
    ...[status, timezone, licenses, loginStatus, hasVoicemail, phoneNumbers.length, tiers, rings],
    ...[availability.status, availability.notAvailableRule],
    endpoints.map(({ type, registered }) => [type, registered]),
  ]);
}
