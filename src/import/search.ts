import type { OrganisationInput } from "../generated/inputs.ts";
import { durationOf } from "./draft.ts";
import type { Inference } from "./infer.ts";
import type { Match } from "./match.ts";
import type { Played } from "./play.ts";
import { isThere, type SeenData } from "./seen.ts";

/** One try at an explanation. */
export interface Try {
  readonly inference: Inference;
  readonly played: Played;
  readonly match: Match;
}

/** How a try is made. */
export interface Tries {
  /** @param choices for calls of which something is open, which choice is taken, from 0 */
  infer(choices: Readonly<Record<string, number>>): Inference;
  play(inference: Inference): Try;
}

/** What a try costs: what it lacks and invents, and a little for each field that differs. */
function costOf({ match: { missing, invented, differing } }: Try): number {
  return 10 * missing.length + 10 * invented.length + differing / 10;
}

/**
 * Looks for a run that explains all. The first try is what the inverse rules say. Then come, one after the other, what
 * they leave open and settings that no event states, those of the people and teams of what is missing first. What
 * makes a try better is kept.
 * @param most how many runs are played at most
 */
export function search(tries: Tries, most: number): { best: Try; isSpent: boolean } {
  let best = tries.play(tries.infer({}));
  let played = 1;
  const isOpen = () => best.match.missing.length > 0 && played < most;
  const attempt = (inference: Inference): boolean => {
    const next = tries.play(inference);
    played++;
    const isBetter = costOf(next) < costOf(best);
    if (isBetter) best = next;
    return isBetter;
  };
  for (const { call, choices } of best.inference.open)
    for (let choice = 1; choice < choices && isOpen(); choice++) attempt(tries.infer({ [call]: choice }));
  for (let hasImproved = true; hasImproved && isOpen(); ) {
    hasImproved = false;
    for (const change of candidates(best)) {
      if (!isOpen()) break;
      const organisation = change(best.inference.organisation);
      hasImproved = attempt({ ...best.inference, organisation }) || hasImproved;
    }
  }
  return { best, isSpent: best.match.missing.length > 0 && played >= most };
}

type Change = (organisation: OrganisationInput) => OrganisationInput;
type TeamInput = NonNullable<OrganisationInput["teams"]>[number];
type UserInput = NonNullable<OrganisationInput["users"]>[number];

const changedTeam =
  (id: string, change: (team: TeamInput) => TeamInput): Change =>
  (organisation) => ({
    ...organisation,
    teams: organisation.teams?.map((team) => (team.id === id ? change(team) : team)),
  });

const changedUser =
  (id: string, change: (user: UserInput) => UserInput): Change =>
  (organisation) => ({
    ...organisation,
    users: organisation.users?.map((user) => (user.id === id ? change(user) : user)),
  });

/** How many times a team may have for a call are tried. */
const MOST_TIMES = 8;

/** Other settings for the people and teams that the missing events are about. */
function candidates({ inference: { organisation, calls }, match: { missing } }: Try): Change[] {
  const stories = new Map(calls.map((call) => [call.id, call]));
  const about = new Set<string>();
  const waitsMs = new Set<number>();
  for (const { data, type, timestamp } of missing) {
    const { call, team, user } = data as SeenData;
    for (const id of [call?.directoryTarget?.id, call?.assignedCallGroup?.id, team?.id, user?.id])
      if (isThere(id)) about.add(id);
    if (type !== "call.not_answered" || !isThere(call?.startedTimestamp)) continue;
    waitsMs.add(timestamp - call.startedTimestamp);
    // a team's time may have ended with any ring of the call
    const { rings = [], startMs = 0 } = stories.get(call.id ?? "") ?? {};
    for (const { toMs } of rings) if (toMs !== undefined && toMs > startMs) waitsMs.add(toMs - startMs);
  }
  const timesMs = [undefined, ...[...waitsMs].slice(0, MOST_TIMES)];
  const teams = (organisation.teams ?? []).filter(({ id }) => about.has(id));
  const users = (organisation.users ?? []).filter(({ id }) => about.has(id));
  return [
    ...users.map(({ id }) => changedUser(id, (user) => ({ ...user, voicemail: user.voicemail === false }))),
    ...teams.flatMap(({ id }) => [
      ...timesMs.map((ms) =>
        changedTeam(id, ({ timeout: _, ...team }) =>
          ms === undefined ? team : { ...team, timeout: durationOf(ms) },
        ),
      ),
      ...[undefined, { voicemail: true as const }, ...teams.map((team) => ({ team: team.id }))].map(
        (unanswered) =>
          changedTeam(id, ({ unanswered: _, ...team }) =>
            unanswered === undefined ? team : { ...team, unanswered },
          ),
      ),
    ]),
  ];
}
