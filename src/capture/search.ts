import type { OrganisationInput } from "../core/generated/inputs.ts";
import { durationOf } from "./draft.ts";
import type { Inference } from "./infer.ts";
import type { Match } from "./match.ts";
import { inferenceOf, type Part, partsWith, widened } from "./parts.ts";
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
  /** @param part if it is not the whole: the time in which events are compared */
  play(inference: Inference, part?: Part): Try;
}

/** What a try costs: what it lacks and invents, and a little for each field that differs. */
function isBetter({ match }: Try, than: Try): boolean {
  const cost = ({ missing, invented }: Match) => 10 * missing.length + 10 * invented.length;
  const most = cost(than.match) + than.match.differing / 10;
  // fields are compared only if they matter, since that takes as long as the play
  return cost(match) < most && cost(match) + match.differing / 10 < most;
}

/**
 * Looks for a run that explains all. The first try is what the inverse rules say. Then come, one after the other, what
 * they leave open and settings that no event states, those of the people and teams of what is missing first. What
 * makes a try better is kept. In a long capture a change is tried in the part about what is missing, and in the whole
 * only if it is better there.
 * @param most how many runs are played at most; a run of a part counts as that part
 */
export function search(tries: Tries, most: number): { best: Try; isSpent: boolean } {
  const run = new Search(tries, most);
  run.open();
  run.settings();
  return { best: run.best, isSpent: run.isMissing && run.isSpent };
}

class Search {
  best: Try;
  private played = 1;

  constructor(
    private readonly tries: Tries,
    private readonly most: number,
  ) {
    this.best = tries.play(tries.infer({}));
  }

  get isMissing(): boolean {
    return this.best.match.missing.length > 0;
  }

  get isSpent(): boolean {
    return this.played >= this.most;
  }

  get goesOn(): boolean {
    return this.isMissing && !this.isSpent;
  }

  /** Tries what the inverse rules leave open. */
  open(): void {
    const taken: Record<string, number> = {};
    const { inference } = this.best;
    const starts = new Map(inference.calls.map(({ id, startMs }) => [id, startMs]));
    for (const part of this.parts())
      for (const { call, choices } of inference.open) {
        if (!part.has(starts.get(call) ?? 0)) continue;
        for (let choice = 1; choice < choices && this.goesOn; choice++)
          if (part.attempt(this.tries.infer({ ...taken, [call]: choice }))) taken[call] = choice;
      }
  }

  /** Tries other settings, until none makes the run better. */
  settings(): void {
    for (let hasImproved = true; hasImproved; ) {
      hasImproved = false;
      for (const part of this.parts())
        for (const change of candidates(this.best.inference, part.missing)) {
          if (!this.goesOn) return;
          const { inference } = this.best;
          const organisation = change(inference.organisation);
          hasImproved = part.attempt({ ...inference, organisation }) || hasImproved;
        }
    }
  }

  private parts(): PartOfSearch[] {
    const { inference, match } = this.best;
    return partsWith(match.missing, inference).map((time) => new PartOfSearch(this, time));
  }

  play(inference: Inference, part?: Part): Try {
    this.played += part === undefined ? 1 : inference.steps.length / this.best.inference.steps.length;
    return this.tries.play(inference, part);
  }
}

/** The search for what explains a part of a capture. */
class PartOfSearch {
  readonly missing: Match["missing"];
  /** What is played of it; undefined until a change is tried, and if it is most of the capture. */
  private part: Part | undefined;
  private before: Try | undefined;
  private isBegun = false;

  constructor(
    private readonly search: Search,
    private readonly time: Part,
  ) {
    this.missing = search.best.match.missing.filter(({ timestamp }) => this.has(timestamp));
  }

  has(atMs: number): boolean {
    return this.time.fromMs <= atMs && atMs <= this.time.toMs;
  }

  /** Keeps a change if it makes the part and the whole better. */
  attempt(changed: Inference): boolean {
    if (!this.isBegun) this.begin();
    const own = this.part && inferenceOf(changed, this.part);
    const next = own && this.search.play(own, this.part);
    if (next !== undefined && this.before !== undefined && !isBetter(next, this.before)) return false;
    const whole = this.search.play(changed);
    if (!isBetter(whole, this.search.best)) return false;
    this.search.best = whole;
    this.before = next;
    return true;
  }

  /** Plays the part as it is so far, from so early that something is missing in it. */
  private begin(): void {
    this.isBegun = true;
    for (let part = this.time; this.search.goesOn; part = widened(part)) {
      const own = inferenceOf(this.search.best.inference, part);
      if (own === undefined) return;
      this.before = this.search.play(own, part);
      this.part = part;
      if (this.before.match.missing.length > 0) return;
    }
  }
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

/** Other settings for the people and teams that missing events are about. */
function candidates({ organisation, calls }: Inference, missing: Match["missing"]): Change[] {
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
